package orchestrator_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/report"
)

func TestASimpleQuestionIsNotDivided(t *testing.T) {
	t.Parallel()
	h := newHall(t, func(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
		if isPlanner(r) || isWriter(r) {
			t.Error("the planner or the writer was asked")
		}
		return say(good("Paris is the capital of France."))
	})
	out := h.do(t, orchestrator.Goal{Text: "What is the capital of France?"})
	if out.Answer != "Paris is the capital of France." || out.Usage.Calls != 1 {
		t.Errorf("%q, %+v", out.Answer, out.Usage)
	}
}

func TestThePlannerMayAnswerItself(t *testing.T) {
	t.Parallel()
	h := newHall(t, func(context.Context, moothall.GenerateRequest) (moottest.Reply, error) {
		return say(`{"subtasks":[],"direct":"Good morning to you."}`)
	})
	out := h.do(t, orchestrator.Goal{Text: "Good morning, dear hall, I hope that you are well"})
	if out.Answer != "Good morning to you." || out.Task.State != "done" {
		t.Errorf("%q, %s", out.Answer, out.Task.State)
	}
}

func TestAPlanIsRepairedOnceAndNoMore(t *testing.T) {
	t.Parallel()
	bad := planJSON(sub("a", "wizard", "x"))
	for name, c := range map[string]struct {
		replies []string
		state   string
		asked   int
		told    string
	}{
		"unknown type, mended":  {[]string{bad, planJSON(sub("a", "coder", "x"))}, "done", 2, "agent_type"},
		"not JSON, mended":      {[]string{"no", planJSON(sub("a", "coder", "x"))}, "done", 2, ""},
		"wrong twice":           {[]string{bad, bad}, "failed", 2, "agent_type"},
		"not JSON, then wrong":  {[]string{"no", bad}, "failed", 2, ""},
		"a cycle, then wrong":   {[]string{planJSON(sub("a", "coder", "x", "b"), sub("b", "coder", "y", "a")), bad}, "failed", 2, "wait for one another"},
		"words and words again": {[]string{"no", "no"}, "failed", 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			h := newHall(t, func(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
				if isPlanner(r) {
					n++
					return say(c.replies[min(n, len(c.replies))-1])
				}
				return say(good("Done."))
			})
			out := h.do(t, orchestrator.Goal{Text: longGoal})
			if out.Task.State != c.state || n != c.asked || (out.Err != nil) != (c.state == "failed") {
				t.Errorf("%s after %d plans, %v", out.Task.State, n, out.Err)
			}
			if n > 1 && strings.HasPrefix(c.replies[0], "{") && !strings.Contains(h.brain.prompts(moothall.ModelOrchestrator)[1], c.told) {
				t.Error("the reasons were not told")
			}
		})
	}
}

func TestAPlanWaitsForApprovalAndCanBeEdited(t *testing.T) {
	t.Parallel()
	h := newHall(t, pair, func(o *orchestrator.Options) { o.Settings.ApprovePlan = orchestrator.ApproveAsk })
	task, err := h.Start(t.Context(), orchestrator.Goal{Text: longGoal})
	if err != nil {
		t.Fatal(err)
	}
	edited := false
	control := func(action, words string) moothall.Task {
		got, err := h.Control(t.Context(), moothall.TaskControl{ID: task.ID, Action: action, Words: words})
		if err != nil {
			t.Fatal(action, err)
		}
		return got
	}
	var last moothall.Task
	for s, err := range h.Watch(t.Context(), task.ID) {
		if err != nil {
			t.Fatal(err)
		}
		if s.Task == nil {
			continue
		}
		last = *s.Task
		if s.Task.State == "planned" && !edited {
			edited = true
			if _, err := h.Control(t.Context(), moothall.TaskControl{ID: task.ID, Action: orchestrator.Edit, Words: `{"subtasks":[{"id":"x","agent_type":"wizard","task":"y"}]}`}); moothall.ErrorCode(err) != moothall.CodeInvalid {
				t.Errorf("a plan that makes no sense: %v", err)
			}
			if got := control(orchestrator.Edit, planJSON(sub("a", "coder", "write it"))); got.State != "planned" || len(planOf(t, got).Subtasks) != 1 {
				t.Errorf("%s %s", got.State, got.Plan)
			}
			if len(h.broker.spawned) != 1 {
				t.Errorf("%d agents before the approval", len(h.broker.spawned))
			}
			control(orchestrator.Approve, "")
		}
	}
	if last.State != "done" || len(planOf(t, last).Subtasks) != 1 {
		t.Errorf("%s %s", last.State, last.Plan)
	}
	if _, err := h.Control(t.Context(), moothall.TaskControl{ID: task.ID, Action: orchestrator.Approve}); moothall.ErrorCode(err) != moothall.CodeConflict {
		t.Errorf("approval of what has ended: %v", err)
	}
}

