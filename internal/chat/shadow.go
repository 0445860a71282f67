package chat

import (
	"context"
	"maps"
	"slices"
	"time"

	"moothall"
	"moothall/internal/engine"
)

// stale is after what time a question is no longer worth a second answer:
// nobody waits for the comparison any more.
const stale = 15 * time.Minute

// attempts is how often B begins when its reply breaks off: a person's call may
// take its place at the model server, which is no fault of B.
const attempts = 5

// Shadows reports whether respondent B will answer a question, as far as that
// can be said before it has.
func (c *Chat) Shadows() bool { return c.settings.get().Shadow }

// Shadow has respondent B answer a question that was asked, when that is
// switched on. It is the same work as A's, with other settings, at background
// priority, with tools that only read. Nothing of it enters the conversation.
// Events may come again; a question gets one answer of B.
func (c *Chat) Shadow(ctx context.Context, e moothall.Event) error {
	s := c.settings.get()
	if !c.settings.shadowed(e.Time) || c.opt.Now().Sub(e.Time) > stale {
		return nil
	}
	r, err := questionOf(e)
	if err != nil {
		return err
	}
	if e.Query == "" || r.Mode != "" && r.Mode != moothall.ModeChat {
		return nil
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(c.life, func() { cancel(errClosing) })()
	defer c.shadowing(r.Session, cancel)() // before it looks whether the turn is there
	there, err := c.sessions.shadowed(ctx, e.Query, RespondentB)
	if err != nil || there {
		return err
	}
	t, err := c.sessions.turn(ctx, e.Query)
	if moothall.ErrorCode(err) == moothall.CodeNotFound {
		return nil // the session was deleted, or the turn never began
	}
	if err != nil {
		return err
	}
	r.Session, r.Query = t.session, t.asked
	a, err := c.shadowAnswer(ctx, e, r, s.B)
	if err != nil {
		return err
	}
	if err := c.sessions.shadow(ctx, a); err != nil {
		return err
	}
	c.announce(ctx, &a)
	return nil
}

// shadow is B at work.
type shadow struct {
	session moothall.SessionID
	stop    context.CancelCauseFunc
	done    chan struct{}
}

// shadowing lets B be stopped until the returned function is called.
func (c *Chat) shadowing(of moothall.SessionID, stop context.CancelCauseFunc) (end func()) {
	s := &shadow{of, stop, make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shadows[s] = true
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.shadows, s)
		close(s.done)
	}
}

// unshadow stops B in a conversation and waits for that.
func (c *Chat) unshadow(ctx context.Context, id moothall.SessionID) error {
	c.mu.Lock()
	list := slices.Collect(maps.Keys(c.shadows))
	c.mu.Unlock()
	for _, s := range list {
		if s.session != id {
			continue
		}
		s.stop(errStopped)
		select {
		case <-s.done:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// shadowAnswer runs the engine as B. What fails is an answer that says so: it
// is evidence about B as well. Only when the hall stops does it come again.
func (c *Chat) shadowAnswer(ctx context.Context, e moothall.Event, r moothall.QueryRequest, as Respondent) (moothall.Answer, error) {
	began := c.opt.Now()
	var sending moothall.Sending
	ctx = sending.Under(ctx)
	asked := Asked{
		Request: r, Session: r.Session, Query: e.Query, Run: moothall.RunID(moothall.NewID()),
		Labels: brought(r), Input: inputOf(r), Tail: clock(e.Time.Local()),
	}
	var err error
	if asked.History, err = c.sessions.history(ctx, r.Session, e.Query); err != nil {
		return moothall.Answer{}, err
	}
	b := &answering{chat: c, as: as, asked: asked, agent: "respondent_b", urgent: moothall.PriorityBackground}
	var o Outcome
	var broken []Outcome
	err = c.onRecord(ctx, moothall.AuditEntry{Scope: moothall.Scope{Session: r.Session}, AgentType: b.agent, Query: e.Query}, func() bool {
		o = c.runShadow(ctx, b)
		for n := 1; n < attempts && o.Stop == moothall.StopInterrupted && ctx.Err() == nil; n++ {
			broken = append(broken, o)
			o = c.runShadow(ctx, b)
		}
		return o.Err == nil
	})
	if err != nil {
		return moothall.Answer{}, err
	}
	if ctx.Err() != nil {
		return moothall.Answer{}, context.Cause(ctx)
	}
	out := moothall.Answer{
		Query: e.Query, Session: r.Session, Respondent: RespondentB, Question: r.Query, Provider: o.Provider, Model: o.Model,
		Text: o.Answer, Thinking: o.Thinking, Tools: append([]moothall.CalledTool{}, o.Calls...), Recalls: append([]moothall.Recall{}, o.Recalls...),
		Stop: o.Stop, Flags: o.Flags, Usage: o.Usage, Receipt: receipt(o),
		Subjects: []moothall.Subject{moothall.SubjectResponseGeneration}, Log: []moothall.EventMark{},
	}
	for _, was := range broken {
		out.Receipt = bothReceipts(receipt(was), out.Receipt)
	}
	out.Receipt.Labels |= b.spawned.Labels
	out.Receipt.Sent = moothall.SumEgress(out.Receipt.Sent, sending.Take()...)
	out.Receipt.Times.Total, out.Receipt.Times.First = c.opt.Now().Sub(began), o.First
	return out, nil
}

// bothReceipts is the receipt of two attempts: one that was broken off has
// cost and sent something too.
func bothReceipts(a, b moothall.Receipt) moothall.Receipt {
	for role, u := range a.ByRole {
		b.ByRole[role] = u.Plus(b.ByRole[role])
	}
	b.Tools, b.Refused = slices.Concat(a.Tools, b.Tools), slices.Concat(a.Refused, b.Refused)
	b.Labels |= a.Labels
	b.Sent = moothall.SumEgress(a.Sent, b.Sent...)
	b.Times.Models += a.Times.Models
	b.Times.Tools += a.Times.Tools
	b.Times.Waiting += a.Times.Waiting
	return b
}

func (c *Chat) runShadow(ctx context.Context, b *answering) Outcome {
	defer b.finish(context.WithoutCancel(ctx))
	request, err := b.request(ctx)
	if err != nil {
		return Failed(err)
	}
	about := moothall.Answer{Session: b.asked.Session, Query: b.asked.Query, Respondent: RespondentB}
	for e, err := range engine.Run(ctx, request) {
		if err != nil {
			return Failed(err)
		}
		if e.Kind == engine.KindFinal {
			return Outcome{Result: *e.Final}
		}
		if e.Kind == engine.KindThinking {
			if ev, err := event(moothall.SubjectResponseThinking, "", &about, map[string]string{"text": e.Text}); err == nil {
				c.publish(ctx, c.opt.Tell, ev)
			}
		}
	}
	return Failed(moothall.Fail(moothall.CodeInternal, "run", "it ended without a result"))
}
