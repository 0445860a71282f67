package memory_test

import (
	"slices"
	"testing"
	"time"

	"moothall"
	"moothall/internal/memory"
)

// TestNeighbours: a turn is found by the words of the question before it,
// whichever of the two was stored first.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	turns := []moothall.MemoryEntry{
		{ID: "asked", Corpus: "Which instrument did you learn as a child?", Speaker: "Ana", Thread: "t", Place: 1, Created: noon},
		{ID: "answered", Corpus: "Mostly the cello, for nine years.", Speaker: "Ben", Thread: "t", Place: 2, Created: noon.Add(time.Minute)},
		{ID: "other", Corpus: "We had soup.", Speaker: "Ben", Thread: "t", Place: 9, Created: noon.Add(5 * time.Hour)},
		{ID: "later", Corpus: "Good morning.", Speaker: "Ana", Thread: "t", Place: 10, Created: noon.Add(48 * time.Hour)},
	}
	for _, back := range []bool{false, true} {
		m := openMemory(t).For(moothall.Person)
		order := slices.Clone(turns)
		if back {
			slices.Reverse(order)
		}
		for _, e := range order {
			write(t, m, e)
		}
		q := moothall.MemoryQuery{Text: "instrument learnt as a child", Thread: "t", Mode: memory.ModeFused, Results: 2}
		got := results(recall(t, m, q))
		if len(got) != 2 || !contains(got, "asked") || !contains(got, "answered") {
			t.Errorf("back %v: %v", back, got)
		}
		q.Text = "cello" // the question borrows from its answer
		if got := results(recall(t, m, q)); len(got) != 2 || got[0] != "answered" || got[1] != "asked" {
			t.Errorf("back %v: %v", back, got)
		}
		q.Text = "soup" // two days apart is no neighbour
		if got := results(recall(t, m, q)); contains(got, "later") && got[0] != "other" {
			t.Errorf("back %v: %v", back, got)
		}
		q.Text, q.Results = "what did Ben say on Sunday", 1
		if got := results(recall(t, m, q)); len(got) != 1 || got[0] == "later" {
			t.Errorf("back %v, by speaker and day: %v", back, got)
		}
	}
}
