package critic_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"moothall"
	"moothall/internal/critic"
)

func TestGrade(t *testing.T) {
	t.Parallel()
	var asked []moothall.GenerateRequest
	h := open(t, func(ctx context.Context, r moothall.GenerateRequest) (string, error) {
		asked = append(asked, r)
		return fair(ctx, r)
	}, nil)
	h.handle(answered("q-1", "A", "330 m."))
	e := h.next()
	if e.ID != "critique-q-1-A" || e.Subject != moothall.SubjectCritiqueResult || e.Type != "critique.result/1" || e.Session != "s-1" || e.Query != "q-1" ||
		e.Respondent != "A" || e.Correlation != "e-q-1-A" || e.Trace != "00-t-1" || len(e.Lineage) != 1 {
		t.Errorf("%+v", e)
	}
	score := 4
	want := moothall.Critique{
		Query: "q-1", Session: "s-1", Respondent: "A", Outcome: moothall.Graded, Score: &score, Feedback: "It is fine.", Rubric: "chat",
		Provider: "test", Model: "judge:1", Usage: moothall.Usage{Calls: 1, PromptTokens: 10, OutputTokens: 5},
	}
	got := read[moothall.Critique](t, e)
	if d := cmp.Diff(want, got, cmpopts.IgnoreFields(moothall.Critique{}, "Time")); d != "" || !got.Time.Equal(e.Time) {
		t.Error(d)
	}
	if last, ok, err := h.Last(t.Context(), "q-1"); err != nil || !ok || cmp.Diff(got, last) != "" {
		t.Errorf("%+v %v %v", last, ok, err)
	}
	if _, ok, err := h.Last(t.Context(), "q-2"); ok || err != nil {
		t.Errorf("a grade of nothing: %v %v", ok, err)
	}
	r := asked[0]
	if r.Role != moothall.ModelCritic || r.Priority != moothall.PriorityBackground || *r.Temperature != 0 || r.MaxTokens != 600 || r.Session != "s-1" || r.Query != "q-1" {
		t.Errorf("%+v", r)
	}
	h.Close()
	var status []moothall.AuditStatus
	for _, rec := range h.audit.Records() {
		if rec.Entry.Action == moothall.ActionModelCall && rec.Entry.Query == "q-1" && rec.Entry.Call != "" {
			status = append(status, rec.Entry.Status)
		}
	}
	if !slices.Equal(status, []moothall.AuditStatus{moothall.StatusIntent, moothall.StatusOK}) {
		t.Errorf("the record says %v", status)
	}
}

func TestTheSameEventTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, fair, nil)
		e := answered("q-1", "A", "330 m.")
		h.handle(e, e)
		synctest.Wait()
		h.handle(e)
		synctest.Wait()
		if got := h.events(); !slices.Equal(got, []string{"critique-q-1-A"}) {
			t.Errorf("%q", got)
		}
	})
}

func TestRubbishIsUnknown(t *testing.T) {
	t.Parallel()
	for _, rubbish := range []string{"", "lorem ipsum", "[RESULT] 11", "Five stars!", `{"score": 5}`, "[RESULT] 4 out of 10", "\xff\xfe"} {
		h := open(t, always(rubbish), func(o *critic.Options) { o.Expect = expecting(true) })
		h.handle(answered("q", "A", "GOOD"), answered("q", "B", "POOR"))
		for range 3 {
			e := h.next()
			if e.Subject == moothall.SubjectPairwiseResult {
				if p := read[moothall.Pairing](t, e); p.Outcome != moothall.Unknown || p.Winner != "" || p.Usage.Calls != 2 {
					t.Errorf("%q: %+v", rubbish, p)
				}
				continue
			}
			g := read[moothall.Critique](t, e)
			if g.Outcome != moothall.Unknown || g.Score != nil || g.Usage.Calls != 2 || !strings.Contains(g.Feedback, "could not be read") {
				t.Errorf("%q: %+v", rubbish, g)
			}
			if !strings.Contains(string(e.Payload), `"score":null`) {
				t.Errorf("%s", e.Payload)
			}
		}
		if s := h.stats(); s.Unknown != 2 || s.Unread != 1 || s.Graded != 0 {
			t.Errorf("%+v", s)
		}
	}
}

func TestPoisonedEvents(t *testing.T) {
	t.Parallel()
	h := open(t, fair, nil)
	for name, change := range map[string]func(*moothall.Event){
		"no JSON":     func(e *moothall.Event) { e.Payload = json.RawMessage(`{"query_id":`) },
		"wrong shape": func(e *moothall.Event) { e.Payload = json.RawMessage(`{"answer":5}`) },
		"nothing":     func(e *moothall.Event) { e.Payload = nil },
		"no query":    func(e *moothall.Event) { e.Payload, e.Query = json.RawMessage(`{"answer":"x"}`), "" },
		"long query": func(e *moothall.Event) {
			e.Payload, e.Query = json.RawMessage(`{}`), moothall.QueryID(strings.Repeat("q", 101))
		},
	} {
		e := answered("q", "A", "x")
		change(&e)
		if err := h.Handle(t.Context(), e); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: %v", name, err)
		}
	}
	other := answered("q", "A", "x")
	other.Subject, other.Payload = moothall.SubjectSessionState, json.RawMessage(`!`)
	h.handle(other, answered("q-good", "A", "x")) // what it did not ask for is let pass
	if e := h.next(); e.Query != "q-good" {
		t.Errorf("%+v", e)
	}
}

