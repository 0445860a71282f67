package gateway

import (
	"context"

	"moothall"
	"moothall/internal/egress"
)

const opEmbed = "embed"

// embed runs a call for vectors and accounts for it.
func (g *Gateway) embed(ctx context.Context, who moothall.Identity, r moothall.EmbedRequest) (moothall.Embeddings, error) {
	call := Call{
		Kind: KindEmbed, Caller: who, Session: r.Session, Lineage: r.Lineage, Role: moothall.ModelEmbedder, Priority: priority(who, r.Priority),
	}
	var tally egress.Tally
	out, err := g.runEmbed(egress.With(ctx, &tally), r, &call, &tally)
	call.Code, call.Time, call.Sent = moothall.ErrorCode(err), g.o.Now(), tally.Total()
	g.ledger.add(call)
	moothall.NoteSent(ctx, call.Sent...)
	return out, err
}

func (g *Gateway) runEmbed(ctx context.Context, r moothall.EmbedRequest, call *Call, tally *egress.Tally) (moothall.Embeddings, error) {
	for retries := 0; ; retries++ {
		out, err := g.tryEmbed(ctx, r, call, tally)
		wait, ok := RetryAfter(err)
		if err == nil || !ok || wait > g.o.RetryWait || retries >= maxRetries || !pause(ctx, wait) {
			return out, err
		}
	}
}

func (g *Gateway) tryEmbed(ctx context.Context, r moothall.EmbedRequest, call *Call, tally *egress.Tally) (none moothall.Embeddings, err error) {
	ctx, cancel, done, err := g.begin(ctx)
	if err != nil {
		return none, err
	}
	defer done()
	if ctx.Err() != nil {
		return none, ended(ctx, opEmbed)
	}
	t, err := g.route(ctx, wish{scope: r.Scope, role: moothall.ModelEmbedder, provider: r.Provider, model: r.Model})
	if err != nil {
		return none, coded(ctx, opEmbed, err)
	}
	call.Provider, call.Model, call.Hosted = t.provider.Name(), t.model, t.hosted
	tally.Through(t.outside)
	if q := g.embeds[t.provider.Name()]; q != nil {
		since := g.o.Now()
		// Embeddings are short: they are not preempted.
		leave, err := q.enter(ctx, t.model, r.Session, classOf(call.Priority), nil, nil)
		call.Wait += g.o.Now().Sub(since)
		if err != nil {
			return none, ended(ctx, opEmbed)
		}
		defer leave()
	}
	start := g.o.Now()
	r.Provider, r.Model = t.provider.Name(), t.model
	stop := afterFunc(g.o.FirstToken, cancel)
	defer stop()
	out, err := guardedCall(opEmbed, func() (moothall.Embeddings, error) { return t.provider.Embed(ctx, r) })
	call.Usage = moothall.Usage{Calls: 1, Total: g.o.Now().Sub(start)}
	if err != nil {
		return none, g.listed(ctx, t, coded(ctx, opEmbed, err))
	}
	if len(out.Vectors) != len(r.Texts) {
		return none, moothall.Fail(moothall.CodeInternal, opEmbed, "the provider gave another number of vectors than there are texts")
	}
	return out, nil
}
