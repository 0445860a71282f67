package daemon_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/policy"
)

// TestLineageWithModel runs chains of agents whose model tries every tool of
// the hall, whether it is on offer or not. What it was offered, and what was
// called, is what all of the chain may.
func TestLineageWithModel(t *testing.T) {
	t.Parallel()
	chains := [][]moothall.AgentType{
		{"assistant"}, {"researcher"}, {"coder"}, {"sysadmin"},
		{"assistant", "researcher"}, {"coder", "researcher"}, {"sysadmin", "coder"}, {"sysadmin", "coder", "researcher"},
	}
	var tools []moothall.ToolSpec
	var chain []moothall.AgentType // of the task that goes on
	act := func(s scene) ollamatest.Reply {
		if s.who == "planner" {
			return planned(subtask("try", chain[0], "Try everything."))
		}
		return greedy(s, chain, tools)
	}
	s := newStage(t, act)
	var err error
	if tools, err = s.client.Broker().Tools(t.Context(), moothall.Scope{}); err != nil {
		t.Fatal(err)
	}
	for _, chain = range chains {
		before := len(s.played(""))
		a, task := s.do("Check what can be done", func(r *moothall.QueryRequest) { r.Unattended = true })
		if task.State != "done" {
			t.Errorf("%v: %s, %+v", chain, task.State, task.result)
		}
		seen := s.played("")[before:]
		for i, kind := range chain {
			checkOffer(t, append([]moothall.AgentType{policy.Orchestrator}, chain[:i+1]...), seen, kind, tools)
		}
		checkCalls(t, s, a, chain)
	}
}

// greedy is a model that tries: what it is not offered in words, then to pass
// the same on to the next of the chain, then an end.
func greedy(s scene, chain []moothall.AgentType, tools []moothall.ToolSpec) ollamatest.Reply {
	if s.step == 0 {
		var text strings.Builder
		for _, spec := range tools {
			if !slices.Contains(s.offered(), string(spec.Name)) {
				fmt.Fprintf(&text, "<tool_call>\n{\"name\": %q, \"arguments\": {}}\n</tool_call>\n", spec.Name)
			}
		}
		return ollamatest.Reply{Text: text.String(), Pieces: 1}
	}
	at := slices.Index(chain, moothall.AgentType(s.who))
	if at+1 < len(chain) && !slices.ContainsFunc(s.chat.Messages, func(m ollamatest.Message) bool { return m.ToolName == "delegate" }) {
		return with("delegate", "agent_type", string(chain[at+1]), "task", "Try everything.")
	}
	return reports("I tried.")
}

// checkOffer compares what an agent was offered with the manifest.
func checkOffer(t *testing.T, chain []moothall.AgentType, seen []scene, kind moothall.AgentType, tools []moothall.ToolSpec) {
	t.Helper()
	m := policy.DefaultManifest()
	var want []string
	for _, spec := range tools {
		if ok, _ := may(m, chain, spec.Name); ok {
			want = append(want, string(spec.Name))
		}
	}
	if len(m.Types[kind].Spawns) > 0 {
		want = append(want, "delegate")
	}
	slices.Sort(want)
	found := false
	for _, s := range seen {
		if s.who != string(kind) {
			continue
		}
		found = true
		if got := s.offered(); !slices.Equal(got, want) {
			t.Errorf("%v is offered %v, want %v", chain, got, want)
		}
		if _, claimed, ok := strings.Cut(s.last, `"source":"`); ok && !strings.HasPrefix(claimed, "model_knowledge") {
			t.Errorf("%v: no tool was used below, and the report says %s", chain, s.last)
		}
		if s.step > 0 && !strings.Contains(s.text(), "There is no tool") {
			t.Errorf("%v: its model was not told that there are no such tools:\n%s", chain, s.last)
		}
	}
	if !found {
		t.Errorf("%v never ran", chain)
	}
}

// checkCalls wants none of what was tried to have reached a tool.
func checkCalls(t *testing.T, s *stage, a moothall.Answer, chain []moothall.AgentType) {
	t.Helper()
	tried := 0
	for _, c := range a.Tools {
		if c.Tool == "delegate" {
			continue
		}
		tried++
		if c.Status == moothall.CallOK {
			t.Errorf("%v: %s was run", chain, c.Tool)
		}
	}
	if tried < 5*len(chain) {
		t.Errorf("%v: only %d tries", chain, tried)
	}
	for e, err := range daemon.ShowAudit(t.Context(), s.home, daemon.AuditFilter{Action: moothall.ActionToolCall, Query: a.Query}, false) {
		if err != nil {
			t.Fatal(err)
		}
		t.Errorf("%v: on record: %+v", chain, e)
	}
}
