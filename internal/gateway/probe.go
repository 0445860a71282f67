package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"moothall"
)

// probePatience bounds each step of a probe; a model on a small machine reads
// an agent's prompt slowly.
const probePatience = 5 * time.Minute

// prober tries one model out.
type prober struct {
	g    *Gateway
	who  moothall.Identity
	card moothall.ModelCard
	base moothall.GenerateRequest
}

// probe completes a card and keeps it. A step that fails is a note on the
// card; a server that does not answer is an error.
func (g *Gateway) probe(ctx context.Context, who moothall.Identity, r moothall.ModelRequest) (moothall.ModelCard, error) {
	t, card, err := g.show(ctx, r)
	if err != nil {
		return moothall.ModelCard{}, err
	}
	if !Chats(card) {
		return moothall.ModelCard{}, moothall.Fail(moothall.CodeUnsupported, "probe model", card.Model+" only makes embeddings")
	}
	card.Notes = slices.DeleteFunc(slices.Clone(card.Notes), func(n string) bool { return strings.HasPrefix(n, probeNote) })
	cold := 0.0
	p := &prober{g: g, who: who, card: card, base: moothall.GenerateRequest{
		Scope: r.Scope, Provider: t.provider.Name(), Model: t.model, Priority: moothall.PriorityTask, Temperature: &cold,
	}}
	e := moothall.AuditEntry{Scope: r.Scope, Action: moothall.ActionModelCall, Note: "probe by " + string(who)}
	if err := g.onRecord(ctx, e, func() error { return p.try(ctx) }); err != nil {
		return moothall.ModelCard{}, err
	}
	p.card.Probed = g.o.Now().UTC()
	if err := g.cards.put(p.card); err != nil {
		return moothall.ModelCard{}, err
	}
	return p.card, nil
}

