package tape

import (
	"context"
	"iter"
	"strings"

	"moothall"
)

// recordedModel is the recorded model.
type recordedModel struct{ p *player }

// Generate plays the next recorded call.
func (m recordedModel) Generate(_ context.Context, g moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		c := m.p.next(&g)
		if c == nil {
			yield(moothall.Chunk{}, moothall.Fail(moothall.CodeNotFound, "replay", "the recording has no further reply of the model"))
			return
		}
		for i := range c.Pieces {
			if !c.Pieces[i].play(c, yield) {
				return
			}
		}
		if c.Err != nil {
			yield(moothall.Chunk{}, c.Err.err())
		}
	}
}

// play yields the chunks of a piece.
func (p *Piece) play(of *ModelCall, yield func(moothall.Chunk, error) bool) bool {
	if c := p.Chunk; c != nil {
		out := moothall.Chunk{
			Thinking: c.Thinking, Text: c.Text, ToolCalls: calls(c.Calls), Stop: c.Stop, Provider: c.Provider, Model: c.Model, Sent: c.Sent,
		}
		if c.Usage != nil {
			out.Usage = *c.Usage
		}
		return yield(out, nil)
	}
	text, thinking := p.Text, p.Thinking
	for _, n := range p.Sizes {
		out := moothall.Chunk{Provider: of.Provider, Model: of.Model}
		if text != "" {
			out.Text, text = text[:n], text[n:]
		} else {
			out.Thinking, thinking = thinking[:n], thinking[n:]
		}
		if !yield(out, nil) {
			return false
		}
	}
	return true
}

// next finds the recorded call and compares what it was asked.
func (p *player) next(g *moothall.GenerateRequest) *ModelCall {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.arrive()
	p.asked++
	if p.asked > len(p.tape.Model) {
		p.note("the model was asked once more than before")
		return nil
	}
	var s sent
	s, p.before = follow(p.before, g)
	c := &p.tape.Model[p.asked-1]
	if what := c.Prompt.other(s.prompt(), g); what != "" {
		p.note("the prompt of model call %d is not what it was: %s", p.asked, what)
	}
	return c
}

// other says in which parts a prompt differs.
func (p *Prompt) other(now Prompt, g *moothall.GenerateRequest) string {
	var parts []string
	if p.Settings != now.Settings {
		parts = append(parts, "the settings differ")
	}
	if p.Tools != now.Tools {
		parts = append(parts, "the tools on offer differ")
	}
	was, is := p.Same+len(p.Messages), now.Same+len(now.Messages)
	if was != is {
		parts = append(parts, count(is, "message")+" instead of "+count(was, "message"))
	}
	// What is the same as in the call before was compared there.
	for i := max(p.Same, now.Same); i < min(was, is); i++ {
		if p.Messages[i-p.Same] != now.Messages[i-now.Same] {
			parts = append(parts, "message "+count(i+1, "")+" ("+string(g.Messages[i].Role)+") differs")
			break
		}
	}
	if len(parts) == 0 && p.Same != now.Same {
		parts = append(parts, "less or more of it is that of the call before")
	}
	return strings.Join(parts, ", ")
}

// liveModel is a model that answers now.
type liveModel struct {
	moothall.Model
	p *player
}

// Generate asks it.
func (m liveModel) Generate(ctx context.Context, g moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	m.p.mu.Lock()
	m.p.arrive()
	m.p.asked++
	m.p.mu.Unlock()
	return m.Model.Generate(ctx, g)
}
