package critic

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"moothall"
	"moothall/internal/store"
)

const opHandle = "judge answer"

// Subjects are the events that [Critic.Handle] wants to hear of, from a
// durable consumer.
func Subjects() []moothall.Subject {
	return []moothall.Subject{moothall.SubjectResponseGeneration}
}

// Why answers are not judged.
const (
	whyFailed  = "the answer failed or was broken off"
	whySampled = "not among the share of questions that is judged"
	whyBudget  = "the gradings of this hour are used up"
	whyAlone   = "the second answer did not come in time"
)

// Handle stores what an event asks to be judged and returns. An event that
// comes again changes nothing. CodeInvalid means that no repetition will help.
func (c *Critic) Handle(ctx context.Context, e moothall.Event) error {
	if e.Subject != moothall.SubjectResponseGeneration {
		return nil
	}
	a, err := c.answer(e)
	if err != nil {
		return err
	}
	s := c.Settings()
	if !s.Enabled {
		return nil
	}
	// Asked outside of the transaction: it is somebody else's code.
	expected := s.Pairwise && a.respondent == respondentA && a.chatted() && c.o.Expect(a.query)
	i := intake{answer: a, settings: s, now: c.o.Now(), expected: expected}
	if err := c.o.DB.Write(ctx, func(tx *store.Tx) error { i.skipped = nil; return i.take(ctx, tx) }); err != nil {
		return &moothall.Error{Code: moothall.ErrorCode(err), Op: opHandle, Err: err}
	}
	for _, why := range i.skipped {
		c.counts.skip(why)
	}
	c.rouse()
	return nil
}

// answer is what a job is made from.
type answer struct {
	query      moothall.QueryID
	respondent moothall.RespondentID
	session    moothall.SessionID
	cause      string // the event without its payload
	kind       string // names the rubric
	question   string
	text       string
	failed     bool
}

// The rubrics of answers that more than one model gives.
const (
	kindCommittee = "committee"
	kindTask      = "task"
)

// chatted reports whether it is an answer as B gives them: B is in no committee
// and works at no task.
func (a *answer) chatted() bool { return a.kind != kindCommittee && a.kind != kindTask }

// maxID keeps the id that is made from two others within an event's bound.
const maxID = 100

func (c *Critic) answer(e moothall.Event) (answer, error) {
	var a moothall.Answer
	if err := json.Unmarshal(e.Payload, &a); err != nil {
		return answer{}, &moothall.Error{Code: moothall.CodeInvalid, Op: opHandle, Message: "the payload of " + string(e.Subject) + " cannot be read", Err: err}
	}
	out := answer{
		query: or(a.Query, e.Query), respondent: or(a.Respondent, e.Respondent, respondentA), session: or(a.Session, e.Session),
		kind: kindOf(e, a), question: a.Question, text: a.Text, failed: failed(a),
	}
	switch {
	case out.query == "":
		return answer{}, moothall.Fail(moothall.CodeInvalid, opHandle, "the answer names no query")
	case len(out.query)+len(out.respondent) > maxID:
		return answer{}, moothall.Fail(moothall.CodeInvalid, opHandle, "the names of query and respondent are too long")
	}
	e.Payload, e.Session, e.Query, e.Respondent = nil, out.session, out.query, out.respondent
	cause, err := json.Marshal(e)
	out.cause = string(cause)
	return out, err
}

