package broker

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"moothall"
	"moothall/internal/policy"
	"moothall/internal/store"
)

// question is an open approval and the call that waits for it.
type question struct {
	call *call
	done chan struct{} // closed once it is answered

	mu sync.Mutex // held while it is being answered
	moothall.Approval
}

// ask puts a question to a person and waits. It returns the decision that
// follows from the answer; gone says that the caller has left.
func (b *Broker) ask(ctx context.Context, c *call, d moothall.Decision, yield yielder) (_ moothall.Decision, gone bool, err error) {
	q, asked, err := b.question(ctx, c, d)
	if err != nil {
		return d, false, err
	}
	b.stats.asked.Add(1)
	if !yield(moothall.CallProgress{Note: "waiting for a person's answer to question " + string(q.ID), Asked: &asked}, nil) {
		return d, true, b.lapse(q, "given up")
	}
	timer := time.NewTimer(q.Expires.Sub(b.opt.Now()))
	defer timer.Stop()
	select {
	case <-q.done:
	case <-timer.C:
		err = b.lapse(q, "expired")
	case <-ctx.Done():
		// The answer may have come in the same moment; the caller has
		// left all the same, and nothing is done.
		_ = b.lapse(q, "given up") // logged; the caller's reason is told
		return d, false, ctx.Err()
	case <-b.life.Done():
		_ = b.lapse(q, "the hall stopped") // logged
		return d, false, errClosed()
	}
	if err != nil {
		return d, false, err
	}
	return b.answered(q), false, nil
}

