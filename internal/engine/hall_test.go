package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/moottest"
)

// TestWithTheContractsFakes runs the loop between a gateway and a broker that
// behave as the contracts say, with a person who is asked.
func TestWithTheContractsFakes(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	fake := moottest.NewBroker(moottest.EchoTool("look", moothall.RiskRead), moottest.EchoTool("change", moothall.RiskWrite), moottest.EchoTool("secret", moothall.RiskRead))
	fake.Allow("chat", moottest.AgentRules{Tools: []moothall.ToolName{"look", "change"}})
	broker := fake.For(moothall.ChatHall)
	agent, err := broker.Spawn(ctx, moothall.SpawnRequest{Type: "chat"})
	if err != nil {
		t.Fatal(err)
	}
	tools, err := broker.Discover(ctx, moothall.DiscoverRequest{Agent: agent.Handle})
	if err != nil {
		t.Fatal(err)
	}
	call := func(name moothall.ToolName, args string) moothall.ToolCall {
		return moothall.ToolCall{Name: name, Arguments: json.RawMessage(args)}
	}
	gateway := moottest.NewGateway(
		moottest.Reply{Thinking: "Both at once.", Text: "Let me see.", ToolCalls: []moothall.ToolCall{call("look", `{"a":1}`), call("look", `{"a":2}`)}},
		moottest.Reply{ToolCalls: []moothall.ToolCall{call("secret", `{}`)}},
		moottest.Reply{Text: `<tool_call>{"name":"change","arguments":{"b":3}}</tool_call>`},
		moottest.Reply{Text: "All is changed."},
	)
	var final *engine.Result
	for e, err := range engine.Run(ctx, engine.Request{
		Model: gateway, Broker: broker, Handle: agent.Handle, Role: moothall.ModelChat, Tools: tools, Input: user("Change it."), Window: 8192,
	}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Kind == engine.KindApproval && e.Asked != nil {
			approve(t, broker)
		}
		final = e.Final
	}
	var got []string
	for _, c := range final.Calls {
		got = append(got, string(c.Tool)+" "+string(c.Status)+" "+c.Result)
	}
	want := `look ok {"a":1}, look ok {"a":2}, secret failed [no such tool] There is no tool "secret". The tools on offer are: look, change., change ok {"b":3}`
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("calls:\n%s\nwant:\n%s", s, want)
	}
	if final.Answer != "All is changed." || final.Stop != moothall.StopDone || final.Thinking != "Both at once." || final.Usage.Calls != 4 {
		t.Errorf("result: %s", dump(final))
	}
}

// approve answers the one open question.
func approve(t *testing.T, b moothall.Broker) {
	t.Helper()
	open, err := b.Approvals(t.Context(), moothall.Scope{}, false)
	if err != nil || len(open) != 1 {
		t.Fatalf("%d questions, %v", len(open), err)
	}
	if _, err := b.Decide(t.Context(), moothall.ApprovalDecision{ID: open[0].ID, Answer: moothall.ApproveOnce}); err != nil {
		t.Fatal(err)
	}
}
