package moottest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
)

// TestMemory checks a memory. Open returns an empty one.
func TestMemory(t *testing.T, open func(t *testing.T) moothall.Memory) {
	suite(t, open, map[string]func(*testing.T, moothall.Memory){
		"written as given":       memoryWrite,
		"nothing to write":       memoryInvalid,
		"recall":                 memoryRecall,
		"stages come first":      memoryStages,
		"breaking out":           memoryBreak,
		"lists and pages":        memoryList,
		"proposals":              memoryPropose,
		"annotations":            memoryAnnotate,
		"forgetting":             memoryForget,
		"correlated entries":     memoryCorrelated,
		"trust of derived":       memoryTrust,
		"buffers are not kept":   memoryBuffers,
		"concurrent writers":     memoryConcurrent,
		"large texts":            memoryLarge,
		"filters":                memoryFilters,
		"canceled caller":        memoryCanceled,
		"facts and their time":   graphTime,
		"merging":                graphMerge,
		"incomplete facts":       graphInvalid,
		"breaking out of graphs": graphBreak,
	})
}

func remember(t *testing.T, m moothall.Memory, e moothall.MemoryEntry, from ...moothall.MemoryID) moothall.MemoryEntry {
	t.Helper()
	if e.Kind == "" {
		e.Kind = moothall.Fact
	}
	if e.Trust == "" {
		e.Trust = moothall.TrustPerson
	}
	if e.Source == "" {
		e.Source = "suite"
	}
	out, err := m.Write(t.Context(), moothall.WriteRequest{Scope: scope(), Entry: e, From: from})
	wantCode(t, err, "")
	return out
}

func turn(query moothall.QueryID) moothall.MemoryEntry {
	return moothall.MemoryEntry{
		Kind: moothall.Engram, Name: "turn " + string(query), Description: "a turn", Corpus: "Question and answer.", Trust: moothall.TrustModel,
		Turn: &moothall.TurnNotes{Session: "s-1", Query: query, Question: "why?", Answer: "because", Respondent: "A"},
	}
}

func ids(list []moothall.MemoryEntry) []moothall.MemoryID {
	var out []moothall.MemoryID
	for _, e := range list {
		out = append(out, e.ID)
	}
	return out
}

func memoryWrite(t *testing.T, m moothall.Memory) {
	e := turn("q-1")
	e.Tags, e.Thread, e.Place, e.Speaker = []string{"a", "b"}, "thread-1", 7, "Ada"
	stored := remember(t, m, e)
	if stored.ID == "" || stored.Created.IsZero() {
		t.Fatalf("no id or time: %+v", stored)
	}
	if stored.Name != e.Name || stored.Corpus != e.Corpus || !slices.Equal(stored.Tags, e.Tags) || stored.Thread != e.Thread ||
		stored.Place != 7 || stored.Speaker != "Ada" || stored.Turn == nil || stored.Turn.Answer != "because" {
		t.Errorf("stored as %+v", stored)
	}
	got := must(t, m.List(t.Context(), moothall.MemoryList{Scope: scope(), IDs: []moothall.MemoryID{stored.ID}}))
	if len(got) != 1 || got[0].Corpus != e.Corpus || got[0].Turn == nil {
		t.Errorf("listed as %+v", got)
	}
}

func memoryInvalid(t *testing.T, m moothall.Memory) {
	_, err := m.Write(t.Context(), moothall.WriteRequest{Scope: scope()})
	wantCode(t, err, moothall.CodeInvalid)
}

func memoryRecall(t *testing.T, m moothall.Memory) {
	want := remember(t, m, moothall.MemoryEntry{Name: "harbour", Description: "where the boat lies", Corpus: "The boat lies in the harbour of Piran."})
	for i := range 8 {
		remember(t, m, moothall.MemoryEntry{Name: fmt.Sprintf("bread %d", i), Description: "a recipe", Corpus: "Flour, water and salt."})
	}
	q := moothall.MemoryQuery{Scope: scope(), Text: "boat harbour Piran", Results: 1}
	got := must(t, m.Recall(t.Context(), q))
	if len(got) != 1 || got[0].Entry == nil || got[0].Entry.ID != want.ID || got[0].Segment == "" {
		t.Fatalf("recalled %+v", got)
	}
	q.Text, q.Results = "flour water salt", 3
	if n := len(must(t, m.Recall(t.Context(), q))); n > 3 || n == 0 {
		t.Errorf("%d results, want one to three", n)
	}
}

