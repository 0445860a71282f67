package ollama

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http"

	"moothall"
	"moothall/internal/gateway"
)

const opGenerate = "ollama chat"

// Generate asks a model for the next message.
func (p *Provider) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return p.GenerateWhen(ctx, r, func() error { return nil })
}

// GenerateWhen does so when ready has returned nil.
func (p *Provider) GenerateWhen(ctx context.Context, r moothall.GenerateRequest, ready func() error) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		// Leaving this function is what tells the server that nobody
		// listens any more.
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		c := chat{p: p, ctx: ctx, r: r, ready: ready, yield: yield}
		if err := c.run(); err != nil {
			yield(moothall.Chunk{}, err)
		}
	}
}

// chat is one exchange in progress.
type chat struct {
	p       *Provider
	ctx     context.Context // of this exchange, which is why it is kept
	r       moothall.GenerateRequest
	ready   func() error // waits until the model may be asked
	yield   func(moothall.Chunk, error) bool
	window  int
	version string

	started bool // something was yielded
	left    bool // the caller broke out
	calls   int
	pieces  int
	loop    repeats
	line    line // the one that was read last; kept for its memory
}

// run returns the error that ends the stream; nil when it ended well or the
// caller left.
func (c *chat) run() error {
	if len(c.r.Messages) == 0 {
		return moothall.Fail(moothall.CodeInvalid, opGenerate, "there is no message to answer")
	}
	if err := c.ctx.Err(); err != nil {
		return c.p.broken(c.ctx, opGenerate, err, false)
	}
	d, err := c.p.know(c.ctx, c.r.Model)
	if err != nil {
		return err
	}
	c.window, c.version = window(c.r.Window, c.p.o.Window, d), c.p.knownVersion()
	if err := fits(c.r, c.window); err != nil {
		return err
	}
	body, err := c.p.encode(c.r, c.window)
	if err != nil {
		return unwritable(err)
	}
	if err := c.ready(); err != nil {
		return err
	}
	resp, err := c.p.send(c.ctx, opGenerate, c.r.Model, "/api/chat", body)
	if err != nil {
		return c.explain(err)
	}
	defer resp.Body.Close()
	if c.r.Whole {
		return c.whole(resp)
	}
	return c.stream(resp)
}

// explain adds to a refusal what the provider knows and the server did not
// say, and forgets what it knew of a model that is gone.
func (c *chat) explain(err error) error {
	switch moothall.ErrorCode(err) {
	case moothall.CodeNotFound:
		c.p.forget(c.r.Model)
	case moothall.CodeTooLarge:
		return tooLarge(c.r, c.window, 0, err)
	}
	return err
}

func (c *chat) whole(resp *http.Response) error {
	b, err := io.ReadAll(io.LimitReader(resp.Body, maxLine+1))
	switch {
	case err != nil:
		return c.p.broken(c.ctx, opGenerate, err, false)
	case len(b) > maxLine:
		return moothall.Fail(moothall.CodeTooLarge, opGenerate, "the reply is larger than 64 MiB")
	}
	l, err := c.decode(b)
	if err != nil {
		return err
	}
	if !l.Done {
		return c.partial(&l.Message)
	}
	if err := c.cut(l); err != nil {
		return err
	}
	chunk := c.last(l)
	chunk.Thinking, chunk.Text = l.Message.Thinking, l.Message.Content
	chunk.ToolCalls = c.take(l.Message.ToolCalls)
	chunk.Stop = c.stop(l.DoneReason)
	c.yield(chunk, nil)
	return nil
}

// partial is for a whole reply that says itself that it is not: what a server
// sends that ended the model early.
func (c *chat) partial(m *message) error {
	c.pass(m)
	if c.left {
		return nil
	}
	c.loop.whole(m.Thinking + m.Content)
	c.pieces = (len(m.Thinking) + len(m.Content) + 3) / 4 // about four bytes a token
	return c.withoutEnd()
}

func (c *chat) stream(resp *http.Response) error {
	lines := newLineReader(resp.Body)
	for {
		b, err := lines.next()
		if errors.Is(err, io.EOF) {
			return c.withoutEnd()
		}
		if err != nil {
			return c.p.broken(c.ctx, opGenerate, err, c.started)
		}
		l, err := c.decode(b)
		if err != nil {
			return err
		}
		c.pass(&l.Message)
		if c.left {
			return nil
		}
		if l.Done {
			return c.end(l)
		}
	}
}

// decode reads one line. An error in a line is the error that it names.
func (c *chat) decode(b []byte) (*line, error) {
	l := &c.line
	*l = line{}
	if quick(b, l) {
		return l, nil
	}
	if err := json.Unmarshal(b, l); err != nil {
		return nil, c.p.malformed(opGenerate, err, c.started)
	}
	if l.Error == "" {
		return l, nil
	}
	refusal := gateway.Refusal{Provider: c.p.o.Name, Model: c.r.Model, Message: l.Error}
	if c.started {
		refusal.Code = moothall.CodeInterrupted
	}
	return nil, c.explain(refusal.Err(opGenerate))
}

// pass yields what a message brings, if it brings anything.
func (c *chat) pass(m *message) {
	if m.Thinking == "" && m.Content == "" && len(m.ToolCalls) == 0 {
		return
	}
	c.pieces++
	c.loop.add(m.Thinking + m.Content)
	c.started = true
	c.left = !c.yield(moothall.Chunk{Thinking: m.Thinking, Text: m.Content, ToolCalls: c.take(m.ToolCalls)}, nil)
}

// take translates calls. Old servers give them no id.
func (c *chat) take(calls []call) []moothall.ToolCall {
	var out []moothall.ToolCall
	for _, k := range calls {
		id := k.ID
		if id == "" {
			id = moothall.CallID("call_" + moothall.NewID())
		}
		args := k.Function.Arguments
		if len(args) == 0 || string(args) == "null" {
			args = json.RawMessage("{}")
		}
		out = append(out, moothall.ToolCall{ID: id, Name: k.Function.Name, Arguments: args})
	}
	c.calls += len(out)
	return out
}

func (c *chat) end(l *line) error {
	if err := c.cut(l); err != nil {
		return err
	}
	c.yield(c.last(l), nil)
	return nil
}

func (c *chat) last(l *line) moothall.Chunk {
	return moothall.Chunk{
		Stop:  c.stop(l.DoneReason),
		Usage: moothall.Usage{Calls: 1, PromptTokens: l.PromptEvalCount, OutputTokens: l.EvalCount},
	}
}

func (c *chat) stop(reason string) moothall.StopReason {
	switch {
	case reason == "length":
		return moothall.StopLength
	case c.calls > 0:
		return moothall.StopTools
	}
	return moothall.StopDone
}

// withoutEnd is for a stream that ended properly and too early. A piece is
// about a token, so pieces stand in for the count that never came.
func (c *chat) withoutEnd() error {
	if c.loop.looping() {
		c.yield(moothall.Chunk{
			Stop:  moothall.StopRepetition,
			Usage: moothall.Usage{Calls: 1, PromptTokens: estimate(c.r), OutputTokens: c.pieces},
		}, nil)
		return nil
	}
	return c.p.broken(c.ctx, opGenerate, io.ErrUnexpectedEOF, c.started)
}
