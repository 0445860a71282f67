package memory_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/sqlite"
	"moothall/internal/moottest"
)

// brokenEngine fails as it is told to.
type brokenEngine struct {
	memory.Engine
	apply  atomic.Pointer[moothall.Error]
	search atomic.Pointer[moothall.Error]
}

func (e *brokenEngine) Apply(ctx context.Context, c *memory.Change) (bool, error) {
	if err := e.apply.Load(); err != nil {
		return false, err
	}
	return e.Engine.Apply(ctx, c)
}

func (e *brokenEngine) At(ctx context.Context, ns []uint64, whole bool) ([]memory.Record, error) {
	if err := e.search.Load(); err != nil {
		return nil, err
	}
	return e.Engine.At(ctx, ns, whole)
}

func TestDiskFull(t *testing.T) {
	t.Parallel()
	db := openStore(t, t.TempDir()+"/hall.db")
	t.Cleanup(func() { db.Close() })
	e := &brokenEngine{Engine: sqlite.New(db)}
	service := openOver(t, e)
	m := service.For(moothall.Person)
	kept := write(t, m, moothall.MemoryEntry{Name: "kept", Corpus: "The lighthouse was built in 1872."})
	e.apply.Store(&moothall.Error{Code: moothall.CodeExhausted, Op: "write store", Message: "the disk is full", Remedy: "free some space"})
	for i := range 3 {
		_, err := m.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Name: "lost", Corpus: fmt.Sprintf("The lighthouse is %d metres high.", i)}})
		wantCode(t, err, moothall.CodeExhausted)
		if moothall.ErrorRemedy(err) == "" {
			t.Error("no remedy")
		}
	}
	_, err := m.Forget(t.Context(), ctxScope, kept.ID)
	wantCode(t, err, moothall.CodeExhausted)
	_, err = service.Import(t.Context(), moothall.Person, lines(10), memory.ImportOptions{})
	wantCode(t, err, moothall.CodeExhausted)
	for _, mode := range []string{memory.ModeStaged, memory.ModeFused} {
		got := recall(t, m, moothall.MemoryQuery{Text: "lighthouse", Mode: mode, Results: 20})
		if len(got) != 1 || got[0].Entry.ID != kept.ID {
			t.Errorf("%s: what was refused is found: %v", mode, results(got))
		}
	}
	e.apply.Store(nil)
	write(t, m, moothall.MemoryEntry{Name: "after", Corpus: "There is room again."})
	if s := stats(t, service); s.Entries != 2 {
		t.Errorf("%d entries, want 2", s.Entries)
	}
}

func TestEngineUnreachable(t *testing.T) {
	t.Parallel()
	db := openStore(t, t.TempDir()+"/hall.db")
	t.Cleanup(func() { db.Close() })
	e := &brokenEngine{Engine: sqlite.New(db)}
	m := openOver(t, e).For(moothall.Person)
	write(t, m, moothall.MemoryEntry{Name: "n", Corpus: "c"})
	e.search.Store(moothall.Fail(moothall.CodeUnavailable, "engine", "the server does not answer"))
	n := 0
	for _, err := range m.Recall(t.Context(), moothall.MemoryQuery{Text: "n"}) {
		wantCode(t, err, moothall.CodeUnavailable)
		n++
	}
	if n != 1 {
		t.Errorf("%d pieces, want one error", n)
	}
}

