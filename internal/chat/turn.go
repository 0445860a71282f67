package chat

import (
	"context"
	"errors"
	"iter"
	"maps"
	"time"

	"moothall"
	"moothall/internal/engine"
)

// turn is one query being answered.
type turn struct {
	chat    *Chat
	request moothall.QueryRequest
	session moothall.SessionID
	query   moothall.QueryID
	run     moothall.RunID
	began   time.Time
	entered time.Time // when the session was free
	first   time.Time // when the first piece of an answer came
	answer  moothall.Answer
	fresh   bool          // its session was made for it
	inbox   bool          // it waited there
	stands  func() error  // waits until the question is on record, or is known not to be
	kept    chan struct{} // closed when the question is in the session, or is known not to be
	unkept  error         // why it is not; set before
	opened  uint64        // index of the turn's first entry in the record
	gone    bool          // nobody listens any more
	calls   int           // under way
	called  []time.Time   // when they began
	herald  *herald
	round   []moothall.Message // of the last round, not yet kept
	hearing moothall.Usage     // of the model that was asked whether the question is feedback
	sending moothall.Sending   // what left this machine and stands in no reply of the run
	by      *answering         // how the engine was run; nil in another mode
	ready   engine.Request     // for by
	unready error              // why there is none
	taped   func()             // keeps what was recorded for replay; nil when nothing was
	say     func(moothall.Step, error)
}

// Query answers a question. The session's earlier queries come first. The
// last step is the final one, with the answer; errors before any work was
// done come as such.
func (c *Chat) Query(ctx context.Context, r moothall.QueryRequest) iter.Seq2[moothall.Step, error] {
	return func(yield func(moothall.Step, error) bool) {
		t, err := c.newTurn(ctx, r, moothall.QueryID(moothall.NewID()))
		if err != nil {
			yield(moothall.Step{}, err)
			return
		}
		if r.Stay {
			c.stay(ctx, t, yield)
			return
		}
		c.answer(ctx, t, yield)
	}
}

// answer lets a turn wait for its session and runs it.
func (c *Chat) answer(ctx context.Context, t *turn, yield func(moothall.Step, error) bool) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	t.say = func(s moothall.Step, err error) {
		if !t.gone && !yield(s, err) {
			t.gone = true
			stop(errStopped)
		}
	}
	dismiss, err := c.admit(t, stop)
	if err != nil {
		t.say(moothall.Step{}, err)
		return
	}
	defer dismiss()
	leave, err := c.enter(ctx, t)
	if err != nil {
		t.say(moothall.Step{}, err)
		return
	}
	t.entered = c.opt.Now()
	if err = t.takePlace(ctx); err == nil {
		err = t.override(ctx)
	}
	if err != nil {
		leave()
		t.say(moothall.Step{}, err)
		return
	}
	t.herald = c.newHerald(ctx)
	defer t.herald.close()
	defer t.herald.then(func(context.Context) { leave() }) // the next turn is told of after this one
	t.work(ctx)
}

func (c *Chat) newTurn(ctx context.Context, r moothall.QueryRequest, id moothall.QueryID) (*turn, error) {
	if r.Retry != "" {
		past, err := c.sessions.turn(ctx, r.Retry)
		if err != nil {
			return nil, err
		}
		r.Session = past.session
		past.manner.fill(&r)
		if r.Query == "" {
			r.Query = past.asked
		}
		if r.Query == past.asked && r.Context == "" {
			if r.Context, err = c.sessions.context(ctx, r.Retry, past); err != nil {
				return nil, err
			}
		}
	}
	if r.Query == "" {
		return nil, moothall.Fail(moothall.CodeInvalid, "query", "the question is empty")
	}
	if err := c.knows(r.Mode); err != nil {
		return nil, err
	}
	fresh := r.Session == ""
	if fresh {
		r.Session = moothall.SessionID(moothall.NewID())
	}
	if !moothall.ValidToken(string(r.Session)) {
		return nil, moothall.Fail(moothall.CodeInvalid, "query", "a session's name has letters, digits, - and _ only, 64 at most")
	}
	return &turn{
		chat: c, request: r, session: r.Session, fresh: fresh, query: id, run: moothall.RunID(moothall.NewID()), began: c.opt.Now(),
		kept: make(chan struct{}),
		answer: moothall.Answer{
			Query: id, Session: r.Session, Respondent: RespondentA, Question: r.Query,
			Tools: []moothall.CalledTool{}, Recalls: []moothall.Recall{}, Subjects: []moothall.Subject{}, Log: []moothall.EventMark{},
		},
	}, nil
}

