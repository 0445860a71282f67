package critic

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"moothall"
	"moothall/internal/judge"
)

// verdict is what came of a job: a [moothall.Critique] or a [moothall.Pairing].
type verdict struct {
	outcome string
	payload any
}

// asking is one attempt at a job: its model calls, what they used, and who
// answered.
type asking struct {
	c        *Critic
	settings Settings
	scope    moothall.Scope
	query    moothall.QueryID
	usage    moothall.Usage
	provider string
	model    string
}

// ask judges by a model, on the record. A nil verdict means that the texts of
// a pair are no longer there.
func (c *Critic) ask(ctx context.Context, j *job) (*verdict, error) {
	var cause moothall.Event
	if err := json.Unmarshal([]byte(j.cause), &cause); err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: opHandle, Message: "a stored job cannot be read", Err: err}
	}
	a := &asking{c: c, settings: c.Settings(), scope: moothall.Scope{Session: j.session, Lineage: cause.Lineage}, query: j.query}
	if j.kind == kindCritique {
		return a.recorded(ctx, j, a.grade)
	}
	first, second, err := c.jobs.texts(ctx, j.query)
	if err != nil {
		return nil, err
	}
	if first.answer == "" || second.answer == "" {
		return nil, nil
	}
	return a.recorded(ctx, j, func(ctx context.Context, j *job) (*verdict, error) { return a.compare(ctx, j, first, second) })
}

// recorded puts the attempt on the audit record, before and after. The gateway
// does not: who asks a model answers for it.
func (a *asking) recorded(ctx context.Context, j *job, do func(context.Context, *job) (*verdict, error)) (*verdict, error) {
	e := moothall.AuditEntry{Scope: a.scope, AgentType: "critic", Action: moothall.ActionModelCall, Query: j.query, Note: j.kind}
	var v *verdict
	var err error
	refused, lost := moothall.OnRecord(ctx, a.c.o.Audit, e, lastWrite, func() bool {
		v, err = do(ctx, j)
		return err == nil
	})
	if lost != nil {
		a.c.o.Logger.Warn("the end of a grading is not on the record", "job", j.id, "err", lost)
	}
	return v, cmp.Or(refused, err)
}

func (a *asking) grade(ctx context.Context, j *job) (*verdict, error) {
	name, rubric := a.settings.rubric(j.rubric)
	before, err := a.before(ctx, j)
	if err != nil {
		return nil, err
	}
	got, err := judge.Grade(ctx, a.reply, judge.Case{Question: asked(j.question), Answer: j.answer, Before: before, Rubric: rubric})
	if err != nil {
		return nil, err
	}
	out := a.critique(j)
	out.Outcome, out.Feedback, out.Rubric = got.Outcome, got.Feedback, name
	if got.Outcome == moothall.Graded {
		out.Score = &got.Score
	}
	return &verdict{got.Outcome, out}, nil
}

func (a *asking) compare(ctx context.Context, j *job, first, second job) (*verdict, error) {
	_, rubric := a.settings.rubric(first.rubric)
	before, err := a.before(ctx, &first)
	if err != nil {
		return nil, err
	}
	got, err := judge.Compare(ctx, a.reply, judge.Pair{Question: asked(first.question), A: first.answer, B: second.answer, Before: before, Criteria: rubric.Criteria})
	if err != nil {
		return nil, err
	}
	out := a.pairing(j)
	out.Outcome, out.Winner, out.Feedback = got.Outcome, moothall.RespondentID(got.Winner), got.Feedback
	if got.Outcome == moothall.Tied {
		out.Winner = moothall.Tied
	}
	for _, w := range got.Orders { // the judge's letters are the respondents' names
		out.Orders = append(out.Orders, moothall.RespondentID(w))
	}
	return &verdict{got.Outcome, out}, nil
}

// before is the exchange that a question may lean on: "and of Spain?" cannot be
// judged without it.
func (a *asking) before(ctx context.Context, j *job) (string, error) {
	last, there, err := a.c.jobs.before(ctx, j)
	if err != nil || !there {
		return "", err
	}
	return "Question: " + last.question + "\nAnswer: " + last.answer, nil
}

func asked(question string) string {
	if strings.TrimSpace(question) == "" {
		return "(The question is not known.)"
	}
	return question
}

func (a *asking) critique(j *job) moothall.Critique {
	return moothall.Critique{
		Query: j.query, Session: j.session, Respondent: j.respondent,
		Provider: a.provider, Model: a.model, Usage: a.usage, Time: a.c.o.Now().UTC(),
	}
}

func (a *asking) pairing(j *job) moothall.Pairing {
	return moothall.Pairing{
		Query: j.query, Session: j.session, Provider: a.provider, Model: a.model, Usage: a.usage, Time: a.c.o.Now().UTC(),
	}
}

// undecided is the verdict when nothing could be asked.
func (c *Critic) undecided(j *job, why string) *verdict {
	a := &asking{c: c, settings: c.Settings()}
	if j.kind == kindPairwise {
		out := a.pairing(j)
		out.Outcome, out.Feedback = moothall.Unknown, why
		return &verdict{moothall.Unknown, out}
	}
	out := a.critique(j)
	out.Outcome, out.Feedback = moothall.Unknown, why
	out.Rubric, _ = a.settings.rubric(j.rubric)
	return &verdict{moothall.Unknown, out}
}

// reply is one call of the critic's model: behind everybody else, and the same
// for the same words as far as the model can. Waiting for its turn is no time of
// the model's: a call that was given up for it would never come to its turn.
func (a *asking) reply(ctx context.Context, messages []moothall.Message) (string, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	limit := a.settings.timeout()
	late := time.AfterFunc(limit, func() { cancel(context.DeadlineExceeded) })
	defer late.Stop()
	cold, seed := 0.0, int64(1)
	r := moothall.GenerateRequest{
		Scope: a.scope, Query: a.query, Role: moothall.ModelCritic, Provider: a.settings.Provider, Model: a.settings.Model,
		Messages: messages, Think: "off", Temperature: &cold, Seed: &seed, MaxTokens: a.settings.MaxTokens,
		Priority: moothall.PriorityBackground, Whole: true,
	}
	text, err := moothall.Reply(ctx, a.c.o.Model, r, func(c moothall.Chunk) {
		switch c.Note {
		case "":
		case moothall.NoteWaiting:
			late.Stop()
		default:
			late.Reset(limit)
		}
		a.note(c)
	})
	if err != nil && errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		err = context.DeadlineExceeded
	}
	return text, err
}

// note adds up what the calls used.
func (a *asking) note(c moothall.Chunk) {
	if c.Provider != "" {
		a.provider = c.Provider
	}
	if c.Model != "" {
		a.model = c.Model
	}
	if a.usage.Calls == 0 {
		a.usage.FirstToken = c.Usage.FirstToken
	}
	a.usage.Calls += c.Usage.Calls
	a.usage.PromptTokens += c.Usage.PromptTokens
	a.usage.OutputTokens += c.Usage.OutputTokens
	a.usage.Total += c.Usage.Total
}
