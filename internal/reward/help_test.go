package reward_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/reward"
	"moothall/internal/store"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// openDB opens a store in a folder of the test's own.
func openDB(t testing.TB, file string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), file, &store.Options{Migrations: []store.Set{reward.Migrations()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// ear hears what is published.
type ear struct {
	mu    sync.Mutex
	heard []moothall.Event
	fail  error // after hearing
	deaf  error // instead of hearing
}

func (e *ear) publish(_ context.Context, ev moothall.Event) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.deaf != nil {
		return e.deaf
	}
	e.heard = append(e.heard, ev)
	return e.fail
}

func (e *ear) set(fail, deaf error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.fail, e.deaf = fail, deaf
}

func (e *ear) rewards(t testing.TB) []moothall.Rewarded {
	t.Helper()
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []moothall.Rewarded
	for _, ev := range e.heard {
		if err := ev.Validate(); err != nil {
			t.Errorf("%+v cannot be published: %v", ev, err)
		}
		var r moothall.Rewarded
		if err := json.Unmarshal(ev.Payload, &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	return out
}

func openKeeper(t testing.TB, o reward.Options) *reward.Keeper {
	t.Helper()
	k, err := reward.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func fresh(t testing.TB) (*reward.Keeper, *ear) {
	t.Helper()
	e := new(ear)
	return openKeeper(t, reward.Options{DB: openDB(t, filepath.Join(t.TempDir(), "db")), Publish: e.publish}), e
}

// event makes one of a second after noon.
func event(subject moothall.Subject, id string, second int, payload any) moothall.Event {
	e, err := moothall.NewEvent(subject, payload)
	if err != nil {
		panic(err)
	}
	e.ID, e.Time, e.Session = moothall.EventID(id), noon.Add(time.Duration(second)*time.Second), "s"
	return e
}

// queued is how long a question waits before its answer begins.
const queued = 3 * time.Second

// answer is an answer by a respondent with a model of the name given.
func answer(q, by, model string, second int, took time.Duration) moothall.Event {
	return event(moothall.SubjectResponseGeneration, "answer-"+q+by, second, moothall.Answer{
		Query: moothall.QueryID(q), Session: "s", Respondent: moothall.RespondentID(by), Provider: "p", Model: model,
		Question: "why?", Text: "because", Stop: moothall.StopDone,
		Usage:   moothall.Usage{Calls: 1, PromptTokens: 100, OutputTokens: 10},
		Receipt: moothall.Receipt{Times: moothall.Times{Total: took + queued, First: took/4 + queued, Waiting: queued}},
		Tools:   []moothall.CalledTool{{Tool: "t", Status: moothall.CallOK}, {Tool: "t", Status: moothall.CallDenied}},
	})
}

func critique(q, by string, second, grade int) moothall.Event {
	c := moothall.Critique{Query: moothall.QueryID(q), Session: "s", Respondent: moothall.RespondentID(by), Outcome: moothall.Unknown, Feedback: "hm"}
	if grade > 0 {
		c.Outcome, c.Score = moothall.Graded, &grade
	}
	return event(moothall.SubjectCritiqueResult, "critique-"+q+by, second, c)
}

// pairing ends with a winner, "tie" or "unknown".
func pairing(q, winner string, second int) moothall.Event {
	p := moothall.Pairing{Query: moothall.QueryID(q), Session: "s", Outcome: moothall.Graded, Winner: moothall.RespondentID(winner)}
	switch winner {
	case "tie":
		p.Outcome = moothall.Tied
	case "unknown":
		p.Outcome, p.Winner = moothall.Unknown, ""
	}
	return event(moothall.SubjectPairwiseResult, "pairing-"+q, second, p)
}

func feedback(id string, second int, f moothall.Feedback) moothall.Event {
	return event(moothall.SubjectUserFeedback, id, second, f)
}

func handle(t testing.TB, k *reward.Keeper, events ...moothall.Event) {
	t.Helper()
	for _, e := range events {
		if err := k.Handle(t.Context(), e); err != nil {
			t.Fatalf("%s: %v", e.ID, err)
		}
	}
}

func judgements(t testing.TB, k *reward.Keeper, q moothall.JudgementQuery) []moothall.Judgement {
	t.Helper()
	out, err := k.Judgements(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func report(t testing.TB, k *reward.Keeper) moothall.Report {
	t.Helper()
	r, err := k.Report(t.Context(), time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func qid(i int) string { return fmt.Sprintf("q%05d", i) }

func ptr[T any](v T) *T { return &v }
