package orchestrator_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/plan"
)

// slow is a hall in memory whose agent makes calls for ever, one a second.
type slow struct {
	*orchestrator.Orchestrator
	brain *brain
	rooms *ledger
	task  moothall.TaskID
}

func newSlow(t *testing.T, settings orchestrator.Settings) *slow {
	s := &slow{rooms: newLedger()}
	s.brain = newBrain(func(ctx context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return moottest.Reply{}, ctx.Err()
		}
		return call("write", fmt.Sprintf(`{"key":"%d"}`, results(r)))
	})
	var err error
	s.Orchestrator, err = orchestrator.OpenOn(orchestrator.Options{
		Model: s.brain, Broker: s.rooms, Audit: moottest.NewAudit().For(moothall.Orchestrator), Settings: settings,
	}, newSlate())
	if err != nil {
		t.Fatal(err)
	}
	task, err := s.Start(t.Context(), orchestrator.Goal{Text: "go on", Plan: &plan.Plan{Subtasks: []plan.Subtask{sub("a", "coder", "go on")}}})
	if err != nil {
		t.Fatal(err)
	}
	s.task = task.ID
	return s
}

func (s *slow) rounds() int {
	s.brain.mu.Lock()
	defer s.brain.mu.Unlock()
	return len(s.brain.asks)
}

func (s *slow) control(t *testing.T, action, words string) moothall.Task {
	t.Helper()
	got, err := s.Control(t.Context(), moothall.TaskControl{ID: s.task, Action: action, Words: words})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (s *slow) state(t *testing.T) moothall.Task {
	t.Helper()
	list, err := s.Tasks(t.Context(), s.task)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

func TestPauseActsWithinARound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, orchestrator.Settings{Rounds: 100})
		defer s.Close()
		time.Sleep(5500 * time.Millisecond) // of the bubble's clock
		if got := s.control(t, orchestrator.Pause, ""); got.State != "paused" {
			t.Errorf("it is %s", got.State)
		}
		time.Sleep(time.Second) // the round that goes on ends
		at := s.rounds()
		time.Sleep(8 * time.Hour) // longer than a subtask may take
		if s.rounds() != at {
			t.Errorf("%d rounds while it was paused", s.rounds()-at)
		}
		s.control(t, orchestrator.Resume, "")
		time.Sleep(2500 * time.Millisecond)
		if got := s.rounds() - at; got < 2 || s.state(t).State != "running" {
			t.Errorf("%d rounds after it went on, %s", got, s.state(t).State)
		}
	})
}

func TestWordsReachTheNextRound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, orchestrator.Settings{Rounds: 100})
		defer s.Close()
		time.Sleep(3500 * time.Millisecond)
		before := s.rounds()
		s.control(t, orchestrator.Steer, "use the blue one")
		time.Sleep(3 * time.Second)
		s.brain.mu.Lock()
		defer s.brain.mu.Unlock()
		for i, r := range s.brain.asks {
			heard := strings.Contains(transcript(r), "use the blue one")
			if heard != (i >= before) {
				t.Errorf("round %d of %d: heard %v", i, before, heard)
			}
			if last := r.Messages[len(r.Messages)-1]; i >= before && !strings.HasSuffix(last.Content, "use the blue one") {
				t.Errorf("the words are not last: %q", last.Content)
			}
		}
	})
}

func TestStopCancelsTheModelCall(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, orchestrator.Settings{Rounds: 100})
		defer s.Close()
		time.Sleep(3500 * time.Millisecond)
		began := time.Now()
		s.control(t, orchestrator.Stop, "")
		synctest.Wait()
		if took := time.Since(began); took > 0 {
			t.Errorf("it took %s", took)
		}
		got := s.state(t)
		if got.State != "stopped" || find(t, got, "a").State != "cancelled" || resultOf(t, got).Status != "stopped" {
			t.Errorf("%s %s", got.State, got.Plan)
		}
		if s.Living() != 0 || len(s.rooms.agents) != 0 {
			t.Errorf("%d tasks live, %d agents", s.Living(), len(s.rooms.agents))
		}
	})
}

func TestDoStopsWhenItsCallerGoes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, orchestrator.Settings{Rounds: 100})
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		out, err := s.Do(ctx, orchestrator.Goal{Text: "go on", Plan: &plan.Plan{Subtasks: []plan.Subtask{sub("a", "coder", "go on")}}}, nil)
		if err != nil || out.Stop != moothall.StopCanceled || out.Task.State != "stopped" || len(out.Calls) < 3 {
			t.Errorf("%+v, %v", out, err)
		}
	})
}

