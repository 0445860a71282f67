package engine_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/engine"
)

func TestAnswerWithoutTools(t *testing.T) {
	t.Parallel()
	m := script(says("Paris is the capital."))
	got := run(t, engine.Request{Model: m, System: "Be brief.", Input: user("Capital of France?"), Tail: "Today is Monday."})
	if got.Answer != "Paris is the capital." || got.Stop != moothall.StopDone || got.Partial || got.Err != nil {
		t.Errorf("result: %s", dump(got.Result))
	}
	if k := got.kinds(); k != "status delta round final" {
		t.Errorf("events: %s", k)
	}
	if d := got.text(engine.KindDelta); d != got.Answer {
		t.Errorf("deltas: %q", d)
	}
	want := []moothall.Message{
		{Role: moothall.RoleSystem, Content: "Be brief."},
		{Role: moothall.RoleUser, Content: "Today is Monday.\n\nCapital of France?"},
	}
	if diff := cmp.Diff(want, m.last().Messages); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
	kept := []moothall.Message{
		{Role: moothall.RoleUser, Content: "Capital of France?"},
		{Role: moothall.RoleAssistant, Content: "Paris is the capital."},
	}
	if diff := cmp.Diff(kept, got.Messages); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
}

func TestRequestReachesTheModel(t *testing.T) {
	t.Parallel()
	warm, seed := 0.3, int64(7)
	m := script(says("fine"))
	run(t, engine.Request{
		Model: m, Scope: moothall.Scope{Session: "s"}, Query: "q", Role: moothall.ModelCoder, Complexity: "code", Provider: "p", ModelName: "n",
		Priority: moothall.PriorityTask, Think: "on", Temperature: &warm, Seed: &seed, MaxTokens: 99, Window: 8000,
	})
	g := m.last()
	g.Messages = nil
	want := moothall.GenerateRequest{
		Scope: moothall.Scope{Session: "s"}, Query: "q", Role: moothall.ModelCoder, Complexity: "code", Provider: "p", Model: "n",
		Priority: moothall.PriorityTask, Think: "on", Temperature: &warm, Seed: &seed, MaxTokens: 99, Window: 8000,
	}
	if diff := cmp.Diff(want, g); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNativeCall(t *testing.T) {
	t.Parallel()
	first := says("Let me look that up.")
	first.chunks = append(first.chunks, calls("google", `{"query":"go"}`).chunks...)
	m := script(first, says("It is 1.26."))
	b := &broker{note: "asking"}
	got := run(t, engine.Request{
		Model: m, Broker: b, Handle: "h", Scope: moothall.Scope{Session: "s"}, Query: "q", Tools: bothTools, Input: user("Newest Go?"),
	})
	if k := got.kinds(); k != "status delta interim tool_call status tool_result round status delta round final" {
		t.Errorf("events: %s", k)
	}
	if i := got.text(engine.KindInterim); i != "Let me look that up." {
		t.Errorf("interim: %q", i)
	}
	id := moothall.CallID("0190b3a4000070008000000000000001_1_0")
	want := moothall.CallRequest{
		Scope: moothall.Scope{Session: "s"}, Agent: "h", Query: "q", Run: "0190b3a4-0000-7000-8000-000000000001",
		Call: moothall.ToolCall{ID: id, Name: "web_search", Arguments: json.RawMessage(`{"query":"go"}`)},
	}
	if diff := cmp.Diff([]moothall.CallRequest{want}, b.calls); diff != "" {
		t.Errorf("call (-want +got):\n%s", diff)
	}
	kept := []moothall.Message{
		{Role: moothall.RoleUser, Content: "Newest Go?"},
		{Role: moothall.RoleAssistant, Content: "Let me look that up.", ToolCalls: []moothall.ToolCall{want.Call}},
		{Role: moothall.RoleTool, Content: "result of web_search", ToolName: "web_search", CallID: id},
		{Role: moothall.RoleAssistant, Content: "It is 1.26."},
	}
	if diff := cmp.Diff(kept, got.Messages); diff != "" {
		t.Errorf("kept (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"native"}, got.Layers); diff != "" {
		t.Errorf("layers: %s", diff)
	}
	if len(got.Calls) != 1 || got.Calls[0].Status != moothall.CallOK || got.Calls[0].Tool != "web_search" {
		t.Errorf("calls: %+v", got.Calls)
	}
}

func TestRoundEventsHandOutTheHistory(t *testing.T) {
	t.Parallel()
	m := script(calls("web_search", `{"query":"a"}`), says("Let me search more."), says("Done: all is well."))
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools, Input: user("Q")})
	stored := user("Q")
	for _, e := range got.events {
		stored = append(stored, e.Messages...)
	}
	if diff := cmp.Diff(got.Messages, stored); diff != "" {
		t.Errorf("what the rounds handed out is not the history (-want +got):\n%s", diff)
	}
}

