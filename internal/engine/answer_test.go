package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/engine"
)

func TestClaims(t *testing.T) {
	t.Parallel()
	save := calls("memory_write", `{"text":"x"}`)
	past := []moothall.Message{
		{Role: moothall.RoleUser, Content: "Save it."},
		{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "c1", Name: "memory_write", Arguments: json.RawMessage(`{"text":"x"}`)}}},
		{Role: moothall.RoleTool, ToolName: "memory_write", CallID: "c1", Content: "saved"},
		{Role: moothall.RoleAssistant, Content: "Saved."},
	}
	tests := []struct {
		name   string
		turns  []turn
		past   []moothall.Message
		denied bool
		want   []string
	}{
		{name: "saved, nothing called", turns: []turn{says("Okay, I've saved your preference.")}, want: []string{"i've saved"}},
		{name: "saved, tool did", turns: []turn{save, says("I have saved it.")}},
		{name: "saved, tool was denied", turns: []turn{save, says("I have saved it.")}, denied: true, want: []string{"i have saved"}},
		{name: "saved, only searched", turns: []turn{search("x"), says("I searched and I just saved it.")}, want: []string{"i just saved"}},
		{name: "searched, nothing called", turns: []turn{says("I searched the web. I have also looked up the date.")}, want: []string{"i searched", "i have also looked up"}},
		{name: "searched, tool did", turns: []turn{search("x"), says("I searched the web.")}},
		{name: "ran", turns: []turn{says("I ran the tests and all pass.")}, want: []string{"i ran"}},
		{name: "not done", turns: []turn{says("I have not saved it. I haven't searched. I could have saved it. If I saved it, you would know.")}},
		{name: "figure of speech", turns: []turn{says("I ran out of ideas. You saved the day. He said that I was saved.")}},
		{name: "quoted", turns: []turn{says("> I saved it\n\n```\nI saved it\n```\nThat is the text.")}},
		{name: "earlier", turns: []turn{says("Yes, I already saved it earlier.")}, past: past},
		{name: "now, but it was earlier", turns: []turn{says("I've saved the new one.")}, past: past, want: []string{"i've saved"}},
		{name: "earlier, but not so", turns: []turn{says("Yes, I already saved it earlier.")}, want: []string{"i already saved"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := &broker{do: func(context.Context, moothall.ToolCall) (moothall.ToolResult, error) {
				if tt.denied {
					return moothall.ToolResult{Status: moothall.CallDenied, Text: "no"}, nil
				}
				return ok("done")
			}}
			got := run(t, engine.Request{Model: script(tt.turns...), Broker: b, Tools: bothTools, History: tt.past, Input: user("?")})
			var want []string
			for _, w := range tt.want {
				want = append(want, engine.FlagClaim+": "+w)
			}
			if diff := cmp.Diff(want, got.Flags); diff != "" {
				t.Errorf("flags (-want +got):\n%s", diff)
			}
		})
	}
}

const hedge = "I don't have access to current weather data, so I cannot say."

func TestHedgeSearchesOnce(t *testing.T) {
	t.Parallel()
	m := script(says(hedge), says("It rains. Still, I don’t have access to real-time data."))
	b := &broker{}
	got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools, Hedge: "web_search", Input: user("Weather in Basel?"), Tail: "Tuesday."})
	if b.count() != 1 || string(b.calls[0].Call.Arguments) != `{"query":"Weather in Basel?"}` {
		t.Fatalf("calls: %+v", b.calls)
	}
	if !strings.HasPrefix(got.Answer, "It rains") || got.voids() != "hedge" || got.Layers[0] != "engine" {
		t.Errorf("answer %q, voids %q, layers %v", got.Answer, got.voids(), got.Layers)
	}
	mustContain(t, contents(m.last().Messages), "result of web_search")
}

func TestNoHedgeSearch(t *testing.T) {
	t.Parallel()
	for name, req := range map[string]engine.Request{
		"not asked for":     {Model: script(says(hedge))},
		"no such tool":      {Model: script(says(hedge)), Hedge: "telepathy"},
		"nothing hedged":    {Model: script(says("It is sunny.")), Hedge: "web_search"},
		"has been searched": {Model: script(search("x"), says(hedge)), Hedge: "web_search"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := &broker{}
			req.Broker, req.Tools = b, bothTools
			if got := run(t, req); strings.Contains(got.voids(), "hedge") {
				t.Errorf("it searched: %+v", b.calls)
			}
		})
	}
}

const personSchema = `{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"],"additionalProperties":false}`

func TestStructuredAnswer(t *testing.T) {
	t.Parallel()
	m := script(says("Here you are:\n```json\n{\"name\":\"Ada\",\"age\":36}\n```"))
	got := run(t, engine.Request{Model: m, Schema: json.RawMessage(personSchema)})
	if got.Answer != `{"name":"Ada","age":36}` || len(got.Flags) != 0 {
		t.Errorf("answer %q, flags %v", got.Answer, got.Flags)
	}
	if string(m.last().Schema) != personSchema {
		t.Error("the schema was not sent")
	}
	mustContain(t, contents(m.last().Messages), personSchema)
}

