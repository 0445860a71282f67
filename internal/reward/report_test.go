package reward_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/reward"
)

// near lets the last bits of sums differ by their order.
var near = gocmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-9 })

// TestReportByHand compares with figures worked out on paper.
func TestReportByHand(t *testing.T) {
	t.Parallel()
	k, _ := fresh(t)
	broken := event(moothall.SubjectResponseGeneration, "broken", 5, moothall.Answer{
		Query: "q5", Respondent: "A", Provider: "p", Model: "m", Stop: moothall.StopError,
	})
	handle(t, k,
		answer("q1", "A", "m", 1, 4*time.Second), answer("q2", "A", "m", 2, 8*time.Second), answer("q3", "A", "m", 3, 6*time.Second), broken,
		answer("q1", "B", "n", 1, 2*time.Second), answer("q2", "B", "n", 2, 4*time.Second), answer("q3", "B", "n", 3, 6*time.Second), answer("q4", "B", "n", 3, 8*time.Second),
		pairing("q1", "A", 9), pairing("q2", "B", 9), pairing("q3", "tie", 9), pairing("q4", "unknown", 9),
		critique("q1", "A", 9, 5), critique("q2", "A", 9, 2), critique("q3", "A", 9, 1), critique("q1", "B", 9, 0),
		feedback("f1", 10, moothall.Feedback{Query: "q1", Stars: 4}), feedback("f2", 10, moothall.Feedback{Query: "q2", Thumbs: -1}),
		feedback("f3", 10, moothall.Feedback{Query: "q3", Stars: 5}),
	)
	want := moothall.Report{
		Answers: 8,
		Models: []moothall.ModelScore{
			{Role: "chat", Provider: "p", Model: "m", Respondent: "A", Answers: 4, Failed: 1, Wins: 1, Losses: 1, Ties: 1,
				Grades: [5]int{1, 1, 0, 0, 1}, Ungraded: 1, Score: 8.0 / 3, Ratings: 3, Reward: (0.5 - 1 + 1) / 3,
				Took: 6 * time.Second, FirstToken: 1500 * time.Millisecond, Prompt: 75, Output: 7.5},
			{Role: "chat", Provider: "p", Model: "n", Respondent: "B", Answers: 4, Wins: 1, Losses: 1, Ties: 1, Ungraded: 4,
				Took: 5 * time.Second, FirstToken: 1250 * time.Millisecond, Prompt: 100, Output: 10},
		},
		// Person 4, 2, 5 and critic 5, 2, 1: ranks 2, 1, 3 and 3, 2, 1.
		Calibration: moothall.Calibration{
			Both: 3, Agree: 2.0 / 3, Correlation: -0.5, Bias: -1, Table: [5][5]int{3: {4: 1}, 1: {1: 1}, 4: {0: 1}},
			Harsh: []moothall.QueryID{"q3"}, Unknown: 2, Attempts: 8, Tied: 1, Pairs: 3,
		},
		Proposals: []moothall.Proposal{},
	}
	if diff := gocmp.Diff(want, report(t, k), near); diff != "" {
		t.Error(diff)
	}
}

// TestFailedBeforeAModel: a turn that no model answered, or that was stopped before
// one did, is nobody's answer;
// the work of several has no model of its own either, and counts.
func TestFailedBeforeAModel(t *testing.T) {
	t.Parallel()
	k, _ := fresh(t)
	broken := moothall.Answer{Query: "1", Respondent: "A", Stop: moothall.StopError}
	handle(t, k, answer("q1", "A", "m", 1, time.Second), event(moothall.SubjectResponseGeneration, "1", 2, broken))
	stopped := moothall.Answer{Query: "3", Respondent: "A", Stop: moothall.StopCanceled}
	handle(t, k, event(moothall.SubjectResponseGeneration, "3", 2, stopped))
	broken.Query, broken.Task = "2", "t"
	handle(t, k, event(moothall.SubjectResponseGeneration, "2", 3, broken))
	var got []string
	r := report(t, k)
	for _, m := range r.Models {
		got = append(got, fmt.Sprintf("%s %s: %d, %d failed", m.Role, m.Model, m.Answers, m.Failed))
	}
	if diff := gocmp.Diff([]string{"chat m: 1, 0 failed", "task : 1, 1 failed"}, got); diff != "" || r.Answers != 2 {
		t.Errorf("%d answers: %s", r.Answers, diff)
	}
}

