package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"moothall"
)

// models lists cards and bindings.
func (g *Gateway) models(ctx context.Context, s moothall.Scope) ([]moothall.ModelCard, []moothall.ModelBinding, error) {
	ctx, _, done, err := g.begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer done()
	var out []moothall.ModelCard
	var failed error
	for _, p := range g.o.Providers {
		if !isLocal(p) && g.mayLeave(ctx, s, p.Name(), "") != nil {
			continue
		}
		list, err := look(ctx, "model list", p.List)
		if ctx.Err() != nil {
			return nil, nil, ended(ctx, "model list")
		}
		if err != nil {
			g.o.Logger.Info("a model provider does not list its models", "provider", p.Name(), "error", err)
			failed = err
			continue
		}
		out = append(out, g.cards.merge(list)...)
	}
	if len(out) == 0 && failed != nil {
		return nil, nil, coded(ctx, "model list", failed)
	}
	return out, g.inForce(ctx), nil
}

// inForce adds the choices that stand in for missing bindings.
func (g *Gateway) inForce(ctx context.Context) []moothall.ModelBinding {
	list := g.bindings.list()
	for _, role := range []moothall.ModelRole{moothall.ModelChat, moothall.ModelEmbedder} {
		if slices.ContainsFunc(list, func(b moothall.ModelBinding) bool { return b.Role == role && b.Complexity == "" }) {
			continue
		}
		if t, err := g.choice.make(ctx, wish{role: role}); err == nil {
			list = append(list, moothall.ModelBinding{Role: role, Provider: t.provider.Name(), Model: t.model})
		}
	}
	return list
}

// show returns a card and where its model is. The context is the caller's.
func (g *Gateway) show(ctx context.Context, r moothall.ModelRequest) (target, moothall.ModelCard, error) {
	const op = "show model"
	ctx, _, done, err := g.begin(ctx)
	if err != nil {
		return target{}, moothall.ModelCard{}, err
	}
	defer done()
	if ctx.Err() != nil {
		return target{}, moothall.ModelCard{}, ended(ctx, op)
	}
	t, err := g.route(ctx, wish{scope: r.Scope, provider: r.Provider, model: r.Model})
	if err != nil {
		return t, moothall.ModelCard{}, coded(ctx, op, err)
	}
	card, err := look(ctx, op, t.show)
	if err != nil {
		return t, moothall.ModelCard{}, g.listed(ctx, t, coded(ctx, op, err))
	}
	return t, g.cards.complete(card), nil
}

// What a binding may be for. One for anything else would never be looked at.
var (
	roles = []moothall.ModelRole{
		moothall.ModelChat, moothall.ModelOrchestrator, moothall.ModelCoder, moothall.ModelResearcher, moothall.ModelCritic,
		moothall.ModelEmbedder, moothall.ModelSelector,
	}
	complexities = []string{"", "simple", "reasoning", "code"}
)

// bind switches a role to a model that is there.
func (g *Gateway) bind(ctx context.Context, s moothall.Scope, b moothall.ModelBinding) error {
	if b.Role == "" || b.Model == "" {
		return moothall.Fail(moothall.CodeInvalid, "bind model", "a binding needs a role and a model")
	}
	if !slices.Contains(roles, b.Role) || !slices.Contains(complexities, b.Complexity) {
		return &moothall.Error{
			Code: moothall.CodeInvalid, Op: "bind model", Message: strings.TrimSpace("there is no work of the kind " + string(b.Role) + " " + b.Complexity),
			Remedy: "roles are chat, orchestrator, coder, researcher, critic, embedder and selector; complexities simple, reasoning and code",
		}
	}
	t, card, err := g.show(ctx, moothall.ModelRequest{Scope: s, Provider: b.Provider, Model: b.Model})
	if err != nil {
		return err
	}
	if b.Role == moothall.ModelEmbedder != Embeds(card) && !(Chats(card) && Embeds(card)) {
		return &moothall.Error{
			Code: moothall.CodeUnsupported, Op: "bind model", Message: b.Model + " cannot do the work of " + string(b.Role),
			Remedy: "the embedder needs a model that makes embeddings, and the other roles one that makes text",
		}
	}
	b.Provider, b.Model = t.provider.Name(), t.model
	if err := g.rebind(ctx, s, b); err != nil {
		return err
	}
	g.o.Logger.Info("a role has another model", "role", b.Role, "complexity", b.Complexity, "provider", b.Provider, "model", b.Model)
	return nil
}

