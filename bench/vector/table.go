package main

import (
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"moothall/bench/vector/peer"
)

// entry is a contestant's row of the table.
type entry struct {
	contestant
	process *process
	err     error

	millis       []float64
	found, asked int
}

// turn lets the contestant answer; only a counted turn is timed.
func (e *entry) turn(job peer.Job, truth [][]int, counts bool) {
	if e.err != nil {
		return
	}
	a, err := e.process.ask(job)
	if e.err = err; err != nil || !counts {
		return
	}
	e.millis = append(e.millis, a.Millis...)
	for i, ids := range a.IDs {
		want := truth[job.From+i]
		e.asked += len(want)
		e.found += common(want, ids)
	}
}

// common counts the ids of want that are among got.
func common(want, got []int) int {
	n := 0
	for _, id := range want {
		if slices.Contains(got, id) {
			n++
		}
	}
	return n
}

// quantile returns a value of a list, which it sorts.
func quantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[int(q*float64(len(v)-1))]
}

// table is the result as Markdown; times as often are against the first row.
func table(o options, entries []*entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Exact nearest neighbours, %d x %d, top %d\n\n", o.rows, o.dim, o.k)
	fmt.Fprintf(&b, "%s, %s/%s, %d cores. %d queries, %d rounds, contestants take turns.\n\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), o.queries, o.rounds)
	fmt.Fprintf(&b, "| contestant | version | recall@%d | p50 ms | p95 ms | p50, times ours | fill s |\n|---|---|---|---|---|---|---|\n", o.k)
	base := quantile(entries[0].millis, 0.5)
	for _, e := range entries {
		if e.err != nil {
			fmt.Fprintf(&b, "| %s | %s | %s | | | | |\n", e.title, moduleVersion(e.module), strings.ReplaceAll(e.err.Error(), "|", "/"))
			continue
		}
		p50 := quantile(e.millis, 0.5)
		times := "-" // ours did not run
		if base > 0 {
			times = fmt.Sprintf("%.1f", p50/base)
		}
		fmt.Fprintf(&b, "| %s | %s | %.4f | %.2f | %.2f | %s | %.1f |\n", e.title, moduleVersion(e.module),
			float64(e.found)/float64(max(e.asked, 1)), p50, quantile(e.millis, 0.95), times, e.process.ready.BuildSeconds)
	}
	return b.String()
}

// moduleVersion asks the module file; our own has none.
func moduleVersion(module string) string {
	out, err := exec.Command("go", "list", "-m", "-f", "{{if not .Replace}}{{.Version}}{{end}}", module).Output()
	if err != nil {
		return "?"
	}
	return strings.TrimSpace(string(out))
}
