package memory_test

import (
	"bytes"
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/sqlite"
)

func TestDuplicates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a, b moothall.MemoryEntry
		one  bool
	}{
		"the same":     {moothall.MemoryEntry{Corpus: "Ana likes dark chocolate with sea salt."}, moothall.MemoryEntry{Corpus: "Ana likes dark chocolate with sea salt."}, true},
		"signs":        {moothall.MemoryEntry{Corpus: "Ana likes dark chocolate with sea salt."}, moothall.MemoryEntry{Corpus: "ana likes: dark chocolate, with sea salt"}, true},
		"dashes":       {moothall.MemoryEntry{Corpus: "- Ana's boat – the “Vega” – is well-known: 5 knots, no more."}, moothall.MemoryEntry{Corpus: "* ana’s boat, the 'Vega', is well‑known (5 knots) — no more!"}, true},
		"minus":        {moothall.MemoryEntry{Corpus: "The freezer is set to 5 degrees."}, moothall.MemoryEntry{Corpus: "The freezer is set to -5 degrees."}, false},
		"two minuses":  {moothall.MemoryEntry{Corpus: "The freezer goes from -5 to 5 degrees."}, moothall.MemoryEntry{Corpus: "The freezer goes from 5 to -5 degrees."}, false},
		"plus":         {moothall.MemoryEntry{Corpus: "The driver is written in C."}, moothall.MemoryEntry{Corpus: "The driver is written in C++."}, false},
		"a name":       {moothall.MemoryEntry{Name: "C", Corpus: "The compiler is in the cellar."}, moothall.MemoryEntry{Name: "C#", Corpus: "The compiler is in the cellar."}, false},
		"a password":   {moothall.MemoryEntry{Corpus: "The wifi password is Sunny-Day."}, moothall.MemoryEntry{Corpus: "The wifi password is sunny_day!"}, false},
		"capitals":     {moothall.MemoryEntry{Corpus: "The wifi password is sunnyDay."}, moothall.MemoryEntry{Corpus: "The wifi password is sunnyday."}, false},
		"money":        {moothall.MemoryEntry{Corpus: "The rent of the flat is 900 €."}, moothall.MemoryEntry{Corpus: "The rent of the flat is 900 $."}, false},
		"nearly":       {moothall.MemoryEntry{Corpus: "The new freezer in the cellar of the old house by the harbour in Piran is set to 5 degrees."}, moothall.MemoryEntry{Corpus: "The new freezer in the cellar of the old house by the harbour in Piran was set to -5 degrees."}, false},
		"a number":     {moothall.MemoryEntry{Corpus: "The rent of the flat is 900 euros."}, moothall.MemoryEntry{Corpus: "The rent of the flat is 950 euros."}, false},
		"a negation":   {moothall.MemoryEntry{Corpus: "Ana eats meat on Sundays."}, moothall.MemoryEntry{Corpus: "Ana never eats meat on Sundays."}, false},
		"another name": {moothall.MemoryEntry{Name: "one", Corpus: "Text."}, moothall.MemoryEntry{Name: "two", Corpus: "Text."}, false},
		"kinds":        {moothall.MemoryEntry{Corpus: "Some words."}, moothall.MemoryEntry{Kind: moothall.Document, Corpus: "Some words."}, false},
		"turns":        {moothall.MemoryEntry{Kind: moothall.Engram, Corpus: "Hello there."}, moothall.MemoryEntry{Kind: moothall.Engram, Corpus: "Hello there."}, false},
		"threads":      {moothall.MemoryEntry{Corpus: "Yes!", Thread: "t", Place: 1}, moothall.MemoryEntry{Corpus: "Yes!", Thread: "t", Place: 2}, false},
		"speakers":     {moothall.MemoryEntry{Corpus: "I am tired today.", Speaker: "Ana"}, moothall.MemoryEntry{Corpus: "I am tired today.", Speaker: "Ben"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service := openMemory(t)
			m := service.For(moothall.Person)
			c.b.Tags = []string{"later"}
			first, second := write(t, m, c.a), write(t, m, c.b)
			if (first.ID == second.ID) != c.one {
				t.Errorf("one entry: %v, want %v", first.ID == second.ID, c.one)
			}
			if c.one && (!contains(second.Tags, "later") || stats(t, service).Merged != 1 || len(list(t, m, moothall.MemoryList{})) != 1) {
				t.Errorf("merged as %+v", second)
			}
		})
	}
}

