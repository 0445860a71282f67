package builtin_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/gateway/builtin"
)

func asError(err error, target **moothall.Error) bool { return errors.As(err, target) }

const thought = "<think>It is said.</think>\n"

func TestTextStreams(t *testing.T) {
	t.Parallel()
	p := scripted(t, builtin.Options{}, thought+"Grüße aus der Halle. 😀<|im_end|>")
	a := must(t, p, moothall.GenerateRequest{Messages: user("hello")})
	if a.thinking != "It is said." || a.text != "Grüße aus der Halle. 😀" || a.last.Stop != moothall.StopDone {
		t.Errorf("%+v", a)
	}
	if len(a.chunks) < 20 {
		t.Errorf("%d chunks, want a stream", len(a.chunks))
	}
	want := len(ids(thought + "Grüße aus der Halle. 😀<|im_end|>"))
	if u := a.last.Usage; u.Calls != 1 || u.OutputTokens != want || u.PromptTokens != len(ids("<|bos|><|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n")) {
		t.Errorf("%+v", u)
	}
}

func TestWhole(t *testing.T) {
	t.Parallel()
	p := scripted(t, builtin.Options{}, thought+"Looking.\n<tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Köln\"}}</tool_call><|im_end|>")
	a := must(t, p, moothall.GenerateRequest{Messages: user("Weather in Köln?"), Tools: weather(), Whole: true})
	if len(a.chunks) != 4 || a.thinking != "It is said." || a.text != "Looking." || len(a.calls) != 1 || a.last.Stop != moothall.StopTools {
		t.Errorf("%+v", a)
	}
}

func TestThinkingOff(t *testing.T) {
	t.Parallel()
	p := scripted(t, builtin.Options{}, "Hello.<|im_end|>")
	if a := must(t, p, moothall.GenerateRequest{Messages: user("hello"), Think: "off"}); a.thinking != "" || a.text != "Hello." {
		t.Errorf("%+v", a)
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	p := scripted(t, builtin.Options{}, thought+`<tool_call>{"name": "weather", "arguments": {"city": "Köln \"am\" Rhein", "days": 3}}</tool_call>`+"\n"+`<tool_call>{"name": "weather", "arguments": {"city": ""}}</tool_call><|im_end|>`)
	a := must(t, p, moothall.GenerateRequest{Messages: user("Weather for 3 days?"), Tools: weather()})
	if len(a.calls) != 2 || a.text != "" || a.last.Stop != moothall.StopTools {
		t.Fatalf("%+v", a)
	}
	if a.calls[0].ID == "" || a.calls[0].ID == a.calls[1].ID || string(a.calls[0].Arguments) != `{"city": "Köln \"am\" Rhein", "days": 3}` {
		t.Errorf("%s", a.calls[0].Arguments)
	}
}

// TestCallsCopy has a network that spells names and numbers in its own way.
func TestCallsCopy(t *testing.T) {
	t.Parallel()
	tools := []moothall.ToolSpec{
		{Name: "fs_read", Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`), Paths: []moothall.PathArgument{{Name: "path", Access: moothall.PathRead}}},
		{Name: "calculate", Parameters: json.RawMessage(`{"type":"object","properties":{"expression":{"type":"string"}},"required":["expression"]}`)},
	}
	for _, c := range []struct{ asked, said, want string }{
		{"read Errands.txt for me", `{"name": "fs_read", "arguments": {"path": "Errands.tyt"}}`, `{"path":"Errands.txt"}`},
		{"read Errands.txt for me", `{"name": "fs_read", "arguments": {"path": "Errands.txt"}}`, `{"path":"Errands.txt"}`},
		{"what is 2,340 times 12?", `{"name": "calculate", "arguments": {"expression": "2340 * 12"}}`, `{"expression":"2340 * 12"}`},
		{"what is 2,340 times 12?", `{"name": "calculate", "arguments": {"expression": "2349 * 12"}}`, `{"expression":"2340 * 12"}`},
	} {
		a := must(t, scripted(t, builtin.Options{}, thought+"<tool_call>"+c.said+"</tool_call><|im_end|>"), moothall.GenerateRequest{Messages: user(c.asked), Tools: tools})
		var got strings.Builder
		for _, call := range a.calls {
			var out bytes.Buffer
			if err := json.Compact(&out, call.Arguments); err != nil {
				t.Fatal(err)
			}
			got.Write(out.Bytes())
		}
		if got.String() != c.want {
			t.Errorf("%s: %s, want %s", c.asked, got.String(), c.want)
		}
	}
}

// TestCallsMean has a network that is not sure which of two files it means; its
// thought was.
func TestCallsMean(t *testing.T) {
	t.Parallel()
	tools := []moothall.ToolSpec{{Name: "fs_read", Parameters: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}`)}}
	for _, want := range []string{"first.txt", "other.txt"} {
		said := "<think>I read " + want + ".</think>\n<tool_call>{\"name\": \"fs_read\", \"arguments\": {\"path\": \""
		p := saying(t, builtin.Options{}, func([]int32) builtin.Reply { return builtin.Reply{IDs: ids(said), Sure: 9} })
		a := must(t, p, moothall.GenerateRequest{Messages: user("Compare first.txt and other.txt"), Tools: tools, MaxTokens: 120})
		if len(a.calls) != 1 || !strings.Contains(string(a.calls[0].Arguments), want) {
			t.Errorf("%s: %+v", want, a)
		}
	}
}

