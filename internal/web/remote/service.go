package remote

import (
	"context"
	"iter"
	"net/url"

	"moothall"
)

// Gateway is the way to models, as far as a person chooses them.
func (c *Client) Gateway() moothall.Gateway { return gateway{c} }

type gateway struct{ c *Client }

func refuse[T any](op string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		yield(zero, notOffered(op))
	}
}

func (gateway) Generate(context.Context, moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return refuse[moothall.Chunk]("generate")
}

func (gateway) Embed(context.Context, moothall.EmbedRequest) (moothall.Embeddings, error) {
	return moothall.Embeddings{}, notOffered("embed")
}

// models is the answer of GET /models.
type models struct {
	Models []moothall.ModelCard    `json:"models"`
	Roles  []moothall.ModelBinding `json:"roles"`
}

func (g gateway) Models(ctx context.Context, _ moothall.Scope) ([]moothall.ModelCard, []moothall.ModelBinding, error) {
	list, err := call[models](ctx, g.c, "GET", "/models", nil)
	return list.Models, list.Roles, err
}

func (g gateway) ShowModel(ctx context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	cards, bindings, err := g.Models(ctx, r.Scope)
	if err != nil {
		return moothall.ModelCard{}, err
	}
	for _, b := range bindings {
		if r.Model == "" && b.Role == moothall.ModelChat && b.Complexity == "" {
			r.Provider, r.Model = b.Provider, b.Model
		}
	}
	for _, card := range cards {
		if card.Model == r.Model && (r.Provider == "" || r.Provider == card.Provider) {
			return card, nil
		}
	}
	return moothall.ModelCard{}, moothall.Fail(moothall.CodeNotFound, "model", "the hall does not list a model "+r.Model)
}

func (g gateway) BindModel(ctx context.Context, _ moothall.Scope, b moothall.ModelBinding) error {
	_, err := call[moothall.ModelBinding](ctx, g.c, "PUT", at("models", string(b.Role)),
		map[string]string{"provider": b.Provider, "model": b.Model, "complexity": b.Complexity})
	return err
}

func (g gateway) PullModel(ctx context.Context, r moothall.ModelRequest) iter.Seq2[moothall.Progress, error] {
	return stream(ctx, g.c, "POST", "/models/pull", named(r), func(m message) (moothall.Progress, bool, error) {
		p, err := parse[moothall.Progress](m)
		return p, m.name == "progress", err
	})
}

func (g gateway) ProbeModel(ctx context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	return call[moothall.ModelCard](ctx, g.c, "POST", "/models/probe", named(r))
}

func named(r moothall.ModelRequest) map[string]string {
	return map[string]string{"provider": r.Provider, "model": r.Model}
}

// Memory is what the hall remembers, to list and to search.
func (c *Client) Memory() moothall.Memory { return memory{c: c} }

// memory has what the API has; the rest is refused.
type memory struct {
	noMemory
	c *Client
}

func (m memory) List(ctx context.Context, l moothall.MemoryList) iter.Seq2[moothall.MemoryEntry, error] {
	return each(call[[]moothall.MemoryEntry](ctx, m.c, "GET", with("/memories", url.Values{
		"kind": texts(l.Kinds), "tag": l.Tags, "session_id": {string(l.Session)}, "before": {string(l.Before)},
		"proposed": {flag(l.Proposed)}, "limit": {count(l.Limit)},
	}), nil))
}

func (m memory) Recall(ctx context.Context, q moothall.MemoryQuery) iter.Seq2[moothall.Recall, error] {
	found, err := call[struct{ Stages, Results []moothall.Recall }](ctx, m.c, "GET", with("/memories", url.Values{
		"q": {q.Text}, "limit": {count(q.Results)}, "mode": {q.Mode}, "kind": texts(q.Kinds), "tag": q.Tags, "thread": {q.Thread},
		"source": {q.Source}, "trust": {string(q.MinTrust)}, "since": {moment(q.Since)}, "until": {moment(q.Until)},
		"stages": {flag(q.Stages)}, "whole": {flag(q.Whole)},
	}), nil)
	return each(append(found.Stages, found.Results...), err)
}

func (m memory) Forget(ctx context.Context, _ moothall.Scope, id moothall.MemoryID) ([]moothall.MemoryID, error) {
	return call[[]moothall.MemoryID](ctx, m.c, "DELETE", at("memories", string(id)), nil)
}

func (m memory) Review(ctx context.Context, _ moothall.Scope, id moothall.MemoryID, accept bool) error {
	return do(ctx, m.c, "POST", at("memories", string(id), "review"), map[string]bool{"accept": accept})
}

// each yields a list, or why there is none.
func each[T any](list []T, err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, v := range list {
			if !yield(v, nil) {
				return
			}
		}
		if err != nil {
			var zero T
			yield(zero, err)
		}
	}
}

func texts[T ~string](in []T) []string {
	out := make([]string, len(in))
	for i, v := range in {
		out[i] = string(v)
	}
	return out
}

// noMemory refuses what the API does not offer.
type noMemory struct{}

func (noMemory) Write(context.Context, moothall.WriteRequest) (moothall.MemoryEntry, error) {
	return moothall.MemoryEntry{}, notOffered("write memory")
}

func (noMemory) Correlated(context.Context, moothall.Scope, moothall.MemoryID, bool) ([]moothall.MemoryEntry, error) {
	return nil, notOffered("correlated memories")
}

func (noMemory) Annotate(context.Context, moothall.Annotation) error { return notOffered("annotate") }

func (noMemory) Graph(context.Context, moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error] {
	return refuse[moothall.GraphFact]("graph")
}

func (noMemory) Assert(context.Context, moothall.Scope, moothall.GraphFact) (moothall.GraphFact, error) {
	return moothall.GraphFact{}, notOffered("assert")
}

func (noMemory) Merge(context.Context, moothall.GraphMerge) error { return notOffered("merge") }
