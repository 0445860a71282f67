package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
)

// table writes the result as Markdown. Load is what it was before the start.
func table(ctx context.Context, o options, load string, all []*entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Agent loop: ten tool calls and an answer, model at 0 ms\n\n")
	fmt.Fprintf(&b, "%d rounds of %d runs each after %d warm-up rounds, contestants in turn, one at a time.\n", o.rounds, o.runs, o.warm)
	fmt.Fprintf(&b, "Machine: %s. %s, Node %s.\n", machine(), runtime.Version(), nodeVersion(ctx))
	fmt.Fprintf(&b, "Load average before the start: %s.\n\n", load)
	fmt.Fprintln(&b, "| what | version | median ms | p95 ms | ratio to ours |")
	fmt.Fprintln(&b, "|---|---|---:|---:|---:|")
	base := medianOf(all, ours)
	for _, e := range all {
		if e.problem != "" {
			fmt.Fprintf(&b, "| %s | %s | %s | | |\n", e.title, e.version, cell(e.problem))
			continue
		}
		m := quantile(e.millis, 0.5)
		fmt.Fprintf(&b, "| %s | %s | %.2f | %.2f | %s |\n", e.title, e.version, m, quantile(e.millis, 0.95), ratio(m, base))
	}
	return b.String()
}

func medianOf(all []*entry, name string) float64 {
	for _, e := range all {
		if e.name == name && e.problem == "" {
			return quantile(e.millis, 0.5)
		}
	}
	return 0
}

// ratio is empty when there is nothing of ours to compare with.
func ratio(m, base float64) string {
	if base == 0 {
		return ""
	}
	return fmt.Sprintf("%.2f", m/base)
}

// quantile returns the sample that the share q of all does not exceed.
func quantile(samples []float64, q float64) float64 {
	if len(samples) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(samples))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}

// cell makes words fit into one cell: one line, no bar, not endless, and
// nothing of where on this machine the folder is.
func cell(s string) string {
	if here, err := os.Getwd(); err == nil {
		s = strings.ReplaceAll(s, here, ".")
	}
	s = strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "|", "/")
	if len(s) > 160 {
		s = strings.ToValidUTF8(s[:160], "") + "..."
	}
	return s
}

// machine describes the hardware without naming it.
func machine() string {
	cpu := "unknown CPU"
	raw, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		if _, rest, ok := strings.Cut(string(raw), "model name"); ok {
			first, _, _ := strings.Cut(rest, "\n")
			cpu = strings.TrimLeft(first, "\t :")
		}
	}
	return fmt.Sprintf("%d cores, %s, %s/%s", runtime.NumCPU(), cpu, runtime.GOOS, runtime.GOARCH)
}

// loadAverage is that of the last minute.
func loadAverage() string {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(raw), " ")
	return first
}

func nodeVersion(ctx context.Context) string {
	raw, err := exec.CommandContext(ctx, "node", "--version").Output()
	if err != nil {
		return "not installed"
	}
	return strings.TrimSpace(string(raw))
}