func TestRoles(t *testing.T) {
	t.Parallel()
	k, _ := fresh(t)
	handle(t, k,
		event(moothall.SubjectResponseGeneration, "1", 1, moothall.Answer{Query: "1", Deliberations: []moothall.Deliberation{{Persona: "x"}}}),
		event(moothall.SubjectResponseGeneration, "2", 1, moothall.Answer{Query: "2", Task: "t"}),
		event(moothall.SubjectResponseGeneration, "3", 1, moothall.Answer{Query: "3", Usage: moothall.Usage{Total: 5, FirstToken: 3}}))
	var roles []string
	for _, m := range report(t, k).Models {
		roles = append(roles, string(m.Role)+" "+string(m.Respondent)+" "+m.Took.String()+" "+m.FirstToken.String())
	}
	if diff := gocmp.Diff([]string{"chat A 5ns 3ns", "committee A 0s 0s", "task A 0s 0s"}, roles); diff != "" {
		t.Error(diff)
	}
}

// world makes random events about few turns, many of them twice.
func world(r *rand.Rand, n int) []moothall.Event {
	var out []moothall.Event
	for i := range n {
		q, by := qid(r.IntN(1+n/6)), []string{"A", "B"}[r.IntN(2)]
		var e moothall.Event
		switch r.IntN(5) {
		case 0, 1:
			e = answer(q, by, []string{"m", "n", "o"}[r.IntN(3)], r.IntN(500), time.Duration(r.IntN(9))*time.Second)
		case 2:
			e = critique(q, by, r.IntN(500), r.IntN(6))
		case 3:
			e = pairing(q, []string{"A", "B", "tie", "unknown"}[r.IntN(4)], r.IntN(500))
		default:
			e = feedback("", r.IntN(500), []moothall.Feedback{
				{Query: moothall.QueryID(q), Stars: 1 + r.IntN(5)}, {Query: moothall.QueryID(q), Thumbs: 2*r.IntN(2) - 1, Respondent: moothall.RespondentID(by)},
				{Query: moothall.QueryID(q), Comment: "hm"}, {Query: moothall.QueryID(q), Undo: true},
			}[r.IntN(4)])
		}
		e.ID = moothall.EventID("e" + qid(i))
		out = append(out, e)
		if r.IntN(4) == 0 {
			out = append(out, out[r.IntN(len(out))])
		}
	}
	return out
}

// TestReportProperty compares lists and reports over random events with those
// worked out from the events in the most simple way.
func TestReportProperty(t *testing.T) {
	t.Parallel()
	worlds := uint64(12)
	if moottest.Race {
		worlds = 2
	}
	for seed := range worlds {
		r := rand.New(rand.NewPCG(seed, 7))
		k, _ := fresh(t)
		events := world(r, 150)
		handle(t, k, events...)
		all := fromEvents(t, events)
		if diff := gocmp.Diff(all, judgements(t, k, moothall.JudgementQuery{Limit: 10_000}), near); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		if diff := gocmp.Diff(naive(all), report(t, k), near); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

// naive sums judgements up without any regard for time or memory.
func naive(all []moothall.Judgement) moothall.Report {
	out := moothall.Report{Answers: len(all), Models: []moothall.ModelScore{}, Proposals: []moothall.Proposal{}}
	groups := map[moothall.ModelScore][]moothall.Judgement{}
	for _, j := range all {
		key := moothall.ModelScore{Role: j.Role, Provider: j.Provider, Model: j.Model, Respondent: j.Respondent}
		groups[key] = append(groups[key], j)
	}
	for key, js := range groups {
		out.Models = append(out.Models, naiveScore(key, js))
	}
	slices.SortFunc(out.Models, func(a, b moothall.ModelScore) int {
		return cmp.Or(cmp.Compare(b.Answers, a.Answers), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Respondent, b.Respondent))
	})
	out.Calibration = naiveCalibration(all)
	return out
}

func naiveScore(s moothall.ModelScore, js []moothall.Judgement) moothall.ModelScore {
	var took, first, grades, rewards []float64
	for _, j := range js {
		s.Answers++
		if p := j.Pairing; p != nil && p.Outcome == moothall.Tied {
			s.Ties++
		} else if p != nil && p.Winner == j.Respondent {
			s.Wins++
		} else if p != nil && p.Outcome == moothall.Graded {
			s.Losses++
		}
		if j.Critique != nil && j.Critique.Score != nil {
			s.Grades[*j.Critique.Score-1]++
			grades = append(grades, float64(*j.Critique.Score))
		} else {
			s.Ungraded++
		}
		if g := stars(j); g > 0 {
			s.Ratings++
			rewards = append(rewards, *j.Reward.Reward)
		}
		if j.Took > 0 {
			took, first = append(took, float64(j.Took)), append(first, float64(j.Took)/4)
		}
		s.Prompt, s.Output = s.Prompt+float64(j.Usage.PromptTokens)/float64(len(js)), s.Output+float64(j.Usage.OutputTokens)/float64(len(js))
	}
	s.Score, s.Reward = avg(grades), avg(rewards)
	s.Took, s.FirstToken = time.Duration(middle(took)), time.Duration(middle(first))
	return s
}

func avg(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x / float64(len(v))
	}
	return sum
}