func TestContradiction(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	m := service.For(moothall.Person)
	a := write(t, m, moothall.MemoryEntry{Corpus: "Ana eats meat on Sundays."})
	b := write(t, m, moothall.MemoryEntry{Corpus: "Ana never eats meat on Sundays."})
	write(t, m, moothall.MemoryEntry{Corpus: "Ben sails to Hvar every summer."})
	for _, e := range list(t, m, moothall.MemoryList{Tags: []string{"contested"}}) {
		other := map[moothall.MemoryID]moothall.MemoryID{a.ID: b.ID, b.ID: a.ID}[e.ID]
		if !slices.Contains(e.Correlates, other) {
			t.Errorf("%q is not linked with what it contradicts", e.Corpus)
		}
	}
	if n := stats(t, service).Contested; n != 1 {
		t.Errorf("%d contradictions, want 1", n)
	}
	if got := list(t, m, moothall.MemoryList{}); len(got) != 3 {
		t.Errorf("%d entries: nothing may be written over", len(got))
	}
}

// TestSettledContradiction: the mark goes with the last entry that says otherwise.
func TestSettledContradiction(t *testing.T) {
	t.Parallel()
	m := openMemory(t).For(moothall.Person)
	kept := write(t, m, moothall.MemoryEntry{Corpus: "Ana eats meat on Sundays.", Tags: []string{"food"}})
	others := []moothall.MemoryEntry{
		write(t, m, moothall.MemoryEntry{Corpus: "Ana never eats meat on Sundays."}),
		write(t, m, moothall.MemoryEntry{Corpus: "Ana never eats red meat on Sundays."}),
	}
	for i, other := range others {
		if got := list(t, m, moothall.MemoryList{Tags: []string{"contested"}}); len(got) != 3-i {
			t.Fatalf("%d entries are contested, want %d", len(got), 3-i)
		}
		_, err := m.Forget(t.Context(), ctxScope, other.ID)
		wantCode(t, err, "")
	}
	got := list(t, m, moothall.MemoryList{})
	if len(got) != 1 || got[0].ID != kept.ID || !slices.Equal(got[0].Tags, []string{"food"}) || len(got[0].Correlates) > 0 {
		t.Errorf("left: %+v", got)
	}
	if got := recall(t, m, moothall.MemoryQuery{Text: "meat", Tags: []string{"contested"}}); len(got) > 0 {
		t.Errorf("still contested: %v", results(got))
	}
}

// TestRecalledIsNotStored: what a model was told it does not remember anew.
func TestRecalledIsNotStored(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	mine, agent := service.For(moothall.Person), service.For(moothall.ToolBroker)
	e := write(t, mine, moothall.MemoryEntry{Name: "allergy", Corpus: "Ana is allergic to walnuts since her childhood."})
	recall(t, agent, moothall.MemoryQuery{Scope: ctxScope, Text: "what is Ana allergic to"})
	again := write(t, agent, moothall.MemoryEntry{Name: "Ana's food", Corpus: "ana is allergic to walnuts, since her childhood"})
	if again.ID != e.ID || again.Trust != moothall.TrustPerson {
		t.Errorf("stored again as %+v", again)
	}
	if s := stats(t, service); s.Entries != 1 || s.Refused != 1 {
		t.Errorf("%+v", s)
	}
	cold := write(t, mine, moothall.MemoryEntry{Name: "freezer", Corpus: "The freezer is set to -5 degrees."})
	recall(t, agent, moothall.MemoryQuery{Scope: ctxScope, Text: "freezer"})
	if warm := write(t, agent, moothall.MemoryEntry{Name: "warmer", Corpus: "The freezer is set to 5 degrees."}); warm.ID == cold.ID {
		t.Error("another fact was taken for what was recalled")
	}
	// Another session has not been told.
	out, err := agent.Write(t.Context(), moothall.WriteRequest{
		Scope: moothall.Scope{Session: "s-2"}, Entry: moothall.MemoryEntry{Name: "Ana's food", Corpus: "Ana is allergic to walnuts since her childhood."},
	})
	wantCode(t, err, "")
	if out.ID == e.ID {
		t.Error("a model's word became the person's")
	}
}