func memoryFilters(t *testing.T, m moothall.Memory) {
	day := func(n int) time.Time { return time.Date(2026, 3, n, 12, 0, 0, 0, time.UTC) }
	note := remember(t, m, moothall.MemoryEntry{
		Name: "boat note", Description: "the boat", Corpus: "The boat lies in the harbour.", Tags: []string{"sea"}, Created: day(1),
	})
	paper := remember(t, m, moothall.MemoryEntry{
		Kind: moothall.Document, Name: "boat papers", Description: "the boat's papers", Corpus: "The boat was built in Izola.",
		Source: "file papers.txt", Created: day(2),
	})
	page := remember(t, m, moothall.MemoryEntry{
		Name: "boat page", Description: "boats for sale", Corpus: "Every boat of the shop is red.", Trust: moothall.TrustExternal,
		Source: "external: https://Boats.test/red", Created: day(3),
	})
	for name, c := range map[string]struct {
		q    moothall.MemoryQuery
		want []moothall.MemoryID
	}{
		"kind":           {moothall.MemoryQuery{Kinds: []moothall.MemoryKind{moothall.Document}}, []moothall.MemoryID{paper.ID}},
		"tag":            {moothall.MemoryQuery{Tags: []string{"sea"}}, []moothall.MemoryID{note.ID}},
		"since":          {moothall.MemoryQuery{Since: day(3)}, []moothall.MemoryID{page.ID}},
		"until":          {moothall.MemoryQuery{Until: day(1)}, []moothall.MemoryID{note.ID}},
		"trust":          {moothall.MemoryQuery{MinTrust: moothall.TrustModel}, []moothall.MemoryID{note.ID, paper.ID}},
		"source":         {moothall.MemoryQuery{Source: "boats.TEST"}, []moothall.MemoryID{page.ID}},
		"another source": {moothall.MemoryQuery{Source: "Papers"}, []moothall.MemoryID{paper.ID}},
		"no such source": {moothall.MemoryQuery{Source: "nowhere"}, nil},
	} {
		c.q.Text, c.q.Results = "boat", 10
		var got []moothall.MemoryID
		for _, r := range must(t, m.Recall(t.Context(), c.q)) {
			got = append(got, r.Entry.ID)
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func memoryStages(t *testing.T, m moothall.Memory) {
	remember(t, m, moothall.MemoryEntry{Name: "harbour", Description: "the boat", Corpus: "The boat lies in the harbour."})
	q := moothall.MemoryQuery{Text: "boat harbour", Stages: true}
	results := 0
	got := must(t, m.Recall(t.Context(), q))
	for _, r := range got {
		if r.Entry != nil {
			results++
		} else if results > 0 {
			t.Error("a stage after a result")
		}
	}
	if results == 0 || results == len(got) {
		t.Errorf("%d results in %d pieces, want stages and results", results, len(got))
	}
	q.Stages = false
	for _, r := range must(t, m.Recall(t.Context(), q)) {
		if r.Entry == nil {
			t.Errorf("a stage that nobody asked for: %+v", r)
		}
	}
}

func memoryBreak(t *testing.T, m moothall.Memory) {
	for i := range 5 {
		remember(t, m, moothall.MemoryEntry{Name: fmt.Sprintf("boat %d", i), Description: "a boat", Corpus: "A boat."})
	}
	breakAfterOne(t, m.Recall(t.Context(), moothall.MemoryQuery{Text: "boat"}))
	breakAfterOne(t, m.List(t.Context(), moothall.MemoryList{}))
	remember(t, m, moothall.MemoryEntry{Name: "after", Description: "after", Corpus: "After."})
}

func memoryList(t *testing.T, m moothall.Memory) {
	var want []moothall.MemoryID
	for i := range 7 {
		e := moothall.MemoryEntry{Name: fmt.Sprintf("note %d", i), Description: "a note", Corpus: "Text.", Tags: []string{"note"}}
		want = append(want, remember(t, m, e).ID)
	}
	slices.Reverse(want)
	engram := remember(t, m, turn("q-1"))
	var got []moothall.MemoryID
	for l := (moothall.MemoryList{Tags: []string{"note"}, Limit: 3}); ; {
		page := ids(must(t, m.List(t.Context(), l)))
		if len(page) > 3 {
			t.Fatalf("a page of %d with a limit of 3", len(page))
		}
		got = append(got, page...)
		if len(page) == 0 {
			break
		}
		l.Before = page[len(page)-1]
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages give %v, want newest first %v", got, want)
	}
	for name, l := range map[string]moothall.MemoryList{
		"kind": {Kinds: []moothall.MemoryKind{moothall.Engram}}, "session": {Session: "s-1"}, "id": {IDs: []moothall.MemoryID{engram.ID}},
	} {
		if got := ids(must(t, m.List(t.Context(), l))); !slices.Equal(got, []moothall.MemoryID{engram.ID}) {
			t.Errorf("by %s: got %v, want the engram", name, got)
		}
	}
}

func memoryPropose(t *testing.T, m moothall.Memory) {
	propose := func(name string) moothall.MemoryID {
		e := moothall.MemoryEntry{Kind: moothall.Fact, Name: name, Description: "d", Corpus: "Text.", Trust: moothall.TrustModel, Source: "suite"}
		got, err := m.Write(t.Context(), moothall.WriteRequest{Entry: e, Propose: true})
		wantCode(t, err, "")
		return got.ID
	}
	yes, no := propose("keep"), propose("drop")
	if n := len(must(t, m.List(t.Context(), moothall.MemoryList{}))); n != 0 {
		t.Errorf("%d entries before the review", n)
	}
	if n := len(must(t, m.List(t.Context(), moothall.MemoryList{Proposed: true}))); n != 2 {
		t.Errorf("%d proposals, want 2", n)
	}
	wantCode(t, m.Review(t.Context(), scope(), yes, true), "")
	wantCode(t, m.Review(t.Context(), scope(), no, false), "")
	wantCode(t, m.Review(t.Context(), scope(), "no-such-entry", true), moothall.CodeNotFound)
	if got := ids(must(t, m.List(t.Context(), moothall.MemoryList{}))); !slices.Equal(got, []moothall.MemoryID{yes}) {
		t.Errorf("after the review there are %v, want %v", got, yes)
	}
	if n := len(must(t, m.List(t.Context(), moothall.MemoryList{Proposed: true}))); n != 0 {
		t.Errorf("%d proposals after the review", n)
	}
}

func memoryAnnotate(t *testing.T, m moothall.Memory) {
	e := remember(t, m, turn("q-1"))
	score := 0.75
	a := moothall.Annotation{Scope: scope(), Query: "q-1", Respondent: "A", Notes: moothall.TurnNotes{Score: &score, Feedback: "good"}, Event: "e-1"}
	wantCode(t, m.Annotate(t.Context(), a), "")
	wantCode(t, m.Annotate(t.Context(), a), "") // the same event again
	got := must(t, m.List(t.Context(), moothall.MemoryList{IDs: []moothall.MemoryID{e.ID}}))
	if len(got) != 1 || got[0].Turn == nil || got[0].Turn.Score == nil || *got[0].Turn.Score != score ||
		got[0].Turn.Feedback != "good" || got[0].Turn.Answer != "because" || got[0].Turn.Reward != nil {
		t.Errorf("annotated as %+v", got)
	}
	a.Query, a.Event = "no-such-turn", "e-2"
	wantCode(t, m.Annotate(t.Context(), a), moothall.CodeNotFound)
}

func memoryForget(t *testing.T, m moothall.Memory) {
	root := remember(t, m, moothall.MemoryEntry{Name: "root", Description: "d", Corpus: "Text."})
	child := remember(t, m, moothall.MemoryEntry{Name: "child", Description: "d", Corpus: "Text."}, root.ID)
	grandchild := remember(t, m, moothall.MemoryEntry{Name: "grandchild", Description: "d", Corpus: "Text."}, child.ID)
	other := remember(t, m, moothall.MemoryEntry{Name: "other", Description: "d", Corpus: "Text."})
	gone, err := m.Forget(t.Context(), scope(), root.ID)
	wantCode(t, err, "")
	want := []moothall.MemoryID{root.ID, child.ID, grandchild.ID}
	slices.Sort(gone)
	slices.Sort(want)
	if !slices.Equal(gone, want) {
		t.Errorf("forgot %v, want %v", gone, want)
	}
	if got := ids(must(t, m.List(t.Context(), moothall.MemoryList{}))); !slices.Equal(got, []moothall.MemoryID{other.ID}) {
		t.Errorf("%v are left, want %v", got, other.ID)
	}
	_, err = m.Forget(t.Context(), scope(), root.ID)
	wantCode(t, err, moothall.CodeNotFound)
}

func memoryCorrelated(t *testing.T, m moothall.Memory) {
	a := remember(t, m, moothall.MemoryEntry{Name: "a", Description: "about a", Corpus: "Text of a."})
	b := remember(t, m, moothall.MemoryEntry{Name: "b", Description: "about b", Corpus: "Text of b.", Correlates: []moothall.MemoryID{a.ID}})
	for _, whole := range []bool{true, false} {
		got, err := m.Correlated(t.Context(), scope(), b.ID, whole)
		wantCode(t, err, "")
		if len(got) != 1 || got[0].ID != a.ID || got[0].Description != "about a" || (got[0].Corpus != "") != whole {
			t.Errorf("whole %v: got %+v", whole, got)
		}
	}
	_, err := m.Correlated(t.Context(), scope(), "no-such-entry", true)
	wantCode(t, err, moothall.CodeNotFound)
}

func memoryTrust(t *testing.T, m moothall.Memory) {
	web := remember(t, m, moothall.MemoryEntry{Name: "web", Description: "d", Corpus: "Text.", Trust: moothall.TrustExternal})
	made := remember(t, m, moothall.MemoryEntry{Name: "made", Description: "d", Corpus: "Text.", Trust: moothall.TrustPerson}, web.ID)
	if made.Trust != moothall.TrustExternal {
		t.Errorf("made from the web and trusted as %q", made.Trust)
	}
}

func memoryBuffers(t *testing.T, m moothall.Memory) {
	tags := []string{"mine"}
	e := remember(t, m, moothall.MemoryEntry{Name: "n", Description: "d", Corpus: "Text.", Tags: tags})
	tags[0] = "changed"
	if len(e.Tags) == 1 {
		e.Tags[0] = "changed too"
	}
	got := must(t, m.List(t.Context(), moothall.MemoryList{IDs: []moothall.MemoryID{e.ID}}))
	if len(got) != 1 || !slices.Equal(got[0].Tags, []string{"mine"}) {
		t.Errorf("the stored entry changed with the caller's: %+v", got)
	}
}

func memoryConcurrent(t *testing.T, m moothall.Memory) {
	const writers, each = 4, 5
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				e := moothall.MemoryEntry{Kind: moothall.Fact, Name: fmt.Sprintf("n %d %d", w, i), Description: "d", Corpus: "Text.", Trust: moothall.TrustPerson}
				if _, err := m.Write(t.Context(), moothall.WriteRequest{Entry: e}); err != nil {
					t.Error(err)
				}
				if _, err := collect(m.Recall(t.Context(), moothall.MemoryQuery{Text: "text"})); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if n := len(must(t, m.List(t.Context(), moothall.MemoryList{}))); n != writers*each {
		t.Errorf("%d entries, want %d", n, writers*each)
	}
}

func memoryLarge(t *testing.T, m moothall.Memory) {
	corpus := strings.Repeat("All work and no play. ", 12_000)
	e := remember(t, m, moothall.MemoryEntry{Kind: moothall.Document, Name: "large", Description: "a long text", Corpus: corpus})
	got := must(t, m.List(t.Context(), moothall.MemoryList{IDs: []moothall.MemoryID{e.ID}}))
	if len(got) != 1 || got[0].Corpus != corpus {
		t.Error("a text of a quarter of a megabyte does not come back")
	}
}

func memoryCanceled(t *testing.T, m moothall.Memory) {
	remember(t, m, moothall.MemoryEntry{Name: "boat", Description: "d", Corpus: "Boat."})
	ctx := canceled(t)
	_, err := m.Write(ctx, moothall.WriteRequest{Entry: moothall.MemoryEntry{Name: "late", Corpus: "Late."}})
	wantCode(t, err, moothall.CodeCanceled)
	wantQuiet(t, m.List(ctx, moothall.MemoryList{}), moothall.CodeCanceled)
	wantQuiet(t, m.Recall(ctx, moothall.MemoryQuery{Text: "boat"}), moothall.CodeCanceled)
	wantQuiet(t, m.Graph(ctx, moothall.GraphQuery{Text: "boat"}), moothall.CodeCanceled)
	if n := len(must(t, m.List(t.Context(), moothall.MemoryList{}))); n != 1 {
		t.Errorf("%d entries after a canceled write, want 1", n)
	}
}
