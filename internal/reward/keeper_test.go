package reward_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/reward"
	"moothall/internal/store"
)

// permutations of n things.
func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var out [][]int
	for _, p := range permutations(n - 1) {
		for i := range n {
			q := append(append(append([]int{}, p[:i]...), n-1), p[i:]...)
			out = append(out, q)
		}
	}
	return out
}

// TestOrder hands the events of a turn over in every order, the later half
// twice. The rows are the same, and each reward is told once.
func TestOrder(t *testing.T) {
	t.Parallel()
	k, e := fresh(t)
	story := func(q string) []moothall.Event {
		return []moothall.Event{
			answer(q, "A", "m", 1, time.Second), answer(q, "B", "n", 2, 2*time.Second), critique(q, "A", 3, 4),
			pairing(q, "B", 4), feedback("f-"+q, 5, moothall.Feedback{Query: moothall.QueryID(q), Stars: 5}),
			critique(q, "B", 6, 0),
		}
	}
	var want string
	orders := permutations(6)
	if moottest.Race {
		orders = orders[:40]
	}
	for i, order := range orders {
		q := qid(i)
		all := story(q)
		for n, j := range order {
			handle(t, k, all[j])
			if n >= 3 {
				handle(t, k, all[j], all[order[0]])
			}
		}
		got, err := json.MarshalIndent(judgements(t, k, moothall.JudgementQuery{Query: moothall.QueryID(q)}), "", " ")
		if err != nil {
			t.Fatal(err)
		}
		same := strings.ReplaceAll(string(got), q, "Q")
		if want == "" {
			want = same
			checkFirst(t, judgements(t, k, moothall.JudgementQuery{Query: moothall.QueryID(q)}))
		}
		if diff := cmp.Diff(want, same); diff != "" {
			t.Fatalf("order %v: %s", order, diff)
		}
	}
	if got := len(e.rewards(t)); got != len(orders) {
		t.Errorf("%d rewards were told for %d", got, len(orders))
	}
	r := report(t, k)
	if r.Answers != 2*len(orders) || len(r.Models) != 2 || r.Models[0].Losses != len(orders) || r.Models[1].Wins != len(orders) ||
		r.Calibration.Pairs != len(orders) || r.Calibration.Both != len(orders) {
		t.Errorf("report: %+v", r)
	}
}

func checkFirst(t *testing.T, got []moothall.Judgement) {
	t.Helper()
	if len(got) != 2 {
		t.Fatalf("%d judgements", len(got))
	}
	b, a := got[0], got[1]
	if a.Respondent != "A" || a.Critique == nil || *a.Critique.Score != 4 || a.Pairing == nil || a.Pairing.Winner != "B" ||
		a.Reward == nil || *a.Reward.Reward != 1 || a.Reward.Sentiment != "positive" || a.Tools != 2 || a.Refused != 1 ||
		a.Took != time.Second || a.Question != "why?" || a.Role != moothall.ModelChat || !a.Time.Equal(noon.Add(time.Second)) {
		t.Errorf("A: %+v", a)
	}
	if b.Respondent != "B" || b.Critique == nil || b.Critique.Score != nil || b.Pairing == nil || b.Reward != nil || b.Model != "n" {
		t.Errorf("B: %+v", b)
	}
}