// takePlace looks, now that the session is free, for what is to be replaced: a
// turn that was asked again is one question with all that took its place, of
// which the latest is part of the conversation.
func (t *turn) takePlace(ctx context.Context) (err error) {
	if t.request.Retry != "" {
		t.request.Retry, err = t.chat.sessions.latest(ctx, t.session, t.request.Retry)
	}
	return err
}

// work runs the turn from its first entry in the record to its last.
func (t *turn) work(ctx context.Context) {
	asked := Asked{
		Request: t.request, Session: t.session, Query: t.query, Run: t.run, Labels: brought(t.request),
		Input: inputOf(t.request), Tail: clock(t.began),
	}
	o := t.respond(t.sending.Under(ctx), &asked)
	if !o.Ongoing {
		t.restore(ctx)
	}
	if err := t.stands(); err != nil {
		t.giveBack(context.WithoutCancel(ctx)) // it may be the caller who has gone
		t.move(failTurn)
		t.say(moothall.Step{}, err) // nothing has happened, and nothing may
		return
	}
	t.end(ctx, o)
}

// respond answers in the way that was asked for.
func (t *turn) respond(ctx context.Context, asked *Asked) Outcome {
	if err := t.begin(ctx, asked); err != nil {
		return Failed(err)
	}
	t.move(startGeneration)
	mode := t.chat.opt.Modes[t.request.Mode]
	if mode == nil {
		return t.single(ctx, *asked)
	}
	if err := t.safe(); err != nil {
		return Failed(err)
	}
	return mode(ctx, *asked, func(s moothall.Step) { t.pass(s) })
}

// single answers with one run of the engine.
func (t *turn) single(ctx context.Context, asked Asked) Outcome {
	if t.unready != nil {
		return Failed(t.unready)
	}
	t.ready.History, t.ready.Tail = asked.History, asked.Tail
	t.by.asked.History = asked.History
	t.ready.Model = recorded{t.ready.Model, t.stands}
	request, taped := t.chat.startTape(t.ready)
	for e, err := range engine.Run(ctx, request) {
		if err == nil && e.Kind != engine.KindStatus {
			err = t.safe()
		}
		if err != nil {
			return Failed(err)
		}
		if e.Kind == engine.KindFinal {
			t.taped = func() { t.keepTape(taped, e.Final) }
			return Outcome{Result: *e.Final}
		}
		if err := t.keep(ctx); err != nil {
			return Failed(err)
		}
		if e.Kind == engine.KindRound && e.Void == "" {
			t.round = e.Messages
		}
		t.show(e)
	}
	return Failed(moothall.Fail(moothall.CodeInternal, "run", "it ended without a result"))
}

// keep makes the messages of the last round part of the session, whatever
// happens to the caller. It is called when something follows that round; those
// of the very last one are kept together with the answer.
func (t *turn) keep(ctx context.Context) error {
	if len(t.round) == 0 {
		return nil
	}
	ctx, cancel := detached(ctx)
	defer cancel()
	err := t.chat.sessions.add(ctx, t.session, t.query, t.round)
	t.round = nil
	return err
}

// show passes an event of the engine on.
func (t *turn) show(e engine.Event) {
	s := moothall.Step{Kind: string(e.Kind), Text: e.Text, Call: e.Call, Asked: e.Asked, Result: e.Result, Recall: e.Recall}
	switch e.Kind {
	case engine.KindRound:
		if e.Void == "" {
			return
		}
		s = moothall.Step{Kind: "void", Text: e.Void}
	case engine.KindCompacted:
		s.Kind = string(engine.KindStatus)
		t.tell(moothall.SubjectSessionCompacted, moothall.Compaction{How: moothall.CompactPrompt, Text: e.Text})
	}
	t.pass(s)
}