func TestCallInTextIsNotShown(t *testing.T) {
	t.Parallel()
	m := script(says("One moment.\n<tool_call>\n{\"name\": \"web_search\", \"arguments\": {\"query\": \"go\"}}\n</tool_call>"), says("Found it."))
	b := &broker{}
	got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools})
	if d := got.text(engine.KindDelta); d != "One moment.Found it." {
		t.Errorf("shown: %q", d)
	}
	if b.count() != 1 || string(b.calls[0].Call.Arguments) != `{"query":"go"}` {
		t.Errorf("calls: %+v", b.calls)
	}
	if len(got.Layers) != 1 || !strings.HasPrefix(got.Layers[0], "tagged") {
		t.Errorf("layers: %v", got.Layers)
	}
	if c := contents(m.last().Messages); strings.Contains(c, "<tool_call>") {
		t.Errorf("the call is sent twice, as call and as text:\n%s", c)
	}
}

func TestThinkingStaysOutOfHistory(t *testing.T) {
	t.Parallel()
	first := calls("web_search", `{"query":"x"}`)
	first.chunks = append([]moothall.Chunk{{Thinking: "field thought"}}, first.chunks...)
	m := script(first, says("<think>tag thought</think>The answer."))
	got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools})
	if got.Answer != "The answer." || got.Thinking != "field thought\n\ntag thought" {
		t.Errorf("answer %q, thinking %q", got.Answer, got.Thinking)
	}
	if th := got.text(engine.KindThinking); th != "field thoughttag thought" {
		t.Errorf("thinking shown: %q", th)
	}
	for _, msgs := range [][]moothall.Message{got.Messages, m.last().Messages} {
		if s := dump(msgs); strings.Contains(s, "thought") {
			t.Errorf("thinking is in the messages:\n%s", s)
		}
	}
}

func TestUnknownTool(t *testing.T) {
	t.Parallel()
	m := script(calls("telepathy", `{}`, "bad name!", `{}`), says("I cannot."))
	b := &broker{}
	got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools})
	if b.count() != 0 {
		t.Errorf("the broker was asked: %+v", b.calls)
	}
	mustContain(t, contents(m.last().Messages), `no tool "telepathy"`, `no tool "bad name!"`, "web_search, memory_write")
	if got.Calls[0].Status != moothall.CallFailed {
		t.Errorf("status: %s", got.Calls[0].Status)
	}
}

func TestArgumentsAreMended(t *testing.T) {
	t.Parallel()
	m := script(calls("web_search", `{"query":"go","count":"3"}`), says("Yes."))
	b := &broker{}
	got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools})
	if b.count() != 1 {
		t.Fatalf("calls: %+v\n%s", b.calls, contents(m.last().Messages))
	}
	var args struct{ Count int }
	if err := json.Unmarshal(b.calls[0].Call.Arguments, &args); err != nil || args.Count != 3 {
		t.Errorf("arguments: %s", b.calls[0].Call.Arguments)
	}
	if len(got.Mends) != 1 || got.Mends[0].Tool != "web_search" {
		t.Errorf("mends: %+v", got.Mends)
	}
}

func TestBadArgumentsGoBackToTheModel(t *testing.T) {
	t.Parallel()
	m := script(calls("web_search", `{"count":3}`), calls("web_search", `{"query":"go"}`), says("Yes."))
	b := &broker{}
	run(t, engine.Request{Model: m, Broker: b, Tools: bothTools})
	if b.count() != 1 {
		t.Fatalf("only the second call can be made: %+v", b.calls)
	}
	mustContain(t, contents(m.requests[1].Messages), "[bad arguments]", "query")
}

func TestCallsInTextThatCannotBeMade(t *testing.T) {
	t.Parallel()
	const good = `<tool_call>{"name":"web_search","arguments":{"query":"a"}}</tool_call>`
	tests := []struct {
		name, text string
		calls      int    // that the broker sees
		told       string // what the model is told
		interim    string
	}{
		{"unknown", `One moment. <tool_call>{"name":"telepathy","arguments":{}}</tool_call>`, 0, "tool: There is no tool \"telepathy\"", "One moment."},
		{"unreadable", `<tool_call>{"name":"web_search","arguments":{"query": oops oops}}</tool_call>`, 0, "tool: The call of \"web_search\" could not be read", ""},
		{"nameless", "<tool_call>\n{\"nam\n</tool_call>", 0, "assistant: <tool_call>\n{\"nam\n</tool_call>\nuser: A tool call could not be read", ""},
		{"nameless beside a good one", good + "<tool_call>{]</tool_call>", 1, "result of web_search\n\n[another call in the same reply could not be read]", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := script(says(tt.text), says("Then in words."))
			b := &broker{}
			got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools})
			if b.count() != tt.calls || got.Answer != "Then in words." || len(m.requests) != 2 {
				t.Fatalf("answer %q after %d calls and %d rounds", got.Answer, b.count(), len(m.requests))
			}
			mustContain(t, contents(m.last().Messages), tt.told)
			if i := got.text(engine.KindInterim); i != tt.interim {
				t.Errorf("interim: %q", i)
			}
		})
	}
}

