package ollama_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/ollama"
	"moothall/internal/moottest/ollamatest"
)

// TestAlwaysExplicit checks what every chat carries.
func TestAlwaysExplicit(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{KeepAlive: 10 * time.Minute})
	s.Script(ollamatest.Reply{Text: "yes"})
	mustGenerate(t, p, ask("hello"))
	c := onlyChat(t, s)
	if c.Truncate == nil || *c.Truncate || c.Shift == nil || *c.Shift {
		t.Error("truncate:false and shift:false were not both sent")
	}
	if c.Options["num_ctx"] != float64(32000) {
		t.Errorf("num_ctx is %v, want 32000", c.Options["num_ctx"])
	}
	if c.Think != nil {
		t.Errorf("think is %v, want it left out", c.Think)
	}
	if c.KeepAlive != "600s" {
		t.Errorf("keep_alive is %v", c.KeepAlive)
	}
}

// TestWindow checks which num_ctx is sent.
func TestWindow(t *testing.T) {
	t.Parallel()
	small := ollamatest.Model{Name: "small:1b", Family: "qwen3", Window: 8192, Capabilities: []string{"completion"}}
	set := ollamatest.Model{Name: "set:1b", Family: "qwen3", Window: 65536, Capabilities: []string{"completion"}, Settings: "stop \"<|im_end|>\"\nnum_ctx 12000\n"}
	large := ollamatest.Model{Name: "large:1b", Family: "qwen3", Window: 262144, Capabilities: []string{"completion"}}
	tests := map[string]struct {
		model ollamatest.Model
		asked int
		want  float64
	}{
		"default":                {large, 0, 32000},
		"capped by the model":    {small, 0, 8192},
		"of the Modelfile":       {set, 0, 12000},
		"asked for":              {large, 100000, 100000},
		"asked for and capped":   {small, 100000, 8192},
		"asked over Modelfile's": {set, 5000, 5000},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, p := pair(t, ollamatest.Options{Models: []ollamatest.Model{tt.model}}, ollama.Options{})
			s.Script(ollamatest.Reply{Text: "yes"})
			r := ask("hello")
			r.Model, r.Window = tt.model.Name, tt.asked
			mustGenerate(t, p, r)
			if got := onlyChat(t, s).Options["num_ctx"]; got != tt.want {
				t.Errorf("num_ctx is %v, want %v", got, tt.want)
			}
			card, err := p.Show(t.Context(), tt.model.Name)
			if err != nil {
				t.Fatal(err)
			}
			if tt.asked == 0 && float64(card.Window) != tt.want {
				t.Errorf("the card's window is %d, want what is asked for by default, %v", card.Window, tt.want)
			}
		})
	}
}

func TestThink(t *testing.T) {
	t.Parallel()
	for wish, want := range map[string]any{"": nil, "on": true, "off": false} {
		s, p := pair(t, ollamatest.Options{}, ollama.Options{})
		s.Script(ollamatest.Reply{Text: "yes"})
		r := ask("hello")
		r.Think = wish
		mustGenerate(t, p, r)
		if got := onlyChat(t, s).Think; got != want {
			t.Errorf("%q is sent as %v, want %v", wish, got, want)
		}
	}
	_, p := pair(t, ollamatest.Options{}, ollama.Options{})
	r := ask("hello")
	r.Think = "low"
	_, err := generate(t, p, r)
	wantCode(t, err, moothall.CodeUnsupported)
	r.Think, r.Model = "on", ollamatest.PlainModel
	_, err = generate(t, p, r)
	wantCode(t, err, moothall.CodeUnsupported)
	r.Think, r.Tools = "", []moothall.ToolSpec{echoTool()}
	_, err = generate(t, p, r)
	wantCode(t, err, moothall.CodeUnsupported)
}

// TestCutInThoughts is a reply that ended before its text began.
func TestCutInThoughts(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{})
	s.Script(ollamatest.Reply{Thinking: "let me see, first", DoneReason: "length"})
	a := mustGenerate(t, p, ask("hello"))
	if a.text != "" || a.thinking == "" || a.last.Stop != moothall.StopLength {
		t.Errorf("got %+v", a)
	}
}

// TestSwallowedCall is a call of a tool that was not offered: the server
// drops it and says nothing.
func TestSwallowedCall(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{})
	for _, whole := range []bool{false, true} {
		s.Script(ollamatest.Reply{Calls: []ollamatest.Call{callOf("missing", `{}`)}, OutputTokens: 23})
		r := ask("hello")
		r.Tools, r.Whole = []moothall.ToolSpec{echoTool()}, whole
		a := mustGenerate(t, p, r)
		if a.text != "" || len(a.calls) != 0 || a.last.Stop != moothall.StopDone || a.last.Usage.OutputTokens != 23 {
			t.Errorf("whole %v: got %+v", whole, a)
		}
	}
}

// TestWithoutLastLine is what a server does with a model that loops, and what
// a broken one does.
func TestWithoutLastLine(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{})
	s.Script(ollamatest.Reply{Lines: append([]string{"so "}, slices.Repeat([]string{"la "}, 31)...), NoDone: true})
	a := mustGenerate(t, p, ask("sing"))
	if a.last.Stop != moothall.StopRepetition || a.last.Usage.Calls != 1 || a.last.Usage.OutputTokens != 32 || !strings.HasSuffix(a.text, "la la ") {
		t.Errorf("got %+v", a)
	}
	s.Script(ollamatest.Reply{Text: "and then he said", NoDone: true})
	a, err := generate(t, p, ask("go on"))
	wantCode(t, err, moothall.CodeInterrupted)
	if a.text != "and then he said" {
		t.Errorf("the text before the end is %q", a.text)
	}
	s.Script(ollamatest.Reply{NoDone: true})
	_, err = generate(t, p, ask("go on"))
	wantCode(t, err, moothall.CodeUnavailable)
}

