package orchestrator_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/orchestrator"
	"moothall/internal/orchestrator/report"
)

// handing is an assistant that hands its question to a researcher.
func handing(r moothall.GenerateRequest) (moottest.Reply, error) {
	switch {
	case taskOf(r) == "find it out":
		if results(r) == 0 {
			return call("web_search", `{"query":"x"}`)
		}
		return say(good("It is seven.", func(r *report.Report) { r.Quality, r.Candidates = report.Verified, []string{"Seven it is."} }))
	case results(r) == 0:
		return call("delegate", `{"agent_type":"researcher","task":"find it out"}`)
	}
	return say(good("The researcher says that it is seven."))
}

func TestAnAssistantHandsWorkToAResearcher(t *testing.T) {
	t.Parallel()
	h := newHall(t, one(sub("a", "assistant", "answer it"), handing))
	h.broker.tool(moothall.ToolSpec{Name: "web_search", Risk: moothall.RiskSend, ReadOnly: true, Idempotent: true, Taints: moothall.Untrusted},
		func(context.Context, moothall.ToolCall) moothall.ToolResult {
			return moothall.ToolResult{Status: moothall.CallOK, Text: "RAW PAGE", Labels: moothall.Untrusted, Sent: []moothall.Egress{{Host: "x", Bytes: 5}},
				Data: json.RawMessage(`[{"source_url":"https://a.org/"}]`)}
		})
	out := h.do(t, orchestrator.Goal{Text: longGoal})
	a := find(t, out.Task, "a")
	if out.Task.State != "done" || a.Report.Source != "web" || len(a.Sources) != 1 || !a.Labels.Has(moothall.Untrusted) {
		t.Errorf("%s %+v %v %s", out.Task.State, a.Report, a.Sources, a.Labels)
	}
	if len(out.Sent) != 1 || out.Sent[0].Bytes != 5 || len(out.Calls) != 2 || a.Tokens.Used != 200 {
		t.Errorf("%v, %d calls, %+v", out.Sent, len(out.Calls), a.Tokens)
	}
	last := h.broker.spawned[len(h.broker.spawned)-1]
	if last.Type != "researcher" || len(last.Lineage) != 2 || last.Parent == "" || len(h.broker.agents) != 0 {
		t.Errorf("%+v, %d agents are left", last, len(h.broker.agents))
	}
	for _, p := range h.brain.prompts(moothall.ModelChat) {
		if strings.Contains(p, "RAW PAGE") {
			t.Error("the assistant was given more than a report")
		}
	}
	if len(notes(t, h.memory, true))+len(notes(t, h.memory, false)) != 0 {
		t.Error("an agent below proposed a memory")
	}
}

// What the calls of an agent below sent is one figure a host, in the result that
// its work is given as too.
func TestWhatWasSentBelowIsSummedByHost(t *testing.T) {
	t.Parallel()
	h := newHall(t, one(sub("a", "assistant", "answer it"), func(r moothall.GenerateRequest) (moottest.Reply, error) {
		if taskOf(r) == "find it out" && results(r) == 1 {
			return call("web_search", `{"query":"y"}`)
		}
		return handing(r)
	}))
	h.broker.tool(moothall.ToolSpec{Name: "web_search", Risk: moothall.RiskSend, ReadOnly: true, Idempotent: true},
		func(context.Context, moothall.ToolCall) moothall.ToolResult {
			return moothall.ToolResult{Status: moothall.CallOK, Text: "a page", Sent: []moothall.Egress{{Host: "x", Bytes: 5}}}
		})
	var handed []moothall.Egress
	out, err := h.Do(t.Context(), orchestrator.Goal{Text: longGoal}, func(s moothall.Step) {
		if s.Result != nil && len(s.Result.Sent) > 0 && s.Result.Text != "a page" {
			handed = s.Result.Sent
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := (moothall.Egress{Host: "x", Bytes: 10}); len(handed) != 1 || handed[0] != want || len(out.Sent) != 1 || out.Sent[0] != want {
		t.Errorf("%v was sent, and the result has %v", out.Sent, handed)
	}
}

// Handing on without end comes to an end: the broker refuses the spawn, and
// that is a result which the agent can read.
func TestDepthAndFanOutEndInAReport(t *testing.T) {
	t.Parallel()
	h := newHall(t, one(sub("a", "assistant", "go deeper"), func(r moothall.GenerateRequest) (moottest.Reply, error) {
		if text := transcript(r); strings.Contains(text, "too deep") || results(r) > 1 {
			return say(good("", func(r *report.Report) { r.Status = report.Failed; why := "it goes too deep"; r.Reason = &why }))
		}
		return call("delegate", fmt.Sprintf(`{"agent_type":"assistant","task":"go deeper %d"}`, len(transcript(r))))
	}), func(o *orchestrator.Options) {
		o.Deputies = map[moothall.AgentType][]moothall.AgentType{"assistant": {"assistant"}}
	})
	deepest := 0
	h.broker.deny = func(r moothall.SpawnRequest) error {
		if deepest = max(deepest, len(r.Lineage)); len(r.Lineage) > 4 {
			return moothall.Fail(moothall.CodeDenied, "spawn", "too deep: 4 agents below one another are the most")
		}
		return nil
	}
	out := h.do(t, orchestrator.Goal{Text: longGoal})
	a := find(t, out.Task, "a")
	if out.Task.State != "failed" || a.State != "failed" || a.Report.Why() == "" || deepest != 5 || len(h.broker.agents) != 0 {
		t.Errorf("%s %+v, depth %d, %d agents are left", out.Task.State, a.Report, deepest, len(h.broker.agents))
	}
}

// What agents below take is of the same budget, however many there are.
func TestAgentsBelowKeepWithinTheBudget(t *testing.T) {
	t.Parallel()
	h := newHall(t, one(sub("a", "assistant", "answer it"), func(r moothall.GenerateRequest) (moottest.Reply, error) {
		if strings.HasPrefix(taskOf(r), "find out") {
			return call("look", fmt.Sprintf(`{"key":"%s %d"}`, taskOf(r), results(r)))
		}
		var calls []moothall.ToolCall
		for i := range 5 {
			calls = append(calls, moothall.ToolCall{Name: "delegate", Arguments: json.RawMessage(fmt.Sprintf(
				`{"agent_type":"researcher","task":"find out %d"}`, 10*results(r)+i))})
		}
		return moottest.Reply{ToolCalls: calls}, nil
	}), func(o *orchestrator.Options) { o.Settings.TaskTokens = 3000 })
	h.broker.tool(moothall.ToolSpec{Name: "look", Risk: moothall.RiskRead, ReadOnly: true, Idempotent: true},
		func(context.Context, moothall.ToolCall) moothall.ToolResult {
			return moothall.ToolResult{Status: moothall.CallOK, Text: "nothing"}
		})
	out := h.do(t, orchestrator.Goal{Text: longGoal})
	a := find(t, out.Task, "a")
	if most := 3000; out.Usage.PromptTokens+out.Usage.OutputTokens > most || a.State != "failed" || !strings.Contains(a.Report.Why(), "budget") {
		t.Errorf("%+v of %d, %s: %s", out.Usage, most, a.State, a.Report.Why())
	}
}