// pass shows a step to the person, tells of it, and moves the session along.
func (t *turn) pass(s moothall.Step) {
	now := t.chat.opt.Now()
	own := s.From == "" // not a persona's or a subagent's
	switch engine.Kind(s.Kind) {
	case engine.KindCall:
		if t.called = append(t.called, now); t.calls == 0 {
			t.move(dispatchTool)
			t.move(awaitTool)
		}
		t.calls++
	case engine.KindResult:
		t.markCall(s.Result)
		if t.calls--; t.calls == 0 && s.Result.Status == moothall.CallUnavailable {
			t.move(toolTimeout)
		} else if t.calls == 0 {
			t.move(toolResult)
		}
	case engine.KindDelta:
		if own {
			t.firstAt(now)
			t.herald.drop(moothall.SubjectResponseDelta, &t.answer, s.Text)
		}
	case engine.KindThinking:
		if own {
			t.firstAt(now)
			t.herald.drop(moothall.SubjectResponseThinking, &t.answer, s.Text)
		}
	}
	t.say(s, nil)
}

func (t *turn) firstAt(now time.Time) {
	if t.first.IsZero() {
		t.first = now
	}
}

// end keeps the answer, tells everybody, and closes the turn on the record.
func (t *turn) end(ctx context.Context, o Outcome) {
	ctx, cancel := detached(ctx)
	defer cancel()
	t.giveBack(ctx)
	<-t.kept
	t.settle(o)
	status := moothall.StatusOK
	if o.Err != nil {
		status = moothall.StatusFailed
	}
	last, recorded := moothall.Enqueue(ctx, t.chat.opt.Audit, t.entry(moothall.ActionModelCall, status), t.entry(moothall.ActionRunEnd, status))
	t.move(finishAnswer)
	for _, s := range []moothall.Subject{moothall.SubjectResponseGeneration, moothall.SubjectAnswerDialog, moothall.SubjectSessionState} {
		t.mark(s) // they are told when the answer is kept, which has to know of them
	}
	if err := t.store(ctx, last, recorded); err != nil {
		t.shift(failTurn)
		t.say(moothall.Step{}, err)
		return
	}
	t.herald.then(t.chat.settle)
	if t.taped != nil {
		t.taped() // not before: its disk would be in the way of what somebody waits for
	}
	t.announce()
	t.shift(published)
	if t.by != nil {
		t.chat.compactLater(t.session, o.Messages, t.by.window, t.by.key)
	}
	if o.Err != nil && t.answer.Text == "" && len(o.Deliberations) == 0 && o.Task == "" {
		t.say(moothall.Step{}, o.Err)
		return
	}
	t.say(moothall.Step{Kind: "final", Answer: &t.answer}, nil)
}

// flagFailed begins the flag that says why a turn failed.
const flagFailed = "failed: "

// settle writes the answer and its receipt.
func (t *turn) settle(o Outcome) {
	a, now := &t.answer, t.chat.opt.Now()
	a.Text, a.Thinking, a.Stop, a.Flags, a.Usage = o.Answer, o.Thinking, o.Stop, o.Flags, o.Usage
	if o.Err != nil {
		a.Flags = append(a.Flags, flagFailed+o.Err.Error())
	}
	a.Provider, a.Model, a.Deliberations, a.Task = o.Provider, o.Model, o.Deliberations, o.Task
	a.Tools, a.Recalls = append(a.Tools, o.Calls...), append(a.Recalls, o.Recalls...)
	a.Receipt = receipt(o)
	a.Receipt.AuditFirst = t.opened
	a.Receipt.Sent = moothall.SumEgress(a.Receipt.Sent, t.sending.Take()...)
	if t.hearing.Calls > 0 {
		a.Receipt.ByRole[moothall.ModelSelector] = a.Receipt.ByRole[moothall.ModelSelector].Plus(t.hearing)
	}
	if t.by != nil {
		a.Receipt.Labels |= t.by.spawned.Labels
		a.Offered = engine.OfferOf(t.ready)
	}
	a.Receipt.Times.Total, a.Receipt.Times.Waiting = now.Sub(t.began), a.Receipt.Times.Waiting+t.entered.Sub(t.began)
	if !t.first.IsZero() {
		a.Receipt.Times.First = t.first.Sub(t.began)
	}
}