func TestStructuredAnswerIsRepairedOnce(t *testing.T) {
	t.Parallel()
	// With tools on offer the server is not asked to hold the reply to the
	// schema, since that would forbid calls.
	m := script(search("x"), says(`{"name":"Ada","age":"old"}`), says(`{"name":"Ada","age":36}`))
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools, Schema: json.RawMessage(personSchema)})
	if got.Answer != `{"name":"Ada","age":36}` || got.voids() != "schema" || got.Stop != moothall.StopDone {
		t.Errorf("answer %q, voids %q, stop %s", got.Answer, got.voids(), got.Stop)
	}
	if m.requests[0].Schema != nil || len(m.requests[0].Tools) == 0 {
		t.Error("tools and schema were sent together")
	}
	if string(m.last().Schema) != personSchema || len(m.last().Tools) != 0 {
		t.Error("the repair has no schema, or tools")
	}
	mustContain(t, contents(m.last().Messages), "age: must be integer, is string")
	if s := contents(got.Messages); strings.Contains(s, "old") {
		t.Errorf("the bad answer is kept:\n%s", s)
	}
}

func TestStructuredAnswerThatCannotBeRepaired(t *testing.T) {
	t.Parallel()
	m := script(says("Ada, 36"), says("Ada is 36 years old"))
	got := run(t, engine.Request{Model: m, Schema: json.RawMessage(personSchema)})
	if got.Answer != "Ada is 36 years old" || len(got.Flags) != 1 || !strings.HasPrefix(got.Flags[0], engine.FlagSchema) || len(m.requests) != 2 {
		t.Errorf("answer %q, flags %v", got.Answer, got.Flags)
	}
}

func TestSchemaThatTheModelRefuses(t *testing.T) {
	t.Parallel()
	m := script(turn{err: moothall.Fail(moothall.CodeUnsupported, "generate", "no schema mode")}, says(`{"name":"Ada","age":36}`))
	got := run(t, engine.Request{Model: m, Schema: json.RawMessage(personSchema)})
	if got.Answer != `{"name":"Ada","age":36}` || m.last().Schema != nil {
		t.Errorf("answer %q", got.Answer)
	}
}

// must passes answers that contain all words.
func must(words ...string) func(context.Context, string) (engine.Verdict, error) {
	return func(_ context.Context, answer string) (engine.Verdict, error) {
		var v engine.Verdict
		for _, w := range words {
			if strings.Contains(answer, w) {
				v.Passed = append(v.Passed, w)
			} else {
				v.Failed = append(v.Failed, w+" is missing")
			}
		}
		return v, nil
	}
}

func TestCheckRetries(t *testing.T) {
	t.Parallel()
	m := script(says("red"), search("x"), says("red and blue"))
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools, Check: must("red", "blue")})
	if got.Answer != "red and blue" || got.voids() != "check" || got.Partial || len(got.Failed) != 0 || len(got.Flags) != 0 {
		t.Errorf("result: %s", dump(got.Result))
	}
	mustContain(t, contents(m.requests[1].Messages), "assistant: red", "blue is missing")
	if s := contents(got.Messages); strings.Contains(s, "blue is missing") {
		t.Errorf("drafts are kept:\n%s", s)
	}
}

func TestCheckReturnsPartial(t *testing.T) {
	t.Parallel()
	m := script(says("red"), says("still red"), says("ever red"))
	got := run(t, engine.Request{Model: m, Check: must("red", "blue")})
	if !got.Partial || got.Answer != "ever red" || len(m.requests) != 3 || got.Stop != moothall.StopDone {
		t.Errorf("%d model calls, result: %s", len(m.requests), dump(got.Result))
	}
	if diff := cmp.Diff([]string{"red"}, got.Passed); diff != "" {
		t.Error(diff)
	}
	none := run(t, engine.Request{Model: script(says("grey")), Check: must("red"), Limits: engine.Limits{Retries: -1}})
	if none.Partial || none.Flags[0] != engine.FlagCheck+": red is missing" {
		t.Errorf("nothing passed: %s", dump(none.Result))
	}
}

func TestCheckThatCannotRun(t *testing.T) {
	t.Parallel()
	got := run(t, engine.Request{Model: script(says("x")), Check: func(context.Context, string) (engine.Verdict, error) {
		return engine.Verdict{}, errors.New("secret detail")
	}})
	if got.Answer != "x" || got.Flags[0] != engine.FlagUnchecked+": internal" {
		t.Errorf("flags: %v", got.Flags)
	}
}

func TestEachAttemptHasItsRounds(t *testing.T) {
	t.Parallel()
	m := script(search("1"), says("red"), search("2"), says("red blue"))
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools, Check: must("blue"), Limits: engine.Limits{Rounds: 2}})
	if len(got.Calls) != 2 || got.Answer != "red blue" || got.Rounds != 4 {
		t.Errorf("result: %s", dump(got.Result))
	}
}
