package providertest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"moothall"
)

// historySent checks a conversation with a finished tool call.
func historySent(t *testing.T, f Fixture) {
	f.Script(Reply{Text: "sunny"})
	r := ask(f)
	r.Tools = []moothall.ToolSpec{weatherTool()}
	r.Messages = []moothall.Message{
		{Role: moothall.RoleSystem, Content: "You are brief."},
		{Role: moothall.RoleUser, Content: "Weather in Köln?"},
		{Role: moothall.RoleAssistant, Content: "Looking.", Thinking: "secret thoughts", ToolCalls: []moothall.ToolCall{
			{ID: "call_7", Name: "weather", Arguments: json.RawMessage(`{"city":"Köln"}`)},
		}},
		{Role: moothall.RoleTool, ToolName: "weather", CallID: "call_7", Content: "sun, 21 degrees"},
		{Role: moothall.RoleUser, Content: "In one word?"},
	}
	mustGenerate(t, f, r)
	got := only(t, f)
	if got.Model != f.Model {
		t.Errorf("the server was asked for %q", got.Model)
	}
	if len(got.Messages) != len(r.Messages) {
		t.Fatalf("the server got %d messages, want %d: %+v", len(got.Messages), len(r.Messages), got.Messages)
	}
	for i, m := range got.Messages {
		if m.Role != r.Messages[i].Role || m.Content != r.Messages[i].Content {
			t.Errorf("message %d arrived as %s %q", i, m.Role, m.Content)
		}
		if strings.Contains(m.Content+m.Thinking, "secret thoughts") {
			t.Errorf("message %d sends thinking back", i)
		}
	}
	calls := got.Messages[2].ToolCalls
	if len(calls) != 1 || calls[0].Name != "weather" || !sameJSON(calls[0].Arguments, []byte(`{"city":"Köln"}`)) {
		t.Errorf("the call arrived as %v", calls)
	}
}

func settingsSent(t *testing.T, f Fixture) {
	f.Script(Reply{Text: "yes"})
	r := ask(f)
	warm, seed := 0.25, int64(7)
	r.MaxTokens, r.Stop, r.Temperature, r.Seed = 123, []string{"END"}, &warm, &seed
	mustGenerate(t, f, r)
	got := only(t, f)
	if got.MaxTokens != 123 || !slices.Equal(got.Stop, []string{"END"}) {
		t.Errorf("limit %d and stops %q arrived", got.MaxTokens, got.Stop)
	}
}

func schemaSent(t *testing.T, f Fixture) {
	if f.NoSchema {
		t.Skip("the wire has no field for a schema")
	}
	f.Script(Reply{Text: `{"city":"Köln"}`})
	r := ask(f)
	r.Schema = json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}`)
	if a := mustGenerate(t, f, r); !sameJSON([]byte(a.text), []byte(`{"city":"Köln"}`)) {
		t.Errorf("the answer is %q", a.text)
	}
	if got := only(t, f).Schema; !strings.Contains(string(got), `"city"`) {
		t.Errorf("the schema arrived as %s", got)
	}
}
