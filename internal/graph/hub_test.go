package graph_test

import (
	"slices"
	"testing"

	"moothall"
	"moothall/internal/graph"
	"moothall/internal/moottest"
)

// A hub of 10,000 facts in a graph of 100,000: the answer stays small, and is
// the same every time.
func TestHubIsBounded(t *testing.T) {
	t.Parallel()
	n := 100_000
	if moottest.Race || testing.Short() {
		n = 2_500
	}
	g := large(t, n)
	for _, depth := range []int{0, 2, 1_000_000} {
		q := moothall.GraphQuery{People: []string{"Person 0"}, Depth: depth, History: true}
		first, again := search(t, g, q), search(t, g, q)
		if len(first.Facts) != 200 || !first.Cut {
			t.Errorf("depth %d: %d facts, cut %v", depth, len(first.Facts), first.Cut)
		}
		if !slices.Equal(first.Facts, again.Facts) {
			t.Errorf("depth %d: the second answer is another", depth)
		}
	}
	if facts, err := g.History(t.Context(), "Person 0"); err != nil || len(facts) == 0 || len(facts) > 10_000 {
		t.Errorf("a history of %d facts, %v", len(facts), err)
	}
}

// TestCutAtTheEdge: an answer that is full before its last step says that
// there is more, if there is.
func TestCutAtTheEdge(t *testing.T) {
	t.Parallel()
	g := newGraph(t, &graph.Options{Limit: 2})
	assert(t, g, said("Ana", "lives in", "Lisbon", 2020))
	assert(t, g, said("Ana", "likes", "fado", 2020))
	ask := moothall.GraphQuery{People: []string{"Ana"}, Depth: 1}
	if a := search(t, g, ask); len(a.Facts) != 2 || a.Cut {
		t.Errorf("all of it: %+v", a)
	}
	assert(t, g, said("Lisbon", "located in", "Portugal", 2020))
	if a := search(t, g, ask); len(a.Facts) != 2 || !a.Cut {
		t.Errorf("a part: %+v", a)
	}
}