func middle(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// stars is a person's rating as a grade, 0 for none.
func stars(j moothall.Judgement) int {
	switch {
	case j.Reward == nil || j.Reward.Feedback.Undo:
		return 0
	case j.Reward.Feedback.Stars > 0:
		return j.Reward.Feedback.Stars
	case j.Reward.Feedback.Thumbs != 0:
		return 3 + j.Reward.Feedback.Thumbs
	}
	return 0
}

func naiveCalibration(all []moothall.Judgement) moothall.Calibration {
	var c moothall.Calibration
	var people, critics []float64
	var far []moothall.Judgement
	compared := map[moothall.QueryID]string{}
	for _, j := range all {
		if j.Pairing != nil {
			compared[j.Query] = j.Pairing.Outcome
		}
		if j.Critique == nil {
			continue
		}
		c.Attempts++
		if j.Critique.Score == nil {
			c.Unknown++
			continue
		}
		if p, g := stars(j), *j.Critique.Score; p > 0 {
			people, critics = append(people, float64(p)), append(critics, float64(g))
			c.Table[p-1][g-1]++
			if (p < 3) == (g < 3) && (p > 3) == (g > 3) {
				c.Agree++
			}
			far = append(far, j)
		}
	}
	for _, outcome := range compared {
		c.Attempts++
		switch outcome {
		case moothall.Unknown:
			c.Unknown++
		case moothall.Tied:
			c.Tied, c.Pairs = c.Tied+1, c.Pairs+1
		default:
			c.Pairs++
		}
	}
	if c.Both = len(people); c.Both > 0 {
		c.Agree /= float64(c.Both)
	}
	c.Bias = avg(critics) - avg(people)
	c.Correlation = pearson(naiveRanks(people), naiveRanks(critics))
	c.Harsh, c.Kind = naiveFar(far, -1), naiveFar(far, 1)
	return c
}

// naiveFar names the ten judgements furthest apart on one side.
func naiveFar(all []moothall.Judgement, sign int) (out []moothall.QueryID) {
	apart := func(j moothall.Judgement) int { return sign * (*j.Critique.Score - stars(j)) }
	all = slices.DeleteFunc(slices.Clone(all), func(j moothall.Judgement) bool { return apart(j) < 2 })
	slices.SortFunc(all, func(a, b moothall.Judgement) int {
		return cmp.Or(cmp.Compare(apart(b), apart(a)), b.Time.Compare(a.Time), cmp.Compare(a.Query, b.Query))
	})
	for _, j := range all {
		if len(out) < 10 && !slices.Contains(out, j.Query) {
			out = append(out, j.Query)
		}
	}
	return out
}

func naiveRanks(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		below, same := 0, 0
		for _, y := range v {
			if y < x {
				below++
			} else if y == x {
				same++
			}
		}
		out[i] = float64(below) + float64(same+1)/2
	}
	return out
}

func pearson(x, y []float64) float64 {
	mx, my := avg(x), avg(y)
	var xy, xx, yy float64
	for i := range x {
		xy, xx, yy = xy+(x[i]-mx)*(y[i]-my), xx+(x[i]-mx)*(x[i]-mx), yy+(y[i]-my)*(y[i]-my)
	}
	if xx < 1e-12 || yy < 1e-12 {
		return 0
	}
	return xy / math.Sqrt(xx*yy)
}