// TestCallsAreHeldToTheirForm has a network that wants to say what may not be.
func TestCallsAreHeldToTheirForm(t *testing.T) {
	t.Parallel()
	p := scripted(t, builtin.Options{}, thought+`<tool_call>{"name": "rm_all", "arguments": {"days": "x", "town": 1}}</tool_call><|im_end|>`)
	a := ask(t.Context(), t, p, moothall.GenerateRequest{Messages: user("Weather?"), Tools: weather(), MaxTokens: 400})
	for _, c := range a.calls {
		var args map[string]any
		if err := json.Unmarshal(c.Arguments, &args); c.Name != "weather" || err != nil || args["city"] == nil {
			t.Errorf("%s %s", c.Name, c.Arguments)
		}
	}
	if a.err != nil {
		t.Error(a.err)
	}
}

// TestCallsStayInTheirForm has arguments that the person's words would put right
// in a way that the schema does not allow, and one that they must leave alone.
func TestCallsStayInTheirForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, parameters, asked, said, want string }{
		{
			"book_table", `{"type":"object","properties":{"title":{"type":"string","enum":["Mr","Mrs","Dr"]}},"required":["title"]}`,
			"Book a table for Mrs. Novak", `{"title": "Mrs"}`, `{"title":"Mrs"}`,
		},
		{
			"send_parcel", `{"type":"object","properties":{"to":{"type":"string"},"parcel":{"type":"integer"}},"required":["to","parcel"]}`,
			"Send parcel 12345678901234567 to Mrs. Novak", `{"to": "Mrs", "parcel": 12345678901234567}`, `{"parcel":12345678901234567,"to":"Mrs. Novak"}`,
		},
		{
			"memory_write", `{"type":"object","properties":{"name":{"type":"string"},"text":{"type":"string","maxLength":16}},"required":["name","text"]}`,
			"remember that the code of the front door is 4711", `{"name": "door", "text": "ours is odd"}`, `{"name":"door","text":"ours is odd"}`,
		},
	} {
		tools := []moothall.ToolSpec{{Name: moothall.ToolName(c.name), Parameters: json.RawMessage(c.parameters)}}
		p := scripted(t, builtin.Options{}, thought+`<tool_call>{"name": "`+c.name+`", "arguments": `+c.said+`}</tool_call><|im_end|>`)
		a := must(t, p, moothall.GenerateRequest{Messages: user(c.asked), Tools: tools})
		if len(a.calls) != 1 {
			t.Fatalf("%s: %+v", c.asked, a)
		}
		var got bytes.Buffer
		if err := json.Compact(&got, a.calls[0].Arguments); err != nil || got.String() != c.want {
			t.Errorf("%s: %s, want %s", c.asked, got.String(), c.want)
		}
	}
}

// TestNoToolsNoCalls: a network that wants to call when nothing is offered has
// to say something else.
func TestNoToolsNoCalls(t *testing.T) {
	t.Parallel()
	p := scripted(t, builtin.Options{}, thought+`<tool_call>{}`)
	if a := ask(t.Context(), t, p, moothall.GenerateRequest{Messages: user("hello"), MaxTokens: 60}); len(a.calls) != 0 || a.err != nil {
		t.Errorf("%+v", a)
	}
}

func TestSchema(t *testing.T) {
	t.Parallel()
	r := moothall.GenerateRequest{Messages: user("Give JSON."), Schema: json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)}
	p := scripted(t, builtin.Options{}, thought+`{"city": "Köln"}<|im_end|>`)
	if a := must(t, p, r); a.text != `{"city": "Köln"}` || a.last.Stop != moothall.StopDone {
		t.Errorf("%+v", a)
	}
	r.MaxTokens = len(thought) + 3
	if a := must(t, p, r); a.last.Stop != moothall.StopLength || a.last.Usage.OutputTokens != r.MaxTokens {
		t.Errorf("cut: %+v", a.last)
	}
	r.Schema = json.RawMessage(`{`)
	if a := ask(t.Context(), t, p, r); moothall.ErrorCode(a.err) != moothall.CodeInvalid {
		t.Error(a.err)
	}
}