func TestReviewMerges(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	m := service.For(moothall.Person)
	kept := write(t, m, moothall.MemoryEntry{Corpus: "The boat has a new anchor chain.", Trust: moothall.TrustModel})
	p, err := m.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Corpus: "The boat has a new anchor chain!", Trust: moothall.TrustModel}, Propose: true})
	wantCode(t, err, "")
	if got := recall(t, m, moothall.MemoryQuery{Text: "anchor chain", Mode: memory.ModeFused}); len(results(got)) != 1 {
		t.Errorf("a candidate was recalled: %v", results(got))
	}
	wantCode(t, m.Review(t.Context(), ctxScope, p.ID, true), "")
	wantCode(t, m.Review(t.Context(), ctxScope, p.ID, true), moothall.CodeNotFound)
	got := list(t, m, moothall.MemoryList{})
	if len(got) != 1 || got[0].ID != kept.ID || stats(t, service).Candidates != 0 {
		t.Errorf("after the review: %+v", got)
	}
}

func TestLongTexts(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	m := service.For(moothall.Person)
	text := "# Boat\n\n" + strings.Repeat("The hull was painted in spring. ", 120) + "\n\n# Engine\n\n" + strings.Repeat("The engine got new oil. ", 150) +
		"The spare key of the engine hangs behind the mirror.\n\n# Sails\n\n" + strings.Repeat("The sails were washed. ", 150)
	whole := write(t, m, moothall.MemoryEntry{Kind: moothall.Document, Name: "boat log", Corpus: text})
	if whole.Corpus != text {
		t.Error("the text is not kept as it was")
	}
	got := recall(t, m, moothall.MemoryQuery{Text: "where is the spare key of the engine?", Mode: memory.ModeFused, Results: 3})
	if len(got) == 0 || !strings.Contains(got[0].Segment, "behind the mirror") || !contains(got[0].Entry.Correlates, whole.ID) {
		t.Fatalf("recalled %+v", got)
	}
	linked, err := m.Correlated(t.Context(), ctxScope, got[0].Entry.ID, false)
	wantCode(t, err, "")
	if len(linked) < 2 {
		t.Errorf("a part leads to %d entries, want the whole and its neighbours", len(linked))
	}
	shorter := whole
	shorter.Corpus = "# Boat\n\nSold."
	write(t, m, shorter)
	if n := stats(t, service).Entries; n != 1 {
		t.Errorf("%d entries: the parts of the old text are still there", n)
	}
	write(t, m, whole)
	gone, err := m.Forget(t.Context(), ctxScope, whole.ID)
	wantCode(t, err, "")
	if s := stats(t, service); s.Entries != 0 || len(gone) < 3 {
		t.Errorf("forgot %d, %d are left", len(gone), s.Entries)
	}
}

func TestForgottenIsGone(t *testing.T) {
	t.Parallel()
	m := openMemory(t).For(moothall.Person)
	e := write(t, m, moothall.MemoryEntry{Name: "secret", Corpus: "The safe opens with 4711."})
	for range 2 { // the second answer comes from the cache
		if got := recall(t, m, moothall.MemoryQuery{Text: "how does the safe open"}); len(got) != 1 {
			t.Fatalf("recalled %v", results(got))
		}
	}
	if _, err := m.Forget(t.Context(), ctxScope, e.ID); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{memory.ModeStaged, memory.ModeFused, ""} {
		if got := recall(t, m, moothall.MemoryQuery{Text: "how does the safe open", Mode: mode}); len(got) != 0 {
			t.Errorf("%q: recalled %+v", mode, got)
		}
	}
}

