package daemon_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/plan"
)

// hold lets a test keep a model call waiting.
type hold struct {
	once   sync.Once
	asked  chan struct{} // closed when the call has come
	answer chan struct{} // close it to let the call be answered
}

func newHold() *hold { return &hold{asked: make(chan struct{}), answer: make(chan struct{})} }

// back holds a reply back.
func (h *hold) back(r ollamatest.Reply) ollamatest.Reply {
	r.Seen, r.Wait = func() { h.once.Do(func() { close(h.asked) }) }, h.answer
	return r
}

// begin starts a task that goes on by itself.
func (s *stage) begin(goal string) moothall.TaskID {
	s.t.Helper()
	a := s.ask(moothall.QueryRequest{Query: goal, Mode: moothall.ModeTask, Detach: true})
	if a.Task == "" || a.Stop != moothall.StopDone {
		s.t.Fatalf("%+v", a)
	}
	return a.Task
}

// one is a task of one subtask for an assistant.
func one(agent func(scene) ollamatest.Reply) func(scene) ollamatest.Reply {
	return func(s scene) ollamatest.Reply {
		if s.who == "planner" {
			return planned(subtask("only", "assistant", "Do it."))
		}
		return agent(s)
	}
}

// TestClientGone: a task whose caller goes away is stopped, whichever way it
// came; one that was begun with detach is not.
func TestClientGone(t *testing.T) {
	t.Parallel()
	const goal = "Write it down"
	for way, ask := range map[string]func(context.Context, *stage) error{
		"socket": func(ctx context.Context, s *stage) error {
			for _, err := range s.client.Query(ctx, moothall.QueryRequest{Query: goal, Mode: moothall.ModeTask}) {
				if err != nil {
					return err
				}
			}
			return nil
		},
		"http": func(ctx context.Context, s *stage) error {
			return leaving(ctx, s.hall.URL()+"/query", `{"query":"`+goal+`","mode":"task"}`)
		},
		"stream": func(ctx context.Context, s *stage) error {
			return leaving(ctx, s.hall.URL()+"/query", `{"query":"`+goal+`","mode":"task"}`, "text/event-stream")
		},
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			h := newHold()
			s := newStage(t, one(func(scene) ollamatest.Reply { return h.back(reports("Done.")) }))
			ctx, leave := context.WithCancel(t.Context())
			go func() {
				<-h.asked
				leave() // Ctrl-C
			}()
			if err := ask(ctx, s); err == nil {
				t.Error("the answer came all the same")
			}
			list, err := s.client.Tasks(t.Context(), "")
			if err != nil || len(list) != 1 {
				t.Fatalf("%d tasks, %v", len(list), err)
			}
			task := s.wait(list[0].ID, "the task is stopped", over)
			if task.State != "stopped" || task.sub(t, "only").State != "cancelled" {
				t.Errorf("%s, %+v", task.State, task.result)
			}
		})
	}
	t.Run("detach", func(t *testing.T) {
		t.Parallel()
		h := newHold()
		s := newStage(t, one(func(scene) ollamatest.Reply { return h.back(reports("Done.")) }))
		id := s.begin(goal) // its caller has gone when this returns
		<-h.asked
		close(h.answer)
		if task := s.wait(id, "the task ends", over); task.State != "done" {
			t.Errorf("%s, %+v", task.State, task.result)
		}
	})
}

