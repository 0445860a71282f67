package moottest

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"moothall"
)

// Models lists the fake's cards and bindings.
func (g *FakeGateway) Models(ctx context.Context, _ moothall.Scope) ([]moothall.ModelCard, []moothall.ModelBinding, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.cards), slices.Clone(g.bindings), ctx.Err()
}

// ShowModel returns one card.
func (g *FakeGateway) ShowModel(ctx context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	if err := ctx.Err(); err != nil {
		return moothall.ModelCard{}, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	i, err := g.find(r.Model)
	if err != nil {
		return moothall.ModelCard{}, err
	}
	return g.cards[i], nil
}

// find returns the place of a card; an empty name means the first.
func (g *FakeGateway) find(name string) (int, error) {
	if name == "" {
		return 0, nil
	}
	for i, c := range g.cards {
		if c.Model == name {
			return i, nil
		}
	}
	return 0, g.unknown(name)
}

func (g *FakeGateway) unknown(name string) error {
	var have []string
	for _, c := range g.cards {
		have = append(have, c.Model)
	}
	return moothall.Fail(moothall.CodeNotFound, "model", "there is no model "+name+"; there are "+strings.Join(have, ", "))
}

// BindModel switches a role.
func (g *FakeGateway) BindModel(ctx context.Context, _ moothall.Scope, b moothall.ModelBinding) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.Role == "" || b.Model == "" {
		return moothall.Fail(moothall.CodeInvalid, "bind model", "a binding needs a role and a model")
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, err := g.find(b.Model); err != nil {
		return err
	}
	g.bindings = slices.DeleteFunc(g.bindings, func(o moothall.ModelBinding) bool {
		return o.Role == b.Role && o.Complexity == b.Complexity
	})
	g.bindings = append(g.bindings, b)
	return nil
}

// PullModel adds a model in three steps.
func (g *FakeGateway) PullModel(ctx context.Context, r moothall.ModelRequest) iter.Seq2[moothall.Progress, error] {
	return func(yield func(moothall.Progress, error) bool) {
		if r.Model == "" {
			yield(moothall.Progress{}, moothall.Fail(moothall.CodeInvalid, "pull model", "no model named"))
			return
		}
		for i := int64(1); i <= 3; i++ {
			if err := ctx.Err(); err != nil {
				yield(moothall.Progress{}, err)
				return
			}
			if i == 3 {
				g.add(r.Model)
			}
			if !yield(moothall.Progress{Step: "pulling", Done: i, Total: 3}, nil) {
				return
			}
		}
	}
}

func (g *FakeGateway) add(name string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if _, err := g.find(name); err != nil {
		g.cards = append(g.cards, fakeCard(name))
	}
}

// ProbeModel notes that it looked.
func (g *FakeGateway) ProbeModel(ctx context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	if err := ctx.Err(); err != nil {
		return moothall.ModelCard{}, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	i, err := g.find(r.Model)
	if err != nil {
		return moothall.ModelCard{}, err
	}
	g.cards[i].Probed, g.cards[i].Thinking = time.Now().UTC(), "none"
	return g.cards[i], nil
}
