package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// figures are what was measured: milliseconds, or megabytes where the name
// begins with memory or program.
type figures map[string]float64

// rows is the order of the table.
var rows = []string{
	"open, new file", "open, again", "durable commit of one row", "10,000 rows in one transaction",
	"point read, prepared", "point read, not prepared", "range read of 20 rows, four readers at once",
	"full-text index of 5,000 documents", "full-text query, best 10",
	"50,000 blobs of 3 KB written in one transaction", "50,000 blobs of 3 KB scanned",
	"memory, database open", "memory, after all", "memory, after all, four connections",
	"program size, stripped", "start of a small program to its end",
}

// memory notes what is resident once the collector has given back what it can.
func (b *bench) memory(name string) {
	debug.FreeOSMemory()
	b.got[name] = resident()
}

// resident reads VmRSS in megabytes; zero where there is no such thing.
func resident() float64 {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(raw), "VmRSS:")
	var kb float64
	if _, err := fmt.Sscan(rest, &kb); err != nil {
		return 0
	}
	return kb / 1024
}

// measurePrograms builds a small program with each driver, and one without.
func measurePrograms(home string) (map[string]figures, error) {
	all := map[string]figures{}
	for _, name := range []string{"modernc", "ncruces", "none"} {
		exe := filepath.Join(home, "start-"+name)
		build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", exe, "./start/"+name)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, out)
		}
		info, err := os.Stat(exe)
		if err != nil {
			return nil, err
		}
		f, err := measureStart(exe, home)
		if err != nil {
			return nil, err
		}
		f["program size, stripped"] = float64(info.Size()) / 1e6
		all[name] = f
	}
	fmt.Fprintf(os.Stderr, "without a driver: %v\n", all["none"])
	return all, nil
}

func measureStart(exe, home string) (figures, error) {
	var times []float64
	for i := range 30 {
		cmd := exec.Command(exe, filepath.Join(home, fmt.Sprintf("%s%d.db", filepath.Base(exe), i)))
		start := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, out)
		}
		times = append(times, ms(start))
	}
	return figures{"start of a small program to its end": middle(times)}, nil
}

func middle(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// median takes each figure's median over the rounds.
func median(rounds []figures) figures {
	all := map[string][]float64{}
	for _, f := range rounds {
		for name, v := range f {
			all[name] = append(all[name], v)
		}
	}
	out := figures{}
	for name, vs := range all {
		out[name] = middle(vs)
	}
	return out
}

func printTable(out io.Writer, a, b figures) {
	fmt.Fprintln(out, "| what | modernc | ncruces | ncruces / modernc |")
	fmt.Fprintln(out, "|---|---|---|---|")
	for _, name := range rows {
		fmt.Fprintf(out, "| %s | %s | %s | %.2f |\n", name, show(name, a[name]), show(name, b[name]), b[name]/a[name])
	}
}

// show writes a figure with the unit that its name and size ask for.
func show(name string, v float64) string {
	switch {
	case strings.HasPrefix(name, "memory"), strings.HasPrefix(name, "program"):
		return fmt.Sprintf("%.1f MB", v)
	case v < 1:
		return fmt.Sprintf("%.1f µs", v*1000)
	}
	return fmt.Sprintf("%.1f ms", v)
}
