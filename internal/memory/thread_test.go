package memory_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/sqlite"
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

// TestForgottenNeighbour: the turn after one that was forgotten is not found
// by its words any more.
func TestForgottenNeighbour(t *testing.T) {
	t.Parallel()
	db := openStore(t, filepath.Join(t.TempDir(), "hall.db"))
	t.Cleanup(func() { db.Close() })
	engine := sqlite.New(db)
	m := openOver(t, engine).For(moothall.Person)
	for i, text := range []string{"My number at the bank is 4711.", "I see.", "And the cello?", "Since nine years."} {
		write(t, m, moothall.MemoryEntry{
			ID: moothall.MemoryID(fmt.Sprint("turn-", i)), Corpus: text, Thread: "t", Place: int64(i), Created: noon.Add(time.Duration(i) * time.Minute),
		})
	}
	found := func(word string) int {
		t.Helper()
		got, err := engine.Search(t.Context(), memory.TextQuery{Words: []string{word}, Limit: 9})
		if err != nil {
			t.Fatal(err)
		}
		return len(got)
	}
	if n := found("4711"); n != 3 {
		t.Fatalf("%d turns have the word, want it and the two after it", n)
	}
	if _, err := m.Forget(t.Context(), ctxScope, "turn-0"); err != nil {
		t.Fatal(err)
	}
	if bank, cello := found("4711"), found("cello"); bank != 0 || cello != 2 {
		t.Errorf("%d turns have the word that was forgotten, %d another", bank, cello)
	}
}

// TestLongNeighbour: the words of a long turn are in its parts, also when the
// turn before it is forgotten or its question comes late.
func TestLongNeighbour(t *testing.T) {
	t.Parallel()
	db := openStore(t, filepath.Join(t.TempDir(), "hall.db"))
	t.Cleanup(func() { db.Close() })
	engine := sqlite.New(db)
	service := openOver(t, engine)
	m := service.For(moothall.Person)
	text := strings.Repeat("The hull was painted in spring. ", 250) + "The spare key hangs behind the mirror."
	write(t, m, moothall.MemoryEntry{ID: "first", Corpus: "And the boat?", Thread: "t", Place: 1, Created: noon})
	write(t, m, moothall.MemoryEntry{ID: "long", Corpus: text, Thread: "t", Place: 2, Created: noon.Add(time.Minute)})
	one := func(what, word string) {
		t.Helper()
		if got, err := engine.Search(t.Context(), memory.TextQuery{Words: []string{word}, Limit: 9}); err != nil || len(got) != 1 {
			t.Errorf("%s: %d entries have a word of one part, %v", what, len(got), err)
		}
	}
	one("stored", "mirror")
	_, err := m.Forget(t.Context(), ctxScope, "first")
	wantCode(t, err, "")
	one("after a turn that is forgotten", "mirror")
	wantCode(t, service.Ingest(t.Context(), event(t, moothall.SubjectResponseGeneration, "q-1", answer("q-1", strings.ReplaceAll(text, "mirror", "wardrobe")))), "")
	one("answered", "wardrobe")
	wantCode(t, service.Ingest(t.Context(), event(t, moothall.SubjectQueryReceived, "q-1", map[string]any{"query": "Where is the key?"})), "")
	one("asked later", "wardrobe")
}

// TestMovedNeighbour: a turn that gets another place leaves none of its words
// with the turns after its old one.
func TestMovedNeighbour(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(s *memory.Service, e moothall.MemoryEntry) error{
		"written": func(s *memory.Service, e moothall.MemoryEntry) error {
			_, err := s.For(moothall.Person).Write(t.Context(), moothall.WriteRequest{Entry: e})
			return err
		},
		"imported": func(s *memory.Service, e moothall.MemoryEntry) error {
			line := fmt.Sprintf(`{"id":%q,"text":%q,"thread":%q,"seq":%d}`, e.ID, e.Corpus, e.Thread, e.Place)
			_, err := s.Import(t.Context(), moothall.Person, strings.NewReader(line), memory.ImportOptions{})
			return err
		},
	} {
		db := openStore(t, filepath.Join(t.TempDir(), "hall.db"))
		t.Cleanup(func() { db.Close() })
		engine := sqlite.New(db)
		service := openOver(t, engine)
		m := service.For(moothall.Person)
		moved := moothall.MemoryEntry{ID: "moved", Corpus: "My number at the bank is 4711.", Thread: "t", Place: 1, Created: noon}
		write(t, m, moved)
		write(t, m, moothall.MemoryEntry{ID: "stays", Corpus: "I see.", Thread: "t", Place: 2, Created: noon.Add(time.Minute)})
		moved.Thread = "elsewhere"
		wantCode(t, move(service, moved), "")
		_, err := m.Forget(t.Context(), ctxScope, "moved")
		wantCode(t, err, "")
		if got, err := engine.Search(t.Context(), memory.TextQuery{Words: []string{"4711"}, Limit: 9}); err != nil || len(got) != 0 {
			t.Errorf("%s: %d turns still have what was forgotten, %v", name, len(got), err)
		}
	}
}

