package chat

import (
	"context"
	"errors"
	"iter"
	"strings"
	"time"

	"moothall"
	"moothall/internal/engine"
)

// turn is one query being answered.
type turn struct {
	chat     *Chat
	request  moothall.QueryRequest
	session  moothall.SessionID
	query    moothall.QueryID
	run      moothall.RunID
	began    time.Time
	answer   moothall.Answer
	first    uint64         // index of the turn's first entry in the record
	recorded bool           // that entry is there
	gone     bool           // nobody listens any more
	window   int            // of the model
	key      string         // what the meter knows the model by
	called   []time.Time    // when the calls without a result began
	agent    moothall.Agent // at the broker; without a handle when there is none
}

// finishing is how long the end of a turn may take once its caller has gone.
const finishing = 30 * time.Second

// Query answers a question. The session's earlier queries come first. The
// last step is the final one, with the answer; errors before any work was
// done come as such.
func (c *Chat) Query(ctx context.Context, r moothall.QueryRequest) iter.Seq2[moothall.Step, error] {
	return func(yield func(moothall.Step, error) bool) {
		t, err := c.newTurn(r)
		if err != nil {
			yield(moothall.Step{}, err)
			return
		}
		ctx, stop := context.WithCancelCause(ctx)
		defer stop(nil)
		c.mu.Lock()
		c.running[t.query] = stop
		c.mu.Unlock()
		defer func() {
			c.mu.Lock()
			delete(c.running, t.query)
			c.mu.Unlock()
		}()
		leave, err := c.enter(ctx, t.session)
		if err != nil {
			yield(moothall.Step{}, err)
			return
		}
		defer leave()
		t.work(ctx, func(s moothall.Step, err error) {
			if !t.gone && !yield(s, err) {
				t.gone = true
				stop(errStopped)
			}
		})
	}
}

func (c *Chat) newTurn(r moothall.QueryRequest) (*turn, error) {
	if r.Query == "" {
		return nil, moothall.Fail(moothall.CodeInvalid, "query", "the question is empty")
	}
	if r.Session == "" {
		r.Session = moothall.SessionID(moothall.NewID())
	}
	if !moothall.ValidToken(string(r.Session)) {
		return nil, moothall.Fail(moothall.CodeInvalid, "query", "a session's name has letters, digits, - and _ only, 64 at most")
	}
	return &turn{
		chat: c, request: r, session: r.Session, query: moothall.QueryID(moothall.NewID()),
		run: moothall.RunID(moothall.NewID()), began: c.opt.Now(),
	}, nil
}

// work runs the turn from its first entry in the record to its last.
func (t *turn) work(ctx context.Context, say func(moothall.Step, error)) {
	t.answer = moothall.Answer{
		Query: t.query, Session: t.session, Respondent: "A",
		Tools: []moothall.CalledTool{}, Recalls: []moothall.Recall{}, Subjects: []moothall.Subject{}, Log: []moothall.EventMark{},
	}
	request, err := t.begin(ctx)
	if err != nil && !t.recorded {
		say(moothall.Step{}, err) // nothing has happened, and nothing may
		return
	}
	if err != nil {
		t.end(ctx, &engine.Result{Stop: moothall.StopError, Err: err}, say)
		return
	}
	t.end(ctx, t.answerWith(ctx, request, say), say)
}

// answerWith lets the engine work, keeps each round as it ends, and shows what
// happens. A failure to keep ends the run.
func (t *turn) answerWith(ctx context.Context, request engine.Request, say func(moothall.Step, error)) *engine.Result {
	failed := func(err error) *engine.Result { return &engine.Result{Stop: moothall.StopError, Err: err} }
	for e, err := range engine.Run(ctx, request) {
		if err != nil {
			return failed(err)
		}
		if e.Kind == engine.KindFinal {
			return e.Final
		}
		if e.Kind == engine.KindRound && e.Void == "" {
			if err := t.keep(ctx, e.Messages); err != nil {
				return failed(err)
			}
		}
		t.show(ctx, e, say)
	}
	return failed(moothall.Fail(moothall.CodeInternal, "run", "it ended without a result"))
}

