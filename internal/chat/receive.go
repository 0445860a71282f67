package chat

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"moothall"
)

// Recover marks the turns that a stop or a crash cut off, tells of the answers
// that nobody may have heard of, and goes on with the questions that wait.
func (c *Chat) Recover(ctx context.Context) error {
	c.sessions.ends.add("") // there may be some of the last time, which were not cut off
	n, err := c.sessions.interrupt(ctx)
	if err != nil {
		return err
	}
	if n > 0 {
		c.opt.Logger.Info("turns were cut off by the last stop", "turns", n)
	}
	if c.settings.get().Tapes == 0 {
		c.forgetTapes(ctx)
	}
	untold, err := c.sessions.untold(ctx)
	if err != nil {
		return err
	}
	waiting, err := c.sessions.inbox(ctx)
	if err != nil {
		return err
	}
	if err := c.mend(ctx, untold); err != nil {
		return err
	}
	for _, a := range untold {
		c.retell(ctx, &a)
	}
	for _, w := range waiting {
		c.start(w)
	}
	return nil
}

// afterRestart is the note on entries that a crash kept from the record.
const afterRestart = "on record after a restart"

// mend puts the ends of turns on record that a crash kept from it: the answer
// was in the database first, and nobody has seen it.
func (c *Chat) mend(ctx context.Context, untold []moothall.Answer) error {
	var doubtful []*moothall.Answer
	from := uint64(math.MaxUint64)
	for i := range untold {
		if a := &untold[i]; a.Respondent == RespondentA && a.Receipt.AuditLast != 0 {
			doubtful, from = append(doubtful, a), min(from, a.Receipt.AuditFirst)
		}
	}
	if len(doubtful) == 0 || c.opt.OnRecord == nil {
		return nil
	}
	known, err := c.opt.OnRecord(ctx, from)
	if err != nil {
		return err
	}
	for _, a := range doubtful {
		k := known[a.Query]
		if k.End >= a.Receipt.AuditFirst && k.End <= a.Receipt.AuditLast && k.End != 0 {
			continue
		}
		if err := c.mendOne(ctx, a, k.Run); err != nil {
			return err
		}
	}
	return nil
}

// mendOne puts the end of one turn on record. Where that cannot be, its receipt
// names none.
func (c *Chat) mendOne(ctx context.Context, a *moothall.Answer, run moothall.RunID) error {
	status := moothall.StatusOK
	if slices.ContainsFunc(a.Flags, func(f string) bool { return strings.HasPrefix(f, flagFailed) }) {
		status = moothall.StatusFailed
	}
	t := turn{session: a.Session, query: a.Query, run: run}
	outcome, end := t.entry(moothall.ActionModelCall, status), t.entry(moothall.ActionRunEnd, status)
	outcome.Note, end.Note = afterRestart, afterRestart
	last, err := c.opt.Audit.Append(ctx, outcome, end)
	if err != nil {
		c.opt.Logger.Warn("the end of a turn is not on record", "query", a.Query, "err", err)
		last = 0
	}
	a.Receipt.AuditLast = last
	return c.sessions.amend(ctx, *a)
}

// retell tells of an answer after a restart, and of its question and what that
// said first: they may not have been told either.
func (c *Chat) retell(ctx context.Context, a *moothall.Answer) {
	asked, err := c.sessions.turn(ctx, a.Query)
	if err != nil {
		c.opt.Logger.Warn("a question is told without when and how it was asked", "query", a.Query, "err", err)
	}
	if a.Respondent == RespondentA && !c.carry(ctx, c.opt.Received, received(asked.manner), a, asked.began) {
		return
	}
	if a.Heard != nil && !c.carry(ctx, c.opt.Tell, opinion, a, asked.began) {
		return
	}
	c.announce(ctx, a)
}

// Receive answers a question that somebody put on the bus. It returns when the
// question is safe; events may come again. Those of the front are answered by
// [Chat.Query], which has them published.
func (c *Chat) Receive(ctx context.Context, e moothall.Event) error {
	if e.Sender == moothall.FrontDoor || e.Sender == moothall.ChatHall {
		return nil
	}
	r, err := questionOf(e)
	if err != nil {
		return err
	}
	id := e.Query
	if id == "" {
		id = moothall.QueryID(e.ID)
	}
	if !moothall.ValidToken(string(id)) {
		return moothall.Fail(moothall.CodeInvalid, "query", "a query's id has letters, digits, - and _ only, 64 at most")
	}
	if _, err := c.newTurn(ctx, r, id); err != nil { // what cannot be answered is refused here
		return err
	}
	fresh, err := c.sessions.accept(ctx, id, r)
	if err != nil || !fresh {
		return err
	}
	c.start(accepted{id, r})
	return nil
}

// questionOf reads the payload of query.received. Its session may stand in
// the envelope.
func questionOf(e moothall.Event) (moothall.QueryRequest, error) {
	var r moothall.QueryRequest
	if err := json.Unmarshal(e.Payload, &r); err != nil {
		return r, &moothall.Error{Code: moothall.CodeInvalid, Op: "query", Message: "the payload of query.received cannot be read", Err: err}
	}
	if r.Session == "" {
		r.Session = e.Session
	}
	if r.Session == "" {
		// Made once, so that a repeated event asks in the same session.
		r.Session = moothall.SessionID("bus-" + strings.ToLower(string(e.ID)))
		if !moothall.ValidToken(string(r.Session)) {
			r.Session = moothall.SessionID(moothall.NewID())
		}
	}
	r.Override = nil // only a person's own face may switch rules
	return r, nil
}

// start answers a question with nobody to show it to but the bus.
func (c *Chat) start(a accepted) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return // it waits for the next start
	}
	c.work.Go(func() {
		t, err := c.newTurn(c.life, a.request, a.id)
		if c.life.Err() != nil {
			return // as above
		}
		if err != nil {
			c.opt.Logger.Warn("a question from the bus cannot be answered", "query", a.id, "err", err)
			c.refuse(a.id)
			return
		}
		t.inbox = true
		c.answer(c.life, t, func(_ moothall.Step, err error) bool {
			if err != nil {
				c.opt.Logger.Warn("a question from the bus was not answered", "query", a.id, "err", err)
			}
			if errors.Is(err, errStopped) || errors.Is(err, errReplaced) {
				c.refuse(a.id) // it may have waited still, and is not wanted after the next start either
			}
			return true
		})
	})
}

// refuse lets go of a question from the bus, also when the chat is closing.
func (c *Chat) refuse(id moothall.QueryID) {
	ctx, cancel := detached(c.life)
	defer cancel()
	if err := c.sessions.refuse(ctx, id); err != nil {
		c.opt.Logger.Warn("it stays in the inbox", "query", id, "err", err)
	}
}
