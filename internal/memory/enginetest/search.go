package enginetest

import (
	"slices"
	"testing"

	"moothall"
	"moothall/internal/memory"
)

// found returns the places of the records with one of the words, sorted.
func found(t *testing.T, e memory.Engine, words ...string) []uint64 {
	t.Helper()
	list, err := e.Search(t.Context(), memory.TextQuery{Words: words, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var out []uint64
	for i, m := range list {
		if i > 0 && m.Score > list[i-1].Score {
			t.Errorf("%v are not in order", list)
		}
		out = append(out, m.N)
	}
	slices.Sort(out)
	return out
}

func words(t *testing.T, e memory.Engine) {
	text := func(id string, x memory.Text) *memory.Record {
		r := record(id)
		r.Text = x
		return r
	}
	a := text("a", memory.Text{Corpus: "the boats lie in the harbour of piran", Scope: "t1"})
	b := text("b", memory.Text{Name: "boat", Corpus: "a recipe for bread", Context: "harbour", Scope: "t2"})
	c := text("c", memory.Text{Corpus: "nothing of the kind", Who: "ada monday", Scope: "t1"})
	put(t, e, a, b, c)
	same(t, "stems", found(t, e, "boat"), []uint64{a.N, b.N})
	same(t, "context", found(t, e, "harbour"), []uint64{a.N, b.N})
	same(t, "who", found(t, e, "ada"), []uint64{c.N})
	same(t, "any word", found(t, e, "recipe", "ada"), []uint64{b.N, c.N})
	same(t, "the scope is no word", found(t, e, "t1"), []uint64(nil))
	list, err := e.Search(t.Context(), memory.TextQuery{Words: []string{"harbour", "kind"}, Scope: "t1", Limit: 10})
	if err != nil || len(list) != 2 {
		t.Errorf("in scope: %v, %v", list, err)
	}
	list, err = e.Search(t.Context(), memory.TextQuery{Words: []string{"harbour"}, Limit: 1})
	if err != nil || len(list) != 1 || list[0].N != a.N || list[0].Score <= 0 {
		t.Errorf("the text itself counts more than its context: %v, %v", list, err)
	}
	put(t, e, text("a", memory.Text{Corpus: "elsewhere"}))
	same(t, "indexed again", found(t, e, "elsewhere"), []uint64{a.N})
	same(t, "and not by the old words", found(t, e, "piran"), []uint64(nil))
	apply(t, e, memory.Change{Delete: []moothall.MemoryID{"a"}})
	same(t, "deleted", found(t, e, "elsewhere"), []uint64(nil))
}

func syntax(t *testing.T, e memory.Engine) {
	put(t, e, record("a"))
	for _, w := range []string{`"`, `a"b`, "a*", "name:x", "(", "a b", "-", "^a", "'; DROP TABLE memory_entries", "a\x00"} {
		if _, err := e.Search(t.Context(), memory.TextQuery{Words: []string{w}, Limit: 5}); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%q: error %v, want that it is invalid", w, err)
		}
	}
	for _, w := range []string{"or", "and", "not", "near", "name", "日本", "ещё"} {
		if _, err := e.Search(t.Context(), memory.TextQuery{Words: []string{w}, Limit: 5}); err != nil {
			t.Errorf("%q: %v", w, err)
		}
	}
}

func vector(n uint64, embedder string, base float32) memory.Vectors {
	return memory.Vectors{
		N: n, Embedder: embedder, Name: []float32{base, 0}, Description: []float32{0, base}, Corpus: []float32{base, base},
	}
}

func vectors(t *testing.T, e memory.Engine) {
	a, b, c := record("a"), record("b"), record("c")
	a.Vectors = []memory.Vectors{vector(0, "one", 1), vector(0, "two", 2)}
	b.Vectors = []memory.Vectors{vector(0, "one", 3)}
	put(t, e, a, b, c)
	same(t, "of one", all(t, e.Vectors(t.Context(), "one")), []memory.Vectors{vector(a.N, "one", 1), vector(b.N, "one", 3)})
	same(t, "of nobody", len(all(t, e.Vectors(t.Context(), "nobody"))), 0)
	at, err := e.VectorsAt(t.Context(), "one", []uint64{b.N, c.N, a.N})
	if err != nil {
		t.Fatal(err)
	}
	same(t, "in order", at, []memory.Vectors{vector(b.N, "one", 3), vector(a.N, "one", 1)})
	lacking := func(embedder string, after uint64, want ...uint64) {
		t.Helper()
		got, err := e.Lacking(t.Context(), embedder, after, 10)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v lack %s after %d, %v; want %v", got, embedder, after, err, want)
		}
	}
	lacking("one", 0, c.N)
	lacking("two", 0, b.N, c.N)
	lacking("two", b.N, c.N)
	lacking("three", 0, a.N, b.N, c.N)
	apply(t, e, memory.Change{Vectors: []memory.Vectors{vector(c.N, "two", 4), vector(999, "two", 5)}})
	lacking("two", 0, b.N)
	same(t, "of two", len(all(t, e.Vectors(t.Context(), "two"))), 2) // none of a record that is not there
	names, err := e.Embedders(t.Context())
	if err != nil || !slices.Equal(names, []string{"one", "two"}) {
		t.Errorf("embedders %v, %v", names, err)
	}
	if err := e.Drop(t.Context(), "one"); err != nil {
		t.Fatal(err)
	}
	same(t, "dropped", len(all(t, e.Vectors(t.Context(), "one"))), 0)
	same(t, "the others stay", len(all(t, e.Vectors(t.Context(), "two"))), 2)
	apply(t, e, memory.Change{Vectors: []memory.Vectors{vector(b.N, "one", 6)}})
	same(t, "and back", all(t, e.Vectors(t.Context(), "one")), []memory.Vectors{vector(b.N, "one", 6)})
}