func TestLimitsEndInAReport(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		settings orchestrator.Settings
		why      string
	}{
		"tokens of the task": {orchestrator.Settings{Rounds: 100, TaskTokens: 500}, "budget of tokens or time"},
		"minutes":            {orchestrator.Settings{Rounds: 200, Minutes: 1, TaskTokens: -1}, "budget of tokens or time"},
		"rounds":             {orchestrator.Settings{Rounds: 4}, "without a report"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSlow(t, c.settings)
				defer s.Close()
				time.Sleep(time.Hour)
				got := s.state(t)
				a := find(t, got, "a")
				if got.State != "failed" || a.State != "failed" || !strings.Contains(a.Report.Why(), c.why) {
					t.Errorf("%s, %s: %s", got.State, a.State, a.Report.Why())
				}
			})
		})
	}
}

func TestSpawnRefusalsEndInAReport(t *testing.T) {
	t.Parallel()
	h := newHall(t, pair)
	h.broker.deny = func(r moothall.SpawnRequest) error {
		if r.Type == "coder" {
			return moothall.Fail(moothall.CodeDenied, "spawn", "the task has spawned enough agents")
		}
		return nil
	}
	out := h.do(t, orchestrator.Goal{Text: longGoal})
	c := find(t, out.Task, "c")
	if out.Task.State != "partial" || c.State != "failed" || !strings.Contains(c.Report.Why(), "spawned enough") {
		t.Errorf("%s %+v", out.Task.State, c.Report)
	}
	h.broker.deny = func(moothall.SpawnRequest) error {
		return moothall.Fail(moothall.CodeDenied, "spawn", "nobody may")
	}
	out = h.do(t, orchestrator.Goal{Text: longGoal})
	if out.Task.State != "failed" || out.Err == nil || !strings.Contains(out.Err.Error(), "nobody may") {
		t.Errorf("%s %v", out.Task.State, out.Err)
	}
}

func TestTheBudgetIsSharedOut(t *testing.T) {
	t.Parallel()
	h := newHall(t, pair, func(o *orchestrator.Options) { o.Settings.TaskTokens = 3000 })
	out := h.do(t, orchestrator.Goal{Session: "s", Text: longGoal})
	p := planOf(t, out.Task)
	// 50 of 3000 went into the plan; a tenth of the rest is kept back.
	if got := p.Subtasks[0].Tokens; got.Used != 50 || got.Budget != 885 {
		t.Errorf("%+v", got)
	}
	if p.Tokens.Used != 250 || p.Tokens.Budget != 3000 || p.Context.Window == 0 || p.Subtasks[0].Context.Share == 0 {
		t.Errorf("%+v %+v", p.Tokens, p.Context)
	}
	// The session's budget counts its earlier tasks.
	s := h.Settings()
	s.SessionTokens = 260
	if err := h.Set(s); err != nil {
		t.Fatal(err)
	}
	out = h.do(t, orchestrator.Goal{Session: "s", Text: longGoal})
	if out.Task.State != "failed" || !strings.Contains(string(out.Task.Plan), "token budget is used up") {
		t.Errorf("%s %s", out.Task.State, out.Task.Plan)
	}
	if out = h.do(t, orchestrator.Goal{Session: "other", Text: longGoal}); out.Task.State != "done" {
		t.Errorf("another session: %s", out.Task.State)
	}
	if err := h.Forget(t.Context(), "s"); err != nil {
		t.Fatal(err)
	}
	if out = h.do(t, orchestrator.Goal{Session: "s", Text: longGoal}); out.Task.State != "done" {
		t.Errorf("a session that was deleted and begun anew: %s", out.Task.State)
	}
}

// Tasks that run beside each other cannot each spend the session's budget.
func TestTheSessionsBudgetIsSpentOnce(t *testing.T) {
	t.Parallel()
	spent := func(t *testing.T, sessions ...moothall.SessionID) int {
		total := 0
		synctest.Test(t, func(t *testing.T) {
			s := newSlow(t, orchestrator.Settings{Rounds: 100, SessionTokens: 1000, TaskTokens: -1})
			defer s.Close()
			s.control(t, orchestrator.Stop, "")
			var ids []moothall.TaskID
			for _, session := range sessions {
				task, err := s.Start(t.Context(), orchestrator.Goal{
					Session: session, Text: "go on", Plan: &plan.Plan{Subtasks: []plan.Subtask{sub("a", "coder", "go on")}},
				})
				if err != nil {
					t.Fatal(err)
				}
				ids = append(ids, task.ID)
			}
			time.Sleep(time.Hour)
			for _, id := range ids {
				s.task = id
				got := s.state(t)
				if got.State != "failed" {
					t.Errorf("%s: %s", got.State, got.Plan)
				}
				total += planOf(t, got).Tokens.Used
			}
		})
		return total
	}
	alone, beside, apart := spent(t, "s"), spent(t, "s", "s"), spent(t, "s", "other")
	if alone == 0 || apart != 2*alone || beside > alone+alone/2 {
		t.Errorf("one task took %d tokens, two of one session %d, two of two %d", alone, beside, apart)
	}
}

func TestActionsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, orchestrator.Settings{})
		defer s.Close()
		for action, code := range map[string]moothall.Code{
			"dance": moothall.CodeInvalid, orchestrator.Approve: moothall.CodeConflict, orchestrator.Edit: moothall.CodeConflict,
			orchestrator.Retry: moothall.CodeNotFound, orchestrator.Steer: moothall.CodeInvalid,
		} {
			if _, err := s.Control(t.Context(), moothall.TaskControl{ID: s.task, Action: action}); moothall.ErrorCode(err) != code {
				t.Errorf("%s: %v", action, err)
			}
		}
		if _, err := s.Control(t.Context(), moothall.TaskControl{ID: "none", Action: "stop"}); moothall.ErrorCode(err) != moothall.CodeNotFound {
			t.Errorf("%v", err)
		}
	})
}

// A stop that was said is not forgotten when the hall goes down before it has
// taken effect.
func TestAStopSurvivesARestart(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSlow(t, orchestrator.Settings{Rounds: 100})
		time.Sleep(3500 * time.Millisecond)
		kept := s.Journal().(*slate)
		writes := 0
		kept.mu.Lock()
		kept.tick = func(string) error {
			if writes++; writes > 1 { // the stop is written, its effect is not
				return errCrash
			}
			return nil
		}
		kept.mu.Unlock()
		s.control(t, orchestrator.Stop, "")
		synctest.Wait()
		s.Close()
		kept.tick = func(string) error { return nil }
		s.rooms.recover()
		before := s.rounds()
		again, err := orchestrator.OpenOn(orchestrator.Options{Model: s.brain, Broker: s.rooms, Audit: moottest.NewAudit().For(moothall.Orchestrator)}, kept)
		if err != nil {
			t.Fatal(err)
		}
		defer again.Close()
		if err := again.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		list, err := again.Tasks(t.Context(), s.task)
		if err != nil || list[0].State != "stopped" || find(t, list[0], "a").State != "cancelled" || s.rounds() != before {
			t.Errorf("%v: %s after %d rounds", err, list[0].State, s.rounds()-before)
		}
	})
}

// mute is a gateway that is asked for a second model's card and does not tell it.
type mute struct {
	*brain
	cards atomic.Int32
	asked chan struct{}
	given chan error // up, or waited for too long
}

func (m *mute) ShowModel(ctx context.Context, r moothall.ModelRequest) (moothall.ModelCard, error) {
	if m.cards.Add(1) < 2 {
		return m.brain.ShowModel(ctx, r)
	}
	close(m.asked)
	select {
	case <-ctx.Done():
	case <-time.After(time.Minute):
	}
	m.given <- ctx.Err()
	return moothall.ModelCard{}, moothall.Fail(moothall.CodeTimeout, "model", "it says nothing")
}

func TestATaskIsSteeredWhileAModelServerSaysNothing(t *testing.T) {
	t.Parallel()
	var m *mute
	h := newHall(t, func(context.Context, moothall.GenerateRequest) (moottest.Reply, error) {
		<-m.asked
		return say(good("Done."))
	}, func(o *orchestrator.Options) {
		m = &mute{brain: o.Model.(*brain), asked: make(chan struct{}), given: make(chan error, 1)}
		o.Model, o.Settings.Parallel = m, 2
	})
	task, err := h.Start(t.Context(), orchestrator.Goal{Text: "both", Plan: &plan.Plan{Subtasks: []plan.Subtask{sub("a", "assistant", "x"), sub("b", "coder", "y")}}})
	if err != nil {
		t.Fatal(err)
	}
	for s, err := range h.Watch(t.Context(), task.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if s.From != "" && s.Text == "done" {
			break
		}
	}
	if _, err := h.Control(t.Context(), moothall.TaskControl{ID: task.ID, Action: orchestrator.Stop}); err != nil {
		t.Error(err)
	}
	if <-m.given == nil {
		t.Error("whoever stops the task waits for the server")
	}
}
