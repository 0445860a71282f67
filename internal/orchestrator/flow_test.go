package orchestrator_test

import (
	"context"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
)

// pair plans two subtasks and a third that depends on both.
func pair(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
	switch {
	case isPlanner(r):
		return say(planJSON(sub("a", "researcher", "find a"), sub("b", "researcher", "find b"), sub("c", "coder", "write c", "a", "b")))
	case isWriter(r):
		return say("All three are done.")
	}
	return say(good("Summary of " + taskOf(r) + "."))
}

const longGoal = "Find a and b, then write c with both of them, and check that it is right"

func TestATaskIsPlannedDoneAndWritten(t *testing.T) {
	t.Parallel()
	h := newHall(t, pair)
	out := h.do(t, orchestrator.Goal{Session: "s", Query: "q", Text: longGoal})
	if out.Err != nil || out.Task.State != "done" || out.Stop != moothall.StopDone {
		t.Fatalf("%s, %v, %s", out.Task.State, out.Err, out.Task.Result)
	}
	if !strings.HasPrefix(out.Answer, "All three are done.") {
		t.Errorf("answer %q", out.Answer)
	}
	for _, id := range []string{"a", "b", "c"} {
		if s := find(t, out.Task, id); s.State != "done" || s.Attempt != 1 {
			t.Errorf("%s: %s, attempt %d", id, s.State, s.Attempt)
		}
	}
	coder := strings.Join(h.brain.prompts(moothall.ModelCoder), "\n")
	for _, part := range []string{"Summary of find a.", "Summary of find b."} {
		if !strings.Contains(coder, part) {
			t.Errorf("the coder was not told %q", part)
		}
	}
	h.Close() // what is left to tell is told
	var subjects []string
	for _, e := range *h.events {
		subjects = append(subjects, string(e.Subject))
	}
	if got := strings.Join(subjects, " "); !strings.HasPrefix(got, "task.planned task.step") || !strings.HasSuffix(got, "task.finished") {
		t.Errorf("events: %s", got)
	}
	if len(h.broker.agents) != 0 {
		t.Errorf("%d agents are left", len(h.broker.agents))
	}
}

// What a run has touched goes with its summary: whoever builds on it has
// touched it as well. So does what the person brought, and that nobody is
// there to be asked.
func TestLabelsGoWithResults(t *testing.T) {
	t.Parallel()
	h := newHall(t, func(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
		switch {
		case isPlanner(r):
			return say(planJSON(sub("a", "researcher", "look"), sub("b", "coder", "use it", "a"), sub("c", "sysadmin", "something else")))
		case isWriter(r):
			return say("Done.")
		case taskOf(r) == "look" && results(r) == 0:
			return call("fetch", `{}`)
		}
		return say(good("Done."))
	})
	h.broker.tool(moothall.ToolSpec{Name: "fetch", ReadOnly: true}, func(context.Context, moothall.ToolCall) moothall.ToolResult {
		return moothall.ToolResult{Status: moothall.CallOK, Labels: moothall.Untrusted}
	})
	out := h.do(t, orchestrator.Goal{Session: "s", Query: "q", Text: longGoal + " <what came with it>", Words: longGoal, Labels: moothall.Private, Unattended: true})
	want := map[moothall.AgentType]moothall.Label{"orchestrator": moothall.Private, "researcher": 0, "coder": moothall.Untrusted, "sysadmin": 0}
	for _, r := range h.broker.spawned {
		if r.Labels != want[r.Type] || !r.Unattended || r.Task != out.Task.ID || r.Query != "q" || r.Session != "s" {
			t.Errorf("%+v", r)
		}
		if (r.Words == longGoal) != (r.Type == "orchestrator") || r.Words != "" && r.Words != longGoal || (r.Parent == "") != (r.Type == "orchestrator") {
			t.Errorf("%s has words or a parent that it should not have", r.Type)
		}
	}
	if len(h.broker.spawned) != 4 || out.Labels != moothall.Private|moothall.Untrusted {
		t.Errorf("%d agents, labels %s", len(h.broker.spawned), out.Labels)
	}
}