func TestExampleOfACallIsAnAnswer(t *testing.T) {
	t.Parallel()
	text := numbers(30) + "\n" + `For example: <tool_call>{"name":"telepathy","arguments":{}}</tool_call> is one.`
	m := script(says(text))
	if got := run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools}); got.Answer != text {
		t.Errorf("answer: %q", got.Answer)
	}
}

func TestEchoOfANativeCall(t *testing.T) {
	t.Parallel()
	both := says(`<tool_call>{"name":"web_search","arguments":{"query":"a"}}</tool_call>`)
	both.chunks = append(both.chunks, search("a").chunks...)
	b := &broker{}
	run(t, engine.Request{Model: script(both, says("Yes.")), Broker: b, Tools: bothTools})
	if b.count() != 1 {
		t.Errorf("%d calls", b.count())
	}
}

func TestReadingCallsRunTogether(t *testing.T) {
	t.Parallel()
	m := script(calls("web_search", `{"query":"1"}`, "web_search", `{"query":"2"}`, "web_search", `{"query":"3"}`), says("ok"))
	// Each call waits until all have begun, and the last to begin ends first.
	begun := make(chan struct{}, 3)
	all := make(chan struct{})
	go func() {
		for range 3 {
			<-begun
		}
		close(all)
	}()
	b := &broker{note: "working", do: func(ctx context.Context, c moothall.ToolCall) (moothall.ToolResult, error) {
		begun <- struct{}{}
		select {
		case <-all:
			return ok("found " + string(c.Arguments))
		case <-ctx.Done():
			return moothall.ToolResult{}, ctx.Err()
		}
	}}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	got := runContext(t, ctx, engine.Request{Model: m, Broker: b, Tools: bothTools})
	var order []string
	for _, e := range got.events {
		if e.Kind == engine.KindResult {
			order = append(order, e.Result.Text)
		}
	}
	want := []string{`found {"query":"1"}`, `found {"query":"2"}`, `found {"query":"3"}`}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	if got.Stop != moothall.StopDone {
		t.Errorf("stop: %s", got.Stop)
	}
}

func TestWritingCallsRunOneByOne(t *testing.T) {
	t.Parallel()
	m := script(calls("memory_write", `{"text":"1"}`, "memory_write", `{"text":"2"}`, "web_search", `{"query":"3"}`), says("ok"))
	running := make(chan struct{}, 1)
	b := &broker{do: func(context.Context, moothall.ToolCall) (moothall.ToolResult, error) {
		select {
		case running <- struct{}{}:
		default:
			t.Error("two calls at the same time")
		}
		<-running
		return ok("")
	}}
	got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools})
	if len(b.calls) != 3 || string(b.calls[1].Call.Arguments) != `{"text":"2"}` {
		t.Errorf("calls: %+v", b.calls)
	}
	if got.Calls[0].Result != "[no output]" {
		t.Errorf("an empty result reads %q", got.Calls[0].Result)
	}
}

func TestWordsOfResults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		res  moothall.ToolResult
		err  error
		want string
	}{
		{"failed", moothall.ToolResult{Status: moothall.CallFailed, Text: "no such file"}, nil, "[tool failed] no such file"},
		{"denied", moothall.ToolResult{Status: moothall.CallDenied, Decision: moothall.Decision{Reason: "not yours"}}, nil, "[denied] not yours"},
		{"marked already", moothall.ToolResult{Status: moothall.CallUnavailable, Text: "[tool unavailable]"}, nil, "[tool unavailable]"},
		{"unknown", moothall.ToolResult{Status: moothall.CallUnknown}, nil, "[outcome unknown, verify side effects]"},
		{"cut", moothall.ToolResult{Status: moothall.CallOK, Text: "abc", Cut: "9 lines"}, nil, "abc\n[cut: 9 lines]"},
		{"broker down", moothall.ToolResult{}, moothall.Fail(moothall.CodeUnavailable, "call", "the broker is away"), "[tool unavailable] the broker is away"},
		{"lost", moothall.ToolResult{}, moothall.Fail(moothall.CodeInterrupted, "call", "x"), "verify side effects"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := script(calls("memory_write", `{"text":"1"}`), says("I see."))
			b := &broker{do: func(context.Context, moothall.ToolCall) (moothall.ToolResult, error) { return tt.res, tt.err }}
			got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools})
			mustContain(t, m.last().Messages[len(m.last().Messages)-1].Content, tt.want)
			if got.Stop != moothall.StopDone {
				t.Errorf("the run should go on, but: %s", got.Stop)
			}
		})
	}
}

