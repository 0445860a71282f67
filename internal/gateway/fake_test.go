package gateway_test

import (
	"context"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/gateway"
)

// fake is a provider made of functions. Without any it answers "yes".
type fake struct {
	name     string
	hosted   bool
	cards    []moothall.ModelCard
	listErr  error
	generate func(ctx context.Context, r moothall.GenerateRequest, yield func(moothall.Chunk, error) bool)
	embed    func(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error)

	mu    sync.Mutex
	asked []moothall.GenerateRequest
	lists int
}

func card(provider, model string) moothall.ModelCard {
	return moothall.ModelCard{Provider: provider, Model: model, Tools: "native", JSON: "native", Thinking: "none", Digest: "d1"}
}

func newFake(name string, models ...string) *fake {
	f := &fake{name: name}
	for _, m := range models {
		f.cards = append(f.cards, card(name, m))
	}
	return f
}

func (f *fake) Name() string { return f.name }
func (f *fake) Local() bool  { return !f.hosted }

func (f *fake) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		f.mu.Lock()
		f.asked = append(f.asked, r)
		f.mu.Unlock()
		if f.generate != nil {
			f.generate(ctx, r, yield)
			return
		}
		if yield(moothall.Chunk{Text: "yes"}, nil) {
			yield(end(), nil)
		}
	}
}

func end() moothall.Chunk {
	return moothall.Chunk{Stop: moothall.StopDone, Usage: moothall.Usage{Calls: 1, PromptTokens: 10, OutputTokens: 3}}
}

func (f *fake) Embed(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
	if f.embed != nil {
		return f.embed(ctx, r)
	}
	return moothall.Embeddings{Embedder: f.name + "/" + r.Model, Vectors: make([][]float32, len(r.Texts))}, nil
}

func (f *fake) List(context.Context) ([]moothall.ModelCard, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lists++
	return slices.Clone(f.cards), f.listErr
}

func (f *fake) Show(_ context.Context, model string) (moothall.ModelCard, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.listErr != nil {
		return moothall.ModelCard{}, f.listErr
	}
	for _, c := range f.cards {
		if c.Model == model {
			return c, nil
		}
	}
	return moothall.ModelCard{}, moothall.Fail(moothall.CodeNotFound, "show", "no such model")
}

// set changes the fake under its lock.
func (f *fake) set(change func(*fake)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// models returns which models were asked, in order.
func (f *fake) models() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, r := range f.asked {
		out = append(out, r.Model)
	}
	return out
}

// takes makes a provider answer after d, or when the caller gives up.
func takes(d time.Duration) func(context.Context, moothall.GenerateRequest, func(moothall.Chunk, error) bool) {
	return func(ctx context.Context, _ moothall.GenerateRequest, yield func(moothall.Chunk, error) bool) {
		select {
		case <-time.After(d):
			if yield(moothall.Chunk{Text: "yes"}, nil) {
				yield(end(), nil)
			}
		case <-ctx.Done():
			yield(moothall.Chunk{}, ctx.Err())
		}
	}
}

func hello() moothall.GenerateRequest {
	return moothall.GenerateRequest{Messages: []moothall.Message{{Role: moothall.RoleUser, Content: "hello"}}}
}

// collect reads an answer to its end.
func collect(ctx context.Context, g moothall.Gateway, r moothall.GenerateRequest) (text string, last moothall.Chunk, err error) {
	for c, e := range g.Generate(ctx, r) {
		text, last, err = text+c.Text, c, e
	}
	return text, last, err
}

func must(t testing.TB, g moothall.Gateway, r moothall.GenerateRequest) (string, moothall.Chunk) {
	t.Helper()
	text, last, err := collect(t.Context(), g, r)
	if err != nil {
		t.Fatal(err)
	}
	return text, last
}

func wantCode(t testing.TB, err error, want moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != want {
		t.Errorf("error code is %q, want %q (error: %v)", got, want, err)
	}
}

func providers(ps ...gateway.Provider) gateway.Options { return gateway.Options{Providers: ps} }
