package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/engine"
)

// A call gets an id of the engine's own. The server's goes back with it to the
// model, whose provider may have kept something by it, and to nobody else.
func TestCallGoesBackWithTheIDThatItCameWith(t *testing.T) {
	t.Parallel()
	args := json.RawMessage(`{"query":"x"}`)
	m := script(turn{chunks: []moothall.Chunk{{ToolCalls: []moothall.ToolCall{
		{ID: "toolu_1", Name: "web_search", Arguments: args},
		{ID: "toolu_2", Name: "no_such_tool", Arguments: args},
		{ID: moothall.CallID(strings.Repeat("x", 1<<20)), Name: "web_search", Arguments: json.RawMessage(`{"query":"y"}`)},
	}}}}, says(`{"name": "web_search", "arguments": {"query": "z"}}`), says("That is it."))
	b := &broker{}
	got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools, Input: user("Look x up.")})

	var origins []moothall.CallID
	for _, msg := range m.last().Messages {
		for _, c := range msg.ToolCalls {
			origins = append(origins, c.Origin)
			if c.ID == c.Origin {
				t.Errorf("call %s has no id of the engine's", c.ID)
			}
		}
	}
	if len(origins) != 4 || origins[0] != "toolu_1" || origins[1] != "toolu_2" || origins[2] != "" || origins[3] != "" {
		t.Errorf("they came with %q", origins)
	}
	if len(got.Messages) < 2 || got.Messages[1].ToolCalls[0].Origin != "toolu_1" {
		t.Errorf("what is kept of the run: %+v", got.Messages)
	}
	for _, c := range b.calls {
		if c.Call.Origin != "" {
			t.Errorf("the broker is given %+v", c.Call)
		}
	}
}
