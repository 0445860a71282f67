package terms_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/sqlite"
	"moothall/internal/memory/terms"
	"moothall/internal/store"
)

func TestTerm(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "cats": "cat", "agreed": "agre", "feed": "feed", "plastered": "plaster", "motoring": "motor",
		"sing": "sing", "conflated": "conflat", "hopping": "hop", "falling": "fall", "filing": "file", "happy": "happi", "sky": "sky",
		"relational": "relat", "digitizer": "digit", "operator": "oper", "hopefulness": "hope", "formality": "formal", "triplicate": "triplic",
		"adjustment": "adjust", "adoption": "adopt", "replacement": "replac", "probate": "probat", "rate": "rate", "controlling": "control",
		"ángström": "angstrom", "éléphants": "eleph", "城市": "城市", "дмитрий": "дмитрии", "x": "x", "42nd": "42nd", "": "",
	} {
		if got := terms.Term(word); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

var texts = []memory.Text{
	{Name: "sailing boats", Corpus: "boats sail on the sea every day", Who: "ana 2024", Scope: "tone"},
	{Name: "the sea", Corpus: "the sea was rough and the boat small", Context: "sailing", Scope: "ttwo"},
	{Name: "bread", Description: "how bread is baked", Corpus: "flour water salt yeast and time", Scope: "tone"},
	{Name: "running", Corpus: "she runs and ran and will be running café", Scope: "ttwo"},
	{Name: "empty"},
}

// The default engine is the measure of the order and the scores.
func TestAsFTS5(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "hall.db"), &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	engine, ix := sqlite.New(db), terms.NewIndex()
	for i, text := range texts {
		r := &memory.Record{Entry: moothall.MemoryEntry{ID: moothall.MemoryID(fmt.Sprint("m-", i)), Kind: moothall.Fact, Trust: moothall.TrustPerson}, Text: text}
		if _, err := engine.Apply(t.Context(), &memory.Change{Put: []*memory.Record{r}}); err != nil {
			t.Fatal(err)
		}
		ix.Put(r.N, terms.Of(text))
	}
	for _, q := range []memory.TextQuery{
		{Words: []string{"boat"}, Limit: 9}, {Words: []string{"sail", "sea"}, Limit: 9}, {Words: []string{"sails", "sea"}, Scope: "tone", Limit: 9},
		{Words: []string{"cafe"}, Limit: 9}, {Words: []string{"run", "bread", "2024"}, Limit: 2}, {Words: []string{"nothing"}, Limit: 9}, {Words: []string{"tone"}, Limit: 9},
	} {
		want, err := engine.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ix.Search(q)
		if err != nil || show(got) != show(want) {
			t.Errorf("%v: %s, %v; want %s", q, show(got), err, show(want))
		}
	}
}

func show(list []memory.Match) string {
	var b strings.Builder
	for _, m := range list {
		fmt.Fprintf(&b, "%d %.4f ", m.N, m.Score)
	}
	return b.String()
}

func TestIndexChanges(t *testing.T) {
	t.Parallel()
	ix := terms.NewIndex()
	ix.Put(1, terms.Of(texts[0]))
	ix.Put(1, terms.Of(texts[2]))
	ix.Put(2, terms.Of(texts[1]))
	ix.Drop(2)
	ix.Drop(3)
	for word, want := range map[string]int{"boat": 0, "bread": 1, "sea": 0} {
		got, err := ix.Search(memory.TextQuery{Words: []string{word}, Limit: 5})
		if err != nil || len(got) != want {
			t.Errorf("%s: %v, %v", word, got, err)
		}
	}
	_, err := ix.Search(memory.TextQuery{Words: []string{`a" OR "b`}, Limit: 5})
	if moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Errorf("syntax in a word: %v", err)
	}
}

func FuzzTerm(f *testing.F) {
	for _, s := range []string{"caresses", "yyyy", "ing", "eed", "ied", "ÀÉ", "\xff", "sses"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if got := terms.Term(word); word != "" && len(word) < 64 && got == "" && !strings.ContainsFunc(word, func(r rune) bool { return r > 127 }) {
			t.Errorf("nothing is left of %q", word)
		}
	})
}