func TestWorth(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		f         moothall.Feedback
		reward    *float64
		sentiment string
	}{
		"up":         {moothall.Feedback{Thumbs: 1}, ptr(1.0), "positive"},
		"down":       {moothall.Feedback{Thumbs: -1}, ptr(-1.0), "negative"},
		"one star":   {moothall.Feedback{Stars: 1}, ptr(-1.0), "negative"},
		"two":        {moothall.Feedback{Stars: 2}, ptr(-0.5), "negative"},
		"three":      {moothall.Feedback{Stars: 3}, ptr(0.0), "neutral"},
		"four":       {moothall.Feedback{Stars: 4}, ptr(0.5), "positive"},
		"five":       {moothall.Feedback{Stars: 5}, ptr(1.0), "positive"},
		"both":       {moothall.Feedback{Thumbs: -1, Stars: 5}, ptr(1.0), "positive"},
		"undo":       {moothall.Feedback{Undo: true, Stars: 5}, ptr(0.0), "neutral"},
		"kind words": {moothall.Feedback{Comment: "a very clear and helpful text"}, nil, "positive"},
		"harsh":      {moothall.Feedback{Comment: "this was not helpful and full of errors"}, nil, "negative"},
		"flat":       {moothall.Feedback{Comment: "I read it on Tuesday"}, nil, "neutral"},
		"turned":     {moothall.Feedback{Comment: "es war nicht schlecht"}, nil, "positive"},
		"turned off": {moothall.Feedback{Comment: "It did not take long. Great, and it reads easily."}, nil, "positive"},
		"turned on":  {moothall.Feedback{Comment: "It was not clear, correct or short."}, nil, "negative"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k, e := fresh(t)
			tt.f.Query = "q"
			handle(t, k, feedback("f", 1, tt.f))
			got := e.rewards(t)
			if len(got) != 1 || got[0].Sentiment != tt.sentiment || cmp.Diff(tt.reward, got[0].Reward) != "" || got[0].Respondent != "A" {
				t.Fatalf("%+v", got)
			}
			ev := e.heard[0]
			if ev.ID != "reward-f" || ev.Sender != moothall.Reward || ev.Respondent != "A" || ev.Query != "q" || ev.Session != "s" || ev.Correlation != "f" {
				t.Errorf("event %+v", ev)
			}
		})
	}
}

// TestLatest: the latest rating counts, words leave it, undo takes it away.
func TestLatest(t *testing.T) {
	t.Parallel()
	k, e := fresh(t)
	of := func() *moothall.Rewarded { return judgements(t, k, moothall.JudgementQuery{})[0].Reward }
	handle(t, k, answer("q", "A", "m", 1, time.Second), feedback("f2", 20, moothall.Feedback{Query: "q", Stars: 4}))
	handle(t, k, feedback("f1", 10, moothall.Feedback{Query: "q", Thumbs: -1})) // older, later
	if r := of(); *r.Reward != 0.5 || len(e.heard) != 1 {
		t.Errorf("an older rating counts, or was told: %+v", r)
	}
	handle(t, k, feedback("f3", 30, moothall.Feedback{Query: "q", Comment: "a bit long"}))
	if r := of(); r.Reward == nil || *r.Reward != 0.5 || r.Feedback.Comment != "a bit long" || r.Feedback.Stars != 4 {
		t.Errorf("words took the rating away: %+v", r)
	}
	if told := e.rewards(t); len(told) != 2 || told[1].Reward != nil {
		t.Errorf("told %+v", told)
	}
	if m := report(t, k).Models[0]; m.Ratings != 1 || m.Reward != 0.5 {
		t.Errorf("report %+v", m)
	}
	handle(t, k, feedback("f4", 40, moothall.Feedback{Query: "q", Undo: true}))
	if r := of(); *r.Reward != 0 || r.Sentiment != "neutral" || !r.Feedback.Undo {
		t.Errorf("undone: %+v", r)
	}
	if m := report(t, k).Models[0]; m.Ratings != 0 || m.Reward != 0 {
		t.Errorf("report %+v", m)
	}
	handle(t, k, feedback("f5", 50, moothall.Feedback{Query: "q", Thumbs: 1}), feedback("f4", 40, moothall.Feedback{Query: "q", Undo: true}))
	if r := of(); *r.Reward != 1 || len(e.heard) != 4 {
		t.Errorf("rated again: %+v, %d told", r, len(e.heard))
	}
	if _, err := k.Forget(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	handle(t, k, feedback("f5", 50, moothall.Feedback{Query: "q", Thumbs: 1}))
	if len(e.heard) != 4 {
		t.Error("what came again was told again once its answer had gone")
	}
}

// TestUntold ends the process between storing and telling, and between
// telling and noting it.
func TestUntold(t *testing.T) {
	t.Parallel()
	db := openDB(t, filepath.Join(t.TempDir(), "db"))
	e := new(ear)
	o := reward.Options{DB: db, Publish: e.publish}
	e.set(nil, moothall.Fail(moothall.CodeUnavailable, "publish", "the bus is away"))
	k := openKeeper(t, o)
	up, down := feedback("up", 1, moothall.Feedback{Query: "q", Thumbs: 1}), feedback("down", 2, moothall.Feedback{Query: "q", Thumbs: -1})
	for _, f := range []moothall.Event{up, down, up} {
		if err := k.Handle(t.Context(), f); moothall.ErrorCode(err) != moothall.CodeUnavailable {
			t.Fatalf("got %v", err)
		}
	}
	e.set(errors.New("the answer was lost"), nil)
	openKeeper(t, o) // tells the first, and does not learn of it
	e.set(nil, nil)
	k = openKeeper(t, o)
	openKeeper(t, o)
	handle(t, k, up, down)
	var ids []string
	for _, ev := range e.heard {
		ids = append(ids, string(ev.ID))
	}
	if diff := cmp.Diff([]string{"reward-up", "reward-up", "reward-down"}, ids); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(e.heard[0], e.heard[1]); diff != "" {
		t.Errorf("told again as something else: %s", diff)
	}
}

// TestNextEventCatchesUp tells with any event what could not be told before.
func TestNextEventCatchesUp(t *testing.T) {
	t.Parallel()
	k, e := fresh(t)
	e.set(nil, moothall.Fail(moothall.CodeUnavailable, "publish", "the bus is away"))
	if err := k.Handle(t.Context(), feedback("f", 1, moothall.Feedback{Query: "q", Thumbs: 1})); err == nil {
		t.Fatal("nobody noticed")
	}
	handle(t, k, answer("q", "A", "m", 1, time.Second)) // no reason to fail this one
	e.set(nil, nil)
	handle(t, k, critique("q", "A", 2, 3))
	if len(e.heard) != 1 {
		t.Errorf("%d told", len(e.heard))
	}
}

// TestRefusedByTheBus does not let what can never be told hold up the rest.
func TestRefusedByTheBus(t *testing.T) {
	t.Parallel()
	k, e := fresh(t)
	e.set(nil, moothall.Fail(moothall.CodeInvalid, "publish", "no"))
	if err := k.Handle(t.Context(), feedback("f", 1, moothall.Feedback{Query: "q", Thumbs: 1})); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Fatalf("got %v", err)
	}
	e.set(nil, nil)
	handle(t, k, feedback("g", 2, moothall.Feedback{Query: "r", Thumbs: 1}))
	if len(e.heard) != 1 || e.heard[0].ID != "reward-g" {
		t.Errorf("told %+v", e.heard)
	}
}