// duel plays comparisons of m, which chat uses, with another model.
func duel(model string, wins, losses, ties, grade int) []moothall.Event {
	var out []moothall.Event
	for i := range wins + losses + ties {
		q, winner := model+qid(i), "B"
		if i >= wins {
			winner = "A"
		}
		if i >= wins+losses {
			winner = "tie"
		}
		out = append(out, answer(q, "A", "m", i, 2*time.Second), answer(q, "B", model, i, time.Second), pairing(q, winner, i),
			critique(q, "A", i, 3), critique(q, "B", i, grade))
	}
	return out
}

func TestProposals(t *testing.T) {
	t.Parallel()
	const because = "n won 17 of 20 decided comparisons with m (4 more were ties), which is at least 63 % with 95 % confidence" +
		"; its mean grade is 4.00 over 24 answers against 3.00 over 24; an answer takes 1s against 2s"
	for name, tt := range map[string]struct {
		events []moothall.Event
		pairs  int
		margin float64
		bound  string
		want   []moothall.Proposal
	}{
		"better": {duel("n", 17, 3, 4, 4), 20, 0, "m", []moothall.Proposal{{
			Binding: moothall.ModelBinding{Role: moothall.ModelChat, Provider: "p", Model: "n"}, Instead: "p/m", Because: because,
			Command: "moothall model use p/n --role chat",
		}}},
		"too few":         {duel("n", 15, 0, 9, 4), 20, 0, "m", nil},
		"few will do":     {duel("n", 9, 0, 0, 4), 9, 0, "m", []moothall.Proposal{{}}},
		"chance":          {duel("n", 13, 7, 0, 4), 20, 0, "m", nil},
		"margin":          {duel("n", 17, 3, 0, 4), 20, 0.2, "m", nil},
		"lower grades":    {duel("n", 18, 2, 0, 2), 20, 0, "m", nil},
		"not in use":      {duel("n", 18, 2, 0, 4), 20, 0, "other", nil},
		"in use and best": {duel("n", 18, 2, 0, 4), 20, 0, "n", nil},
		"trick":           {duel("n; rm x", 18, 2, 0, 4), 20, 0, "m", nil},
		"quoted":          {duel("n$x", 18, 2, 0, 4), 20, 0, "m", []moothall.Proposal{{Command: "moothall model use 'p/n$x' --role chat"}}},
		"best of two":     {append(duel("n", 18, 2, 0, 4), duel("o", 20, 0, 0, 4)...), 20, 0, "m", []moothall.Proposal{{Command: "moothall model use p/o --role chat"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := openKeeper(t, reward.Options{
				DB: openDB(t, filepath.Join(t.TempDir(), "db")),
				Bindings: func(context.Context) ([]moothall.ModelBinding, error) {
					return []moothall.ModelBinding{{Role: "chat", Complexity: "code", Provider: "p", Model: "x"}, {Role: "chat", Provider: "p", Model: tt.bound}}, nil
				},
			})
			if err := k.Set(reward.Settings{Conversation: reward.ConversationOff, Pairs: tt.pairs, Margin: tt.margin}); err != nil {
				t.Fatal(err)
			}
			handle(t, k, tt.events...)
			got := report(t, k).Proposals
			if len(got) != len(tt.want) {
				t.Fatalf("%+v", got)
			}
			for i, w := range tt.want {
				if w.Because != "" && gocmp.Diff(w, got[i]) != "" {
					t.Error(gocmp.Diff(w, got[i]))
				}
				if !strings.HasSuffix(got[i].Command, w.Command) {
					t.Errorf("%+v", got[i])
				}
			}
		})
	}
}

// TestNoBindings reports the rest when the gateway does not answer.
func TestNoBindings(t *testing.T) {
	t.Parallel()
	k := openKeeper(t, reward.Options{
		DB:       openDB(t, filepath.Join(t.TempDir(), "db")),
		Bindings: func(context.Context) ([]moothall.ModelBinding, error) { return nil, errors.New("away") },
	})
	handle(t, k, answer("q", "A", "m", 1, 1))
	if r := report(t, k); r.Answers != 1 || r.Proposals == nil {
		t.Errorf("%+v", r)
	}
}
