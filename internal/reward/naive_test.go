package reward_test

import (
	"cmp"
	"encoding/json"
	"slices"
	"testing"

	"moothall"
)

// fromEvents works out what is known of each answer: the events in the order
// of their times, each once, the later over the earlier.
func fromEvents(t *testing.T, events []moothall.Event) []moothall.Judgement {
	t.Helper()
	events = slices.Clone(events)
	slices.SortFunc(events, func(a, b moothall.Event) int { return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.ID, b.ID)) })
	events = slices.CompactFunc(events, func(a, b moothall.Event) bool { return a.ID == b.ID })
	rows := map[[2]string]*moothall.Judgement{}
	pairs := map[string]*moothall.Pairing{}
	row := func(q moothall.QueryID, r moothall.RespondentID) *moothall.Judgement {
		id := [2]string{string(q), string(cmp.Or(r, "A"))}
		if rows[id] == nil {
			rows[id] = new(moothall.Judgement)
		}
		return rows[id]
	}
	for _, e := range events {
		switch e.Subject {
		case moothall.SubjectResponseGeneration:
			a := decode[moothall.Answer](t, e)
			j := row(a.Query, a.Respondent)
			*j = moothall.Judgement{
				Query: a.Query, Session: a.Session, Respondent: a.Respondent, Time: e.Time, Role: moothall.ModelChat, Provider: a.Provider, Model: a.Model,
				Question: a.Question, Answer: a.Text, Stop: a.Stop, Tools: 2, Refused: 1, Usage: a.Usage, Took: a.Receipt.Times.Total - a.Receipt.Times.Waiting,
				Critique: j.Critique, Reward: j.Reward,
			}
		case moothall.SubjectCritiqueResult:
			c := decode[moothall.Critique](t, e)
			row(c.Query, c.Respondent).Critique = &c
		case moothall.SubjectPairwiseResult:
			p := decode[moothall.Pairing](t, e)
			pairs[string(p.Query)] = &p
		default:
			f := decode[moothall.Feedback](t, e)
			j := row(f.Query, f.Respondent)
			j.Reward = rewarded(e, f, j.Reward)
		}
	}
	var out []moothall.Judgement
	for id, j := range rows {
		if j.Query != "" {
			j.Pairing = pairs[id[0]]
			out = append(out, *j)
		}
	}
	slices.SortFunc(out, func(a, b moothall.Judgement) int {
		return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(b.Query, a.Query), cmp.Compare(a.Respondent, b.Respondent))
	})
	return out
}

func decode[T any](t *testing.T, e moothall.Event) (out T) {
	t.Helper()
	if err := json.Unmarshal(e.Payload, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// rewarded is what feedback makes of the reward before it.
func rewarded(e moothall.Event, f moothall.Feedback, was *moothall.Rewarded) *moothall.Rewarded {
	f.Respondent = cmp.Or(f.Respondent, "A")
	r := &moothall.Rewarded{Query: f.Query, Session: "s", Respondent: f.Respondent, Sentiment: "neutral", Feedback: f, Time: e.Time}
	switch {
	case f.Undo:
		r.Reward = ptr(0.0)
	case f.Stars > 0:
		r.Reward = ptr([]float64{-1, -0.5, 0, 0.5, 1}[f.Stars-1])
	case f.Thumbs != 0:
		r.Reward = ptr(float64(f.Thumbs))
	case was != nil && (was.Feedback.Stars > 0 || was.Feedback.Thumbs != 0):
		r.Reward, r.Feedback.Stars, r.Feedback.Thumbs = was.Reward, was.Feedback.Stars, was.Feedback.Thumbs
		return r
	}
	if r.Reward != nil && *r.Reward > 0 {
		r.Sentiment = "positive"
	}
	if r.Reward != nil && *r.Reward < 0 {
		r.Sentiment = "negative"
	}
	return r
}