// receipt says what a run cost and touched.
func receipt(o Outcome) moothall.Receipt {
	r := moothall.Receipt{ByRole: maps.Clone(o.ByRole), Labels: o.Labels, Sent: append([]moothall.Egress{}, o.Sent...)}
	if r.ByRole == nil {
		r.ByRole = map[moothall.ModelRole]moothall.Usage{moothall.ModelChat: o.Usage}
	}
	r.Times.Models, r.Times.Tools, r.Times.Waiting = o.ModelTime, o.ToolTime, o.Waiting
	for _, c := range o.Calls {
		if c.Status == moothall.CallDenied {
			r.Refused = append(r.Refused, c.Tool)
		} else {
			r.Tools = append(r.Tools, c.Tool)
		}
	}
	return r
}

// store makes the end of the turn durable: its last entries on the record, and
// at the same time the answer with what it adds to the conversation beyond the
// rounds that were kept as they ended. A crash between the two leaves an answer
// that nobody has seen, whose end is put on record after it: see [Chat.mend].
// An answer whose end cannot be on record is kept all the same, and says so.
func (t *turn) store(ctx context.Context, last uint64, recorded func() error) error {
	add := t.round
	if t.by == nil && t.answer.Text != "" {
		add = []moothall.Message{{Role: moothall.RoleAssistant, Content: t.answer.Text}}
	}
	t.answer.Receipt.AuditLast = last
	err := t.chat.sessions.finish(ctx, t.answer, add)
	unrecorded := recorded()
	if unrecorded != nil {
		t.answer.Receipt.AuditLast = 0
		if err == nil {
			err = t.chat.sessions.amend(ctx, t.answer)
		}
	}
	return errors.Join(unrecorded, err)
}

// settle brings what has ended to its place.
func (c *Chat) settle(ctx context.Context) {
	if err := c.sessions.settle(ctx); err != nil {
		c.opt.Logger.Warn("the end of a turn waits to be written where it belongs", "err", err)
	}
}

// announce tells of the answer, and notes that it has been told.
func (t *turn) announce() {
	c, a := t.chat, t.answer
	t.herald.then(func(ctx context.Context) {
		if c.tell.Err() == nil {
			c.announce(ctx, &a)
		}
	})
}

// announce tells of an answer that is in the database: response.generation
// always, answer.dialog for the one that is shown.
func (c *Chat) announce(ctx context.Context, a *moothall.Answer) {
	asked, there, err := c.sessions.asked(ctx, a)
	if err == nil && !there {
		return // its conversation was deleted meanwhile, and who hears of it could not be rid of it
	}
	var at time.Time
	if err == nil { // it may be told late, and what was said later must not seem to be earlier
		at = asked.Add(a.Receipt.Times.Total)
	}
	if !c.carry(ctx, c.opt.Tell, generation, a, at) || a.Respondent == RespondentA && !c.carry(ctx, c.opt.Tell, dialog, a, at) {
		return // told after the next start
	}
	if err := c.sessions.told(ctx, a); err != nil {
		c.opt.Logger.Warn("an answer will be told again", "query", a.Query, "err", err)
	}
}

// move takes the session to its next state, notes that and tells.
func (t *turn) move(a action) {
	t.mark(moothall.SubjectSessionState)
	t.shift(a)
}

// shift moves without a note.
func (t *turn) shift(a action) {
	from, to, ok := t.chat.move(t, a)
	if !ok {
		t.chat.opt.Logger.Error("a session cannot move", "from", from, "by", a)
		return
	}
	t.send(moothall.SubjectSessionState, map[string]any{"state": to, "from": from, "action": a})
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

// tell notes an event of the turn and has it told.
func (t *turn) tell(s moothall.Subject, payload any) {
	t.mark(s)
	t.send(s, payload)
}

// send has an event of now told that must be heard. It is written when it is
// told: a turn has better things to do.
func (t *turn) send(s moothall.Subject, payload any) {
	about, now := moothall.Answer{Session: t.session, Query: t.query, Respondent: RespondentA}, t.chat.opt.Now()
	t.herald.then(func(ctx context.Context) {
		if t.chat.tell.Err() != nil {
			return
		}
		e, err := event(s, "", &about, payload)
		if err != nil {
			t.chat.opt.Logger.Warn("an event could not be made", "subject", s, "err", err)
			return
		}
		e.Time = now.UTC()
		t.chat.publish(ctx, t.chat.opt.Tell, e)
	})
}
