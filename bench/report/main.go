// Command report runs the project's benchmarks and writes their table.
//
// It runs each package's benchmarks several times, takes the median, sets it
// beside the figure to reach, and starts the real program to measure how long
// it takes to be healthy and how much memory it then holds. Machines are
// noisy: the table says which machine it was and how often each was run.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	root := flag.String("root", "..", "the repository")
	out := flag.String("out", "", "file to write; standard output when empty")
	count := flag.Int("count", 5, "runs of each benchmark")
	flag.Parse()
	if err := run(*root, *out, *count); err != nil {
		slog.Error("report", "err", err)
		os.Exit(1)
	}
}

func run(root, out string, count int) error {
	results := map[string][]float64{}
	load := loadAverage()
	for _, pkg := range packages() {
		fmt.Fprintln(os.Stderr, "measuring", pkg)
		if err := measure(root, pkg, count, results); err != nil {
			return err
		}
	}
	if err := measureLarge(root, results); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "measuring the program")
	if err := startUp(filepath.Join(root, "bin", "moothall"), 2*count+1, results); err != nil {
		return err
	}
	if err := answers(filepath.Join(root, "bin", "moothall"), count, results); err != nil {
		return err
	}
	var b bytes.Buffer
	write(&b, results, count, load)
	if err := writePage(&b, root); err != nil {
		return err
	}
	writeRest(&b, results)
	if out == "" {
		_, err := os.Stdout.Write(b.Bytes())
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o644)
}

// packages are what is measured.
func packages() []string {
	var out []string
	for _, f := range figures {
		if f.pkg != "" && !slices.Contains(out, f.pkg) {
			out = append(out, f.pkg)
		}
	}
	// Measured, with no figure to reach.
	return append(out, "internal/store", "internal/daemon/conf", "internal/critic", "internal/reward", "internal/engine/tape", "internal/web")
}

var line = regexp.MustCompile(`^(Benchmark\S+?)(?:-\d+)?\s+\d+\s+(.*)$`)

// measure runs a package's benchmarks, all but the large ones.
func measure(root, pkg string, count int, into map[string][]float64) error {
	return bench(root, pkg, into, "-bench", ".", "-skip", "Million", "-count", strconv.Itoa(count))
}

// largeMemory is what the benchmarks over a million vectors need, with room
// for what else runs.
const largeMemory = 8 << 30

// measureLarge runs the large benchmarks once each, where there is room.
func measureLarge(root string, into map[string][]float64) error {
	free, err := availableMemory()
	if err != nil {
		return err
	}
	if free < largeMemory {
		fmt.Fprintf(os.Stderr, "leaving out a million vectors: %d MB of memory are free, and %d are needed\n", free>>20, largeMemory>>20)
		return nil
	}
	fmt.Fprintln(os.Stderr, "measuring a million vectors")
	return bench(root, "internal/memory/vector", into, "-bench", "Million")
}

// bench runs benchmarks of a package and collects every value by "package
// benchmark unit".
func bench(root, pkg string, into map[string][]float64, which ...string) error {
	cmd := exec.Command("go", append(append([]string{"test", "-run", "^$", "-benchmem", "-timeout", "30m"}, which...), "./"+pkg)...)
	cmd.Dir = root
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", pkg, err, text)
	}
	return collect(pkg, string(text), into)
}

// collect reads what the benchmarks of a package printed.
func collect(pkg, text string, into map[string][]float64) error {
	for l := range strings.Lines(text) {
		m := line.FindStringSubmatch(strings.TrimSpace(l))
		if m == nil {
			continue
		}
		fields := strings.Fields(m[2])
		for i := 0; i+1 < len(fields); i += 2 {
			v, err := strconv.ParseFloat(fields[i], 64)
			if err != nil {
				return fmt.Errorf("%s: %q is no figure", pkg, l)
			}
			key := pkg + " " + m[1] + " " + fields[i+1]
			into[key] = append(into[key], v)
		}
	}
	return nil
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}

func write(b *bytes.Buffer, results map[string][]float64, count int, load string) {
	fmt.Fprintf(b, "# Benchmarks\n\nMade by `make bench` on %s: %s, %d cores, %s, Go %s. Each benchmark ran %d times; the median counts,\n"+
		"the range is beside it. The figures to reach are promises of the design; they are never asserted in tests,\nbecause machines differ. Load average before the start: %s.\n\n",
		time.Now().UTC().Format("2006-01-02"), cpu(), runtime.NumCPU(), system(), strings.TrimPrefix(runtime.Version(), "go"), count, load)
	fmt.Fprintln(b, "| what | figure to reach | measured (median) | range | reached |\n|---|---|---|---|---|")
	for _, f := range figures {
		key := strings.TrimSpace(f.pkg + " " + f.name + " " + f.unit)
		v := results[key]
		if len(v) == 0 {
			fmt.Fprintf(b, "| %s | %s | not measured | | no |\n", f.what, f.target())
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s to %s | %s |\n", f.what, f.target(), f.show(median(v)),
			f.show(slices.Min(v)), f.show(slices.Max(v)), f.reached(median(v)))
	}
}

// writePage takes over what was measured in a browser, by make ui-bench: the
// table in docs/page.md.
func writePage(b *bytes.Buffer, root string) error {
	text, err := os.ReadFile(filepath.Join(root, "docs", "page.md"))
	if err != nil {
		return err
	}
	_, measured, _ := strings.Cut(string(text), "\n## Measured\n")
	_, table, ok := strings.Cut(measured, "\n\n|")
	if !ok {
		return errors.New("docs/page.md has no table under its heading Measured")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	fmt.Fprintf(b, "\n## The page, in a browser\n\nMeasured by `make ui-bench`; [page.md](page.md) says how.\n\n|%s\n", table)
	return nil
}

// writeRest lists what has no figure to reach, for comparison over time.
func writeRest(b *bytes.Buffer, results map[string][]float64) {
	fmt.Fprintln(b, "\nBeside other people's work, measured in one run: [the agent loop](../bench/agentloop/RESULT.md),\n"+
		"[gateways](../bench/gateway/RESULT.md), [vector search](../bench/vector/RESULT.md), [memory of long dialogues](../bench/locomo/README.md)\n"+
		"and [SQLite drivers](decisions/sqlite-driver.md); policy engines with `cd bench/policy && go test -bench .`.")
	fmt.Fprintln(b, "\n## Everything measured\n\n| package | benchmark | median | unit |\n|---|---|---|---|")
	var keys []string
	for k := range results {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		parts := strings.Fields(k)
		if len(parts) != 3 {
			continue
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", parts[0], strings.TrimPrefix(parts[1], "Benchmark"),
			strconv.FormatFloat(median(results[k]), 'g', 5, 64), parts[2])
	}
}