// TestStatistics: the counts of words are those of what is stored: a candidate
// that is turned down takes none away, and a text that is written over leaves
// none behind.
func TestStatistics(t *testing.T) {
	t.Parallel()
	counts := func(change func(m moothall.Memory)) []byte {
		db := openStore(t, filepath.Join(t.TempDir(), "hall.db"))
		defer db.Close()
		engine := sqlite.New(db)
		service, err := memory.Open(t.Context(), memory.Options{Engine: engine, Audit: quietAudit{}})
		wantCode(t, err, "")
		m := service.For(moothall.Person)
		write(t, m, moothall.MemoryEntry{ID: "kept", Name: "zebra", Corpus: "The zebra stands behind the barn."})
		change(m)
		wantCode(t, service.Close(), "")
		out, err := engine.State(t.Context(), "statistics")
		wantCode(t, err, "")
		return out
	}
	want := counts(func(moothall.Memory) {})
	for name, change := range map[string]func(m moothall.Memory){
		"rejected": func(m moothall.Memory) {
			p, err := m.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Name: "x", Corpus: "A zebra ate the barn."}, Propose: true})
			wantCode(t, err, "")
			wantCode(t, m.Review(t.Context(), ctxScope, p.ID, false), "")
		},
		"written over": func(m moothall.Memory) {
			write(t, m, moothall.MemoryEntry{ID: "kept", Name: "zebra", Corpus: "The giraffe is gone."})
			write(t, m, moothall.MemoryEntry{ID: "kept", Name: "zebra", Corpus: "The zebra stands behind the barn."})
		},
		"forgotten": func(m moothall.Memory) {
			write(t, m, moothall.MemoryEntry{ID: "other", Name: "x", Corpus: "A zebra ate the barn."})
			_, err := m.Forget(t.Context(), ctxScope, "other")
			wantCode(t, err, "")
		},
	} {
		if !bytes.Equal(counts(change), want) {
			t.Errorf("%s: the counts have changed", name)
		}
	}
}

// TestListForgetting: who forgets what a list tells of, while it is told, comes
// to its end, whether all of it goes or only some.
func TestListForgetting(t *testing.T) {
	t.Parallel()
	const all = 600 // more than two pages
	for every, limit := range map[int]int{1: 0, 2: 0, 256: 0, 128: 300} {
		s := openMemory(t)
		if _, err := s.Import(t.Context(), moothall.Person, lines(all), memory.ImportOptions{}); err != nil {
			t.Fatal(err)
		}
		m := s.For(moothall.Person)
		seen := map[moothall.MemoryID]bool{}
		for e, err := range m.List(t.Context(), moothall.MemoryList{Limit: limit}) {
			if err != nil {
				t.Fatal(err)
			}
			if seen[e.ID] {
				t.Fatalf("every %d: %s was told of twice", every, e.ID)
			}
			if seen[e.ID] = true; len(seen)%every == 0 {
				if _, err := m.Forget(t.Context(), ctxScope, e.ID); err != nil {
					t.Fatal(err)
				}
			}
		}
		if want := cmp.Or(limit, all); len(seen) != want {
			t.Errorf("every %d forgotten: told of %d entries of %d", every, len(seen), want)
		}
	}
}

// TestListAfterForgotten: the next page after an entry that is gone is no empty
// one, which would say that there is nothing more.
func TestListAfterForgotten(t *testing.T) {
	t.Parallel()
	m := openMemory(t).For(moothall.Person)
	write(t, m, moothall.MemoryEntry{ID: "older", Corpus: "The older one."})
	write(t, m, moothall.MemoryEntry{ID: "last", Corpus: "The last of a page."})
	next := moothall.MemoryList{Before: "last", Limit: 1}
	if got := list(t, m, next); len(got) != 1 || got[0].ID != "older" {
		t.Fatalf("the next page is %+v", got)
	}
	_, err := m.Forget(t.Context(), ctxScope, "last")
	wantCode(t, err, "")
	for e, err := range m.List(t.Context(), next) {
		wantCode(t, err, moothall.CodeNotFound)
		if err == nil {
			t.Errorf("listed %s", e.ID)
		}
		return
	}
	t.Error("the list ends there")
}

// TestTooLong: what is too long is told its own limit.
func TestTooLong(t *testing.T) {
	t.Parallel()
	m := openMemory(t).For(moothall.Person)
	long := strings.Repeat("x", 2001)
	for limit, e := range map[string]moothall.MemoryEntry{
		"2000 bytes": {Corpus: "a", Source: long}, "300 bytes": {Corpus: "a", Thread: long},
	} {
		_, err := m.Write(t.Context(), moothall.WriteRequest{Scope: ctxScope, Entry: e})
		wantCode(t, err, moothall.CodeTooLarge)
		if !strings.Contains(err.Error(), limit) {
			t.Errorf("%v, want %s", err, limit)
		}
	}
}
