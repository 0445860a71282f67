package memory_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/memory"
)

// shelf is a library of three texts that all fit every question with "boat".
type shelf struct{}

const boats = "library-boat"

func (shelf) Recall(_ context.Context, question string, most int) []moothall.Recall {
	var out []moothall.Recall
	if !strings.Contains(question, "boat") {
		return nil
	}
	for _, name := range []string{"boat", "ship", "sail"}[:min(most, 3)] {
		e, _ := shelf{}.Entry(moothall.MemoryID("library-" + name))
		out = append(out, moothall.Recall{Stage: "library", Entry: &e, Segment: e.Corpus, Score: 0.9})
	}
	return out
}

func (shelf) Entry(id moothall.MemoryID) (moothall.MemoryEntry, bool) {
	name, ok := strings.CutPrefix(string(id), "library-")
	return moothall.MemoryEntry{
		ID: id, Kind: moothall.Document, Name: name, Corpus: "A " + name + " is for the water and made of wood.", Source: "library",
		Trust: moothall.TrustModel, Tags: []string{"everyday"}, Created: noon,
	}, ok
}

func withLibrary(o *memory.Options) { o.Library = shelf{} }

// TestLibraryBehindMemories: the person's own memories come first and lose no
// place; two texts of the library at most follow, within the query's filters.
func TestLibraryBehindMemories(t *testing.T) {
	t.Parallel()
	plain, with := openMemory(t).For(moothall.Person), openMemory(t, withLibrary).For(moothall.Person)
	library(t, plain)
	ids := library(t, with)
	const question = "what does the insurance of the boat cost?"
	own := recall(t, plain, moothall.MemoryQuery{Text: question, Results: 3})
	for range 2 { // the second answer comes from the cache
		got := recall(t, with, moothall.MemoryQuery{Text: question, Results: 3})
		if len(got) != len(own)+2 || got[0].Entry.ID != ids["boat insurance"] {
			t.Fatalf("%d results, want %d and two", len(got), len(own))
		}
		for i, r := range got[len(own):] {
			e := r.Entry
			if want := []string{"boat", "ship"}[i]; e.Name != want || e.Kind != moothall.Document || e.Source != "library" || e.Corpus != "" || r.Segment == "" {
				t.Errorf("behind the memories: %+v", r)
			}
		}
	}
	for name, c := range map[string]struct {
		q    moothall.MemoryQuery
		want int
	}{
		"another subject": {moothall.MemoryQuery{Text: "bread"}, 0},
		"documents":       {moothall.MemoryQuery{Text: "boat", Kinds: []moothall.MemoryKind{moothall.Document}}, 2},
		"facts":           {moothall.MemoryQuery{Text: "boat", Kinds: []moothall.MemoryKind{moothall.Fact}}, 0},
		"a person's word": {moothall.MemoryQuery{Text: "boat", MinTrust: moothall.TrustPerson}, 0},
		"its tag":         {moothall.MemoryQuery{Text: "boat", Tags: []string{"everyday"}}, 2},
		"another tag":     {moothall.MemoryQuery{Text: "boat", Tags: []string{"family"}}, 0},
		"its source":      {moothall.MemoryQuery{Text: "boat", Source: "Library"}, 2},
		"another source":  {moothall.MemoryQuery{Text: "boat", Source: "session"}, 0},
		"a thread":        {moothall.MemoryQuery{Text: "boat", Thread: "x"}, 0},
		"since":           {moothall.MemoryQuery{Text: "boat", Since: noon}, 0},
		"one result":      {moothall.MemoryQuery{Text: "boat", Results: 1}, 1},
	} {
		got := slices.DeleteFunc(recall(t, with, c.q), func(r moothall.Recall) bool { return r.Entry.Source != "library" })
		if len(got) != c.want {
			t.Errorf("%s: %d texts of the library, want %d", name, len(got), c.want)
		}
	}
	whole := recall(t, with, moothall.MemoryQuery{Text: "boat", Source: "library", Whole: true})
	if len(whole) != 2 || whole[0].Entry.Corpus == "" {
		t.Errorf("whole texts: %+v", whole)
	}
}

// TestLibraryIsNoMemory: its texts are not counted, listed among memories,
// exported, written or forgotten.
func TestLibraryIsNoMemory(t *testing.T) {
	t.Parallel()
	s := openMemory(t, withLibrary)
	m := s.For(moothall.Person)
	write(t, m, moothall.MemoryEntry{Corpus: "The boat is called Molly."})
	recall(t, m, moothall.MemoryQuery{Scope: ctxScope, Text: "boat"})
	if got := list(t, m, moothall.MemoryList{}); len(got) != 1 {
		t.Errorf("listed: %+v", got)
	}
	if got := list(t, m, moothall.MemoryList{IDs: []moothall.MemoryID{boats}}); len(got) != 1 || got[0].Corpus == "" {
		t.Errorf("by its id: %+v", got)
	}
	if got, err := m.Correlated(t.Context(), ctxScope, boats, true); err != nil || len(got) != 0 {
		t.Errorf("correlated: %v, %v", got, err)
	}
	if n := stats(t, s).Entries; n != 1 {
		t.Errorf("%d entries are counted", n)
	}
	var b bytes.Buffer
	if _, err := s.Export(t.Context(), moothall.Person, &b, nil); err != nil || strings.Contains(b.String(), "library") {
		t.Errorf("exported: %s, %v", b.String(), err)
	}
	_, err := m.Forget(t.Context(), ctxScope, boats)
	wantCode(t, err, moothall.CodeDenied)
	_, err = m.Write(t.Context(), moothall.WriteRequest{Scope: ctxScope, Entry: moothall.MemoryEntry{ID: boats, Corpus: "Boats fly."}})
	wantCode(t, err, moothall.CodeDenied)
	_, err = s.Import(t.Context(), moothall.Person, strings.NewReader(`{"id":"`+boats+`","text":"Boats fly."}`), memory.ImportOptions{})
	wantCode(t, err, moothall.CodeDenied) // it could never be forgotten
	if n := stats(t, s).Entries; n != 1 {
		t.Errorf("%d entries after an import of one that is the library's", n)
	}
}
