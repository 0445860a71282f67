package broker

import (
	"context"
	"encoding/json"
	"iter"
	"strings"
	"time"

	"moothall"
	"moothall/internal/policy"
	"moothall/internal/store"
)

// yielder hands progress to who waits; false means that nobody does any more.
type yielder func(moothall.CallProgress, error) bool

// Execute decides, records, runs. The record and the journal have the call
// before the tool does.
func (f face) Execute(ctx context.Context, r moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return func(yield func(moothall.CallProgress, error) bool) {
		res, err := f.b.execute(ctx, r, yield)
		switch {
		case err != nil:
			yield(moothall.CallProgress{}, err)
		case res != nil:
			yield(moothall.CallProgress{Result: res}, nil)
		}
	}
}

// execute returns neither result nor error when the caller has left.
func (b *Broker) execute(ctx context.Context, r moothall.CallRequest, yield yielder) (*moothall.ToolResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a, err := b.hold(r.Agent)
	if err != nil {
		return nil, err
	}
	defer b.release(a)
	if err := a.standing(ctx); err != nil {
		return nil, err
	}
	if r.Call.ID == "" {
		r.Call.ID = moothall.CallID(moothall.NewID())
	}
	c, err := b.examine(ctx, a, r)
	if err != nil {
		return nil, err
	}
	d := b.decide(c, true)
	if d.Verdict == moothall.Ask {
		asked, gone, err := b.ask(ctx, c, d, yield)
		if err != nil || gone {
			return nil, err
		}
		if d = asked; d.Verdict == moothall.Deny && d.Layer == policy.LayerApproval {
			return b.turnedDown(c, d), nil // the answer is on record
		}
	}
	if d.Verdict != moothall.Allow {
		return b.deny(ctx, c, d)
	}
	return b.perform(ctx, c, d, yield)
}

// hold resolves a handle and keeps what it stands for until release, also
// when the agent is finished meanwhile.
func (b *Broker) hold(h moothall.Handle) (*agent, error) {
	a, err := b.find(h)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return nil, errClosed()
	case b.agents[a.hash] != a:
		return nil, moothall.Fail(moothall.CodeDenied, "agent", "the handle is not valid")
	}
	b.work.Add(1)
	b.use(a)
	return a, nil
}

// use is for one more that an agent's session and task stay for; the lock is held.
func (b *Broker) use(a *agent) {
	a.session.users++
	a.task.users++
}

// release is the end of that, and of one that [Broker.Close] waits for.
func (b *Broker) release(a *agent) {
	b.mu.Lock()
	b.closeSession(a.session)
	b.closeTask(a.task)
	b.mu.Unlock()
	b.work.Done()
}

// line begins a line of the record about a call.
func (c *call) line(action moothall.AuditAction, status moothall.AuditStatus, d moothall.Decision) moothall.AuditEntry {
	e := c.agent.entry(action, status)
	e.Tool, e.Call, e.Run = c.name(), c.req.Call.ID, c.req.Run
	if c.req.Query != "" {
		e.Query = c.req.Query
	}
	if len(e.Tool) > 64 { // a model may ask for anything
		e.Tool = e.Tool[:64]
	}
	e.Rule = d.Layer + "/" + d.Rule
	return e
}

// deny records a denial and words it for the model.
func (b *Broker) deny(ctx context.Context, c *call, d moothall.Decision) (*moothall.ToolResult, error) {
	rows := b.writes.start(c.agent.task.save)
	e := c.line(moothall.ActionToolCall, moothall.StatusDenied, d)
	e.Params = c.params
	if !bool(c.facts.Lineage) {
		e.Note = "another lineage or session was claimed"
	}
	_, auditErr := b.opt.Audit.Append(ctx, e)
	if err := first(auditErr, <-rows); err != nil {
		return nil, err
	}
	return b.turnedDown(c, d), nil
}

// turnedDown is the result of a denial that is on record. Only its result is
// an event: a request event would start a tool that lives on the bus.
func (b *Broker) turnedDown(c *call, d moothall.Decision) *moothall.ToolResult {
	b.stats.denied.Add(1)
	res := &moothall.ToolResult{
		Call: c.req.Call.ID, Name: c.name(), Status: moothall.CallDenied, Text: denial(d), Decision: d,
	}
	b.tellResult(c, res)
	return res
}

// denial is a decision in a sentence, for model and person.
func denial(d moothall.Decision) string {
	var s strings.Builder
	s.WriteString("Denied by the layer " + d.Layer + " (" + d.Rule + "). " + d.Reason)
	if d.Allows != "" {
		s.WriteString(" What would allow it: " + d.Allows + ".")
	}
	return s.String()
}

