package memory_test

import (
	"fmt"
	"testing"
	"time"

	"moothall"
	"moothall/internal/memory"
)

// clock is a clock that tests move.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func TestCache(t *testing.T) {
	t.Parallel()
	c := &clock{noon}
	service := openMemory(t, func(o *memory.Options) {
		o.Now = c.now
		o.Cache = memory.CacheOptions{Entries: 4, TTL: map[moothall.MemoryKind]time.Duration{moothall.Fact: time.Minute}, Default: time.Hour}
	})
	m := service.For(moothall.Person)
	ids := library(t, m)
	stage := func(q moothall.MemoryQuery) string {
		t.Helper()
		got := recall(t, m, q)
		if len(got) == 0 {
			t.Fatal("nothing was recalled")
		}
		return got[0].Stage
	}
	q := moothall.MemoryQuery{Text: "boat insurance cost", Kinds: []moothall.MemoryKind{moothall.Fact}}
	want := func(what, wanted string) {
		t.Helper()
		if got := stage(q); got != wanted {
			t.Errorf("%s: stage %q, want %q", what, got, wanted)
		}
	}
	want("first", "corpus")
	want("again", "cache")
	q.Text = "Boat insurance: cost?"
	want("nearly the same words", "cache")
	q.Results = 2
	want("another filter", "corpus")
	want("another filter again", "cache")
	write(t, m, moothall.MemoryEntry{Kind: moothall.Document, Name: "unrelated", Corpus: "A document."})
	want("a write out of its scope", "cache")
	write(t, m, moothall.MemoryEntry{Name: "in scope", Corpus: "A new fact."})
	want("a write in its scope", "corpus")
	c.at = c.at.Add(59 * time.Second)
	want("before its time is up", "cache")
	c.at = c.at.Add(2 * time.Second)
	want("after", "corpus")
	if _, err := m.Forget(t.Context(), ctxScope, ids["boat insurance"]); err != nil {
		t.Fatal(err)
	}
	want("after one of its entries was forgotten", "corpus")
	for i := range 10 {
		q.Text = fmt.Sprintf("question number %d about something", i)
		want("numbers make another question", "corpus")
	}
	if s := stats(t, service); s.CacheEntries != 4 || s.CacheHits != 5 || s.CacheMisses == 0 {
		t.Errorf("%+v", s)
	}
	q.Stages = true
	if got := recall(t, m, q); got[0].Candidates == nil {
		t.Error("stages were asked for and came from the cache")
	}
}

func TestCacheGivesCopies(t *testing.T) {
	t.Parallel()
	m := openMemory(t).For(moothall.Person)
	write(t, m, moothall.MemoryEntry{Name: "boat", Corpus: "The boat is red.", Tags: []string{"mine"}})
	for range 3 {
		got := recall(t, m, moothall.MemoryQuery{Text: "boat"})
		if len(got) != 1 || got[0].Entry.Tags[0] != "mine" || got[0].Entry.Name != "boat" {
			t.Fatalf("the cache changed with what a caller did: %+v", got[0].Entry)
		}
		got[0].Entry.Tags[0], got[0].Entry.Name = "yours", "ship"
	}
}

// TestCacheKnowsSigns: what differs in signs alone is another question.
func TestCacheKnowsSigns(t *testing.T) {
	t.Parallel()
	plus := map[string][]float32{"C++": {1, 0}}
	service := openMemory(t, func(o *memory.Options) { o.Embed = pointed([]float32{0, 1}, plus) })
	m := service.For(moothall.Person)
	write(t, m, moothall.MemoryEntry{Name: "C", Corpus: "The compiler for C is in the cellar."})
	want := write(t, m, moothall.MemoryEntry{Name: "C++", Corpus: "The compiler for C++ is in the attic."})
	if err := service.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	recall(t, m, moothall.MemoryQuery{Text: "where is the compiler for C?", Results: 1})
	got := recall(t, m, moothall.MemoryQuery{Text: "where is the compiler for C++?", Results: 1})
	if len(got) != 1 || got[0].Entry.ID != want.ID || got[0].Stage == "cache" {
		t.Errorf("the answer to another question: %+v", got)
	}
}