// TestUnfit has a schema that the grammar cannot express: exactly one of two.
func TestUnfit(t *testing.T) {
	t.Parallel()
	r := moothall.GenerateRequest{Messages: user("Give JSON."), Think: "off", Schema: json.RawMessage(`{"oneOf":[{"type":"integer"},{"type":"number"}]}`)}
	p := scripted(t, builtin.Options{}, `7<|im_end|>`)
	if a := ask(t.Context(), t, p, r); moothall.ErrorCode(a.err) != moothall.CodeInterrupted || a.text != "7" {
		t.Errorf("%+v", a)
	}
	r.Whole = true
	if a := ask(t.Context(), t, p, r); moothall.ErrorCode(a.err) != moothall.CodeUnsupported || len(a.chunks) != 0 {
		t.Errorf("%+v", a)
	}
}

func TestStops(t *testing.T) {
	t.Parallel()
	p := scripted(t, builtin.Options{}, thought+"One EN two END three<|im_end|>")
	for _, whole := range []bool{false, true} {
		a := must(t, p, moothall.GenerateRequest{Messages: user("hello"), Stop: []string{"END", "never"}, Whole: whole})
		if a.text != "One EN two " || a.last.Stop != moothall.StopDone {
			t.Errorf("whole %v: %q, %s", whole, a.text, a.last.Stop)
		}
	}
	for _, c := range []struct {
		pieces []string
		want   string
		hit    bool
	}{
		{[]string{"ab", "c"}, "abc", false}, {[]string{"xE", "N", "D"}, "x", true}, {[]string{"E", "NX"}, "ENX", false},
		{[]string{"EEN", "D"}, "E", true}, {[]string{"E"}, "E", false}, {[]string{"üEN", "Dü"}, "ü", true},
	} {
		if out, hit := builtin.Cut([]string{"END", ""}, c.pieces...); strings.Join(out, "") != c.want || hit != c.hit {
			t.Errorf("%q: %q, %v", c.pieces, out, hit)
		}
	}
}

func TestLimit(t *testing.T) {
	t.Parallel()
	p := scripted(t, builtin.Options{}, "One two three four.<|im_end|>")
	a := must(t, p, moothall.GenerateRequest{Messages: user("hello"), Think: "off", MaxTokens: 7})
	if a.text != "One two" || a.last.Stop != moothall.StopLength || a.last.Usage.OutputTokens != 7 {
		t.Errorf("%+v", a)
	}
	if a := ask(t.Context(), t, p, moothall.GenerateRequest{Messages: user(strings.Repeat("w ", 40_000))}); moothall.ErrorCode(a.err) != moothall.CodeTooLarge {
		t.Error(a.err)
	}
	if a := ask(t.Context(), t, p, moothall.GenerateRequest{Messages: user(strings.Repeat("w ", 100)), Window: 200}); moothall.ErrorCode(a.err) != moothall.CodeTooLarge {
		t.Error(a.err)
	}
}

func TestThoughtIsBounded(t *testing.T) {
	t.Parallel()
	long := "<think>" + strings.Repeat("hm and so on. ", 40) // no end of its own
	p := saying(t, builtin.Options{Thought: 50}, func([]int32) builtin.Reply { return builtin.Reply{IDs: ids(long), Sure: 30} })
	a := must(t, p, moothall.GenerateRequest{Messages: user("hello"), MaxTokens: 80})
	if len(a.thinking) != 50 || a.text == "" {
		t.Errorf("%+v", a)
	}
}