// leaving posts and reads until its time is over.
func leaving(ctx context.Context, url, body string, accept ...string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	for _, a := range accept {
		req.Header.Set("Accept", a)
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// TestShutdownKeepsTheTask: a hall that is closed leaves its task, and goes on
// with it at the next start, also when somebody was watching.
func TestShutdownKeepsTheTask(t *testing.T) {
	t.Parallel()
	h := newHold()
	s := newStage(t, one(func(s scene) ollamatest.Reply {
		if s.step == 0 {
			return with("now")
		}
		return h.back(reports("Done."))
	}))
	var id moothall.TaskID
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for step, err := range s.client.Query(t.Context(), moothall.QueryRequest{Query: "Write it down", Mode: moothall.ModeTask}) {
			if err == nil && step.Task != nil {
				id = step.Task.ID
			}
		}
	}()
	<-h.asked
	if err := s.hall.Shutdown(); err != nil {
		t.Fatal(err)
	}
	<-ended
	close(h.answer)
	s.open()
	task := s.wait(id, "the task goes on", over)
	d, err := s.client.Session(t.Context(), task.Session)
	if err != nil || len(d.Asked) != 1 || len(d.Asked[0].Answers) != 1 || d.Asked[0].Answers[0].Task != id {
		t.Errorf("the turn does not say which task it became: %+v, %v", d.Asked, err)
	}
	if task.State != "done" || task.sub(t, "only").Attempt != 2 {
		t.Errorf("%s: %+v", task.State, task.sub(t, "only"))
	}
	again := 0
	for _, now := range s.played("assistant") {
		if now.step == 0 {
			again++
		}
	}
	if again != 1 {
		t.Errorf("the first round was done %d times", again)
	}
}

// TestPlanIsApproved: a plan waits for the person, who changes it and says yes.
func TestPlanIsApproved(t *testing.T) {
	t.Parallel()
	s := newStage(t, one(func(now scene) ollamatest.Reply { return reports("I did: " + now.task) }), func(s *stage) { s.conf.Tasks.ApprovePlan = "ask" })
	id := s.begin("Write it down")
	s.wait(id, "the plan waits", func(e ended) bool { return e.State == "planned" })
	for _, bad := range []string{"", "no JSON", `{"subtasks":[]}`, `{"subtasks":[{"id":"a","agent_type":"wizard","task":"x","depends_on":[]}]}`} {
		if _, err := s.client.ControlTask(t.Context(), moothall.TaskControl{ID: id, Action: orchestrator.Edit, Words: bad}); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
	edited, err := json.Marshal(plan.Plan{Subtasks: []plan.Subtask{subtask("mine", "assistant", "Do it my way.")}})
	if err != nil {
		t.Fatal(err)
	}
	if got := s.control(id, orchestrator.Edit, string(edited)); got.State != "planned" {
		t.Errorf("after the edit: %s", got.State)
	}
	if n := len(s.played("assistant")); n > 0 {
		t.Errorf("%d rounds before the person said yes", n)
	}
	s.control(id, orchestrator.Approve, "")
	task := s.wait(id, "the task ends", over)
	if task.State != "done" || len(task.plan.Subtasks) != 1 || !strings.Contains(task.result.Answer, "my way") {
		t.Errorf("%s, %s", task.State, task.Plan)
	}
	if _, err := s.client.ControlTask(t.Context(), moothall.TaskControl{ID: id, Action: orchestrator.Approve}); moothall.ErrorCode(err) != moothall.CodeConflict {
		t.Errorf("a second yes: %v", err)
	}
}

// TestSteering: words of the person reach the round that follows, pausing
// holds it back, and resuming lets it go on.
func TestSteering(t *testing.T) {
	t.Parallel()
	h := newHold()
	s := newStage(t, one(func(now scene) ollamatest.Reply {
		if now.step == 0 {
			return h.back(with("now"))
		}
		return reports("Done.")
	}))
	id := s.begin("Write it down")
	<-h.asked
	s.control(id, orchestrator.Steer, "give it in metres")
	if got := s.control(id, orchestrator.Pause, ""); got.State != "paused" {
		t.Errorf("paused it is %s", got.State)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	released := false
	for e, err := range s.client.Events(ctx, moothall.EventQuery{Subjects: []moothall.Subject{moothall.SubjectToolResult}, Mark: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Subject != "" {
			break // the call of the first round is over
		}
		if !released {
			released = true
			close(h.answer)
		}
	}
	if got := s.task(id); got.State != "paused" || len(s.played("assistant")) != 1 {
		t.Errorf("%s after %d rounds", got.State, len(s.played("assistant")))
	}
	s.control(id, orchestrator.Resume, "")
	task := s.wait(id, "the task ends", over)
	rounds := s.played("assistant")
	if task.State != "done" || len(rounds) != 2 || strings.Contains(rounds[0].text(), "metres") || !strings.Contains(rounds[1].text(), "give it in metres") {
		t.Errorf("%s, %d rounds:\n%s", task.State, len(rounds), rounds[len(rounds)-1].text())
	}
	if len(task.plan.Words) != 1 {
		t.Errorf("words %v", task.plan.Words)
	}
}

// TestStopTask: a person stops a task for good, also over a restart.
func TestStopTask(t *testing.T) {
	t.Parallel()
	h := newHold()
	s := newStage(t, one(func(scene) ollamatest.Reply { return h.back(reports("Done.")) }))
	id := s.begin("Write it down")
	<-h.asked
	s.control(id, orchestrator.Stop, "")
	if task := s.wait(id, "the task is stopped", over); task.State != "stopped" || task.result.Reason == nil {
		t.Errorf("%s, %+v", task.State, task.result)
	}
	s.reopen()
	if task := s.task(id); task.State != "stopped" {
		t.Errorf("after a restart it is %s", task.State)
	}
	if _, err := s.client.ControlTask(t.Context(), moothall.TaskControl{ID: id, Action: orchestrator.Resume}); moothall.ErrorCode(err) != moothall.CodeConflict {
		t.Errorf("resuming it: %v", err)
	}
}