// TestWholeWithoutEnd is the same for a reply that comes at once: the server
// sends what it has, and only "done" tells that it is not all.
func TestWholeWithoutEnd(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{})
	whole := func(text string) (answer, error) {
		s.Script(ollamatest.Reply{Text: text, NoDone: true})
		r := ask("go on")
		r.Whole = true
		return generate(t, p, r)
	}
	a, err := whole("so" + strings.Repeat(" la", 31))
	if err != nil || a.last.Stop != moothall.StopRepetition || a.last.Usage.Calls != 1 || a.last.Usage.OutputTokens == 0 || !strings.HasSuffix(a.text, " la la") {
		t.Errorf("got %+v, %v", a, err)
	}
	a, err = whole("and then he said")
	wantCode(t, err, moothall.CodeInterrupted)
	if a.text != "and then he said" {
		t.Errorf("the text before the end is %q", a.text)
	}
	_, err = whole("")
	wantCode(t, err, moothall.CodeUnavailable)
}

// TestErrorLine is an error under status 200, before and after something came.
func TestErrorLine(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{})
	s.Script(
		ollamatest.Reply{Text: "as far", ErrorLine: "an error was encountered while running the model"},
		ollamatest.Reply{ErrorLine: "an error was encountered while running the model"},
		ollamatest.Reply{ErrorLine: "the input length exceeds the context length"},
	)
	for _, want := range []moothall.Code{moothall.CodeInterrupted, moothall.CodeUnavailable, moothall.CodeTooLarge} {
		_, err := generate(t, p, ask("hello"))
		wantCode(t, err, want)
	}
}

// TestHistoryArguments checks that arguments reach the server as objects,
// which refuses all else.
func TestHistoryArguments(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		`{"say":"hi"}`:       `{"say":"hi"}`,
		` {"say":"hi"} `:     `{"say":"hi"}`,
		`"{\"say\":\"hi\"}"`: `{"say":"hi"}`,
		`"hi"`:               `{"text":"hi"}`,
		`["hi"]`:             `{"value":["hi"]}`,
		`7`:                  `{"value":7}`,
		``:                   `{}`,
		`null`:               `{}`,
		`{"say":"hi"`:        `{"text":"{\"say\":\"hi\""}`,
	}
	for args, want := range tests {
		s, p := pair(t, ollamatest.Options{}, ollama.Options{})
		s.Script(ollamatest.Reply{Text: "yes"})
		r := ask("hello")
		r.Messages = append(r.Messages,
			moothall.Message{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "c1", Name: "echo", Arguments: json.RawMessage(args)}}},
			moothall.Message{Role: moothall.RoleTool, ToolName: "echo", CallID: "c1", Content: "hi"})
		mustGenerate(t, p, r)
		m := onlyChat(t, s).Messages
		if got := string(m[1].ToolCalls[0].Function.Arguments); got != want {
			t.Errorf("%s is sent as %s, want %s", args, got, want)
		}
		if m[2].ToolName != "echo" || m[2].ToolCallID != "c1" || m[1].ToolCalls[0].ID != "c1" {
			t.Errorf("the result does not name its call: %+v", m[2])
		}
	}
}

func TestImages(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{})
	s.Script(ollamatest.Reply{Text: "a cat"})
	r := ask("what is it?")
	r.Messages[0].Images = [][]byte{{0x89, 'P', 'N', 'G'}}
	mustGenerate(t, p, r)
	if got := onlyChat(t, s).Messages[0].Images; len(got) != 1 || string(got[0]) != "\x89PNG" {
		t.Errorf("the image arrived as %q", got)
	}
}

func TestNothingToAnswer(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{})
	_, err := generate(t, p, moothall.GenerateRequest{Model: ollamatest.ChatModel})
	wantCode(t, err, moothall.CodeInvalid)
	if n := len(s.Chats()); n != 0 {
		t.Error("an empty conversation was sent, which only loads the model")
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	p := newProvider(t, ollama.Options{URL: "http://127.0.0.1:1"})
	_, err := generate(t, p, ask("hello"))
	wantCode(t, err, moothall.CodeUnavailable)
	if !strings.Contains(moothall.ErrorRemedy(err), "ollama serve") {
		t.Errorf("the remedy is %q", moothall.ErrorRemedy(err))
	}
	_, err = p.List(t.Context())
	wantCode(t, err, moothall.CodeUnavailable)
}

// TestKey checks a server behind a proxy that wants a token.
func TestKey(t *testing.T) {
	t.Parallel()
	s, closed := pair(t, ollamatest.Options{Key: "k-123"}, ollama.Options{})
	_, err := generate(t, closed, ask("hello"))
	wantCode(t, err, moothall.CodeDenied)
	p := newProvider(t, ollama.Options{URL: s.URL, Key: secret("k-123")})
	s.Script(ollamatest.Reply{Text: "yes"})
	mustGenerate(t, p, ask("hello"))
}

var _ gateway.Provider = (*ollama.Provider)(nil)