func or[T ~string](values ...T) T {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// failed reports whether an answer is none, or only a part of one.
func failed(a moothall.Answer) bool {
	switch a.Stop {
	case moothall.StopError, moothall.StopInterrupted, moothall.StopCanceled:
		return true
	}
	return strings.TrimSpace(a.Text) == ""
}

// kindOf names the rubric for an answer: by who gave it, and in a chat by the
// role whose model wrote the most.
func kindOf(e moothall.Event, a moothall.Answer) string {
	switch {
	case e.Sender == moothall.CommitteeTable || len(a.Deliberations) > 0:
		return kindCommittee
	case e.Sender == moothall.Orchestrator || a.Task != "":
		return kindTask
	}
	kind, most := "chat", a.Receipt.ByRole[moothall.ModelChat].OutputTokens
	for _, role := range []moothall.ModelRole{moothall.ModelCoder, moothall.ModelResearcher} {
		if n := a.Receipt.ByRole[role].OutputTokens; n > most {
			kind, most = string(role), n
		}
	}
	return kind
}

// intake puts one answer among the jobs.
type intake struct {
	answer
	settings Settings
	now      time.Time
	expected bool
	skipped  []string // why, for the counters
}

// take stores the answer's own job, and what it means for the pair.
func (i *intake) take(ctx context.Context, tx *store.Tx) error {
	j := job{
		id: critiqueID(i.query, i.respondent), kind: kindCritique, query: i.query, respondent: i.respondent, session: i.session,
		state: stateReady, created: i.now, due: i.now, cause: i.cause, rubric: i.kind, question: i.question, answer: i.text,
	}
	sampled := i.settings.sampled(i.query)
	switch {
	case i.failed:
		i.skip(&j, whyFailed)
	case !sampled:
		i.skip(&j, whySampled)
	default:
		if err := i.charge(ctx, tx, &j); err != nil {
			return err
		}
	}
	fresh, err := j.insert(ctx, tx)
	if err != nil {
		return err
	}
	if !fresh {
		i.skipped = nil
		return nil
	}
	if !i.settings.Pairwise || !sampled {
		return nil
	}
	switch i.respondent {
	case respondentA:
		return i.pairA(ctx, tx)
	case respondentB:
		return i.pairB(ctx, tx)
	}
	return nil
}

func (i *intake) skip(j *job, why string) {
	j.state, j.outcome, j.reason, j.taken = stateOver, moothall.Skipped, why, time.Time{}
	i.skipped = append(i.skipped, why)
}

// charge counts a job against the hour's budget, or skips it.
func (i *intake) charge(ctx context.Context, tx *store.Tx, j *job) error {
	if most := i.settings.PerHour; most > 0 {
		n, err := takenSince(ctx, tx, i.now.Add(-time.Hour))
		if err != nil {
			return err
		}
		if n >= most {
			i.skip(j, whyBudget)
			return nil
		}
	}
	j.taken = i.now
	return nil
}

// pairA begins the pair: at once when B's answer is there, else it waits for
// it if B was asked.
func (i *intake) pairA(ctx context.Context, tx *store.Tx) error {
	other, there, err := load(ctx, tx, critiqueID(i.query, respondentB))
	switch {
	case err != nil:
		return err
	case !there && !i.expected:
		return nil
	}
	j := job{
		id: pairwiseID(i.query), kind: kindPairwise, query: i.query, session: i.session,
		state: stateReady, created: i.now, due: i.now, cause: i.cause,
	}
	switch {
	case i.failed || there && other.reason == whyFailed:
		i.skip(&j, whyFailed)
	case !there:
		j.state, j.due = stateWaiting, i.now.Add(i.settings.wait())
	default:
		if err := i.charge(ctx, tx, &j); err != nil {
			return err
		}
	}
	_, err = j.insert(ctx, tx)
	return err
}

// pairB completes the pair that waits for B's answer. A pair that was given up
// stays so; one that nobody expected is begun now.
func (i *intake) pairB(ctx context.Context, tx *store.Tx) error {
	first, there, err := load(ctx, tx, critiqueID(i.query, respondentA))
	if err != nil || !there {
		return err
	}
	j, waits, err := load(ctx, tx, pairwiseID(i.query))
	if err != nil || waits && j.state != stateWaiting {
		return err
	}
	if !waits {
		j = job{id: pairwiseID(i.query), kind: kindPairwise, query: i.query, session: i.session, created: i.now, cause: first.cause}
	}
	j.state, j.due = stateReady, i.now
	if i.failed || first.reason == whyFailed {
		i.skip(&j, whyFailed)
	} else if err := i.charge(ctx, tx, &j); err != nil {
		return err
	}
	if waits {
		return j.update(ctx, tx)
	}
	_, err = j.insert(ctx, tx)
	return err
}
