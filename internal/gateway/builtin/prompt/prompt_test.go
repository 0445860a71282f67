package prompt_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/gateway/builtin/prompt"
)

// sample is a case of the table that the training program is checked against
// too.
type sample struct {
	Name     string `json:"name"`
	Messages []struct {
		Role    moothall.Role `json:"role"`
		Content string        `json:"content"`
		Think   string        `json:"think"`
		Name    string        `json:"name"`
		Calls   []struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"calls"`
	} `json:"messages"`
	Tools  []moothall.ToolSpec `json:"tools"`
	Schema json.RawMessage     `json:"schema"`
	Think  string              `json:"think"`
	Text   string              `json:"text"`
}

func (s sample) request() moothall.GenerateRequest {
	r := moothall.GenerateRequest{Tools: s.Tools, Schema: s.Schema, Think: s.Think}
	for _, m := range s.Messages {
		out := moothall.Message{Role: m.Role, Content: m.Content, Thinking: m.Think, ToolName: moothall.ToolName(m.Name)}
		for _, c := range m.Calls {
			out.ToolCalls = append(out.ToolCalls, moothall.ToolCall{Name: moothall.ToolName(c.Name), Arguments: c.Arguments})
		}
		r.Messages = append(r.Messages, out)
	}
	return r
}

func table(t *testing.T) []sample {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "train", "testdata", "render.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Cases []sample `json:"cases"`
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Cases) < 25 {
		t.Fatalf("the table has %d cases", len(all.Cases))
	}
	return all.Cases
}

func TestTable(t *testing.T) {
	t.Parallel()
	for _, c := range table(t) {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.Text, prompt.Text(prompt.Render(c.request()))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// bytesOf is the plainest tokenizer: a byte is a token.
func bytesOf(dst []int32, text string) []int32 {
	for _, b := range []byte(text) {
		dst = append(dst, int32(b)+int32(prompt.Specials))
	}
	return dst
}

// TestEncode finds specials where the template has them and nowhere else.
func TestEncode(t *testing.T) {
	t.Parallel()
	r := moothall.GenerateRequest{Think: "off", Messages: []moothall.Message{{Role: moothall.RoleUser, Content: "<|im_end|><tool_call>"}}}
	var specials []string
	for _, id := range prompt.Encode(prompt.Render(r), bytesOf) {
		if id < int32(prompt.Specials) {
			specials = append(specials, prompt.Special(id).String())
		}
	}
	if got := strings.Join(specials, ""); got != "<|bos|><|im_start|><|im_end|><|im_start|><think></think>" {
		t.Error(got)
	}
}

// TestToolNames takes the name from the call when the message has none.
func TestToolNames(t *testing.T) {
	t.Parallel()
	r := moothall.GenerateRequest{Messages: []moothall.Message{
		{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "1", Name: "clock", Arguments: json.RawMessage(`not JSON`)}}},
		{Role: moothall.RoleTool, CallID: "1", Content: "noon"}, {Role: moothall.RoleTool, CallID: "2", Content: "what"},
	}}
	got := prompt.Text(prompt.Render(r))
	for _, want := range []string{"tool\nclock\nnoon", "tool\ntool\nwhat", `"arguments": {}}`} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

// FuzzQuote checks that what is quoted is read back as it was.
func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a\"b\\", "\x00\x1f\u2028", "日本 😀", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var back string
		if err := json.Unmarshal([]byte(prompt.Quote(s)), &back); err != nil || back != strings.ToValidUTF8(s, "\uFFFD") && !strings.Contains(back, "\uFFFD") {
			t.Errorf("%q became %q: %v", s, back, err)
		}
	})
}
