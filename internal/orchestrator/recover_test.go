package orchestrator_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/report"
	"moothall/internal/schema"
)

// cutOff runs a goal up to the first time that a call reaches a step of the
// broker, and then closes the hall there, as a crash would. It returns the
// options to open another one with.
func cutOff(t *testing.T, step string, g orchestrator.Goal, think func(context.Context, moothall.GenerateRequest) (moottest.Reply, error)) (*hall, orchestrator.Options, moothall.TaskID) {
	t.Helper()
	reached, release := make(chan struct{}), make(chan struct{})
	var opt orchestrator.Options
	h := newHall(t, think, func(o *orchestrator.Options) { opt = *o })
	var once sync.Once
	h.broker.tick = func(s string) error {
		cut := false
		if s == step {
			once.Do(func() { cut = true })
		}
		if !cut {
			return nil
		}
		close(reached)
		<-release
		return errCrash
	}
	task, err := h.Start(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	<-reached
	var closing sync.WaitGroup
	closing.Go(h.Close)
	<-h.Over()
	close(release)
	closing.Wait()
	h.broker.recover()
	return h, opt, task.ID
}

// goOn opens another hall and brings a task to its end. A question gets the
// answer given. It reports whether there was one.
func goOn(t *testing.T, opt orchestrator.Options, id moothall.TaskID, answer string) (last moothall.Task, question string) {
	t.Helper()
	o, err := orchestrator.Open(opt)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	if err := o.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	for s, err := range o.Watch(t.Context(), id) {
		if err != nil {
			t.Fatal(err)
		}
		if s.Task == nil {
			continue
		}
		last = *s.Task
		if question == "" && strings.Contains(string(last.Plan), `"state":"unknown_after_crash"`) {
			question = planIn(&last)[0].Question
			if _, err := o.Control(t.Context(), moothall.TaskControl{ID: id, Action: answer, Words: "a"}); err != nil {
				t.Error(err)
			}
		}
	}
	return last, question
}

func TestACallThatWasCutOff(t *testing.T) {
	t.Parallel()
	think := func(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
		text := transcript(r)
		if results(r) == 0 || (strings.Contains(text, "may be made again") || strings.Contains(text, "[not run]")) && !strings.Contains(text, "written") {
			return call("write", `{"key":"k"}`)
		}
		return say(good("Done."))
	}
	for name, c := range map[string]struct {
		step       string
		unattended bool
		answer     string // "": nobody is asked
		state      string
		effects    int
	}{
		"before the broker knew of it": {"intent", false, "", "done", 1},
		"before its effect, retry":     {"effect", false, orchestrator.Retry, "done", 1},
		"before its effect, accept":    {"effect", false, orchestrator.Accept, "done", 0},
		"after its effect, accept":     {"outcome", false, orchestrator.Accept, "done", 1},
		"after its effect, skip":       {"outcome", false, orchestrator.Skip, "failed", 1},
		"after its effect, nobody":     {"outcome", true, "", "failed", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, opt, id := cutOff(t, c.step, orchestrator.Goal{Session: "s", Text: "x", Unattended: c.unattended,
				Plan: &plan.Plan{Subtasks: []plan.Subtask{sub("a", "coder", "do it")}}}, think)
			last, question := goOn(t, opt, id, c.answer)
			if last.State != c.state || strings.Contains(question, "write") != (c.answer != "") || h.broker.effect("k") != c.effects {
				t.Errorf("%s, asked %q, %d effects: %s", last.State, question, h.broker.effect("k"), last.Plan)
			}
		})
	}
}

// What an agent below has begun to change is not begun again.
func TestAnAgentBelowThatWasCutOff(t *testing.T) {
	t.Parallel()
	h, opt, id := cutOff(t, "outcome", orchestrator.Goal{Text: "x", Plan: &plan.Plan{Subtasks: []plan.Subtask{sub("a", "sysadmin", "look after it")}}},
		func(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
			switch {
			case taskOf(r) == "write it" && results(r) == 0:
				return call("write", `{"key":"k"}`)
			case results(r) == 0:
				return call("delegate", `{"agent_type":"coder","task":"write it"}`)
			}
			return say(good("Done."))
		})
	last, question := goOn(t, opt, id, orchestrator.Accept)
	if !strings.Contains(question, "delegate") || last.State != "done" || h.broker.effect("k") != 1 {
		t.Errorf("asked %q, %s, %d effects", question, last.State, h.broker.effect("k"))
	}
}

