package orchestrator_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/report"
)

const canary = "XYZZY-CANARY"

// exposed is a task whose agents see the canary wherever a tool, a page, a
// check or a broken reply can carry it.
func exposed(t *testing.T) func(context.Context, moothall.GenerateRequest) (moottest.Reply, error) {
	checked := sub("b", "coder", "use it", "a")
	checked.Check = &plan.Check{Command: "true"}
	return func(_ context.Context, r moothall.GenerateRequest) (moottest.Reply, error) {
		switch {
		case isPlanner(r):
			return say(planJSON(sub("a", "researcher", "look"), checked, sub("c", "sysadmin", "break", "a"), sub("d", "assistant", "perhaps", "a")))
		case isWriter(r):
			return say("Done.")
		case r.Role == moothall.ModelOrchestrator:
			return say(`{"contradicts":false}`)
		case results(r) == 0:
			return call("web_fetch", `{"query":"x"}`)
		case !strings.Contains(transcript(r), canary):
			t.Error("the agent did not see what it fetched")
		case taskOf(r) == "break":
			return moottest.Reply{}, &moothall.Error{Code: moothall.CodeUnavailable, Message: "the model is gone", Err: context.DeadlineExceeded}
		case taskOf(r) == "perhaps":
			return say("no JSON, but " + canary)
		}
		return say(good("Looked at it.", func(r *report.Report) {
			r.Quality, r.Candidates = report.Uncertain, []string{"The person has a boat."}
		}))
	}
}

// spoiltPast is a conversation in which a page was read before.
func spoiltPast() []moothall.Message {
	return []moothall.Message{
		{Role: moothall.RoleUser, Content: "read the page"},
		{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "1", Name: "web_fetch", Arguments: json.RawMessage(`{"url":"` + canary + `"}`)}}},
		{Role: moothall.RoleTool, CallID: "1", Content: canary},
		{Role: moothall.RoleAssistant, Content: "I read it.\n\n---\nSources:\n- https://a.org/" + canary},
	}
}

// Raw content from outside never reaches the orchestrator's own context: it
// is planted wherever it could come in, and looked for in every prompt of
// planner, writer and gate.
func TestRawContentNeverReachesTheOrchestrator(t *testing.T) {
	t.Parallel()
	h := newHall(t, exposed(t), func(o *orchestrator.Options) {
		o.Check = func(context.Context, orchestrator.CheckRequest) (engine.Verdict, error) {
			return engine.Verdict{Passed: []string{"one"}, Failed: []string{canary}}, nil
		}
	})
	h.broker.tool(moothall.ToolSpec{Name: "web_fetch", Risk: moothall.RiskSend, ReadOnly: true, Idempotent: true, Taints: moothall.Untrusted},
		func(context.Context, moothall.ToolCall) moothall.ToolResult {
			return moothall.ToolResult{
				Status: moothall.CallOK, Text: "[TOOL_RESULT: UNTRUSTED] " + canary, Labels: moothall.Untrusted,
				Data: json.RawMessage(`{"url":"https://a.org/` + canary + `","title":"` + canary + `","text":"` + canary + `"}`),
			}
		})
	out := h.do(t, orchestrator.Goal{Text: longGoal, History: spoiltPast()})
	if out.Task.State != "partial" {
		t.Errorf("%s", out.Task.State)
	}
	prompts := h.brain.prompts(moothall.ModelOrchestrator)
	if len(prompts) < 3 {
		t.Fatalf("only %d prompts", len(prompts))
	}
	seen := strings.Join(prompts, "\n")
	for _, part := range []string{"read the page", "I read it.", "Looked at it."} {
		if !strings.Contains(seen, part) {
			t.Errorf("%q is in no prompt: the test looks at the wrong ones", part)
		}
	}
	for _, p := range prompts {
		if strings.Contains(p, canary) {
			t.Errorf("a prompt has it:\n%s", p)
		}
	}
}