// What was refused is not what the next feedback says: that is stored and told.
func TestRefusedIsNoFaultOfTheNext(t *testing.T) {
	t.Parallel()
	e := new(ear)
	away := true
	k := openKeeper(t, reward.Options{DB: openDB(t, filepath.Join(t.TempDir(), "db")), Publish: func(ctx context.Context, ev moothall.Event) error {
		switch {
		case away:
			return moothall.Fail(moothall.CodeUnavailable, "publish", "the bus is away")
		case ev.ID == "reward-f":
			return moothall.Fail(moothall.CodeTooLarge, "publish", "no")
		}
		return e.publish(ctx, ev)
	}})
	if err := k.Handle(t.Context(), feedback("f", 1, moothall.Feedback{Query: "q", Thumbs: 1})); moothall.ErrorCode(err) != moothall.CodeUnavailable {
		t.Fatalf("got %v", err)
	}
	away = false
	handle(t, k, feedback("g", 2, moothall.Feedback{Query: "r", Thumbs: 1}))
	if len(e.heard) != 1 || e.heard[0].ID != "reward-g" {
		t.Errorf("told %+v", e.heard)
	}
}

func TestPoisoned(t *testing.T) {
	t.Parallel()
	k, e := fresh(t)
	for name, ev := range map[string]moothall.Event{
		"no payload":      {Subject: moothall.SubjectUserFeedback},
		"not an object":   event(moothall.SubjectResponseGeneration, "x", 1, []int{1}),
		"no turn":         event(moothall.SubjectResponseGeneration, "x", 1, moothall.Answer{}),
		"stars":           feedback("x", 1, moothall.Feedback{Query: "q", Stars: 6}),
		"thumbs":          feedback("x", 1, moothall.Feedback{Query: "q", Thumbs: 3}),
		"says nothing":    feedback("x", 1, moothall.Feedback{Query: "q"}),
		"no query":        feedback("x", 1, moothall.Feedback{Thumbs: 1}),
		"long name":       feedback("x", 1, moothall.Feedback{Query: moothall.QueryID(strings.Repeat("q", 300)), Thumbs: 1}),
		"grade 6":         critique("q", "A", 1, 6),
		"grade unknown":   event(moothall.SubjectCritiqueResult, "x", 1, moothall.Critique{Query: "q", Outcome: moothall.Unknown, Score: ptr(3)}),
		"no grade":        event(moothall.SubjectCritiqueResult, "x", 1, moothall.Critique{Query: "q", Outcome: moothall.Graded}),
		"no outcome":      event(moothall.SubjectCritiqueResult, "x", 1, moothall.Critique{Query: "q"}),
		"no winner":       pairing("q", "", 1),
		"winner of a tie": event(moothall.SubjectPairwiseResult, "x", 1, moothall.Pairing{Query: "q", Outcome: moothall.Tied, Winner: "A"}),
		"tokens":          event(moothall.SubjectResponseGeneration, "x", 1, moothall.Answer{Query: "q", Usage: moothall.Usage{PromptTokens: -1}}),
		"no id":           event(moothall.SubjectResponseGeneration, "", 1, moothall.Answer{Query: "q"}),
		"no time":         {Subject: moothall.SubjectResponseGeneration, ID: "x", Payload: json.RawMessage(`{"query_id":"q"}`)},
	} {
		if err := k.Handle(t.Context(), ev); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: got %v", name, err)
		}
	}
	handle(t, k, event(moothall.SubjectHallState, "x", 1, "whatever"))
	if r := report(t, k); r.Answers != 0 || len(e.heard) != 0 {
		t.Errorf("something was kept: %+v", r)
	}
}

