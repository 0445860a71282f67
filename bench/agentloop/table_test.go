package main

import (
	"strings"
	"testing"
)

func TestTableListsWhoDidNotStart(t *testing.T) {
	t.Parallel()
	got := table(t.Context(), options{rounds: 1, runs: 3}, "0.50", []*entry{
		{name: ours, title: "us", version: "v1", millis: []float64{2, 1, 3}},
		{name: "slow", title: "them", version: "v2", millis: []float64{8, 8, 9}},
		{name: "gone", title: "absent", problem: "did not start: no such\npackage | really"},
	})
	for _, row := range []string{
		"| us | v1 | 2.00 | 3.00 | 1.00 |",
		"| them | v2 | 8.00 | 9.00 | 4.00 |",
		"| absent |  | did not start: no such package / really | | |",
	} {
		if !strings.Contains(got, row+"\n") {
			t.Errorf("no row %q in\n%s", row, got)
		}
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	hundred := make([]float64, 101)
	for i := range hundred {
		hundred[i] = float64(100 - i)
	}
	for q, want := range map[float64]float64{0: 0, 0.5: 50, 0.95: 95, 1: 100} {
		if got := quantile(hundred, q); got != want {
			t.Errorf("quantile %v: %v", q, got)
		}
	}
	if quantile(nil, 0.5) != 0 {
		t.Error("no samples have a quantile")
	}
}
