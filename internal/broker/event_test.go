package broker_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"moothall"
	"moothall/internal/broker"
)

func TestEventsInOrder(t *testing.T) {
	t.Parallel()
	h := open(t, append(web(), tool(moothall.ToolSpec{Name: "guest", Origin: "bus:guest", Risk: moothall.RiskRead}, nil)))
	a := h.spawn(moothall.SpawnRequest{Query: "q"})
	r := request(a, "web_search", `{"query":"x"}`)
	h.call(r)
	h.call(request(a, "guest", `{}`))
	h.call(request(a, "no_such_tool", `{}`))
	h.call(request(a, "no such name", `{}`))
	if err := h.chat.Finish(t.Context(), moothall.Scope{}, a.Handle); err != nil {
		t.Fatal(err)
	}
	h.shut()
	// A tool on the bus is asked by its own request, and a denied call by none.
	want := []string{"agent.spawned", "tool.request.web_search", "tool.result.web_search", "tool.result.guest", "tool.result.no_such_tool", "agent.finished"}
	if got := h.events.subjects(); !slices.Equal(got, want) {
		t.Fatalf("the events are %v, want %v", got, want)
	}
	for _, e := range h.events.list {
		if e.Session != "s" || e.Query != "q" || !slices.Equal(e.Lineage, a.Lineage) || e.Sender != moothall.ToolBroker || e.Correlation == "" {
			t.Errorf("the envelope is %+v", e)
		}
	}
	var asked struct {
		Call      moothall.CallID
		Tool      moothall.ToolName
		Arguments json.RawMessage
		Agent     moothall.AgentID
		Decision  moothall.Decision
	}
	if err := json.Unmarshal(h.events.list[1].Payload, &asked); err != nil {
		t.Fatal(err)
	}
	if asked.Call != r.Call.ID || asked.Tool != "web_search" || string(asked.Arguments) != `{"query":"x"}` || asked.Agent != a.ID || asked.Decision.Verdict != moothall.Allow {
		t.Errorf("the request is %+v", asked)
	}
	var result struct {
		Status moothall.CallStatus
		Labels moothall.Label
		Text   string
	}
	if err := json.Unmarshal(h.events.list[2].Payload, &result); err != nil || result.Status != moothall.CallOK || result.Labels != moothall.Untrusted || result.Text == "" {
		t.Errorf("the result is %+v, %v", result, err)
	}
}

// TestEventsSayWhoseAnswer: what respondent B does for a question is told from
// what is done for the answer that is shown, and both from what is done for none.
func TestEventsSayWhoseAnswer(t *testing.T) {
	t.Parallel()
	h := open(t, []moothall.Tool{echo("now", moothall.RiskNone)}, func(o *broker.Options) {
		o.Manifest.Types["respondent_b"] = o.Manifest.Types["boss"]
	})
	want := map[moothall.AgentID]moothall.RespondentID{}
	for _, c := range []struct {
		r  moothall.SpawnRequest
		by moothall.RespondentID
	}{
		{moothall.SpawnRequest{Query: "q"}, "A"},
		{moothall.SpawnRequest{Query: "q", Type: "respondent_b", Unattended: true}, "B"},
		{moothall.SpawnRequest{Aside: true}, ""},
	} {
		a := h.spawn(c.r)
		want[a.ID] = c.by
		h.call(request(a, "now", `{}`))
		if err := h.chat.Finish(t.Context(), moothall.Scope{}, a.Handle); err != nil {
			t.Fatal(err)
		}
	}
	h.shut()
	if len(h.events.list) != 4*len(want) {
		t.Errorf("the events are %v", h.events.subjects())
	}
	for _, e := range h.events.list {
		if by := want[e.Lineage[0]]; e.Respondent != by {
			t.Errorf("%s is said to be of %q, want %q", e.Subject, e.Respondent, by)
		}
	}
}

func TestASlowBusSlowsNobody(t *testing.T) {
	t.Parallel()
	release, held := make(chan struct{}), make(chan struct{}, 1)
	h := open(t, []moothall.Tool{echo("say", moothall.RiskNone)}, unlimited, func(o *broker.Options) {
		o.Queue = 4
		o.Publish = func(context.Context, moothall.Event) error {
			select {
			case held <- struct{}{}:
			default:
			}
			<-release
			return nil
		}
	})
	a := h.spawn(moothall.SpawnRequest{})
	<-held // the spawning is being published
	for range 10 {
		if res := h.call(request(a, "say", `{}`)); res.Status != moothall.CallOK {
			t.Errorf("%+v", res)
		}
	}
	if n := h.Stats().Dropped; n != 16 { // of twenty, four wait
		t.Errorf("%d events were dropped", n)
	}
	close(release)
}