// TestForgottenNeighbourOfTheGateway: what the gateway's embedder made of the
// turns after a forgotten one has nothing of it left, not even while it is
// made or while the gateway does not answer.
func TestForgottenNeighbourOfTheGateway(t *testing.T) {
	t.Parallel()
	db := openStore(t, filepath.Join(t.TempDir(), "hall.db"))
	t.Cleanup(func() { db.Close() })
	engine := sqlite.New(db)
	answer := pointed([]float32{0, 1}, map[string][]float32{"4711": {1, 0}})
	var down atomic.Bool
	var meanwhile atomic.Pointer[func()]
	service := openOver(t, engine, func(o *memory.Options) {
		o.Limits.Retry = time.Hour
		o.Embed = func(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
			if down.Load() {
				return moothall.Embeddings{}, moothall.Fail(moothall.CodeUnavailable, "embed", "the server does not answer")
			}
			if f := meanwhile.Load(); f != nil && slices.ContainsFunc(r.Texts, func(s string) bool { return strings.Contains(s, "4711") }) {
				(*f)()
			}
			return answer(ctx, r)
		}
	})
	m := service.For(moothall.Person)
	tell := func(thread string) {
		t.Helper()
		for i, text := range []string{"My number at the bank is 4711.", "I see."} {
			write(t, m, moothall.MemoryEntry{
				ID: moothall.MemoryID(fmt.Sprint(thread, i)), Corpus: text, Thread: thread, Place: int64(i), Created: noon.Add(time.Duration(i) * time.Minute),
			})
		}
	}
	kept := func(id moothall.MemoryID) []memory.Vectors {
		t.Helper()
		r, err := engine.Get(t.Context(), []moothall.MemoryID{id})
		wantCode(t, err, "")
		v, err := engine.VectorsAt(t.Context(), "pointed", []uint64{r[0].N})
		wantCode(t, err, "")
		return v
	}
	tell("first")
	wantCode(t, service.Settle(t.Context()), "")
	if v := kept("first1"); len(v) != 1 || v[0].Corpus[0] != 1 {
		t.Fatalf("the turn after has none of the words: %v", v)
	}
	down.Store(true)
	_, err := m.Forget(t.Context(), ctxScope, "first0")
	wantCode(t, err, "")
	if v := kept("first1"); len(v) != 0 {
		t.Errorf("what was forgotten is still in the vectors: %v", v)
	}
	down.Store(false)
	wantCode(t, service.Settle(t.Context()), "")
	if v := kept("first1"); len(v) != 1 || v[0].Corpus[0] != 0 {
		t.Errorf("made anew: %v", v)
	}

	down.Store(true)
	tell("second")
	forget := sync.OnceFunc(func() {
		if _, err := m.Forget(t.Context(), ctxScope, "second0"); err != nil {
			t.Error(err)
		}
	})
	meanwhile.Store(&forget)
	down.Store(false)
	wantCode(t, service.Settle(t.Context()), "")
	if v := kept("second1"); len(v) != 1 || v[0].Corpus[0] != 0 {
		t.Errorf("forgotten while vectors were made: %v", v)
	}
}

// TestAcceptedNeighbour: the turn after a candidate is found by its words once
// it is accepted.
func TestAcceptedNeighbour(t *testing.T) {
	t.Parallel()
	db := openStore(t, filepath.Join(t.TempDir(), "hall.db"))
	t.Cleanup(func() { db.Close() })
	engine := sqlite.New(db)
	m := openOver(t, engine).For(moothall.Person)
	_, err := m.Write(t.Context(), moothall.WriteRequest{Scope: ctxScope, Propose: true, Entry: moothall.MemoryEntry{
		ID: "asked", Corpus: "Which instrument did you learn?", Thread: "t", Place: 1, Created: noon,
	}})
	wantCode(t, err, "")
	write(t, m, moothall.MemoryEntry{ID: "answered", Corpus: "Mostly the cello.", Thread: "t", Place: 2, Created: noon.Add(time.Minute)})
	wantCode(t, m.Review(t.Context(), ctxScope, "asked", true), "")
	if got, err := engine.Search(t.Context(), memory.TextQuery{Words: []string{"instrument"}, Limit: 9}); err != nil || len(got) != 2 {
		t.Errorf("%d turns have the word, want the accepted one and the one after it; %v", len(got), err)
	}
}
