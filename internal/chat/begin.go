package chat

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync"

	"moothall"
)

// begin has the question put on record, and beside that reads what was said
// before and gets the agent that will answer. Nothing comes of the question
// before it is on record: see [turn.stands]. It comes into the session beside
// the model's first words: see [turn.safe].
func (t *turn) begin(ctx context.Context, a *Asked) error {
	c := t.chat
	t.move(receiveQuery)
	var recorded func() error
	t.opened, recorded = moothall.Enqueue(ctx, c.opt.Audit, t.entry(moothall.ActionModelCall, moothall.StatusIntent))
	input := a.Input
	t.stands = sync.OnceValue(func() error { return t.record(ctx, recorded, input) })
	t.mark(moothall.SubjectQueryReceived)
	t.herald.then(t.received)
	var before moothall.Answer
	var unread error
	if !t.fresh {
		before, a.History, unread = c.sessions.before(ctx, t.session, t.query, t.request.Retry)
	}
	t.prepare(ctx, *a)
	if before.Query != "" && t.stands() == nil {
		t.hear(ctx, before)
		a.Tail += t.grade(ctx, before)
	}
	return unread
}

// record waits until the question is on record, and begins to make it part of
// the session, whatever happens to the caller.
func (t *turn) record(ctx context.Context, recorded func() error, input moothall.Message) error {
	if err := recorded(); err != nil {
		t.unkept = err // what is not on record has not been asked
		close(t.kept)
		return err
	}
	go func() { // everything that ends a turn waits for it
		defer close(t.kept)
		ctx, cancel := detached(ctx)
		defer cancel()
		t.unkept = t.chat.sessions.begin(ctx, t, input)
	}()
	return nil
}

// safe waits until the question is in the session, so that a crash leaves a
// turn that is marked as cut off. That is so before anything of an answer is
// shown, and before anything is done for it. A crash before leaves an intent
// on the record at the most, and a question of which nobody has seen more than
// that it was being thought about.
func (t *turn) safe() error {
	if err := t.stands(); err != nil {
		return err
	}
	<-t.kept
	return t.unkept
}

// recorded is a model that is asked when the question is on record. What comes
// before that, a request that is made ready, has no effect.
type recorded struct {
	moothall.Model
	stands func() error
}

func (m recorded) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	if p, ok := m.Model.(patient); ok {
		return p.GenerateWhen(ctx, r, m.stands)
	}
	return func(yield func(moothall.Chunk, error) bool) {
		if err := m.stands(); err != nil {
			yield(moothall.Chunk{}, err)
			return
		}
		m.Model.Generate(ctx, r)(yield)
	}
}

// patient is a model that makes a request ready and lets nothing of it leave
// before ready has returned nil.
type patient interface {
	GenerateWhen(ctx context.Context, r moothall.GenerateRequest, ready func() error) iter.Seq2[moothall.Chunk, error]
}

// received tells of the question when it is in the session: who hears of it
// looks there.
func (t *turn) received(ctx context.Context) {
	if t.safe() != nil || t.chat.tell.Err() != nil {
		return
	}
	about := moothall.Answer{Session: t.session, Query: t.query, Respondent: RespondentA}
	e, err := event(moothall.SubjectQueryReceived, "received-"+moothall.EventID(t.query), &about, t.request)
	if err != nil {
		t.chat.opt.Logger.Warn("an event could not be made", "subject", moothall.SubjectQueryReceived, "err", err)
		return
	}
	e.Time = t.began.UTC() // it may be told late, and who was switched on meanwhile was not asked
	t.chat.publish(ctx, t.chat.opt.Received, e)
}

// prepare gets ready to answer with one run of the engine, where that is the
// mode.
func (t *turn) prepare(ctx context.Context, a Asked) {
	c := t.chat
	if c.opt.Modes[t.request.Mode] != nil {
		return
	}
	t.by = &answering{
		chat: c, as: c.settings.get().A, asked: a, agent: "generator", urgent: moothall.PriorityPerson, safe: t.safe,
		fresh: t.fresh && t.request.Override == nil, // of those the broker knows
	}
	t.ready, t.unready = t.by.request(ctx)
}

// giveBack ends the agent that was to answer.
func (t *turn) giveBack(ctx context.Context) {
	if t.by != nil {
		t.by.finish(ctx)
	}
}

// hear takes a question for feedback on the answer before, where it is that,
// and tells the person.
func (t *turn) hear(ctx context.Context, before moothall.Answer) {
	if t.chat.opt.Hear == nil {
		return
	}
	f, ok := t.chat.opt.Hear(ctx, t.request.Query, before.Text, func(c moothall.Chunk) {
		t.hearing = t.hearing.Plus(c.Usage)
		t.sending.Add(c.Sent...)
	})
	if !ok {
		return
	}
	f.Query, f.Respondent, f.Said = before.Query, RespondentA, true
	t.answer.Heard = &f
	e, err := opinion(&t.answer)
	if err != nil {
		t.chat.opt.Logger.Warn("feedback could not be told", "err", err)
		return
	}
	t.mark(e.Subject)
	t.herald.publish(t.chat.opt.Tell, e)
	t.say(moothall.Step{Kind: "status", Text: "taking note of what you think"}, nil)
}

// low is the grade up to which a respondent is told of it.
const low = 2

// grade is what a respondent is told of its last answer.
func (t *turn) grade(ctx context.Context, before moothall.Answer) string {
	if t.chat.opt.Graded == nil || !t.chat.settings.get().TellGrade {
		return ""
	}
	g, ok := t.chat.opt.Graded(ctx, before.Query)
	if !ok || g.Score == nil || *g.Score > low {
		return ""
	}
	return fmt.Sprintf("\nA reviewer graded your last answer %d of 5: %s\nIf it fits, offer to try again.", *g.Score, clip(g.Feedback, 400))
}

func clip(s string, n int) string {
	if r := []rune(strings.Join(strings.Fields(s), " ")); len(r) > n {
		return string(r[:n]) + "…"
	} else {
		return string(r)
	}
}