func (p *prober) try(ctx context.Context) error {
	for _, step := range []func(context.Context) error{p.tools, p.schema, p.thinking, p.window} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// probeNote begins every note of a probe, so that the next one replaces them.
const probeNote = "probe: "

func (p *prober) note(format string, args ...any) {
	p.card.Notes = append(p.card.Notes, probeNote+fmt.Sprintf(format, args...))
}

// heard is a model's answer as a whole.
type heard struct {
	text, thinking string
	calls          []moothall.ToolCall
	usage          moothall.Usage
}

// ask makes one call. fatal is an error that ends the probe: others say
// something about the model.
func (p *prober) ask(ctx context.Context, change func(*moothall.GenerateRequest)) (h heard, refused, fatal error) {
	r := p.base
	change(&r)
	ctx, cancel := context.WithTimeout(ctx, probePatience)
	defer cancel()
	p.g.generate(ctx, p.who, KindProbe, r, nil, func(c moothall.Chunk, err error) bool {
		h.text, h.thinking, h.calls = h.text+c.Text, h.thinking+c.Thinking, append(h.calls, c.ToolCalls...)
		if c.Stop != "" {
			h.usage = c.Usage
		}
		refused = err
		return err == nil
	})
	switch moothall.ErrorCode(refused) {
	case "", moothall.CodeUnsupported, moothall.CodeInvalid, moothall.CodeTooLarge, moothall.CodeInterrupted:
		return h, refused, nil
	}
	return h, refused, refused
}

func say(system, user string) []moothall.Message {
	return []moothall.Message{{Role: moothall.RoleSystem, Content: system}, {Role: moothall.RoleUser, Content: user}}
}

// tools asks for a call under a prompt of the size that agents have, since
// models that call tools in a short chat often write the call as text in a
// long one. First streamed, then whole, then with the tools described.
func (p *prober) tools(ctx context.Context) error {
	accepted := true
	for _, whole := range []bool{false, true} {
		h, refused, err := p.ask(ctx, func(r *moothall.GenerateRequest) {
			r.Messages, r.Tools, r.Whole, r.MaxTokens = say(agentPrompt(p.room()), probeQuestion), probeTools(), whole, 1024
		})
		if err != nil {
			return err
		}
		if slices.ContainsFunc(h.calls, rightCall) {
			p.card.Tools, p.card.Streams = AbilityNative, !whole
			return nil
		}
		if form := textCall(h.text); form != "" {
			p.card.Tools, p.card.Streams = AbilityDescribed, false
			p.note("calls arrive in the text, %s", form)
			return nil
		}
		if refused != nil {
			p.note("was not asked to call tools: %s", message(refused))
			accepted = false
			break
		}
	}
	return p.described(ctx, accepted)
}

// described offers the tools in words. One question that a model would not
// use a tool for is not enough to say that it cannot, where the server says
// that it can and took the tools.
func (p *prober) described(ctx context.Context, accepted bool) error {
	h, _, err := p.ask(ctx, func(r *moothall.GenerateRequest) {
		r.Messages, r.MaxTokens = say(describedPrompt(), probeQuestion), 1024
	})
	if err != nil {
		return err
	}
	switch form := textCall(h.text); {
	case form != "":
		p.card.Tools, p.card.Streams = AbilityDescribed, false
		p.note("follows described tools, %s", form)
	case accepted && p.card.Tools == AbilityNative:
		p.note("called no tool when asked to")
	default:
		p.card.Tools, p.card.Streams = AbilityNone, false
	}
	return nil
}

func (p *prober) schema(ctx context.Context) error {
	h, refused, err := p.ask(ctx, func(r *moothall.GenerateRequest) {
		r.Messages, r.Schema, r.MaxTokens = say("Answer with JSON.", "Which city has the Eiffel tower, and how many letters has its name?"), probeSchema, 1024
	})
	if err != nil {
		return err
	}
	var out struct {
		City    *string `json:"city"`
		Letters *int    `json:"letters"`
	}
	bad := json.Unmarshal([]byte(strings.TrimSpace(h.text)), &out)
	p.card.JSON = AbilityNone
	if refused == nil && bad == nil && out.City != nil && out.Letters != nil {
		p.card.JSON = AbilityNative
	}
	return nil
}

func (p *prober) thinking(ctx context.Context) error {
	h, refused, err := p.ask(ctx, func(r *moothall.GenerateRequest) {
		r.Messages, r.Think, r.MaxTokens = say("Think before you answer.", "What is 17 times 3?"), "on", 1024
	})
	if err != nil {
		return err
	}
	switch {
	case h.thinking != "":
		p.card.Thinking = AbilityNative
	case refused == nil && strings.Contains(h.text, "</think"):
		p.card.Thinking = AbilityDescribed
		p.note("thoughts stand in the text, between tags")
	default:
		p.card.Thinking = AbilityNone
	}
	return nil
}

// room is the window to write prompts for, less what tools and an answer take.
func (p *prober) room() int {
	if p.card.Window <= 0 {
		return 4096
	}
	return max(p.card.Window-1024, 256)
}

// message is what an error says to a person.
func message(err error) string {
	if e, ok := errors.AsType[*moothall.Error](err); ok {
		return e.Message
	}
	return err.Error()
}

// window checks that a prompt is read whole. It does not fill the window,
// which would take a small machine minutes.
func (p *prober) window(ctx context.Context) error {
	text, words := longText(p.room())
	h, refused, err := p.ask(ctx, func(r *moothall.GenerateRequest) {
		r.Messages, r.MaxTokens = say("The word to remember is heron.", text+"\nWhich word were you told to remember?"), 512
	})
	if err != nil {
		return err
	}
	switch {
	case refused != nil:
		p.note("a prompt of %d words was refused: %s", words, message(refused))
	case h.usage.PromptTokens > 0 && h.usage.PromptTokens < words/2:
		p.note("of a prompt of %d words only %d tokens were read: the server cuts prompts", words, h.usage.PromptTokens)
	case !strings.Contains(strings.ToLower(h.text), "heron"):
		p.note("read a prompt of %d words whole, and lost its first line", words)
	default:
		p.note("read a prompt of %d words whole", words)
	}
	return nil
}
