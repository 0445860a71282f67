package memory_test

import (
	"context"
	"io"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/memory"
)

var ctxScope = moothall.Scope{Session: "s-1", Lineage: moothall.Lineage{"root"}}

func wantCode(t testing.TB, err error, want moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != want {
		t.Fatalf("error code is %q, want %q (error: %v)", got, want, err)
	}
}

func must[T any](t testing.TB, seq iter.Seq2[T, error]) []T {
	t.Helper()
	var out []T
	for v, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// write stores an entry, as the person unless it says whose.
func write(t testing.TB, m moothall.Memory, e moothall.MemoryEntry, from ...moothall.MemoryID) moothall.MemoryEntry {
	t.Helper()
	out, err := m.Write(t.Context(), moothall.WriteRequest{Scope: ctxScope, Entry: e, From: from})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func recall(t testing.TB, m moothall.Memory, q moothall.MemoryQuery) []moothall.Recall {
	t.Helper()
	return must(t, m.Recall(t.Context(), q))
}

// results are the ids of an answer, without its stages.
func results(list []moothall.Recall) []moothall.MemoryID {
	var out []moothall.MemoryID
	for _, r := range list {
		if r.Entry != nil {
			out = append(out, r.Entry.ID)
		}
	}
	return out
}

func list(t testing.TB, m moothall.Memory, l moothall.MemoryList) []moothall.MemoryEntry {
	t.Helper()
	return must(t, m.List(t.Context(), l))
}

func stats(t testing.TB, m *memory.Service) memory.Stats {
	t.Helper()
	s, err := m.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// heard keeps what was published.
type heard struct {
	mu     sync.Mutex
	events []moothall.Event
}

func (h *heard) publish(_ context.Context, e moothall.Event) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !e.Sender.MayPublish(e.Subject) {
		return moothall.Fail(moothall.CodeDenied, "publish", "not allowed")
	}
	h.events = append(h.events, e)
	return e.Validate()
}

func (h *heard) subjects() []moothall.Subject {
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []moothall.Subject
	for _, e := range h.events {
		out = append(out, e.Subject)
	}
	return out
}

// gateway is a gateway's embedder that can fail and change.
type gateway struct {
	mu     sync.Mutex
	name   string
	dim    int
	down   bool
	budget int // calls until it goes down; 0: none
	calls  int
}

func (g *gateway) set(f func(*gateway)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(g)
}

func (g *gateway) embed(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.calls++
	if g.budget > 0 {
		if g.budget--; g.budget == 0 {
			g.down = true
		}
	}
	if g.down {
		return moothall.Embeddings{}, moothall.Fail(moothall.CodeUnavailable, "embed", "the server does not answer")
	}
	out := moothall.Embeddings{Embedder: g.name}
	for _, text := range r.Texts {
		out.Vectors = append(out.Vectors, wordVector(text, g.dim))
	}
	return out, ctx.Err()
}

// wordVector counts words, each in one of dim places.
func wordVector(text string, dim int) []float32 {
	v := make([]float32, dim)
	v[0] = 0.01
	h := uint32(2166136261)
	word := false
	for _, c := range []byte(text + " ") {
		if c |= 0x20; c >= 'a' && c <= 'z' || c >= '0' && c <= '9' && c != 0x20 {
			h, word = (h^uint32(c))*16777619, true
			continue
		}
		if word {
			v[int(h>>8)%dim]++
		}
		h, word = 2166136261, false
	}
	return v
}

func contains[T comparable](list []T, v T) bool { return slices.Contains(list, v) }

// quietAudit takes every entry.
type quietAudit struct{}

func (quietAudit) Append(_ context.Context, entries ...moothall.AuditEntry) (uint64, error) {
	for _, e := range entries {
		if err := e.Validate(); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

func textLogger(w io.Writer) *slog.Logger { return slog.New(slog.NewTextHandler(w, nil)) }

// pointed is a gateway's embedder that gives texts with a word the vector of
// that word, and all others another one.
func pointed(otherwise []float32, words map[string][]float32) memory.EmbedFunc {
	return func(_ context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
		out := moothall.Embeddings{Embedder: "pointed"}
		for _, text := range r.Texts {
			if strings.Contains(text, "unbearable") {
				return out, moothall.Fail(moothall.CodeInvalid, "embed", "no")
			}
			v := otherwise
			for w, u := range words {
				if strings.Contains(text, w) {
					v = u
				}
			}
			out.Vectors = append(out.Vectors, v)
		}
		return out, nil
	}
}