func TestPrefixKeepsItsBytes(t *testing.T) {
	t.Parallel()
	m := script(
		calls("web_search", `{"query":"1"}`), says("Let me check that."), calls("web_search", `{"query":"2"}`, "memory_write", `{"text":"3"}`),
		says("All done here."))
	run(t, engine.Request{
		Model: m, Broker: &broker{}, Tools: bothTools, System: "S", Tail: "Now is now.", Limits: engine.Limits{Rounds: 9},
		History: []moothall.Message{{Role: moothall.RoleUser, Content: "old"}, {Role: moothall.RoleAssistant, Content: "older"}},
		Input:   user("new"),
	})
	if len(m.requests) != 4 {
		t.Fatalf("%d model calls", len(m.requests))
	}
	for i := 1; i < len(m.requests); i++ {
		before, now := m.requests[i-1], m.requests[i]
		a, b := dump(before.Messages), dump(now.Messages[:len(before.Messages)])
		if a != b {
			t.Errorf("call %d changed what was sent before:\n%s", i, cmp.Diff(a, b))
		}
		if dump(before.Tools) != dump(now.Tools) {
			t.Errorf("call %d offers other tools", i)
		}
	}
}

func TestRecalls(t *testing.T) {
	t.Parallel()
	m := script(calls("web_search", `{"query":"1"}`), says("Yes."))
	b := &broker{do: func(context.Context, moothall.ToolCall) (moothall.ToolResult, error) {
		return moothall.ToolResult{Status: moothall.CallOK, Text: "x", Data: json.RawMessage(`"coffee"`), Labels: moothall.Private, Sent: []moothall.Egress{{Host: "h", Bytes: 3}}}, nil
	}}
	got := run(t, engine.Request{Model: m, Broker: b, Tools: bothTools, Recalls: func(r moothall.ToolResult) []moothall.Recall {
		return []moothall.Recall{{Segment: string(r.Data)}}
	}})
	if len(got.Recalls) != 1 || got.Recalls[0].Segment != `"coffee"` || !strings.Contains(got.kinds(), "tool_result recall round") {
		t.Errorf("recalls %+v, events %s", got.Recalls, got.kinds())
	}
	if got.Labels != moothall.Private || len(got.Sent) != 1 {
		t.Errorf("labels %v, sent %v", got.Labels, got.Sent)
	}
}

func TestRefusedRequests(t *testing.T) {
	t.Parallel()
	m := script()
	closed := []moothall.Message{{Role: moothall.RoleUser, Content: "a"}, {Role: moothall.RoleAssistant, Content: "b"}}
	for name, req := range map[string]engine.Request{
		"no model":       {Input: user("x")},
		"no broker":      {Model: m, Tools: bothTools, Input: user("x")},
		"no clock":       {Model: m, Input: user("x"), Limits: engine.Limits{Time: time.Second}},
		"bad schema":     {Model: m, Input: user("x"), Schema: json.RawMessage("{")},
		"not the user's": {Model: m, Input: []moothall.Message{{Role: moothall.RoleSystem, Content: "x"}}},
		"nothing to say": {Model: m, History: closed},
		"empty input":    {Model: m, Input: user("")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := 0
			for _, err := range engine.Run(t.Context(), req) {
				n++
				if moothall.ErrorCode(err) != moothall.CodeInvalid {
					t.Errorf("error: %v", err)
				}
			}
			if n != 1 {
				t.Errorf("%d events", n)
			}
		})
	}
}

// An apology that asks to be told more announces nothing.
func TestWhoAsksToBeToldAnnouncesNothing(t *testing.T) {
	t.Parallel()
	for text, rounds := range map[string]int{
		"I am sorry about that; tell me what was wrong and I will try again.": 1, "Send me the file and I will read it.": 1, "I am sorry. I will search again.": 2,
	} {
		m := script(says(text), says("Here it is."))
		run(t, engine.Request{Model: m, Broker: &broker{}, Tools: bothTools})
		if len(m.requests) != rounds {
			t.Errorf("%s: %d rounds, want %d", text, len(m.requests), rounds)
		}
	}
}
