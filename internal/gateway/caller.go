package gateway

import (
	"context"
	"iter"
	"slices"

	"moothall"
	"moothall/internal/egress"
)

// caller is the gateway as one participant sees it.
type caller struct {
	g   *Gateway
	who moothall.Identity
}

var _ moothall.Gateway = caller{}

// For returns the gateway for one participant: calls are accounted to it, get
// the priority that is its due, and only a person's side may switch, fetch
// and probe models.
func (g *Gateway) For(who moothall.Identity) moothall.Gateway { return caller{g, who} }

// Generate asks the model of a role for the next message.
func (c caller) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		c.g.generate(ctx, c.who, KindGenerate, r, nil, yield)
	}
}

// GenerateWhen is Generate for one who may not ask yet: all is made ready, and
// nothing leaves before ready has returned nil.
func (c caller) GenerateWhen(ctx context.Context, r moothall.GenerateRequest, ready func() error) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		c.g.generate(ctx, c.who, KindGenerate, r, ready, yield)
	}
}

// Embed returns one vector a text.
func (c caller) Embed(ctx context.Context, r moothall.EmbedRequest) (moothall.Embeddings, error) {
	return c.g.embed(ctx, c.who, r)
}

// Models lists what the providers offer that may be asked, and the bindings
// in force. A provider that does not answer is left out unless all fail.
func (c caller) Models(ctx context.Context, s moothall.Scope) ([]moothall.ModelCard, []moothall.ModelBinding, error) {
	defer noted(&ctx)()
	return c.g.models(ctx, s)
}

// ShowModel returns one card.
func (c caller) ShowModel(ctx context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	defer noted(&ctx)()
	_, card, err := c.g.show(ctx, r)
	return card, err
}

// noted counts what is sent under ctx from here on; the returned function tells
// who the caller works for. A card has no place for it.
func noted(ctx *context.Context) func() {
	tally := new(egress.Tally)
	*ctx = egress.With(*ctx, tally)
	return func() { moothall.NoteSent(*ctx, tally.Total()...) }
}

// BindModel switches a role, for all callers and for good. CodeDenied to who
// is not on the person's side.
func (c caller) BindModel(ctx context.Context, s moothall.Scope, b moothall.ModelBinding) error {
	if err := c.mayManage("bind model"); err != nil {
		return err
	}
	return c.g.bind(ctx, s, b)
}

// PullModel fetches a model, by default with the first provider that can.
func (c caller) PullModel(ctx context.Context, r moothall.ModelRequest) iter.Seq2[moothall.Progress, error] {
	return func(yield func(moothall.Progress, error) bool) {
		if err := c.mayManage("pull model"); err != nil {
			yield(moothall.Progress{}, err)
			return
		}
		c.g.pull(ctx, c.who, r, yield)
	}
}

// ProbeModel tries a model out and keeps its card.
func (c caller) ProbeModel(ctx context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	if err := c.mayManage("probe model"); err != nil {
		return moothall.ModelCard{}, err
	}
	return c.g.probe(ctx, c.who, r)
}

// managers act for the person. Agents and observers do not: a page that
// talks one into something must not be able to change the model.
var managers = []moothall.Identity{moothall.Person, moothall.Hall, moothall.FrontDoor, moothall.ChatHall}

func (c caller) mayManage(op string) error {
	if slices.Contains(managers, c.who) {
		return nil
	}
	return moothall.Fail(moothall.CodeDenied, op, "only the person may do this, and "+string(c.who)+" is not")
}
