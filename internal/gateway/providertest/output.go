package providertest

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"moothall"
)

func textStreams(t *testing.T, f Fixture) {
	want := strings.Repeat("Grüße aus der Halle. ", 40)
	f.Script(Reply{Text: want, Pieces: 20, Prompt: 11, Output: 200})
	a := mustGenerate(t, f, ask(f))
	if a.text != want {
		t.Errorf("got %d bytes of text, want %d", len(a.text), len(want))
	}
	if len(a.chunks) < 5 {
		t.Errorf("%d chunks, want a stream", len(a.chunks))
	}
	if a.last.Stop != moothall.StopDone || a.last.Usage.Calls != 1 || a.last.Usage.PromptTokens != 11 || a.last.Usage.OutputTokens != 200 {
		t.Errorf("the last chunk is %+v", a.last)
	}
	if !only(t, f).Stream {
		t.Error("the server was not asked to stream")
	}
}

func wholeReplies(t *testing.T, f Fixture) {
	f.Script(Reply{Text: "all of it at once, as was asked for", Prompt: 7, Output: 9})
	r := ask(f)
	r.Whole = true
	a := mustGenerate(t, f, r)
	n := 0
	for _, c := range a.chunks {
		if c.Text != "" {
			n++
		}
	}
	if n != 1 || a.text != "all of it at once, as was asked for" {
		t.Errorf("text %q in %d chunks, want one", a.text, n)
	}
	if a.last.Stop != moothall.StopDone || a.last.Usage.PromptTokens != 7 || a.last.Usage.OutputTokens != 9 {
		t.Errorf("the last chunk is %+v", a.last)
	}
}

func thinkingApart(t *testing.T, f Fixture) {
	if f.NoThinking {
		t.Skip("the wire has no field for thinking")
	}
	for _, whole := range []bool{false, true} {
		f.Script(Reply{Thinking: "first this, then that", Text: "so it is"})
		r := ask(f)
		r.Think, r.Whole = "on", whole
		a := mustGenerate(t, f, r)
		if a.thinking != "first this, then that" || a.text != "so it is" {
			t.Errorf("whole %v: thinking %q, text %q", whole, a.thinking, a.text)
		}
	}
}

func toolCalls(t *testing.T, f Fixture, whole bool) {
	f.Script(Reply{Text: "let me look", ToolCalls: []moothall.ToolCall{
		{ID: "call_one", Name: "weather", Arguments: json.RawMessage(`{"city":"Köln \"am\" Rhein","days":3}`)},
		{ID: "call_two", Name: "weather", Arguments: json.RawMessage(`{}`)},
	}})
	r := ask(f)
	r.Tools, r.Whole = []moothall.ToolSpec{weatherTool()}, whole
	a := mustGenerate(t, f, r)
	if a.last.Stop != moothall.StopTools || a.text != "let me look" {
		t.Errorf("stop %q, text %q", a.last.Stop, a.text)
	}
	if len(a.calls) != 2 {
		t.Fatalf("%d calls, want 2: %v", len(a.calls), a.calls)
	}
	if a.calls[0].ID == "" || a.calls[1].ID == "" || a.calls[0].ID == a.calls[1].ID {
		t.Errorf("ids %q and %q, want two", a.calls[0].ID, a.calls[1].ID)
	}
	if a.calls[0].Name != "weather" || !sameJSON(a.calls[0].Arguments, []byte(`{"city":"Köln \"am\" Rhein","days":3}`)) {
		t.Errorf("the first call is %s %s", a.calls[0].Name, a.calls[0].Arguments)
	}
	if !sameJSON(a.calls[1].Arguments, []byte(`{}`)) {
		t.Errorf("the second call's arguments are %s", a.calls[1].Arguments)
	}
	if got := only(t, f).Tools; !slices.Equal(got, []moothall.ToolName{"weather"}) {
		t.Errorf("the server was offered %v", got)
	}
}

// largeToolCall is over what line readers hold by default.
func largeToolCall(t *testing.T, f Fixture) {
	args, err := json.Marshal(map[string]string{"city": strings.Repeat("x", 300<<10)})
	if err != nil {
		t.Fatal(err)
	}
	f.Script(Reply{ToolCalls: []moothall.ToolCall{{ID: "big", Name: "weather", Arguments: args}}})
	r := ask(f)
	r.Tools = []moothall.ToolSpec{weatherTool()}
	a := mustGenerate(t, f, r)
	if len(a.calls) != 1 || !sameJSON(a.calls[0].Arguments, args) {
		t.Errorf("%d calls came, or their arguments are not what was sent", len(a.calls))
	}
}

func cutByLength(t *testing.T, f Fixture) {
	for _, whole := range []bool{false, true} {
		f.Script(Reply{Text: "and then he", Cut: true, Output: 3})
		r := ask(f)
		r.MaxTokens, r.Whole = 3, whole
		if a := mustGenerate(t, f, r); a.last.Stop != moothall.StopLength || a.text != "and then he" {
			t.Errorf("whole %v: stop %q, text %q", whole, a.last.Stop, a.text)
		}
	}
}

// emptyReply is what remains of a call that a server swallowed.
func emptyReply(t *testing.T, f Fixture) {
	f.Script(Reply{Output: 17})
	a := mustGenerate(t, f, ask(f))
	if a.text != "" || len(a.calls) != 0 || a.last.Stop != moothall.StopDone || a.last.Usage.OutputTokens != 17 {
		t.Errorf("got text %q, %d calls, last %+v", a.text, len(a.calls), a.last)
	}
}

func largeOutput(t *testing.T, f Fixture) {
	want := strings.Repeat("0123456789abcdef", 64<<10)
	for _, r := range []Reply{{Text: want, Pieces: 2000}, {Text: want, Pieces: 1}} {
		f.Script(r)
		if a := mustGenerate(t, f, ask(f)); a.text != want {
			t.Errorf("in %d pieces: got %d bytes, want %d", r.Pieces, len(a.text), len(want))
		}
	}
}