func TestManyTasksAtOnce(t *testing.T) {
	t.Parallel()
	h := newHall(t, pair, func(o *orchestrator.Options) { o.Settings.Parallel = 2 })
	var wg sync.WaitGroup
	for i := range 100 {
		wg.Go(func() {
			out, err := h.Do(t.Context(), orchestrator.Goal{Session: moothall.SessionID(fmt.Sprint("s", i)), Text: longGoal}, nil)
			if err != nil || out.Task.State != "done" {
				t.Errorf("%d: %v", i, err)
			}
		})
	}
	wg.Wait()
	list, err := h.Tasks(t.Context(), "")
	if err != nil || len(list) != 100 || h.Living() != 0 {
		t.Errorf("%d tasks, %d live, %v", len(list), h.Living(), err)
	}
	if err := h.Forget(t.Context(), "s7"); err != nil {
		t.Fatal(err)
	}
	if list, _ = h.Tasks(t.Context(), ""); len(list) != 99 {
		t.Errorf("%d tasks after one was forgotten", len(list))
	}
}

func TestTheOutputFitsItsSchema(t *testing.T) {
	t.Parallel()
	steps := 0
	check := func(task *moothall.Task) {
		if task == nil {
			return
		}
		steps++
		if problems := schema.Check(orchestrator.OutputSchema(), mustJSON(task)); len(problems) > 0 {
			t.Errorf("%v\n%s", problems, mustJSON(task))
		}
	}
	for _, think := range []func(context.Context, moothall.GenerateRequest) (moottest.Reply, error){
		pair,
		func(context.Context, moothall.GenerateRequest) (moottest.Reply, error) { return say("nonsense") },
		one(sub("a", "coder", "x"), func(moothall.GenerateRequest) (moottest.Reply, error) {
			return say(good("Perhaps.", func(r *report.Report) {
				r.Quality, r.Artifacts, r.Candidates = report.Uncertain, []string{"/work/a", "/etc/x"}, []string{"A fact."}
			}))
		}),
	} {
		h := newHall(t, think)
		out, err := h.Do(t.Context(), orchestrator.Goal{Text: longGoal}, func(s moothall.Step) { check(s.Task) })
		if err != nil {
			t.Fatal(err)
		}
		check(&out.Task)
		if out, err = h.Do(t.Context(), orchestrator.Goal{Text: "x", Plan: &plan.Plan{Subtasks: []plan.Subtask{{ID: "a", Type: "coder", Task: "x"}}}}, nil); err != nil {
			t.Fatal(err)
		}
		kept, err := h.Tasks(t.Context(), out.Task.ID)
		if err != nil {
			t.Fatal(err)
		}
		check(&kept[0])
	}
	if steps < 10 {
		t.Errorf("only %d steps were looked at", steps)
	}
}

// A hundred results do not fit a small window: older ones become notes, by
// the model where it can and without it where it cannot.
func TestOlderResultsBecomeNotes(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]string{
		"by a model":      `{"decisions":["all even ones are green"],"artifacts":["/work/f1","/made/up"],"questions":[]}`,
		"without a model": "I cannot",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			written := ""
			h := newHall(t, func(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
				switch {
				case isWriter(r):
					written = transcript(r)
					return say("Done.")
				case r.Role == moothall.ModelOrchestrator:
					return say(reply)
				}
				return say(good(strings.Repeat("word ", 60)+taskOf(r)+".", func(r *report.Report) { r.Artifacts = []string{"/work/f1"} }))
			})
			p := plan.Plan{}
			for i := range 100 {
				p.Subtasks = append(p.Subtasks, sub(fmt.Sprint("n", i), "assistant", fmt.Sprintf("number%d", i)))
			}
			out := h.do(t, orchestrator.Goal{Text: longGoal, Plan: &p})
			view := planOf(t, out.Task)
			if out.Task.State != "done" || view.Context.Compacted == 0 || view.Notes == "" {
				t.Fatalf("%s, %+v", out.Task.State, view.Context)
			}
			if len(written) > 8192*3 {
				t.Errorf("the writer was sent %d bytes", len(written))
			}
			if !strings.Contains(written, "number99") || strings.Contains(written, "/made/up") || strings.Contains(reply, "green") != strings.Contains(written, "green") {
				t.Errorf("the writer was sent:\n%.3000s", written)
			}
		})
	}
}
