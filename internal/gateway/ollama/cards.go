package ollama

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"moothall"
	"moothall/internal/gateway"
)

// List returns a card of every model on the server.
func (p *Provider) List(ctx context.Context) ([]moothall.ModelCard, error) {
	var tags listReply
	if err := p.call(ctx, "ollama tags", "", "/api/tags", nil, &tags); err != nil {
		return nil, err
	}
	loaded, err := p.told(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]moothall.ModelCard, len(tags.Models))
	free := make(chan struct{}, detailsAtOnce)
	var wg sync.WaitGroup
	for i, e := range tags.Models {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			out[i] = p.entry(ctx, e)
			out[i].Loaded = loaded[out[i].Model]
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, p.broken(ctx, "ollama tags", err, false)
	}
	return out, nil
}

// detailsAtOnce is how many models' details are asked for at a time.
const detailsAtOnce = 4

// entry completes an entry of the list. A model whose details cannot be read
// is listed with what is known.
func (p *Provider) entry(ctx context.Context, e listEntry) moothall.ModelCard {
	name := orDefault(e.Model, e.Name)
	p.mu.Lock()
	d, ok := p.details[name]
	p.mu.Unlock()
	if !ok || d.card.Digest != e.Digest || time.Since(d.read) >= fresh {
		var err error
		if d, err = p.ask(ctx, name); err != nil {
			d = p.unknown(name)
		}
	}
	if e.RemoteHost != "" && d.host == "" { // its details could not be read
		d.host, d.card.Notes = e.RemoteHost, append(slices.Clone(d.card.Notes), gateway.NoteOutside+e.RemoteHost)
	}
	d.card.Digest, d.card.Size = e.Digest, e.Size
	d.card.Family = orDefault(d.card.Family, e.Details.Family)
	d.card.Parameters = orDefault(d.card.Parameters, e.Details.ParameterSize)
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, known := p.details[name]; known {
		p.details[name] = d
	}
	return owned(d.card)
}

// owned returns a card that shares nothing with what is remembered.
func owned(c moothall.ModelCard) moothall.ModelCard {
	c.Notes = slices.Clone(c.Notes)
	return c
}

// Show returns one card.
func (p *Provider) Show(ctx context.Context, model string) (moothall.ModelCard, error) {
	if model == "" {
		return moothall.ModelCard{}, moothall.Fail(moothall.CodeInvalid, "ollama show", "no model named")
	}
	d, err := p.ask(ctx, model)
	if err != nil {
		return moothall.ModelCard{}, err
	}
	if err := p.complete(ctx, &d.card); err != nil {
		return moothall.ModelCard{}, err
	}
	return owned(d.card), nil
}

// complete adds what only the lists tell.
func (p *Provider) complete(ctx context.Context, c *moothall.ModelCard) error {
	var tags listReply
	if err := p.call(ctx, "ollama tags", "", "/api/tags", nil, &tags); err != nil {
		return err
	}
	for _, e := range tags.Models {
		if name := orDefault(e.Model, e.Name); name == c.Model || name == c.Model+":latest" {
			c.Digest, c.Size = e.Digest, e.Size
		}
	}
	loaded, err := p.told(ctx)
	if err != nil {
		return err
	}
	c.Loaded = loaded[c.Model] || loaded[c.Model+":latest"]
	return nil
}

// Loaded returns the models in the server's memory.
func (p *Provider) Loaded(ctx context.Context) ([]string, error) {
	set, err := p.loaded(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]string, 0, len(set))
	for name := range set {
		out = append(out, name)
	}
	return out, nil
}

// loaded asks /api/ps, which servers before 0.1.38 lack.
func (p *Provider) loaded(ctx context.Context) (map[string]bool, error) {
	var ps listReply
	err := p.call(ctx, "ollama ps", "", "/api/ps", nil, &ps)
	if err != nil && !errors.Is(err, errNoPath) {
		return nil, err
	}
	out := map[string]bool{}
	for _, e := range ps.Models {
		out[orDefault(e.Model, e.Name)] = true
	}
	return out, nil
}

// told is loaded for a card: a server, or a proxy before it, that answers but
// does not tell what is in memory has its models all the same.
func (p *Provider) told(ctx context.Context) (map[string]bool, error) {
	loaded, err := p.loaded(ctx)
	switch moothall.ErrorCode(err) {
	case moothall.CodeDenied, moothall.CodeNotFound, moothall.CodeUnsupported, moothall.CodeInvalid, moothall.CodeExhausted:
		return nil, nil
	}
	return loaded, err
}

// Outside returns the host that answers for a cloud model.
func (p *Provider) Outside(ctx context.Context, model string) (string, error) {
	d, err := p.know(ctx, model)
	return d.host, err
}

// Version returns the server's version.
func (p *Provider) Version(ctx context.Context) (string, error) {
	var v struct{ Version string }
	if err := p.call(ctx, "ollama version", "", "/api/version", nil, &v); err != nil {
		return "", err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.version = v.Version
	return v.Version, nil
}

func (p *Provider) knownVersion() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.version
}

// since reports whether a version is major.minor or later. An unknown one
// counts as old; 0.0.0 is what a server built from source calls itself, and
// counts as new.
func since(version string, major, minor int) bool {
	a, rest, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	b, patch, _ := strings.Cut(rest, ".")
	x, errA := strconv.Atoi(a)
	y, errB := strconv.Atoi(b)
	if errA != nil || errB != nil {
		return false
	}
	if x == 0 && y == 0 && strings.HasPrefix(patch, "0") {
		return true
	}
	return x > major || x == major && y >= minor
}
