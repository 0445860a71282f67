package engine

import (
	"context"
	"strings"
	"time"

	"moothall"
	"moothall/internal/engine/toolcall"
)

// reply is what one model call brought.
type reply struct {
	text     string // without thinking and calls
	thinking string
	calls    []wish
	problem  string // of a call that cannot be answered as one, for the model
	raw      string // what that call looked like
	broken   bool   // some call could not be read
	mends    []string
	stop     moothall.StopReason
	usage    moothall.Usage
	looped   bool // it repeated itself and was stopped
	circles  bool // in its thinking
	err      error
}

// cut reports whether the reply hit its limit before it was whole. Calls that
// came whole before the cut can be used.
func (p *reply) cut() bool {
	return p.stop == moothall.StopLength && (len(p.calls) == 0 || p.broken)
}

// listener takes a reply in as it streams.
type listener struct {
	r        *run
	reader   *toolcall.Reader
	rep      reply
	native   []moothall.ToolCall
	thinking strings.Builder // from the provider's field
	shown    loop
	held     loop // all of the text, calls included
	mind     loop
	asked    time.Time
	heard    bool // a piece of the reply has come
	first    time.Duration
}

// ask makes one model call.
func (r *run) ask(ctx context.Context) reply {
	g := r.generate()
	r.note = ""
	reader := toolcall.NewReader(&toolcall.Options{
		Tools: r.readable(), Family: r.req.Abilities.Family, ThinkingPrefilled: r.req.Abilities.Prefilled,
	})
	l := listener{
		r: r, reader: reader, asked: r.now(),
		shown: loop{min: loopShown}, held: loop{min: loopHeld}, mind: loop{min: loopShown},
	}
	for c, err := range r.req.Model.Generate(ctx, g) {
		r.sent(c.Sent)
		if err != nil {
			l.rep.err = err
			break
		}
		if !l.hear(&c) {
			break
		}
	}
	if l.rep.err == nil && l.rep.stop == "" { // a reply that came whole counts
		l.rep.err = r.ended(ctx)
	}
	l.done(&g)
	return l.rep
}

// readable are the tools whose calls are told from text. In a last round they
// are still recognised, so that a call which comes all the same is not shown
// as an answer.
func (r *run) readable() []moothall.ToolSpec {
	if r.mode == ToolsNone {
		return nil
	}
	return r.req.Tools
}

// hear takes one chunk. It reports whether to go on.
func (l *listener) hear(c *moothall.Chunk) bool {
	if c.Note != "" && !l.r.status(c.Note) {
		return false
	}
	piece := c.Thinking != "" || c.Text != "" || len(c.ToolCalls) > 0
	if piece && !l.heard {
		l.begins()
	}
	if (piece || c.Stop != "") && c.Model != "" {
		l.r.res.Provider, l.r.res.Model = c.Provider, c.Model
	}
	l.native = append(l.native, c.ToolCalls...)
	if c.Stop != "" {
		l.rep.stop = c.Stop
	}
	if c.Stop == moothall.StopRepetition { // a server noticed first; where nothing was said, it was the thinking
		l.rep.looped, l.rep.circles = true, true
	}
	if c.Usage != (moothall.Usage{}) {
		l.rep.usage = c.Usage
	}
	return l.think(c.Thinking) && l.text(c.Text)
}

// begins notes when the first piece of a reply came.
func (l *listener) begins() {
	l.heard = true
	now := l.r.now()
	l.first = now.Sub(l.asked)
	if l.r.res.First == 0 {
		l.r.res.First = now.Sub(l.r.began)
	}
}

func (l *listener) think(s string) bool {
	if s == "" {
		return true
	}
	l.thinking.WriteString(s)
	return l.thought(s)
}

// thought shows a piece of thinking.
func (l *listener) thought(s string) bool {
	if l.mind.add(s) {
		l.rep.looped, l.rep.circles = true, true
	}
	return l.r.emit(Event{Kind: KindThinking, Text: s}) && !l.rep.looped
}

func (l *listener) text(s string) bool {
	if s == "" {
		return true
	}
	l.rep.looped = l.held.add(s)
	for _, p := range l.reader.Write(s) {
		if !l.show(p) {
			return false
		}
	}
	return !l.rep.looped
}

// show yields what is certain of the text.
func (l *listener) show(p toolcall.Piece) bool {
	switch p.Kind {
	case toolcall.Text:
		l.rep.looped = l.rep.looped || l.shown.add(p.Text)
		return l.r.emit(Event{Kind: KindDelta, Text: p.Text})
	case toolcall.Thinking:
		return l.thought(p.Text)
	case toolcall.Rethink:
		return l.r.emit(Event{Kind: KindRethink})
	}
	return true
}

// done reads the whole reply.
func (l *listener) done(g *moothall.GenerateRequest) {
	res := l.reader.Close()
	for _, p := range l.reader.Rest() {
		if !l.show(p) {
			break
		}
	}
	rep := &l.rep
	rep.broken = len(res.Problems) > 0
	settleProblems(&res, len(l.native) > 0)
	rep.text, rep.mends = res.Content, res.Mends
	rep.thinking = joined(l.thinking.String(), res.Thinking)
	if rep.looped {
		rep.text = unloop(rep.text)
	}
	rep.calls = wishes(l.native, &res, l.r.offer)
	rep.problem, rep.raw = nameless(res.Problems)
	l.account(g)
	if moothall.ErrorCode(rep.err) == moothall.CodeTooLarge { // told at its end: it answers what was left of the prompt
		rep.text, rep.thinking = "", ""
	}
}

// account measures the call, and estimates what the provider did not count.
func (l *listener) account(g *moothall.GenerateRequest) {
	r, u := l.r, &l.rep.usage
	size := r.size(g)
	if u.Calls == 0 {
		u.Calls = 1
	}
	if u.PromptTokens == 0 && (l.rep.err == nil || l.heard) { // who answers has read the prompt
		u.PromptTokens = r.req.Meter.Tokens(r.modelKey(), size)
	} else {
		r.measured(size, u.PromptTokens)
	}
	if u.OutputTokens == 0 {
		u.OutputTokens = r.req.Meter.Tokens(r.modelKey(), len(l.rep.text)+len(l.rep.thinking))
	}
	if u.FirstToken == 0 {
		u.FirstToken = l.first
	}
	took := r.now().Sub(l.asked)
	if u.Total == 0 {
		u.Total = took
	}
	waited := max(took-u.Total, 0)
	r.res.Waiting += waited
	r.res.ModelTime += took - waited
	sum := &r.res.Usage
	if sum.Calls == 0 {
		sum.FirstToken = u.FirstToken
	}
	sum.Calls += u.Calls
	sum.PromptTokens += u.PromptTokens
	sum.OutputTokens += u.OutputTokens
	sum.Total += u.Total
}