func TestWhatFailsIsPlannedAnewTwiceAtMost(t *testing.T) {
	t.Parallel()
	plans := 0
	h := newHall(t, func(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
		switch {
		case isPlanner(r):
			plans++
			return say(planJSON(sub("keep", "coder", "works"), sub("bad", "coder", fmt.Sprint("fails ", plans)), sub("last", "coder", "after", "bad")))
		case isWriter(r):
			return say("Some of it.")
		case strings.HasPrefix(taskOf(r), "fails"):
			return say(good("", func(r *report.Report) { r.Status = report.Failed; why := "no way"; r.Reason = &why }))
		}
		return say(good("It works."))
	})
	out := h.do(t, orchestrator.Goal{Text: longGoal})
	if out.Task.State != "partial" || plans != 3 {
		t.Fatalf("%s after %d plans", out.Task.State, plans)
	}
	states := map[string]int{}
	for _, s := range planOf(t, out.Task).Subtasks {
		states[s.State]++
	}
	if states["done"] != 3 || states["failed"] != 3 || states["cancelled"] != 3 {
		t.Errorf("%v", states)
	}
	asked := h.brain.prompts(moothall.ModelOrchestrator)
	if !strings.Contains(asked[1], "no way") || !strings.Contains(asked[1], `"id":"keep"`) {
		t.Errorf("the planner does not know what happened: %s", asked[1])
	}
	if r := resultOf(t, out.Task); len(r.Failed) == 0 || r.Status != "partial" {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(out.Answer, "Not done:\n- fails 3: no way") {
		t.Errorf("the answer hides it: %s", out.Answer)
	}
}

func TestAnAnswerIsWrittenWithoutAWriter(t *testing.T) {
	t.Parallel()
	h := newHall(t, func(ctx context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
		if isWriter(r) {
			return moottest.Reply{}, moothall.Fail(moothall.CodeUnavailable, "generate", "gone")
		}
		return pair(ctx, r)
	})
	out := h.do(t, orchestrator.Goal{Text: longGoal})
	if !strings.Contains(out.Answer, "Summary of find a.") || !strings.Contains(out.Answer, "Summary of write c.") || len(out.Flags) == 0 {
		t.Errorf("%q %v", out.Answer, out.Flags)
	}
}

func TestGoalsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	h := newHall(t, pair)
	for _, g := range []orchestrator.Goal{{}, {Text: "  "}, {Text: "x", Session: "a b"}, {Text: "\xff"}} {
		if _, err := h.Start(t.Context(), g); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%+v: %v", g, err)
		}
	}
	if _, err := h.Start(t.Context(), orchestrator.Goal{Text: strings.Repeat("x", 200_000)}); moothall.ErrorCode(err) != moothall.CodeTooLarge {
		t.Errorf("%v", err)
	}
	if _, err := h.Tasks(t.Context(), "none"); moothall.ErrorCode(err) != moothall.CodeNotFound {
		t.Errorf("%v", err)
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	h := newHall(t, pair)
	if err := h.Set(orchestrator.Settings{Parallel: 3, ApprovePlan: "ask"}); err != nil {
		t.Fatal(err)
	}
	s := h.Settings()
	if s.Parallel != 3 || s.ApprovePlan != "ask" || s.Replans != 2 {
		t.Fatalf("%+v", s)
	}
	for _, bad := range []orchestrator.Settings{{Parallel: 65}, {Parallel: -1}, {Verify: "always"}, {Subtasks: 51}} {
		if err := h.Set(bad); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	if h.Settings() != s {
		t.Errorf("%+v after what was refused", h.Settings())
	}
}