// begin puts the question on record and in the session, and says what the
// engine is to run.
func (t *turn) begin(ctx context.Context) (engine.Request, error) {
	c := t.chat
	var err error
	if t.first, err = t.record(ctx, moothall.ActionModelCall, moothall.StatusIntent); err != nil {
		return engine.Request{}, err
	}
	t.recorded = true
	past, err := c.sessions.history(ctx, t.session)
	if err != nil {
		return engine.Request{}, err
	}
	if err := c.sessions.begin(ctx, t.session, t.query, t.request.Query); err != nil {
		return engine.Request{}, err
	}
	input := moothall.Message{Role: moothall.RoleUser, Content: t.request.Query}
	if t.request.Context != "" {
		input.Content += "\n\n<context>\n" + strings.ReplaceAll(t.request.Context, "</context", "< /context") + "\n</context>"
	}
	if err := t.keep(ctx, []moothall.Message{input}); err != nil {
		return engine.Request{}, err
	}
	t.publish(ctx, c.opt.Received, moothall.SubjectQueryReceived, map[string]any{"query": t.request.Query, "mode": t.request.Mode})
	t.tell(ctx, moothall.SubjectSessionState, map[string]any{"state": "generating"})
	card, err := c.opt.Model.ShowModel(ctx, moothall.ModelRequest{Model: t.request.Model})
	if err != nil {
		c.opt.Logger.Debug("no card for the model", "err", err) // the call itself will say what is wrong
	}
	t.window, t.key = card.Window, "/"+t.request.Model
	r := engine.Request{
		Model: c.opt.Model, Scope: moothall.Scope{Session: t.session}, Query: t.query, Run: t.run,
		Role: moothall.ModelChat, ModelName: t.request.Model, Priority: moothall.PriorityPerson, Window: card.Window,
		System: c.opt.System, History: past, Input: []moothall.Message{input},
		Tail:      "It is " + t.began.Format("Monday, 2 January 2006, 15:04") + ".",
		Abilities: engine.AbilitiesOf(card), Meter: c.meter, Now: c.opt.Now,
	}
	err = t.offerTools(ctx, &r)
	return r, err
}

// offerTools gets an agent at the broker and what it may use. A hall without
// a broker answers without tools.
func (t *turn) offerTools(ctx context.Context, r *engine.Request) error {
	b := t.chat.opt.Broker
	if b == nil {
		return nil
	}
	agent, err := b.Spawn(ctx, moothall.SpawnRequest{
		Scope: r.Scope, Type: "generator", Query: t.query, Words: t.request.Query, Labels: t.brought(), Unattended: t.request.Unattended,
	})
	if moothall.ErrorCode(err) == moothall.CodeNotConfigured {
		return nil
	}
	if err != nil {
		return err
	}
	t.agent = agent
	r.Broker, r.Handle, r.Scope.Lineage = b, agent.Handle, agent.Lineage
	r.Tools, err = b.Discover(ctx, moothall.DiscoverRequest{Scope: r.Scope, Agent: agent.Handle, Task: t.request.Query, Window: r.Window})
	return err
}

// brought is what a question brings along: nobody can say who wrote what was
// piped in.
func (t *turn) brought() moothall.Label {
	if t.request.Context == "" {
		return 0
	}
	return moothall.Untrusted
}

// keep makes messages part of the session, whatever happens to the caller.
func (t *turn) keep(ctx context.Context, messages []moothall.Message) error {
	if len(messages) == 0 {
		return nil
	}
	ctx, cancel := detached(ctx)
	defer cancel()
	return t.chat.sessions.add(ctx, t.session, t.query, messages)
}

// detached lets work be finished that the caller no longer waits for.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), finishing)
}

// show passes an event of the engine on.
func (t *turn) show(ctx context.Context, e engine.Event, say func(moothall.Step, error)) {
	s := moothall.Step{Kind: string(e.Kind), Text: e.Text, Call: e.Call, Asked: e.Asked, Result: e.Result, Recall: e.Recall}
	switch e.Kind {
	case engine.KindRound:
		if e.Void != "" {
			say(moothall.Step{Kind: "void", Text: e.Void}, nil)
		}
		return
	case engine.KindCompacted:
		s.Kind = string(engine.KindStatus)
	case engine.KindCall:
		t.called = append(t.called, t.chat.opt.Now())
	case engine.KindResult:
		t.markCall(e.Result)
	case engine.KindDelta:
		t.tell(ctx, moothall.SubjectResponseDelta, map[string]any{"text": e.Text})
	case engine.KindThinking:
		t.tell(ctx, moothall.SubjectResponseThinking, map[string]any{"text": e.Text})
	}
	say(s, nil)
}