// perform runs a call that is allowed.
func (b *Broker) perform(ctx context.Context, c *call, d moothall.Decision, yield yielder) (*moothall.ToolResult, error) {
	refusal, err := b.intend(ctx, c, d)
	if err != nil {
		return nil, err
	}
	if refusal != nil { // the same call came twice in one moment
		return b.turnedDown(c, *refusal), nil
	}
	b.stats.allowed.Add(1)
	b.tellRequest(c, d)
	if c.anywhere() && b.outside(c, nil) {
		c.lookFirst()
	}
	out := b.run(ctx, c, yield)
	out.res.Call, out.res.Name, out.res.Decision = c.req.Call.ID, c.entry.spec.Name, d
	b.sanitise(c, out)
	if err := b.conclude(c, out); err != nil {
		return nil, err
	}
	b.tellResult(c, &out.res)
	switch {
	case out.gone:
		return nil, nil
	case out.err != nil:
		return nil, out.err
	}
	return &out.res, nil
}

// intend writes journal and record side by side, before the effect. It
// returns a refusal when another call of this id was faster.
//
// A harmless call waits for the record alone, and is journaled once, when it
// is over: nothing has to be recovered of it, and a crash takes at most the
// last moment of such calls off the counters.
func (b *Broker) intend(ctx context.Context, c *call, d moothall.Decision) (*moothall.Decision, error) {
	journal := func(tx *store.Tx) error {
		if err := c.agent.task.save(tx); err != nil {
			return err
		}
		return b.begin(tx, c)
	}
	e := c.line(moothall.ActionToolCall, moothall.StatusIntent, d)
	e.Params = c.params
	if harmless(c.entry.spec) {
		_, err := b.opt.Audit.Append(ctx, e)
		return nil, err
	}
	rows := b.writes.start(journal)
	_, auditErr := b.opt.Audit.Append(ctx, e)
	rowErr := <-rows
	switch {
	case auditErr == nil && rowErr == nil:
		return nil, nil
	case auditErr == nil:
		b.note(c, d, moothall.StatusFailed, "not run: the journal could not be written")
	case rowErr == nil:
		b.writes.later(func(tx *store.Tx) error { return end(tx, c, string(moothall.CallFailed), 0, 0) })
	}
	if moothall.ErrorCode(rowErr) == moothall.CodeConflict && auditErr == nil {
		refusal, _ := journaled{status: statusIntent}.refuses()
		return &refusal, nil
	}
	return nil, first(auditErr, rowErr)
}

// note appends to the record what is no longer in the caller's hands.
func (b *Broker) note(c *call, d moothall.Decision, status moothall.AuditStatus, text string) error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	e := c.line(moothall.ActionToolCall, status, d)
	e.Note = short(text)
	_, err := b.opt.Audit.Append(ctx, e)
	return err
}

// begin enters a call in the journal. CodeConflict when it is there and is
// not one that may be repeated.
func (b *Broker) begin(tx *store.Tx, c *call) error {
	ctx := context.Background()
	spec := c.entry.spec
	res, err := tx.Exec(ctx, `INSERT INTO broker_calls (session, id, agent, agent_type, lineage, tool, query, run, hash, idempotent, boot, began, status)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'intent')
		ON CONFLICT (session, id) DO UPDATE SET agent = excluded.agent, boot = excluded.boot, began = excluded.began, status = 'intent'
		WHERE broker_calls.status = 'unknown_after_crash' AND broker_calls.idempotent = 1`,
		c.agent.session.id, string(c.req.Call.ID), string(c.agent.id), string(c.agent.kind), c.agent.lineage.String(), string(spec.Name),
		string(c.line("", "", moothall.Decision{}).Query), string(c.req.Run), c.hash[:], spec.Idempotent, b.boot, b.opt.Now().UnixMilli())
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 1 {
		return err
	}
	return moothall.Fail(moothall.CodeConflict, "journal", "the call is there already")
}

// end enters a call's outcome.
func end(tx *store.Tx, c *call, status string, took time.Duration, labels moothall.Label) error {
	_, err := tx.Exec(context.Background(), `UPDATE broker_calls SET status = ?, took = ?, labels = ? WHERE session = ? AND id = ?`,
		status, int64(took), int64(labels), c.agent.session.id, string(c.req.Call.ID))
	return err
}

// conclude writes the outcome. Labels and what a search found are durable
// before the result is given out; so is the outcome of a call that may have
// changed something. That of a call which only read follows within a moment:
// a crash before makes it one of unknown outcome, which costs nothing.
func (b *Broker) conclude(c *call, out *outcome) error {
	labels := out.res.Labels
	c.agent.taint(labels)
	s := c.agent.session
	s.mu.Lock()
	grows := labels&^s.labels != 0
	s.mu.Unlock()
	taught := b.learns(c, out)
	rows := func(tx *store.Tx) error {
		if err := taught(tx); err != nil {
			return err
		}
		if harmless(c.entry.spec) {
			if err := first(c.agent.task.save(tx), b.begin(tx, c)); err != nil && moothall.ErrorCode(err) != moothall.CodeConflict {
				return err
			}
		}
		if grows {
			if err := s.save(tx, labels); err != nil {
				return err
			}
		}
		return end(tx, c, string(out.res.Status), out.res.Took, labels)
	}
	e := c.line(moothall.ActionToolCall, auditStatus(out.res.Status), out.res.Decision)
	e.Note = short(out.remark())
	if reading(c.entry.spec) && !grows && out.news == nil {
		e.Relaxed = true
		b.writes.later(rows)
		b.outcomes.push(e)
		return nil
	}
	done := b.writes.start(rows)
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	_, auditErr := b.opt.Audit.Append(ctx, e)
	if err := <-done; err != nil {
		return err // the labels may not be durable: the result stays here
	}
	s.mu.Lock()
	s.labels |= labels
	s.mu.Unlock()
	if auditErr != nil { // the intent is on record; the effect has happened
		b.opt.Logger.Error("an outcome is not on record", "tool", c.name(), "call", c.req.Call.ID, "error", auditErr)
	}
	return nil
}