func TestLists(t *testing.T) {
	t.Parallel()
	k, _ := fresh(t)
	for i := range 150 {
		handle(t, k, answer(qid(i), "A", "m", i, time.Second))
	}
	handle(t, k, critique("waits", "A", 500, 3)) // no answer yet
	first := func(q moothall.JudgementQuery) (int, moothall.QueryID) {
		got := judgements(t, k, q)
		if len(got) == 0 {
			return 0, ""
		}
		return len(got), got[0].Query
	}
	at := func(s int) time.Time { return noon.Add(time.Duration(s) * time.Second) }
	for name, tt := range map[string]struct {
		q    moothall.JudgementQuery
		n    int
		from string
	}{
		"newest": {moothall.JudgementQuery{}, 100, qid(149)},
		"limit":  {moothall.JudgementQuery{Limit: 3}, 3, qid(149)},
		"since":  {moothall.JudgementQuery{Since: at(140)}, 10, qid(149)},
		"before": {moothall.JudgementQuery{Before: at(140), Limit: 5}, 5, qid(139)},
		"one":    {moothall.JudgementQuery{Query: "q00007"}, 1, qid(7)},
		"none":   {moothall.JudgementQuery{Query: "waits"}, 0, ""},
		"other":  {moothall.JudgementQuery{Session: "other"}, 0, ""},
		"mine":   {moothall.JudgementQuery{Session: "s", Limit: 200}, 150, qid(149)},
	} {
		if n, q := first(tt.q); n != tt.n || string(q) != tt.from {
			t.Errorf("%s: %d from %s", name, n, q)
		}
	}
	if r, err := k.Report(t.Context(), at(145)); err != nil || r.Answers != 5 {
		t.Errorf("report since: %+v, %v", r, err)
	}
}