func TestCircles(t *testing.T) {
	t.Parallel()
	round := strings.Repeat("again and ", 100)
	for name, c := range map[string]struct {
		said string
		r    moothall.GenerateRequest
		most int
	}{
		"text":    {thought + round, moothall.GenerateRequest{}, 100},
		"thought": {"<think>" + round, moothall.GenerateRequest{MaxTokens: 200}, 210},
		"schema":  {thought + `{"a": "` + round, moothall.GenerateRequest{Schema: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`)}, 150},
		"call":    {thought + `<tool_call>{"name": "weather", "arguments": {"city": "` + round, moothall.GenerateRequest{Tools: weather(), MaxTokens: 300}, 300},
	} {
		c.r.Messages = user("hello")
		a := must(t, scripted(t, builtin.Options{}, c.said), c.r)
		if a.last.Usage.OutputTokens > c.most {
			t.Errorf("%s: %d tokens", name, a.last.Usage.OutputTokens)
		}
		if name == "schema" && !json.Valid([]byte(a.text)) || name == "call" && len(a.calls) == 0 {
			t.Errorf("%s: %+v", name, a)
		}
	}
	unit := []int32{1, 2, 3, 4, 5, 6, 7}
	if builtin.Circles(slices.Repeat(unit, 3)) || !builtin.Circles(slices.Repeat(unit, 4)) || builtin.Circles(slices.Repeat([]int32{9}, 20)) || !builtin.Circles(slices.Repeat([]int32{9}, 24)) {
		t.Error("what counts as a circle has changed")
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	block := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	hangs := saying(t, builtin.Options{}, func([]int32) builtin.Reply { return builtin.Reply{Feed: block} })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if a := ask(ctx, t, hangs, moothall.GenerateRequest{Messages: user("hello")}); moothall.ErrorCode(a.err) != moothall.CodeTimeout {
		t.Error(a.err)
	}
	p := scripted(t, builtin.Options{}, thought+"One two three four.<|im_end|>")
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	n := 0
	for _, err := range p.Generate(ctx, moothall.GenerateRequest{Messages: user("hello")}) {
		if n++; n == 3 {
			cancel()
		}
		if n > 3 && moothall.ErrorCode(err) != moothall.CodeCanceled {
			t.Errorf("value %d after the end: %v", n, err)
		}
	}
	if n != 4 {
		t.Errorf("%d values, want three and an error", n)
	}
	if a := ask(ctx, t, p, moothall.GenerateRequest{Messages: user("hello")}); moothall.ErrorCode(a.err) != moothall.CodeCanceled {
		t.Error(a.err)
	}
	for range p.Generate(t.Context(), moothall.GenerateRequest{Messages: user("hello")}) {
		break
	}
	if a := must(t, p, moothall.GenerateRequest{Messages: user("hello")}); a.text != "One two three four." {
		t.Errorf("after a break: %q", a.text)
	}
}

// TestBroken tells a failure before the first chunk from one in mid-answer.
func TestBroken(t *testing.T) {
	t.Parallel()
	for after, want := range map[int]moothall.Code{1: moothall.CodeUnavailable, 9: moothall.CodeInterrupted} {
		n := 0
		p := saying(t, builtin.Options{}, func([]int32) builtin.Reply {
			return builtin.Reply{IDs: ids(thought + "One two three."), Sure: 30, Feed: func(context.Context) error {
				if n++; n == after {
					return errors.New("out of order")
				}
				return nil
			}}
		})
		if a := ask(t.Context(), t, p, moothall.GenerateRequest{Messages: user("hello")}); moothall.ErrorCode(a.err) != want {
			t.Errorf("after %d: %v", after, a.err)
		}
	}
}

// TestConcurrent has more callers than slots; nobody gets another's answer.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	p := saying(t, builtin.Options{Parallel: 3}, func(prompt []int32) builtin.Reply {
		word := letters{}.Piece(prompt[len(ids("<|bos|><|im_start|>user\n"))])
		return builtin.Reply{IDs: ids(strings.Repeat(string(word), 20) + "<|im_end|>"), Sure: 30}
	})
	var wg sync.WaitGroup
	for _, s := range strings.Split("abcdefghijklmnop", "") {
		wg.Go(func() {
			a := ask(t.Context(), t, p, moothall.GenerateRequest{Messages: user(s), Think: "off"})
			if a.err != nil || a.text != strings.Repeat(s, 20) {
				t.Errorf("%s: %q, %v", s, a.text, a.err)
			}
		})
	}
	wg.Wait()
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	p := scripted(t, builtin.Options{}, "")
	for name, c := range map[string]struct {
		r    moothall.GenerateRequest
		want moothall.Code
	}{
		"another model": {moothall.GenerateRequest{Model: "gpt"}, moothall.CodeNotFound},
		"an image":      {moothall.GenerateRequest{Messages: []moothall.Message{{Role: moothall.RoleUser, Images: [][]byte{{1}}}}}, moothall.CodeUnsupported},
	} {
		if a := ask(t.Context(), t, p, c.r); moothall.ErrorCode(a.err) != c.want {
			t.Errorf("%s: %v", name, a.err)
		}
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	if a := ask(t.Context(), t, p, moothall.GenerateRequest{Messages: user("hello")}); moothall.ErrorCode(a.err) != moothall.CodeUnavailable {
		t.Error(a.err)
	}
}

// TestWaitingEnds: who waits for a slot can give up.
func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	p := scripted(t, builtin.Options{Parallel: 1}, "Hello.<|im_end|>")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r := moothall.GenerateRequest{Messages: user("hello"), Think: "off"}
	for range p.Generate(t.Context(), r) {
		cancel()
		if a := ask(ctx, t, p, r); moothall.ErrorCode(a.err) != moothall.CodeCanceled {
			t.Error(a.err)
		}
		late, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
		if a := ask(late, t, p, r); moothall.ErrorCode(a.err) != moothall.CodeTimeout {
			t.Error(a.err)
		}
		stop()
		break
	}
	must(t, p, r)
}
