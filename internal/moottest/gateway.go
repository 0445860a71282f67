package moottest

import (
	"bytes"
	"context"
	"hash/fnv"
	"iter"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"moothall"
)

// Reply is one answer of a scripted model.
type Reply struct {
	Thinking  string
	Text      string
	ToolCalls []moothall.ToolCall
	Stop      moothall.StopReason // empty: done, or tools when there are calls
	Hang      bool                // after the text, wait until the caller gives up
	Err       error               // after the text, fail with this
}

// FakeGateway answers from a script.
type FakeGateway struct {
	// ChunkSize is how many bytes of text come in one chunk; 0 means 8.
	// Set it before use.
	ChunkSize int

	mu       sync.Mutex
	script   []Reply
	requests []moothall.GenerateRequest
	cards    []moothall.ModelCard
	bindings []moothall.ModelBinding
}

// FakeProvider and FakeModel name the model that every fake gateway has.
const (
	FakeProvider = "fake"
	FakeModel    = "scripted:1"
)

// NewGateway returns a gateway with one model that gives the replies in order.
func NewGateway(script ...Reply) *FakeGateway {
	return &FakeGateway{
		script:   slices.Clone(script),
		cards:    []moothall.ModelCard{fakeCard(FakeModel)},
		bindings: []moothall.ModelBinding{{Role: moothall.ModelChat, Provider: FakeProvider, Model: FakeModel}},
	}
}

func fakeCard(name string) moothall.ModelCard {
	return moothall.ModelCard{Provider: FakeProvider, Model: name, Window: 8192, Tools: "native", JSON: "native", Thinking: "unknown", Loaded: true}
}

// For returns the gateway as one caller sees it: all see the same.
func (g *FakeGateway) For(moothall.Identity) moothall.Gateway { return g }

// Script adds replies.
func (g *FakeGateway) Script(replies ...Reply) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.script = append(g.script, replies...)
}

// Requests returns what was asked so far.
func (g *FakeGateway) Requests() []moothall.GenerateRequest {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.requests)
}

var _ moothall.Gateway = (*FakeGateway)(nil)

// Generate gives the next reply of the script.
func (g *FakeGateway) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		reply, err := g.next(ctx, r)
		if err != nil {
			yield(moothall.Chunk{}, err)
			return
		}
		for c := range g.pieces(reply, r.Whole) {
			if err := ctx.Err(); err != nil {
				yield(moothall.Chunk{}, err)
				return
			}
			if !yield(c, nil) {
				return
			}
		}
		if reply.Hang {
			<-ctx.Done()
			reply.Err = ctx.Err()
		}
		if reply.Err != nil {
			yield(moothall.Chunk{}, reply.Err)
			return
		}
		yield(lastChunk(reply), nil)
	}
}

func (g *FakeGateway) next(ctx context.Context, r moothall.GenerateRequest) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	r.Messages = slices.Clone(r.Messages)
	for i := range r.Messages {
		r.Messages[i].ToolCalls = cloneCalls(r.Messages[i].ToolCalls)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.Model != "" && !slices.ContainsFunc(g.cards, func(c moothall.ModelCard) bool { return c.Model == r.Model }) {
		return Reply{}, g.unknown(r.Model)
	}
	g.requests = append(g.requests, r)
	if len(g.script) == 0 {
		return Reply{}, moothall.Fail(moothall.CodeUnavailable, "generate", "the script has no more replies")
	}
	reply := g.script[0]
	g.script = g.script[1:]
	reply.ToolCalls = cloneCalls(reply.ToolCalls)
	return reply, nil
}

func cloneCalls(in []moothall.ToolCall) []moothall.ToolCall {
	out := slices.Clone(in)
	for i := range out {
		out[i].Arguments = bytes.Clone(out[i].Arguments)
	}
	return out
}

// pieces cuts a reply's thinking and text where no character is torn.
func (g *FakeGateway) pieces(r Reply, whole bool) iter.Seq[moothall.Chunk] {
	return func(yield func(moothall.Chunk) bool) {
		size := g.ChunkSize
		if size <= 0 {
			size = 8
		}
		if whole {
			size = len(r.Thinking) + len(r.Text)
		}
		for s := range cut(r.Thinking, size) {
			if !yield(moothall.Chunk{Thinking: s}) {
				return
			}
		}
		for s := range cut(r.Text, size) {
			if !yield(moothall.Chunk{Text: s}) {
				return
			}
		}
	}
}

func cut(s string, size int) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s != "" {
			n := min(size, len(s))
			for n < len(s) && !utf8.RuneStart(s[n]) {
				n++
			}
			if !yield(s[:n]) {
				return
			}
			s = s[n:]
		}
	}
}

func lastChunk(r Reply) moothall.Chunk {
	stop := r.Stop
	if stop == "" {
		stop = moothall.StopDone
		if len(r.ToolCalls) > 0 {
			stop = moothall.StopTools
		}
	}
	return moothall.Chunk{
		ToolCalls: r.ToolCalls, Stop: stop, Provider: FakeProvider, Model: FakeModel,
		Usage: moothall.Usage{Calls: 1, PromptTokens: 1, OutputTokens: 1 + len(r.Text)/4, Total: time.Millisecond},
	}
}

// Embed makes vectors of eight numbers from the texts' hashes.
func (g *FakeGateway) Embed(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Embeddings{}, err
	}
	out := moothall.Embeddings{Embedder: FakeProvider + "/hash:8"}
	for _, t := range r.Texts {
		h := fnv.New64a()
		h.Write([]byte(t))
		sum := h.Sum64()
		v := make([]float32, 8)
		for i := range v {
			v[i] = float32(byte(sum>>(8*i))) / 255
		}
		out.Vectors = append(out.Vectors, v)
	}
	return out, nil
}