// TestHostileText stores and finds texts that are made to hurt.
func TestHostileText(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	m := service.For(moothall.Person)
	size := 10 << 20
	if moottest.Race {
		size = 1 << 20
	}
	for name, text := range map[string]string{
		"no spaces":  strings.Repeat("x", size/10),
		"long":       strings.Repeat("All work and no play makes a dull text. ", size/40),
		"controls":   "bell \a and null \x00 and escape \x1b[31m and \u202e reversed",
		"bad bytes":  "valid \xff\xfe invalid",
		"fts syntax": `" OR name:* AND NEAR(a b) NOT {x}: ^y - + ' ; DROP TABLE memory_entries; --`,
		"scripts":    "日本語のテキスト 한국어 العربية עברית ελληνικά ไทย हिन्दी 🜂🝮",
		"marks":      "e" + strings.Repeat("\u0301", 10_000),
		"newlines":   strings.Repeat("\n", 100_000) + "end",
		"brackets":   strings.Repeat("[", 50_000) + strings.Repeat("{", 50_000),
		"dots":       strings.Repeat(". ", size/50),
	} {
		e := write(t, m, moothall.MemoryEntry{ID: moothall.MemoryID(name), Kind: moothall.Document, Corpus: text})
		got := list(t, m, moothall.MemoryList{IDs: []moothall.MemoryID{e.ID}})
		if want := strings.ToValidUTF8(text, "\uFFFD"); len(got) != 1 || got[0].Corpus != want {
			t.Errorf("%s does not come back", name)
		}
		query := text
		if len(query) > 2000 {
			query = query[:2000]
		}
		for _, mode := range []string{memory.ModeStaged, memory.ModeFused} {
			for _, err := range m.Recall(t.Context(), moothall.MemoryQuery{Text: query + "?", Mode: mode}) {
				if err != nil {
					t.Errorf("%s, %s: %v", name, mode, err)
				}
			}
		}
	}
	if got := recall(t, m, moothall.MemoryQuery{Text: "日本語", Mode: memory.ModeFused, Results: 1}); len(got) != 1 || got[0].Entry.ID != "scripts" {
		t.Errorf("a script without spaces: %v", results(got))
	}
	_, err := m.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Name: "n", Corpus: strings.Repeat("x", 17<<20)}})
	wantCode(t, err, moothall.CodeTooLarge)
	for name, e := range map[string]moothall.MemoryEntry{
		"kind": {Name: "n", Kind: "dream"}, "trust": {Name: "n", Trust: "blind"}, "id": {Name: "n", ID: "a\nb"},
	} {
		_, err := m.Write(t.Context(), moothall.WriteRequest{Entry: e})
		if moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestConcurrent lets everything happen at once.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	g := &gateway{name: "nomic", dim: 16}
	service := openMemory(t, func(o *memory.Options) { o.Embed = g.embed })
	m := service.For(moothall.Person)
	var wg sync.WaitGroup
	for w := range 3 {
		wg.Go(func() {
			for i := range 15 {
				e := write(t, m, moothall.MemoryEntry{Name: fmt.Sprintf("n %d %d", w, i), Corpus: fmt.Sprintf("Text %d of writer %d about the %s.", i, w, word(i))})
				if i%3 == 0 {
					if _, err := m.Forget(t.Context(), ctxScope, e.ID); err != nil {
						t.Error(err)
					}
				}
			}
		})
		wg.Go(func() {
			for i := range 15 {
				q := moothall.MemoryQuery{Scope: ctxScope, Text: word(i) + " writer", Mode: []string{memory.ModeStaged, memory.ModeFused, memory.ModeAuto}[i%3]}
				for _, err := range m.Recall(t.Context(), q) {
					if err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Go(func() {
		for i := range 3 {
			file := strings.ReplaceAll(lines(40).String(), `"m-`, fmt.Sprintf(`"c%d-`, i))
			if _, err := service.Import(t.Context(), moothall.Person, strings.NewReader(file), memory.ImportOptions{}); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Go(func() {
		if err := service.Reindex(t.Context(), nil); err != nil {
			t.Error(err)
		}
	})
	wg.Wait()
	if err := service.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := stats(t, service); s.Entries != 3*10+3*40 || s.Embedders[0].Entries != 150 || s.Embedders[1].Entries != 150 {
		t.Errorf("%+v", s)
	}
}

func TestClosed(t *testing.T) {
	t.Parallel()
	service := openMemory(t)
	m := service.For(moothall.Person)
	for range 2 {
		wantCode(t, service.Close(), "")
	}
	_, err := m.Write(t.Context(), moothall.WriteRequest{Entry: moothall.MemoryEntry{Name: "late"}})
	wantCode(t, err, moothall.CodeUnavailable)
	for _, err := range m.Recall(t.Context(), moothall.MemoryQuery{Text: "x"}) {
		wantCode(t, err, moothall.CodeUnavailable)
	}
	wantCode(t, service.Settle(t.Context()), moothall.CodeUnavailable)
	_, err = memory.Open(t.Context(), memory.Options{})
	wantCode(t, err, moothall.CodeInvalid)
}