func TestRubricByKind(t *testing.T) {
	t.Parallel()
	h := open(t, fair, func(o *critic.Options) {
		o.Settings = with(func(s *critic.Settings) { delete(s.Rubrics, "task") })
	})
	for name, c := range map[string]struct {
		sender moothall.Identity
		change func(*moothall.Answer)
		want   string
	}{
		"chat":      {moothall.ChatHall, nil, "chat"},
		"committee": {moothall.CommitteeTable, nil, "committee"},
		"task":      {moothall.Orchestrator, nil, "default"},
		"researcher": {moothall.ChatHall, func(a *moothall.Answer) {
			a.Receipt.ByRole = map[moothall.ModelRole]moothall.Usage{"researcher": {OutputTokens: 5}}
		}, "researcher"},
		"mostly chat": {moothall.ChatHall, func(a *moothall.Answer) {
			a.Receipt.ByRole = map[moothall.ModelRole]moothall.Usage{"coder": {OutputTokens: 5}, "chat": {OutputTokens: 9}}
		}, "chat"},
		"coder": {moothall.ChatHall, func(a *moothall.Answer) {
			a.Receipt.ByRole = map[moothall.ModelRole]moothall.Usage{"coder": {OutputTokens: 50}, "chat": {OutputTokens: 9}}
		}, "coder"},
	} {
		e := answered("q-"+strings.ReplaceAll(name, " ", "-"), "A", "x")
		e.Sender = c.sender
		if c.change != nil {
			a := read[moothall.Answer](t, e)
			c.change(&a)
			e.Payload, _ = json.Marshal(a)
		}
		h.handle(e)
		if got := read[moothall.Critique](t, h.next()); got.Rubric != c.want {
			t.Errorf("%s: %s", name, got.Rubric)
		}
	}
}

func TestFailedAnswersAreNotGraded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, fair, func(o *critic.Options) { o.Expect = expecting(true) })
		h.handle(answered("q-empty", "A", " \n"))
		for _, stop := range []moothall.StopReason{moothall.StopError, moothall.StopInterrupted, moothall.StopCanceled} {
			e := answered("q-"+string(stop), "A", "half a")
			a := read[moothall.Answer](t, e)
			a.Stop = stop
			e.Payload, _ = json.Marshal(a)
			h.handle(e, answered("q-"+string(stop), "B", "a whole one"))
		}
		synctest.Wait()
		// B's answers are graded; no pair has two.
		if got := h.events(); len(got) != 3 || strings.Contains(strings.Join(got, " "), "pairwise") {
			t.Errorf("%q", got)
		}
		if s := h.stats(); s.Failed != 8 || s.Pending != 0 || s.Waiting != 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestForget(t *testing.T) {
	t.Parallel()
	asked, release := make(chan bool), make(chan bool)
	h := open(t, func(ctx context.Context, r moothall.GenerateRequest) (string, error) {
		if r.Query == "q-1" {
			asked <- true
			<-release
		}
		return fair(ctx, r)
	}, nil)
	h.handle(answered("q-1", "A", "x"))
	<-asked
	if err := h.Forget(t.Context(), "s-1"); err != nil {
		t.Fatal(err)
	}
	close(release)
	h.handle(answered("q-2", "A", "x"))
	if e := h.next(); e.Query != "q-2" {
		t.Errorf("what was forgotten is told: %+v", e)
	}
	if _, ok, err := h.Last(t.Context(), "q-1"); ok || err != nil {
		t.Errorf("%v %v", ok, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	if _, err := critic.Open(t.Context(), critic.Options{}); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Error(err)
	}
}

// TestWhatWasSaidBefore gives the judge the exchange that a question may lean
// on: that of the same conversation which the person saw last, also for the
// second answer, which may come when the conversation has gone on.
func TestWhatWasSaidBefore(t *testing.T) {
	t.Parallel()
	prompts := map[moothall.QueryID][]string{}
	var mu sync.Mutex
	h := open(t, func(ctx context.Context, r moothall.GenerateRequest) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		prompts[r.Query] = append(prompts[r.Query], r.Messages[1].Content)
		return fair(ctx, r)
	}, func(o *critic.Options) { o.Expect = expecting(true) })
	say := func(session moothall.SessionID, query, respondent, question, text string) {
		e := answered(query, respondent, text)
		a := read[moothall.Answer](t, e)
		a.Session, a.Question = session, question
		e.Session = session
		e.Payload, _ = json.Marshal(a)
		h.handle(e)
	}
	const first, second = "Question: capital of France?\nAnswer: Paris.", "Question: and of Spain?\nAnswer: Madrid."
	say("s-1", "q-1", "A", "capital of France?", "Paris.")
	say("s-2", "q-9", "A", "capital of Peru?", "Lima.")
	say("s-1", "q-2", "A", "and of Spain?", "It is warm.")
	say("s-1", "q-3", "A", "and of Spain?", "Madrid.") // asked again
	say("s-1", "q-4", "A", "and of Italy?", "Rome.")
	say("s-1", "q-3", "B", "and of Spain?", "GOOD Madrid.")
	for range 7 { // six grades, and the pair of q-3
		h.next()
	}
	h.Close()
	for query, want := range map[moothall.QueryID]string{"q-1": "", "q-9": "", "q-2": first, "q-3": first, "q-4": second} {
		for _, p := range prompts[query] {
			_, before, there := strings.Cut(p, "###Said before the instruction:\n")
			if there != (want != "") || !strings.Contains(before, want) || strings.Contains(before, "Peru") {
				t.Errorf("%s: %s", query, p)
			}
		}
	}
	if n := len(prompts["q-3"]); n != 4 { // two grades, and the pair in both orders
		t.Errorf("q-3 was asked about %d times", n)
	}
}
