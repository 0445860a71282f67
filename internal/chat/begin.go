package chat

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"

	"moothall"
)

// begin puts the question on record and in the session, and gets the agent
// that will answer it, beside each other: each waits for its own disk.
func (t *turn) begin(ctx context.Context, a *Asked) error {
	c := t.chat
	t.move(receiveQuery)
	var before moothall.Answer
	var unkept error
	var keeping sync.WaitGroup
	onRecord := make(chan error, 1)
	given := *a // the history comes later, and beside
	keeping.Go(func() {
		if before, unkept = c.sessions.begin(ctx, t.session, t.query, t.request, a.Input, onRecord); unkept == nil {
			a.History, unkept = c.sessions.history(ctx, t.session, t.query)
		}
	})
	var err error
	t.opened, err = t.record(ctx, moothall.ActionModelCall, moothall.StatusIntent)
	onRecord <- err
	if t.recorded = err == nil; t.recorded {
		t.prepare(ctx, given)
	}
	keeping.Wait()
	if err := cmp.Or(err, unkept); err != nil {
		return err
	}
	t.tell(c.opt.Received, moothall.SubjectQueryReceived, "received-"+moothall.EventID(t.query), t.request)
	if before.Query != "" {
		t.hear(ctx, before)
		a.Tail += t.grade(ctx, before)
	}
	return nil
}

// prepare gets ready to answer with one run of the engine, where that is the
// mode.
func (t *turn) prepare(ctx context.Context, a Asked) {
	c := t.chat
	if c.opt.Modes[t.request.Mode] != nil {
		return
	}
	t.by = &answering{chat: c, as: c.settings.get().A, asked: a, agent: "generator", urgent: moothall.PriorityPerson}
	t.ready, t.unready = t.by.request(ctx)
}

// hear takes a question for feedback on the answer before, where it is that,
// and tells the person.
func (t *turn) hear(ctx context.Context, before moothall.Answer) {
	if t.chat.opt.Hear == nil {
		return
	}
	f, ok := t.chat.opt.Hear(ctx, t.request.Query, before.Text)
	if !ok {
		return
	}
	f.Query, f.Respondent, f.Said = before.Query, RespondentA, true
	t.answer.Heard = &f
	e, err := event(moothall.SubjectUserFeedback, "said-"+moothall.EventID(t.query), &before, f)
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
