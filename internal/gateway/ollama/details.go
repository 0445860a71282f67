package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall"
	"moothall/internal/gateway"
)

// details are what the server tells about one model.
type details struct {
	card   moothall.ModelCard
	max    int    // the model's own window; 0 when the server does not tell
	numCtx int    // of the Modelfile
	host   string // of a cloud model
	read   time.Time
}

// fresh is how long details are believed: a model may be replaced by another
// of the same name.
const fresh = 10 * time.Minute

// know returns a model's details, from memory where it can.
func (p *Provider) know(ctx context.Context, model string) (details, error) {
	p.mu.Lock()
	d, ok := p.details[model]
	p.mu.Unlock()
	if ok && time.Since(d.read) < fresh {
		return d, nil
	}
	d, err := p.ask(ctx, model)
	if errors.Is(err, errNoPath) {
		return p.unknown(model), nil // no /api/show: chat may still work, and there are no cloud models
	}
	return d, err
}

// ask reads a model's details from the server and remembers them.
func (p *Provider) ask(ctx context.Context, model string) (details, error) {
	if p.knownVersion() == "" {
		// What the version decides has a safe default, so its lack is no
		// reason to fail: a server that is gone fails below.
		_, _ = p.Version(ctx)
	}
	var s showReply
	// Old servers know the name field only, new ones prefer the other.
	err := p.call(ctx, "ollama show", model, "/api/show", map[string]string{"model": model, "name": model}, &s)
	if err != nil {
		if moothall.ErrorCode(err) == moothall.CodeNotFound {
			p.forget(model)
		}
		return details{}, err
	}
	d := p.read(model, s)
	p.mu.Lock()
	defer p.mu.Unlock()
	if old, ok := p.details[model]; ok {
		d.card.Digest, d.card.Size = old.card.Digest, old.card.Size
	}
	p.details[model] = d
	return d, nil
}

func (p *Provider) forget(model string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.details, model)
}

// unknown is for a model of which the server tells nothing.
func (p *Provider) unknown(model string) details {
	d := details{card: p.blank(model)}
	d.card.Window = window(0, p.o.Window, d)
	d.card.Notes = []string{"the server does not tell what this model can do"}
	return d
}

func (p *Provider) blank(model string) moothall.ModelCard {
	return moothall.ModelCard{
		Provider: p.o.Name, Model: model,
		Tools: gateway.AbilityUnknown, JSON: gateway.AbilityUnknown, Thinking: gateway.AbilityUnknown,
	}
}

// read translates the server's reply.
func (p *Provider) read(model string, s showReply) details {
	c := p.blank(model)
	c.Family, c.Parameters = s.Details.Family, s.Details.ParameterSize
	version := p.knownVersion()
	c.JSON, c.Streams = abilityOf(since(version, 0, 5)), since(version, 0, 8)
	embeds := p.abilities(&c, s)
	if embeds {
		c.Tools, c.JSON, c.Thinking, c.Streams = gateway.AbilityNone, gateway.AbilityNone, gateway.AbilityNone, false
	}
	c.Recall = !embeds && knowsNothing(c.Parameters)
	if s.RemoteHost != "" {
		c.Notes = append(c.Notes, gateway.NoteOutside+s.RemoteHost)
	}
	d := details{max: contextLength(s.ModelInfo), numCtx: setting(s.Parameters, "num_ctx"), host: s.RemoteHost, read: time.Now()}
	// The card says what callers get when they do not ask for more.
	c.Window = window(0, p.o.Window, d)
	if d.max > c.Window {
		c.Notes = append(c.Notes, fmt.Sprintf("can be asked for a window of up to %d tokens", d.max))
	}
	d.card = c
	return d
}

// knowsNothing reports whether a model is so small that it had no room to
// learn facts: below a fifth of a milliard parameters, as in "22.62M".
func knowsNothing(parameters string) bool {
	number, millions := strings.CutSuffix(parameters, "M")
	n, err := strconv.ParseFloat(number, 64)
	return millions && err == nil && n < 200
}

// abilities fills in what the model can do, and reports whether it can do
// nothing but embed. Servers before 0.6.4 tell no capabilities; their
// templates do.
func (p *Provider) abilities(c *moothall.ModelCard, s showReply) (embedsOnly bool) {
	if s.Capabilities == nil {
		c.Tools = abilityOf(strings.Contains(s.Template, ".Tools"))
		c.Thinking = abilityOf(strings.Contains(s.Template, ".Thinking"))
		if strings.Contains(s.Details.Family, "bert") {
			c.Notes = append(c.Notes, gateway.NoteEmbeds)
			return true
		}
		return false
	}
	can := func(what string) bool { return slices.Contains(s.Capabilities, what) }
	c.Tools, c.Thinking = abilityOf(can("tools")), abilityOf(can("thinking"))
	if can("embedding") {
		c.Notes = append(c.Notes, gateway.NoteEmbeds)
	}
	if can("embedding") && can("completion") {
		c.Notes = append(c.Notes, gateway.NoteChats)
	}
	if can("vision") {
		c.Notes = append(c.Notes, gateway.NoteVision)
	}
	return can("embedding") && !can("completion")
}

func abilityOf(native bool) string {
	if native {
		return gateway.AbilityNative
	}
	return gateway.AbilityNone
}

// contextLength finds the window among a model's facts: the key begins with
// the name of the architecture.
func contextLength(info map[string]json.RawMessage) int {
	var arch string
	json.Unmarshal(info["general.architecture"], &arch) // absent means the search below
	if n := whole(info[arch+".context_length"]); n > 0 {
		return n
	}
	for key, v := range info {
		if strings.HasSuffix(key, ".context_length") && strings.Count(key, ".") == 1 {
			return whole(v)
		}
	}
	return 0
}

func whole(v json.RawMessage) int {
	var f float64
	if json.Unmarshal(v, &f) != nil || f < 0 || f > 1<<30 {
		return 0
	}
	return int(f)
}

// setting reads a number out of a Modelfile's parameters.
func setting(parameters, name string) int {
	for l := range strings.Lines(parameters) {
		f := strings.Fields(l)
		if len(f) == 2 && f[0] == name {
			n, err := strconv.Atoi(f[1])
			if err == nil && n > 0 {
				return n
			}
		}
	}
	return 0
}
