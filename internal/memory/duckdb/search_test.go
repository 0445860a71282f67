//go:build duckdb

package duckdb_test

import (
	"fmt"
	"math"
	"testing"

	"moothall/internal/memory"
	"moothall/internal/memory/terms"
)

// The formula in SQL is that of package terms, which is that of FTS5.
func TestScores(t *testing.T) {
	t.Parallel()
	e, ix := fresh(t), terms.NewIndex()
	var list []*memory.Record
	for i := range 200 {
		r := record(fmt.Sprint("r", i), 1)
		r.Text = memory.Text{Name: fmt.Sprint("boat ", i%7), Corpus: fmt.Sprintf("sailing in harbour%d on day %d", i%5, i), Context: "boats", Scope: fmt.Sprint("t", i%3)}
		list = append(list, r)
	}
	if _, err := e.Apply(t.Context(), &memory.Change{Put: list}); err != nil {
		t.Fatal(err)
	}
	for _, r := range list {
		ix.Put(r.N, terms.Of(r.Text))
	}
	for _, q := range []memory.TextQuery{
		{Words: []string{"boat"}, Limit: 300}, {Words: []string{"harbour2", "3", "sails"}, Limit: 50},
		{Words: []string{"day", "17"}, Scope: "t2", Limit: 300}, {Words: []string{"nothing"}, Limit: 5},
	} {
		want, err := ix.Search(q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := e.Search(t.Context(), q)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%v: %d results, %v; want %d", q, len(got), err, len(want))
		}
		for i := range got {
			if math.Abs(got[i].Score-want[i].Score) > 1e-9 {
				t.Errorf("%v, result %d: %v, want %v", q, i, got[i], want[i])
			}
		}
	}
}
