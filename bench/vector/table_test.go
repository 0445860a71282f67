package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"moothall/bench/vector/data"
)

func TestTruthFindsTheRowItself(t *testing.T) {
	t.Parallel()
	set := data.Set{Rows: 300, Dim: 24}
	rows := set.Vectors()
	for i, ids := range data.Truth(rows, rows[:20], 3) {
		if len(ids) != 3 || ids[0] != i {
			t.Errorf("row %d is nearest to %v", i, ids)
		}
	}
	if !slices.Equal(rows[7], set.Vectors()[7]) {
		t.Error("the same set has other vectors the second time")
	}
}

func TestTableSaysWhoIsMissing(t *testing.T) {
	t.Parallel()
	ours := &entry{contestant: contestant{title: "ours", module: "moothall"}, process: &process{}, millis: []float64{3, 1, 2}, found: 19, asked: 20}
	gone := &entry{contestant: contestant{title: "theirs", module: "moothall"}, err: errors.New("cannot be fetched or built: no such host")}
	slow := &entry{contestant: contestant{title: "slow", module: "moothall"}, process: &process{}, millis: []float64{20}, found: 20, asked: 20}
	text := table(options{rows: 5, dim: 6, k: 7}, []*entry{ours, gone, slow})
	for _, want := range []string{"0.9500 | 2.00 | 2.00 | 1.0", "theirs |  | cannot be fetched or built: no such host", "1.0000 | 20.00 | 20.00 | 10.0"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}

func TestCommon(t *testing.T) {
	t.Parallel()
	if n := common([]int{1, 2, 3}, []int{3, 9, 1}); n != 2 {
		t.Errorf("%d in common, want 2", n)
	}
}