// learns takes in what a call teaches: files from outside, files that the
// session made, what was found and what private data said. It returns what
// makes that durable.
func (b *Broker) learns(c *call, out *outcome) func(*store.Tx) error {
	s, ok := c.agent.session, out.res.Status == moothall.CallOK
	var marked, made []pathHash
	if (ok || c.entry.spec.Risk == moothall.RiskHigh) && c.changes() && b.outside(c, out) {
		var full bool
		if marked, full = b.files.add(c.wrote()); full && len(marked) > 0 {
			b.opt.Logger.Warn("no more files can be remembered as written from outside: from now on every file counts as one", "files", maxWritten)
		}
	}
	if ok {
		made = s.remember(b.files.hashes(c.fresh))
	}
	return func(tx *store.Tx) error {
		err := first(saveWritten(tx, marked), saveMade(tx, s.id, made))
		if err == nil && out.kept != nil {
			err = out.kept.save(tx, s.id)
		}
		if err == nil && out.news != nil {
			err = out.news.save(tx, s.id)
		}
		return err
	}
}

// harmless reports whether a call may be made again without a second
// thought: the journal guards nothing about it.
func harmless(s moothall.ToolSpec) bool { return reading(s) && s.Idempotent }

// reading reports whether a tool changes and sends nothing.
func reading(s moothall.ToolSpec) bool {
	return s.ReadOnly && (s.Risk == moothall.RiskNone || s.Risk == moothall.RiskRead)
}

func auditStatus(s moothall.CallStatus) moothall.AuditStatus {
	if s == moothall.CallOK {
		return moothall.StatusOK
	}
	return moothall.StatusFailed
}

// maxShown bounds what events carry of arguments and texts.
const maxShown = 16 << 10

type requestEvent struct {
	Call      moothall.CallID    `json:"call"`
	Tool      moothall.ToolName  `json:"tool"`
	Arguments json.RawMessage    `json:"arguments,omitempty"`
	Bytes     int                `json:"arguments_bytes,omitempty"` // when they are too large to show
	Agent     moothall.AgentID   `json:"agent"`
	Type      moothall.AgentType `json:"agent_type"`
	Decision  moothall.Decision  `json:"decision"`
}

type resultEvent struct {
	Call     moothall.CallID     `json:"call"`
	Tool     moothall.ToolName   `json:"tool"`
	Agent    moothall.AgentID    `json:"agent"`
	Status   moothall.CallStatus `json:"status"`
	MS       float64             `json:"ms"`
	Score    float64             `json:"score,omitempty"`
	Labels   moothall.Label      `json:"labels"`
	Cut      string              `json:"cut,omitempty"`
	Text     string              `json:"text,omitempty"`
	Decision moothall.Decision   `json:"decision"`
}

func (c *call) about() about {
	w := c.agent.about(string(c.req.Call.ID))
	if c.req.Query != "" {
		w.query = c.req.Query
	}
	return w
}

func (b *Broker) tellRequest(c *call, d moothall.Decision) {
	if onBus(c.entry.spec) {
		return // its request event is the call itself, and the tool's to make
	}
	e := requestEvent{Call: c.req.Call.ID, Tool: c.name(), Arguments: c.args, Agent: c.agent.id, Type: c.agent.kind, Decision: d}
	if len(c.args) > maxShown {
		e.Arguments, e.Bytes = nil, len(c.args)
	}
	b.tell(moothall.SubjectToolRequest.Of(c.name()), c.about(), e)
}

// tellResult is silent about a name that no subject can carry.
func (b *Broker) tellResult(c *call, res *moothall.ToolResult) {
	if !moothall.ValidToken(string(c.name())) {
		return
	}
	b.tell(moothall.SubjectToolResult.Of(c.name()), c.about(), resultEvent{
		Call: res.Call, Tool: res.Name, Agent: c.agent.id, Status: res.Status, MS: float64(res.Took.Microseconds()) / 1000,
		Score: res.Score, Labels: res.Labels, Cut: res.Cut, Text: cutText(res.Text, maxShown), Decision: res.Decision,
	})
}
