package tape

import (
	"context"
	"iter"

	"moothall"
)

// listening is a model that is listened to.
type listening struct {
	moothall.Model
	rec *Recorder
}

// heard is a model call as it is recorded.
type heard struct {
	sent  sent
	first bool // a chunk has come
	out   ModelCall
	runs  []run // of texts, joined when the run is over
}

// run is a stretch of chunks of one kind.
type run struct {
	thinking bool
	parts    []string
	other    *moothall.Chunk
}

// Generate asks the model and writes down what it says.
func (m listening) Generate(ctx context.Context, g moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		h := m.rec.asked(&g)
		for c, err := range m.Model.Generate(ctx, g) {
			if c.Note == "" { // how long it waited is not what it said
				m.rec.heard(h, &c, err)
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

func (r *Recorder) asked(g *moothall.GenerateRequest) *heard {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := new(heard)
	h.sent, r.before = follow(r.before, g)
	r.model = append(r.model, h)
	return h
}

func (r *Recorder) heard(h *heard, c *moothall.Chunk, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(c.Text) + len(c.Thinking)
	for i := range c.ToolCalls {
		n += len(c.ToolCalls[i].Arguments)
	}
	if r.lost == 0 && r.used+n <= r.max {
		r.used += n
		h.add(c, err != nil)
	} else {
		r.lost += n
	}
	if err != nil {
		h.out.Err = failureOf(err)
	}
}

// add writes a chunk down. One that comes with an error counts when there is
// something in it.
func (h *heard) add(c *moothall.Chunk, failed bool) {
	if !h.first {
		h.first = true
		h.out.Provider, h.out.Model = c.Provider, c.Model
	}
	bare := len(c.ToolCalls) == 0 && len(c.Sent) == 0 && c.Stop == "" && c.Usage == moothall.Usage{} &&
		c.Provider == h.out.Provider && c.Model == h.out.Model
	switch {
	case bare && c.Thinking == "" && c.Text != "":
		h.part(c.Text, false)
	case bare && c.Text == "" && c.Thinking != "":
		h.part(c.Thinking, true)
	case bare && failed && c.Text == "":
	default:
		other := *c
		h.runs = append(h.runs, run{other: &other})
	}
}

func (h *heard) part(s string, thinking bool) {
	if n := len(h.runs); n > 0 && h.runs[n-1].other == nil && h.runs[n-1].thinking == thinking {
		h.runs[n-1].parts = append(h.runs[n-1].parts, s)
		return
	}
	h.runs = append(h.runs, run{thinking: thinking, parts: []string{s}})
}

// call is what goes on the tape.
func (h *heard) call() ModelCall {
	out := h.out
	out.Prompt = h.sent.prompt()
	for _, r := range h.runs {
		out.Pieces = append(out.Pieces, r.piece())
	}
	return out
}

func (r *run) piece() Piece {
	if c := r.other; c != nil {
		kept := &Chunk{
			Thinking: c.Thinking, Text: c.Text, Calls: callsOf(c.ToolCalls), Stop: c.Stop, Provider: c.Provider, Model: c.Model, Sent: c.Sent,
		}
		if c.Usage != (moothall.Usage{}) {
			u := c.Usage
			kept.Usage = &u
		}
		return Piece{Chunk: kept}
	}
	var all []byte
	p := Piece{Sizes: make([]int, len(r.parts))}
	for i, s := range r.parts {
		all = append(all, s...)
		p.Sizes[i] = len(s)
	}
	if r.thinking {
		p.Thinking = string(all)
	} else {
		p.Text = string(all)
	}
	return p
}
