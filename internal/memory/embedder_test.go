package memory_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/sqlite"
	"moothall/internal/store"
)

// home is a database that is opened several times.
type home struct {
	t    testing.TB
	dir  string
	db   *store.DB
	mem  *memory.Service
	opts func(*memory.Options)
}

func newHome(t testing.TB, opts func(*memory.Options)) *home {
	h := &home{t: t, dir: t.TempDir(), opts: opts}
	h.open()
	t.Cleanup(h.close)
	return h
}

func (h *home) open() {
	h.t.Helper()
	h.db = openStore(h.t, filepath.Join(h.dir, "hall.db"))
	o := memory.Options{Engine: sqlite.New(h.db), Audit: quietAudit{}, Dir: h.dir}
	if h.opts != nil {
		h.opts(&o)
	}
	m, err := memory.Open(h.t.Context(), o)
	if err != nil {
		h.t.Fatal(err)
	}
	h.mem = m
}

func (h *home) close() {
	if h.mem == nil {
		return
	}
	if err := h.mem.Close(); err != nil {
		h.t.Error(err)
	}
	h.db.Close()
	h.mem = nil
}

func (h *home) reopen() {
	h.t.Helper()
	h.close()
	h.open()
}

// lines is an import file of n entries.
func lines(n int) *bytes.Buffer {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"id":"m-%d","text":"Memory number %d is about topic%d and the %s.","name":"topic%d"}`+"\n", i, i, i, word(i), i)
	}
	return &b
}

func word(i int) string {
	return []string{"harbour", "kitchen", "garden", "railway", "library", "mountain", "orchestra"}[i%7]
}

// TestEmbedderGone: the gateway's embedder ends in the middle of an import;
// nothing is lost, recall goes on, and it is filled in later.
func TestEmbedderGone(t *testing.T) {
	t.Parallel()
	g := &gateway{name: "nomic", dim: 2048, budget: 3}
	h := newHome(t, func(o *memory.Options) { o.Embed, o.Limits.Retry = g.embed, time.Hour })
	if got, err := h.mem.Import(t.Context(), moothall.Person, lines(300), memory.ImportOptions{}); err != nil || got.Stored != 300 {
		t.Fatalf("imported %+v, %v", got, err)
	}
	find := func() {
		t.Helper()
		got := recall(t, h.mem.For(moothall.Person), moothall.MemoryQuery{Text: "topic123", Results: 1})
		if len(got) != 1 || got[0].Entry.ID != "m-123" {
			t.Errorf("recalled %v", results(got))
		}
	}
	find()
	h.reopen() // still down
	find()
	g.set(func(g *gateway) { g.down, g.budget = false, 0 })
	if err := h.mem.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := stats(t, h.mem)
	if len(s.Embedders) != 2 || s.Embedders[0].Name != "nomic" || s.Embedders[0].Entries != 300 || s.Embedders[1].Entries != 300 {
		t.Errorf("%+v", s.Embedders)
	}
	find()
	h.reopen()
	if s := stats(t, h.mem); len(s.Embedders) != 2 || s.Embedders[0].Entries != 300 {
		t.Errorf("after a restart: %+v", s.Embedders)
	}
	g.set(func(g *gateway) { g.down = true })
	find() // by the built-in one
}

// TestReindex changes the embedder while queries are served.
func TestReindex(t *testing.T) {
	t.Parallel()
	g := &gateway{name: "old", dim: 1024}
	h := newHome(t, func(o *memory.Options) { o.Embed, o.Limits.Retry, o.Cache.Entries = g.embed, time.Hour, -1 })
	if _, err := h.mem.Import(t.Context(), moothall.Person, lines(200), memory.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := h.mem.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	g.set(func(g *gateway) { g.name, g.dim, g.budget = "new", 2000, 3 })
	mine := h.mem.For(moothall.Person)
	var seen []moothall.Progress
	err := h.mem.Reindex(t.Context(), func(p moothall.Progress) {
		seen = append(seen, p)
		got := recall(t, mine, moothall.MemoryQuery{Text: "topic150", Results: 3})
		if !contains(results(got), "m-150") {
			t.Errorf("at %+v: recalled %v", p, results(got))
		}
	})
	wantCode(t, err, moothall.CodeUnavailable)
	g.set(func(g *gateway) { g.down, g.budget = false, 0 })
	if err := h.mem.Reindex(t.Context(), func(p moothall.Progress) { seen = append(seen, p) }); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(seen, func(p moothall.Progress) bool {
		return strings.Contains(p.Step, "new") && p.Done == 200 && p.Total == 200
	})
	if i < 0 || !slices.ContainsFunc(seen, func(p moothall.Progress) bool { return p.Step == "drop old" }) {
		t.Errorf("progress %+v", seen)
	}
	if s := stats(t, h.mem); len(s.Embedders) != 2 || s.Embedders[0].Name != "new" || s.Embedders[0].Dim != 2000 || s.Embedders[0].Entries != 200 {
		t.Errorf("%+v", s.Embedders)
	}
}

// refusing is a gateway's embedder that does not take every text.
type refusing struct {
	gateway
	most    int // bytes of a text
	takes   func(text string) bool
	refused atomic.Int64 // calls
}

func (g *refusing) embed(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
	for _, text := range r.Texts {
		if len(text) > g.most {
			g.refused.Add(1)
			return moothall.Embeddings{}, moothall.Fail(moothall.CodeTooLarge, "embed", "the input length exceeds the context length")
		}
		if !g.takes(text) {
			g.refused.Add(1)
			return moothall.Embeddings{}, moothall.Fail(moothall.CodeInvalid, "embed", "the input cannot be read")
		}
	}
	return g.gateway.embed(ctx, r)
}

// TestRefusedText: a text that the gateway's embedder does not take keeps no
// other from its vectors. One that is too long has those of its beginning.
func TestRefusedText(t *testing.T) {
	t.Parallel()
	g := &refusing{gateway: gateway{name: "old", dim: 512}, most: 1000, takes: func(text string) bool { return !strings.Contains(text, "unspeakable") }}
	h := newHome(t, func(o *memory.Options) { o.Embed, o.Limits.Retry, o.Cache.Entries = g.embed, time.Hour, -1 })
	m := h.mem.For(moothall.Person)
	write(t, m, moothall.MemoryEntry{ID: "never", Name: "never", Corpus: "An unspeakable word."})
	write(t, m, moothall.MemoryEntry{ID: "long", Name: "long", Corpus: "The zeppelin. " + strings.Repeat("It is long. ", 300)})
	if _, err := h.mem.Import(t.Context(), moothall.Person, lines(200), memory.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	settled := func(embedder string, want int) {
		t.Helper()
		if err := h.mem.Settle(t.Context()); err != nil {
			t.Fatal(err)
		}
		if s := stats(t, h.mem); s.Embedders[0].Name != embedder || s.Embedders[0].Entries != want || s.Embedders[1].Entries != 202 {
			t.Errorf("%+v, want %d of %s", s.Embedders, want, embedder)
		}
	}
	settled("old", 201)
	calls := g.refused.Load()
	settled("old", 201)
	if more := g.refused.Load() - calls; more != 0 {
		t.Errorf("what it refuses was sent %d times more", more)
	}
	if got := recall(t, m, moothall.MemoryQuery{Text: "zeppelin", Results: 1}); len(got) != 1 || got[0].Entry.ID != "long" {
		t.Errorf("recalled %v", results(got))
	}
	g.set(func(g *gateway) { g.name = "new" })
	if err := h.mem.Reindex(t.Context(), nil); err != nil { // the first to meet it is told
		wantCode(t, err, moothall.CodeInvalid)
	}
	settled("new", 201)
	if names, err := sqlite.New(h.db).Embedders(t.Context()); err != nil || contains(names, "old") {
		t.Errorf("vectors of %v are kept, %v", names, err)
	}
	write(t, m, moothall.MemoryEntry{ID: "never", Name: "never", Corpus: "A word that can be said."})
	settled("new", 202)
}

// TestRefusesAll: an embedder that takes no text is not asked for ever.
func TestRefusesAll(t *testing.T) {
	t.Parallel()
	g := &refusing{gateway: gateway{name: "nomic", dim: 16}, most: 1000, takes: func(text string) bool { return text == "moothall" }}
	h := newHome(t, func(o *memory.Options) { o.Embed, o.Limits.Retry = g.embed, time.Hour })
	if _, err := h.mem.Import(t.Context(), moothall.Person, lines(500), memory.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	wantCode(t, h.mem.Reindex(t.Context(), nil), moothall.CodeUnavailable)
	if n := g.refused.Load(); n > 50 {
		t.Errorf("it was asked %d times", n)
	}
}

// TestWriteNeedsNoGateway: a write is acknowledged and found at once while
// the gateway's embedder hangs.
func TestWriteNeedsNoGateway(t *testing.T) {
	t.Parallel()
	g := &gateway{name: "nomic", dim: 16, down: true}
	h := newHome(t, func(o *memory.Options) { o.Embed, o.Limits.Retry = g.embed, time.Hour })
	m := h.mem.For(moothall.Person)
	e := write(t, m, moothall.MemoryEntry{Name: "boat", Corpus: "The boat is red."})
	if got := recall(t, m, moothall.MemoryQuery{Text: "boat"}); len(got) != 1 || got[0].Entry.ID != e.ID {
		t.Errorf("recalled %v", results(got))
	}
}

func TestSegmentFiles(t *testing.T) {
	t.Parallel()
	var logged bytes.Buffer
	h := newHome(t, func(o *memory.Options) { o.Logger = textLogger(&logged) })
	if _, err := h.mem.Import(t.Context(), moothall.Person, lines(300), memory.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	h.close()
	files, err := filepath.Glob(filepath.Join(h.dir, "*.names"))
	if err != nil || len(files) != 1 {
		t.Fatalf("index files %v, %v", files, err)
	}
	check := func(what, level string) {
		t.Helper()
		logged.Reset()
		h.open()
		got := recall(t, h.mem.For(moothall.Person), moothall.MemoryQuery{Text: "topic77", Results: 1})
		if len(got) != 1 || got[0].Entry.ID != "m-77" {
			t.Errorf("%s: recalled %v", what, results(got))
		}
		if s := stats(t, h.mem); s.Embedders[0].Entries != 300 {
			t.Errorf("%s: %+v", what, s.Embedders)
		}
		said := level != "" && strings.Contains(logged.String(), "level="+level+` msg="the memory's index is built anew"`)
		if said != strings.Contains(logged.String(), "built anew") || said != (level != "") {
			t.Errorf("%s: want %q that the index is built anew, got:\n%s", what, level, logged.String())
		}
		h.close()
	}
	check("as written", "")
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, damage := range map[string]func() []byte{
		"cut":     func() []byte { return b[:len(b)/2] },
		"empty":   func() []byte { return nil },
		"flipped": func() []byte { c := bytes.Clone(b); c[len(c)/2] ^= 0x40; return c },
		"foreign": func() []byte { return []byte("this is no index at all") },
	} {
		if err := os.WriteFile(files[0], damage(), 0o600); err != nil {
			t.Fatal(err)
		}
		check(name, "WARN")
	}
	stale := b
	h.open()
	write(t, h.mem.For(moothall.Person), moothall.MemoryEntry{ID: "m-77", Name: "topic77", Corpus: "Memory number 77 is about topic77 again."})
	h.close()
	if err := os.WriteFile(files[0], stale, 0o600); err != nil {
		t.Fatal(err)
	}
	check("of an older state", "INFO") // what every kill leaves behind
}

// TestEmbedderOfAnotherLength: a model that was replaced under its name gives
// every entry its vectors anew, and none of a wrong length is kept.
func TestEmbedderOfAnotherLength(t *testing.T) {
	t.Parallel()
	g := &gateway{name: "nomic", dim: 1024}
	h := newHome(t, func(o *memory.Options) { o.Embed, o.Limits.Retry, o.Cache.Entries = g.embed, time.Hour, -1 })
	if _, err := h.mem.Import(t.Context(), moothall.Person, lines(20), memory.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	wantCode(t, h.mem.Settle(t.Context()), "")
	g.set(func(g *gateway) { g.dim = 1500 })
	mine := h.mem.For(moothall.Person)
	write(t, mine, moothall.MemoryEntry{ID: "late", Name: "late", Corpus: "One that came after the change."})
	wantCode(t, h.mem.Reindex(t.Context(), nil), "")
	check := func() {
		t.Helper()
		s := stats(t, h.mem)
		if len(s.Embedders) != 2 || s.Embedders[0].Name != "nomic" || s.Embedders[0].Dim != 1500 || s.Embedders[0].Entries != 21 {
			t.Errorf("%+v", s.Embedders)
		}
	}
	check()
	h.reopen()
	check()
}