// end keeps the answer, tells everybody, and closes the turn on the record.
func (t *turn) end(ctx context.Context, r *engine.Result, say func(moothall.Step, error)) {
	ctx, cancel := detached(ctx)
	defer cancel()
	a := &t.answer
	a.Text, a.Thinking, a.Stop, a.Flags, a.Usage = r.Answer, r.Thinking, r.Stop, r.Flags, r.Usage
	a.Tools, a.Recalls = append(a.Tools, r.Calls...), append(a.Recalls, r.Recalls...)
	a.Receipt = moothall.Receipt{
		ByRole: map[moothall.ModelRole]moothall.Usage{moothall.ModelChat: r.Usage}, Labels: t.agent.Labels | r.Labels, Sent: r.Sent, AuditFirst: t.first,
	}
	for _, c := range r.Calls {
		if c.Status == moothall.CallDenied {
			a.Receipt.Refused = append(a.Receipt.Refused, c.Tool)
		} else {
			a.Receipt.Tools = append(a.Receipt.Tools, c.Tool)
		}
	}
	if t.agent.Handle != "" {
		if err := t.chat.opt.Broker.Finish(ctx, moothall.Scope{Session: t.session, Lineage: t.agent.Lineage}, t.agent.Handle); err != nil {
			t.chat.opt.Logger.Warn("an agent could not be ended", "agent", t.agent.ID, "err", err)
		}
	}
	status := moothall.StatusOK
	if r.Err != nil {
		status = moothall.StatusFailed
	}
	_, err := t.record(ctx, moothall.ActionModelCall, status)
	last, endErr := t.record(ctx, moothall.ActionRunEnd, status)
	a.Receipt.AuditLast = last
	t.tell(ctx, moothall.SubjectResponseGeneration, a)
	t.tell(ctx, moothall.SubjectAnswerDialog, map[string]any{"query": t.request.Query, "answer": a.Text})
	t.tell(ctx, moothall.SubjectSessionState, map[string]any{"state": "idle"})
	if err := errors.Join(err, endErr, t.chat.sessions.finish(ctx, *a)); err != nil {
		say(moothall.Step{}, err)
		return
	}
	t.chat.compactLater(t.session, r.Messages, t.window, t.key)
	if r.Err != nil && a.Text == "" {
		say(moothall.Step{}, r.Err)
		return
	}
	say(moothall.Step{Kind: "final", Answer: a}, nil)
}

// record writes an entry about this turn.
func (t *turn) record(ctx context.Context, action moothall.AuditAction, status moothall.AuditStatus) (uint64, error) {
	e := moothall.AuditEntry{
		Scope: moothall.Scope{Session: t.session}, Action: action, Status: status, Query: t.query, Run: t.run, AgentType: "generator",
	}
	if action == moothall.ActionModelCall {
		e.Call = moothall.CallID(t.run) // ties the outcome to the intent
	}
	return t.chat.opt.Audit.Append(ctx, e)
}

// mark notes an event of the turn in its answer.
func (t *turn) mark(s moothall.Subject) { t.markAt(s, t.chat.opt.Now()) }

func (t *turn) markAt(s moothall.Subject, at time.Time) {
	t.answer.Subjects = append(t.answer.Subjects, s)
	t.answer.Log = append(t.answer.Log, moothall.EventMark{Subject: s, Seconds: at.Sub(t.began).Seconds()})
}

// markCall notes the two events by which the broker tells of a call that it
// made. A call that it refused was never a request.
func (t *turn) markCall(r *moothall.ToolResult) {
	began := t.chat.opt.Now()
	if len(t.called) > 0 { // results come in the order of the calls
		began, t.called = t.called[0], t.called[1:]
	}
	if r.Status == moothall.CallDenied || !moothall.ValidToken(string(r.Name)) {
		return
	}
	t.markAt(moothall.SubjectToolRequest.Of(r.Name), began)
	t.mark(moothall.SubjectToolResult.Of(r.Name))
}

// tell publishes as chat.
func (t *turn) tell(ctx context.Context, s moothall.Subject, payload any) {
	t.publish(ctx, t.chat.opt.Tell, s, payload)
}

// publish says what happened. The bus is not the record: a turn goes on when
// it cannot be heard.
func (t *turn) publish(ctx context.Context, tell func(context.Context, moothall.Event) error, s moothall.Subject, payload any) {
	rule, _ := s.Rule()
	if rule.Delivery == moothall.MustDeliver {
		t.mark(s)
	}
	e, err := moothall.NewEvent(s, payload)
	if err == nil {
		e.Session, e.Query, e.Respondent = t.session, t.query, "A"
		err = tell(ctx, e)
	}
	if err != nil {
		t.chat.opt.Logger.Warn("an event could not be published", "subject", s, "err", err)
	}
}