// question makes an open question durable, puts on record that it is asked,
// and returns it with what is asked. It can be seen before this returns:
// whoever answers at once waits until it is told.
func (b *Broker) question(ctx context.Context, c *call, d moothall.Decision) (*question, moothall.Approval, error) {
	now := b.opt.Now().UTC()
	q := &question{call: c, done: make(chan struct{}), Approval: moothall.Approval{
		ID: moothall.ApprovalID(moothall.NewID()), Session: c.agent.scope, Query: c.about().query, Agent: c.agent.id, Type: c.agent.kind,
		Tool: c.name(), Arguments: bytes.Clone(c.args), Reason: d, Labels: c.facts.Labels, Asked: now, Expires: now.Add(b.opt.Expiry),
	}}
	reason, err := json.Marshal(d)
	if err != nil {
		panic(err) // plain words always marshal
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	b.mu.Lock()
	b.questions[q.ID] = q
	b.mu.Unlock()
	rows := b.writes.start(func(tx *store.Tx) error {
		if err := c.agent.task.save(tx); err != nil {
			return err
		}
		_, err := tx.Exec(context.Background(), `INSERT INTO broker_approvals
			(id, session, query, call, agent, agent_type, lineage, tool, arguments, reason, labels, boot, asked, expires)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			string(q.ID), string(q.Session), string(q.Query), string(c.req.Call.ID), string(q.Agent), string(q.Type), c.agent.lineage.String(),
			string(q.Tool), string(q.Arguments), string(reason), int64(q.Labels), b.boot, q.Asked.UnixMilli(), q.Expires.UnixMilli())
		return err
	})
	e := c.line(moothall.ActionToolCall, moothall.StatusAsked, d)
	e.Params = c.params
	_, auditErr := b.opt.Audit.Append(ctx, e)
	if err := first(auditErr, <-rows); err != nil {
		b.writes.later(func(tx *store.Tx) error { return b.close(tx, q.ID, moothall.ApproveExpired, nil) })
		b.forfeit(q)
		return nil, q.Approval, err
	}
	b.tell(moothall.SubjectApprovalRequested, c.about(), q.Approval)
	return q, q.copy(), nil
}

// close writes an answer; CodeConflict when there is one.
func (b *Broker) close(tx *store.Tx, id moothall.ApprovalID, answer moothall.ApprovalAnswer, args []byte) error {
	res, err := tx.Exec(context.Background(), `UPDATE broker_approvals SET answer = ?, answered = ?, arguments = coalesce(?, arguments)
		WHERE id = ? AND answer = ''`, string(answer), b.opt.Now().UnixMilli(), nullable(args), string(id))
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return errAnswered()
}

func nullable(b []byte) any {
	if b == nil {
		return nil
	}
	return string(b)
}

func errAnswered() error {
	return moothall.Fail(moothall.CodeConflict, "approval", "the question is answered already, or its time is over")
}

// lapse ends a question that nobody answered. Whoever answers in the same
// moment is first or is told.
func (b *Broker) lapse(q *question, note string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.Answer != "" {
		return nil
	}
	err := b.settle(context.Background(), q, moothall.ApproveExpired, nil, note)
	if err != nil {
		b.opt.Logger.Error("the end of a question could not be written", "question", q.ID, "error", err)
		b.forfeit(q)
	}
	return err
}

// forfeit ends a question whose end could not be written: it must not be
// answered any more, the call does not wait. The question's lock is held.
func (b *Broker) forfeit(q *question) {
	q.Answer, q.Answered = moothall.ApproveExpired, b.opt.Now().UTC()
	b.forget(q)
}

func (b *Broker) forget(q *question) {
	b.mu.Lock()
	delete(b.questions, q.ID)
	b.mu.Unlock()
	close(q.done)
}

// settle puts an answer on record and makes it durable, then lets the call
// go on. The question's lock is held.
func (b *Broker) settle(ctx context.Context, q *question, answer moothall.ApprovalAnswer, edited *call, note string) error {
	c := q.call
	e := c.line(moothall.ActionApproval, moothall.StatusOK, moothall.Decision{Layer: policy.LayerApproval, Rule: string(answer)})
	if answer == moothall.ApproveDenied || answer == moothall.ApproveExpired {
		e.Status = moothall.StatusDenied
	}
	e.Note, e.Params = short(note), c.params
	var args []byte
	if edited != nil {
		args, e.Params = edited.args, edited.params
	}
	if _, err := b.opt.Audit.Append(ctx, e); err != nil {
		return err
	}
	err := b.writes.do(func(tx *store.Tx) error {
		if answer == moothall.ApproveSession {
			if _, err := tx.Exec(context.Background(), `INSERT INTO broker_consents (session, tool, agent_type, definition) VALUES (?, ?, ?, ?)
				ON CONFLICT DO UPDATE SET definition = excluded.definition`,
				c.agent.session.id, string(c.name()), string(c.agent.kind), c.entry.definition); err != nil {
				return err
			}
		}
		return b.close(tx, q.ID, answer, args)
	})
	if err != nil {
		return err
	}
	if answer == moothall.ApproveSession {
		s := c.agent.session
		s.mu.Lock()
		s.consents[consent{c.name(), c.agent.kind}] = c.entry.definition
		s.mu.Unlock()
	}
	q.Answer, q.Answered = answer, b.opt.Now().UTC()
	if edited != nil {
		q.Arguments = bytes.Clone(edited.args)
		q.call.take(edited)
	}
	b.tell(moothall.SubjectApprovalDecided, c.about(), q.Approval)
	b.forget(q)
	return nil
}

// take makes a call one with the arguments of another.
func (c *call) take(o *call) {
	c.req.Call.Arguments, c.args, c.params, c.hash = o.req.Call.Arguments, o.args, o.params, o.hash
	c.facts = o.facts
}

// answered decides anew after an answer: what was approved is this call with
// these arguments, and all else must still hold.
func (b *Broker) answered(q *question) moothall.Decision {
	q.mu.Lock() // somebody may be looking at what the call would do
	defer q.mu.Unlock()
	answer := q.Answer
	d := moothall.Decision{Verdict: moothall.Deny, Layer: policy.LayerApproval, Rule: string(answer)}
	switch answer {
	case moothall.ApproveDenied:
		d.Reason = "The person said no."
		return d
	case moothall.ApproveExpired:
		d.Reason, d.Allows = "Nobody answered in time.", "a person's approval"
		return d
	}
	b.renew(q.call)
	if d = q.call.judge(); d.Verdict == moothall.Ask {
		d.Verdict = moothall.Deny // nothing is asked twice
	}
	return d
}

// renew brings the facts of a call that has waited up to date: what the
// person switched, what else the agent has touched. The counters stay: the
// call has its place in them.
func (b *Broker) renew(c *call) {
	cat, a := b.catalog.Load(), c.agent
	was, asked := c.facts, c.entry
	c.rules, c.entry = cat.rules, cat.names[c.req.Call.Name]
	c.facts = policy.Call{
		Agent: cat.rules.Rebase(a.authority), Name: c.req.Call.Name, Overrides: a.session.overrides(a.message, b.opt.Now()),
		Labels: a.touched(), Unattended: a.unattended, Lineage: was.Lineage,
		Repeats: was.Repeats, Calls: was.Calls, Approved: true,
	}
	if c.entry != nil {
		c.facts.Approved = asked != nil && c.entry.definition == asked.definition // the yes is to what was asked about
		c.facts.Tool = &c.entry.spec
		c.reads, c.writes = cat.rules.Roots(c.facts.Agent, &c.entry.spec, c.facts.Overrides)
	}
	b.read(c)
}

// Approvals lists questions, the oldest first: the open ones, or the last
// two hundred.
func (f face) Approvals(ctx context.Context, s moothall.Scope, all bool) ([]moothall.Approval, error) {
	if err := f.among(mayList, "list approvals"); err != nil {
		return nil, err
	}
	var out []moothall.Approval
	err := f.b.opt.DB.Read(ctx, func(tx *store.Tx) error {
		out = nil
		rows, err := tx.Query(ctx, `SELECT id, session, query, agent, agent_type, tool, arguments, reason, labels, asked, expires, answer, answered
			FROM broker_approvals WHERE (? OR answer = '') AND (? = '' OR session = ?) ORDER BY id DESC LIMIT 200`,
			all, string(s.Session), string(s.Session))
		if err != nil {
			return err
		}
		for rows.Next() {
			a, err := scanApproval(rows.Scan)
			if err != nil {
				return err
			}
			out = append(out, a)
		}
		return rows.Err()
	})
	slices.Reverse(out)
	return out, err
}

func scanApproval(scan func(...any) error) (moothall.Approval, error) {
	var a moothall.Approval
	var args, reason string
	var asked, expires, answered int64
	if err := scan(&a.ID, &a.Session, &a.Query, &a.Agent, &a.Type, &a.Tool, &args, &reason, &a.Labels, &asked, &expires, &a.Answer, &answered); err != nil {
		return a, err
	}
	a.Arguments, a.Asked, a.Expires = json.RawMessage(args), time.UnixMilli(asked).UTC(), time.UnixMilli(expires).UTC()
	if answered != 0 {
		a.Answered = time.UnixMilli(answered).UTC()
	}
	if err := json.Unmarshal([]byte(reason), &a.Reason); err != nil {
		return a, &moothall.Error{Code: moothall.CodeCorrupt, Op: "read approval", Err: err}
	}
	return a, nil
}

// Decide answers a question. Arguments, when given, replace those asked
// about and are judged whole: CodeDenied when policy has something against
// them, and the question stays open.
func (f face) Decide(ctx context.Context, d moothall.ApprovalDecision) (moothall.Approval, error) {
	const op = "approval"
	if err := f.among(maySwitch, op); err != nil {
		return moothall.Approval{}, err
	}
	if err := ctx.Err(); err != nil {
		return moothall.Approval{}, err
	}
	if !slices.Contains([]moothall.ApprovalAnswer{moothall.ApproveOnce, moothall.ApproveSession, moothall.ApproveDenied}, d.Answer) {
		return moothall.Approval{}, moothall.Fail(moothall.CodeInvalid, op, "the answer is once, session or deny")
	}
	f.b.mu.Lock()
	q := f.b.questions[d.ID]
	f.b.mu.Unlock()
	if q == nil {
		return f.b.tooLate(ctx, d.ID)
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.Answer != "" || !f.b.opt.Now().Before(q.Expires) {
		return q.copy(), errAnswered()
	}
	var edited *call
	if d.Answer != moothall.ApproveDenied {
		final, err := f.b.approvable(q, d.Arguments)
		if err != nil {
			return q.copy(), err
		}
		if d.Arguments != nil {
			edited = final
		}
	}
	err := f.b.settle(ctx, q, d.Answer, edited, "by "+string(f.who))
	return q.copy(), err
}

func (q *question) copy() moothall.Approval {
	a := q.Approval
	a.Arguments = bytes.Clone(a.Arguments)
	return a
}

// approvable judges a question's call, with other arguments if any are
// given, as it will be judged when it goes on.
func (b *Broker) approvable(q *question, args json.RawMessage) (*call, error) {
	c := *q.call
	if args != nil {
		c.req.Call.Arguments = bytes.Clone(args)
	}
	b.renew(&c)
	if args != nil { // another call: what was counted was not this one
		t := c.agent.task
		t.mu.Lock()
		if c.hash != q.call.hash {
			c.facts.Repeats = t.repeats(c.hash, c.window)
		}
		t.mu.Unlock()
	}
	if d := c.judge(); d.Verdict != moothall.Allow {
		return nil, &moothall.Error{Code: moothall.CodeDenied, Op: "approval", Message: d.Reason, Remedy: d.Allows}
	}
	return &c, nil
}

// tooLate says whether a question was ever asked.
func (b *Broker) tooLate(ctx context.Context, id moothall.ApprovalID) (moothall.Approval, error) {
	var a moothall.Approval
	err := b.opt.DB.Read(ctx, func(tx *store.Tx) error {
		row := tx.QueryRow(ctx, `SELECT id, session, query, agent, agent_type, tool, arguments, reason, labels, asked, expires, answer, answered
			FROM broker_approvals WHERE id = ?`, string(id))
		var err error
		a, err = scanApproval(row.Scan)
		return err
	})
	switch {
	case noRow(err):
		return a, &moothall.Error{
			Code: moothall.CodeNotFound, Op: "approval", Message: "there is no such question",
			Remedy: "moothall approvals lists those that are open",
		}
	case err != nil:
		return a, err
	}
	return a, errAnswered()
}