// TestRetention keeps the newest, whatever the order of arrival and of names.
func TestRetention(t *testing.T) {
	t.Parallel()
	db := openDB(t, filepath.Join(t.TempDir(), "db"))
	k := openKeeper(t, reward.Options{DB: db, MaxRows: 10})
	for i := range 25 {
		j := (i * 7) % 25
		q, at := qid(j), 100-j
		handle(t, k, pairing(q, "A", at), answer(q, "A", "m", at, time.Second), feedback("f"+q, at, moothall.Feedback{Query: moothall.QueryID(q), Thumbs: 1}))
	}
	got := judgements(t, k, moothall.JudgementQuery{})
	if len(got) != 10 || got[0].Query != "q00000" || got[9].Query != "q00009" {
		t.Errorf("%d left", len(got))
	}
	for _, j := range got {
		if j.Pairing == nil || j.Reward == nil {
			t.Errorf("more than the oldest went: %+v", j)
		}
	}
	if k = openKeeper(t, reward.Options{DB: db, MaxRows: 4}); report(t, k).Answers != 4 {
		t.Errorf("%d left", report(t, k).Answers)
	}
	if n, err := k.Forget(t.Context(), "s"); err != nil || n != 4 || report(t, k).Answers != 0 {
		t.Errorf("forgot %d, %v", n, err)
	}
	openKeeper(t, reward.Options{DB: db})
	for _, table := range []string{"rows", "facts", "feedback", "sources"} {
		var n int
		if err := db.Read(t.Context(), func(tx *store.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT count(*) FROM reward_`+table).Scan(&n)
		}); err != nil || n != 0 {
			t.Errorf("%d of %s are left, %v", n, table, err)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	db := openDB(t, filepath.Join(t.TempDir(), "db"))
	k := openKeeper(t, reward.Options{DB: db})
	if s := k.Settings(); s != reward.DefaultSettings() || s.Conversation != reward.ConversationRules || s.Pairs != 20 {
		t.Errorf("defaults %+v", s)
	}
	good := reward.Settings{Conversation: reward.ConversationModel, Pairs: 30, Margin: 0.1}
	if err := k.Set(good); err != nil || k.Settings() != good {
		t.Errorf("%+v, %v", k.Settings(), err)
	}
	for _, bad := range []reward.Settings{
		{}, {Conversation: "loud", Pairs: 20}, {Conversation: "off", Pairs: 1}, {Conversation: "off", Pairs: 20, Margin: 1}, {Conversation: "off", Pairs: 20, Margin: math.NaN()},
	} {
		if err := k.Set(bad); moothall.ErrorCode(err) != moothall.CodeInvalid || k.Settings() != good {
			t.Errorf("%+v: %v", bad, err)
		}
		if _, err := reward.Open(t.Context(), reward.Options{DB: db, Settings: &bad}); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("opened with %+v: %v", bad, err)
		}
	}
	if !json.Valid(reward.Schema()) {
		t.Error("the schema is not JSON")
	}
}

func TestClosed(t *testing.T) {
	t.Parallel()
	k, _ := fresh(t)
	if err := errors.Join(k.Close(), k.Close()); err != nil {
		t.Fatal(err)
	}
	_, listErr := k.Judgements(t.Context(), moothall.JudgementQuery{})
	_, reportErr := k.Report(t.Context(), time.Time{})
	_, forgetErr := k.Forget(t.Context(), "s")
	for _, err := range []error{k.Handle(t.Context(), answer("q", "A", "m", 1, 1)), listErr, reportErr, forgetErr} {
		if moothall.ErrorCode(err) != moothall.CodeUnavailable {
			t.Errorf("got %v", err)
		}
	}
	if _, err := reward.Open(t.Context(), reward.Options{}); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Errorf("no store: %v", err)
	}
}

// TestAtOnce handles, lists and reports at the same time.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	k, e := fresh(t)
	const workers, each = 4, 15
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				q := qid(w*each + i)
				f := feedback("f"+q, 3, moothall.Feedback{Query: moothall.QueryID(q), Thumbs: 1})
				for _, ev := range []moothall.Event{answer(q, "A", "m", 1, time.Second), f, critique(q, "A", 2, 5), f} {
					if err := k.Handle(t.Context(), ev); err != nil {
						t.Error(err)
					}
				}
				if _, err := k.Report(t.Context(), time.Time{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if r := report(t, k); r.Answers != workers*each || r.Models[0].Ratings != workers*each || r.Models[0].Grades[4] != workers*each {
		t.Errorf("%+v", r)
	}
	seen := map[moothall.EventID]int{}
	for _, ev := range e.heard {
		seen[ev.ID]++
	}
	if len(e.heard) != workers*each || len(seen) != workers*each {
		t.Errorf("%d told, %d different", len(e.heard), len(seen))
	}
}
