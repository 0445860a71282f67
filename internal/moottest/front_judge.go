package moottest

import (
	"context"
	"slices"
	"strings"
	"time"

	"moothall"
)

// Judgements are of the answers given so far, with what was said of them.
func (f *FakeFront) Judgements(ctx context.Context, q moothall.JudgementQuery) ([]moothall.Judgement, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []moothall.Judgement
	for id, a := range f.answers {
		if q.Query != "" && q.Query != id || q.Session != "" && q.Session != a.Session {
			continue
		}
		j := moothall.Judgement{
			Query: id, Session: a.Session, Respondent: a.Respondent, Time: f.since, Role: moothall.ModelChat,
			Provider: FakeProvider, Model: FakeModel, Answer: a.Text, Stop: a.Stop,
		}
		for _, b := range f.feedback {
			if b.Query == id {
				reward := float64(b.Thumbs)
				j.Reward = &moothall.Rewarded{Query: id, Session: a.Session, Respondent: a.Respondent, Reward: &reward, Sentiment: "positive", Feedback: b}
			}
		}
		out = append(out, j)
	}
	slices.SortFunc(out, func(a, b moothall.Judgement) int { return strings.Compare(string(b.Query), string(a.Query)) })
	if q.Limit > 0 && len(out) > q.Limit {
		out = out[:q.Limit]
	}
	return out, nil
}

// Report counts the answers.
func (f *FakeFront) Report(ctx context.Context, since time.Time) (moothall.Report, error) {
	list, err := f.Judgements(ctx, moothall.JudgementQuery{})
	if err != nil {
		return moothall.Report{}, err
	}
	return moothall.Report{
		Since: since, Answers: len(list), Proposals: []moothall.Proposal{},
		Models: []moothall.ModelScore{{Role: moothall.ModelChat, Provider: FakeProvider, Model: FakeModel, Respondent: "A", Answers: len(list)}},
	}, nil
}

// Replay says an answer again.
func (f *FakeFront) Replay(ctx context.Context, r moothall.ReplayRequest) (moothall.Replayed, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Replayed{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	a, ok := f.answers[r.Query]
	if !ok {
		return moothall.Replayed{}, moothall.Fail(moothall.CodeNotFound, "replay", "there is no record of such a turn")
	}
	return moothall.Replayed{Recorded: a, Again: a, Same: true, Differences: []string{}}, nil
}
