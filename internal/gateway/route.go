package gateway

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"moothall"
)

// target is where a call goes.
type target struct {
	provider Provider
	model    string
	chosen   bool // nobody bound it
	hosted   bool
	outside  string // the host that a local server passes the call on to
}

// show asks for the card of the target's model.
func (t target) show(ctx context.Context) (moothall.ModelCard, error) {
	return t.provider.Show(ctx, t.model)
}

// wish is what a request says about where it wants to go.
type wish struct {
	scope      moothall.Scope
	role       moothall.ModelRole
	complexity string
	provider   string
	model      string
}

// route finds the target of a call. With an error it is as much of it as was
// found.
func (g *Gateway) route(ctx context.Context, w wish) (target, error) {
	t, err := g.resolve(ctx, w)
	if err != nil {
		return target{}, err
	}
	t.hosted, t.outside, err = g.isHosted(ctx, t)
	if err == nil && t.hosted {
		return t, g.mayLeave(ctx, w.scope, t.provider.Name(), t.model)
	}
	return t, err
}

func (g *Gateway) resolve(ctx context.Context, w wish) (target, error) {
	if w.role == "" {
		w.role = moothall.ModelChat
	}
	if w.provider != "" { // what one that is not there lacks is no model
		if _, err := g.provider(w.provider); err != nil {
			return target{}, err
		}
	}
	b, bound := g.bindings.find(w.role, w.complexity)
	switch {
	case w.model != "" && w.provider == "":
		if name, model, ok := strings.Cut(w.model, "/"); ok && model != "" { // as people and lists write it
			if p, err := g.provider(name); err == nil {
				return target{provider: p, model: model}, nil
			}
		}
		p, err := g.locate(ctx, w.model)
		return target{provider: p, model: w.model}, err
	case w.model != "":
		p, err := g.provider(w.provider)
		return target{provider: p, model: w.model}, err
	case bound && (w.provider == "" || w.provider == b.Provider):
		p, err := g.provider(b.Provider)
		return target{provider: p, model: b.Model}, err
	}
	return g.choice.make(ctx, w)
}

// isHosted reports whether a call leaves the person's machines, and where a
// server on one of them passes it on to.
func (g *Gateway) isHosted(ctx context.Context, t target) (hosted bool, outside string, _ error) {
	if !isLocal(t.provider) {
		return true, "", nil
	}
	o, ok := t.provider.(Outsider)
	if !ok {
		return false, "", nil
	}
	host, err := look(ctx, "model", func(ctx context.Context) (string, error) { return o.Outside(ctx, t.model) })
	if err != nil {
		return false, "", g.listed(ctx, t, err)
	}
	return host != "", host, nil
}

func (g *Gateway) mayLeave(ctx context.Context, s moothall.Scope, provider, model string) error {
	if g.o.AllowHosted == nil {
		return &moothall.Error{
			Code: moothall.CodeDenied, Op: "hosted model", Message: fmt.Sprintf("%s of %s answers outside this machine, and this hall is offline", model, provider),
			Remedy: "allow hosted models in the configuration, or use a local one",
		}
	}
	return g.o.AllowHosted(ctx, s, provider, model)
}

// locate finds the local provider that has a model. What was found is
// remembered; a model that is gone is found out by its provider.
func (g *Gateway) locate(ctx context.Context, model string) (Provider, error) {
	g.mu.Lock()
	name, known := g.where[model]
	g.mu.Unlock()
	if known {
		return g.provider(name)
	}
	var failed error
	for _, p := range g.o.Providers {
		if !isLocal(p) {
			continue
		}
		_, err := look(ctx, "show model", target{provider: p, model: model}.show)
		switch code := moothall.ErrorCode(err); {
		case err == nil:
			g.remember(model, p.Name())
			return p, nil
		case ctx.Err() != nil:
			return nil, err
		case code != moothall.CodeNotFound && failed == nil:
			failed = err
		}
	}
	if failed != nil {
		return nil, failed
	}
	return nil, g.unknown(ctx, model, g.o.Providers, nil)
}

// maxWhere bounds the memory for names, which come from callers.
const maxWhere = 1024

func (g *Gateway) remember(model, provider string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.where) >= maxWhere {
		clear(g.where)
	}
	g.where[model] = provider
}

func (g *Gateway) forget(model string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.where, model)
}

// listed adds to an unknown model's error what there is instead.
func (g *Gateway) listed(ctx context.Context, t target, err error) error {
	if moothall.ErrorCode(err) != moothall.CodeNotFound || ctx.Err() != nil {
		return err
	}
	g.forget(t.model)
	return g.unknown(ctx, t.model, []Provider{t.provider}, err)
}

// maxListed is how many names an error lists.
const maxListed = 20

func (g *Gateway) unknown(ctx context.Context, model string, among []Provider, cause error) error {
	var have []string
	for _, p := range among {
		if !isLocal(p) {
			continue
		}
		list, err := look(ctx, "model list", p.List)
		if err != nil {
			continue // the list only helps; its absence must not hide the error
		}
		for _, c := range list {
			have = append(have, c.Model)
		}
	}
	text := "there is no model " + model
	switch {
	case len(have) > maxListed:
		text += fmt.Sprintf("; there are %s and %d more", strings.Join(have[:maxListed], ", "), len(have)-maxListed)
	case len(have) > 0:
		text += "; there are " + strings.Join(have, ", ")
	}
	remedy := "list those that there are with 'moothall model list'"
	if len(have) > 0 {
		remedy = "use one of these"
	}
	if slices.ContainsFunc(among, func(p Provider) bool { _, ok := p.(Puller); return ok }) {
		remedy += ", or fetch it with 'moothall model pull " + model + "'"
	}
	return &moothall.Error{Code: moothall.CodeNotFound, Op: "model", Message: text, Remedy: remedy, Err: cause}
}