// rebind makes a binding durable, on the record.
func (g *Gateway) rebind(ctx context.Context, s moothall.Scope, b moothall.ModelBinding) error {
	e := moothall.AuditEntry{
		Scope: s, Action: moothall.ActionConfigure, Status: moothall.StatusOK,
		Note: brief(fmt.Sprintf("the model of %s is %s/%s", strings.TrimSpace(string(b.Role)+" "+b.Complexity), b.Provider, b.Model)),
	}
	if err := g.record(ctx, e); err != nil {
		return err
	}
	err := g.bindings.set(b)
	if err != nil {
		e.Status = moothall.StatusFailed
		err = errors.Join(err, g.record(ctx, e))
	}
	return err
}

// brief is a note as an entry of the record takes it.
func brief(note string) string {
	const most = 200
	return strings.ToValidUTF8(note[:min(len(note), most)], "")
}

// recording is how long the end of something may take to get on the record once
// its caller has gone.
const recording = 30 * time.Second

// onRecord does something and puts that on the record, before and after.
func (g *Gateway) onRecord(ctx context.Context, e moothall.AuditEntry, do func() error) error {
	if g.o.Audit == nil {
		return do()
	}
	var failed error
	refused, lost := moothall.OnRecord(ctx, g.o.Audit, e, recording, func() bool {
		failed = do()
		return failed == nil
	})
	if lost != nil {
		g.o.Logger.Warn("the end of something is not on the record", "what", e.Note, "error", lost)
	}
	return cmp.Or(refused, failed)
}

func (g *Gateway) record(ctx context.Context, e moothall.AuditEntry) error {
	if g.o.Audit == nil {
		return nil
	}
	_, err := g.o.Audit.Append(ctx, e)
	return err
}

// pullPatience is how long a server may be silent that fetches a model: it says
// nothing while it reads a large one again to check it.
const pullPatience = 30 * time.Minute

// pull fetches a model, on the record.
func (g *Gateway) pull(ctx context.Context, who moothall.Identity, r moothall.ModelRequest, yield func(moothall.Progress, error) bool) {
	const op = "pull model"
	ctx, cancel, done, err := g.begin(ctx)
	if err != nil {
		yield(moothall.Progress{}, err)
		return
	}
	defer done()
	p, err := g.puller(r)
	if err == nil && ctx.Err() != nil {
		err = ended(ctx, op)
	}
	if err != nil {
		yield(moothall.Progress{}, err)
		return
	}
	g.forget(r.Model)
	watch := time.AfterFunc(pullPatience, func() { cancel(errSlow) })
	defer watch.Stop()
	e := moothall.AuditEntry{Scope: r.Scope, Action: moothall.ActionConfigure, Note: brief("pull of " + r.Model + " by " + string(who))}
	heard := true
	err = g.onRecord(ctx, e, func() error {
		for progress, err := range guarded(op, p.Pull(ctx, r.Model)) {
			if err != nil {
				return coded(ctx, op, err)
			}
			watch.Stop() // the provider alone is watched
			if heard = yield(progress, nil); !heard {
				return errUnheard
			}
			watch.Reset(pullPatience)
		}
		return nil
	})
	switch {
	case err == nil:
		g.choice.reset()
	case heard:
		yield(moothall.Progress{}, err)
	}
}

// errUnheard is why a model was not fetched whose caller went away.
var errUnheard = errors.New("nobody waits for it")

func (g *Gateway) puller(r moothall.ModelRequest) (Puller, error) {
	if r.Model == "" {
		return nil, moothall.Fail(moothall.CodeInvalid, "pull model", "no model named")
	}
	for _, p := range g.o.Providers {
		if l, ok := p.(Puller); ok && (r.Provider == "" || r.Provider == p.Name()) {
			return l, nil
		}
	}
	if _, err := g.provider(r.Provider); r.Provider != "" && err != nil {
		return nil, err
	}
	return nil, &moothall.Error{
		Code: moothall.CodeUnsupported, Op: "pull model", Message: "no configured provider can fetch models",
		Remedy: "configure an Ollama server",
	}
}
