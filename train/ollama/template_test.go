package ollama_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/parser"
	"github.com/ollama/ollama/template"
	"github.com/ollama/ollama/thinking"
	"github.com/ollama/ollama/tools"
)

// differ names the cases that Ollama cannot write as we do, and why. A case
// that does not differ any more must leave the list.
var differ = map[string]string{
	"description with runs of white space":           "templates have no function that folds white space",
	"nested arguments in the order of their schemas": "Ollama hands nested objects over without their order; they come out sorted",
	"unicode and escapes in arguments":               "Go's quoting, the nearest that templates have, writes control characters in its own way",
}

type testCase struct {
	Name     string `json:"name"`
	Messages []struct {
		Role    string `json:"role"`
		Name    string `json:"name"`
		Content string `json:"content"`
		Think   string `json:"think"`
		Calls   []struct {
			Name      string                        `json:"name"`
			Arguments api.ToolCallFunctionArguments `json:"arguments"`
		} `json:"calls"`
	} `json:"messages"`
	Tools []api.ToolFunction `json:"tools"`
	Think string             `json:"think"`
	Text  string             `json:"text"`
}

func cases(t *testing.T) []testCase {
	t.Helper()
	raw, err := os.ReadFile("../testdata/render.json")
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Cases []testCase `json:"cases"`
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Cases) == 0 {
		t.Fatal("the table is empty")
	}
	return f.Cases
}

// modelTemplate is the template as `ollama create` reads it.
func modelTemplate(t *testing.T) *template.Template {
	t.Helper()
	f, err := os.Open("Modelfile")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := parser.ParseFile(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Commands {
		if c.Name == "template" {
			out, err := template.Parse(c.Args)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
	}
	t.Fatal("the Modelfile has no template")
	return nil
}

func (c testCase) values() template.Values {
	v := template.Values{IsThinkSet: c.Think != "", Think: c.Think != "off" && c.Think != ""}
	for _, m := range c.Messages {
		msg := api.Message{Role: m.Role, Content: m.Content, Thinking: m.Think, ToolName: m.Name}
		for _, call := range m.Calls {
			msg.ToolCalls = append(msg.ToolCalls, api.ToolCall{Function: api.ToolCallFunction{Name: call.Name, Arguments: call.Arguments}})
		}
		v.Messages = append(v.Messages, msg)
	}
	for _, f := range c.Tools {
		v.Tools = append(v.Tools, api.Tool{Type: "function", Function: f})
	}
	return v
}

func TestPrompt(t *testing.T) {
	t.Parallel()
	tmpl := modelTemplate(t)
	seen := 0
	for _, c := range cases(t) {
		var got bytes.Buffer
		if err := tmpl.Execute(&got, c.values()); err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		// Ollama puts the token before the text itself (add_bos_token).
		same := "<|bos|>"+got.String() == c.Text
		why, listed := differ[c.Name]
		if listed {
			seen++
		}
		switch {
		case listed && same:
			t.Errorf("%s: listed as different, but it is not", c.Name)
		case !listed && !same:
			t.Errorf("%s:\nwant %q\ngot  %q", c.Name, c.Text, "<|bos|>"+got.String())
		case listed && why == "":
			t.Errorf("%s: no reason given", c.Name)
		}
	}
	if seen != len(differ) {
		t.Errorf("%d of %d listed cases are in the table", seen, len(differ))
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	tmpl := modelTemplate(t)
	if open, end := thinking.InferTags(tmpl.Template); open != "<think>" || end != "</think>" {
		t.Errorf("thoughts are taken from between %q and %q", open, end)
	}
	vars, err := tmpl.Vars()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"tools", "thinking", "messages"} {
		if !strings.Contains(" "+strings.Join(vars, " ")+" ", " "+want+" ") {
			t.Errorf("Ollama does not see the ability that %q stands for", want)
		}
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	offered := []api.Tool{{Type: "function", Function: api.ToolFunction{Name: "fs_read"}}}
	p := tools.NewParser(modelTemplate(t).Template, offered)
	var calls []api.ToolCall
	text := ""
	for _, piece := range []string{"Reading.\n", "<tool_call>", `{"name": "fs_read", "arguments": {"path": "a<b>.txt"}}`, "</tool_call>", "\n", "<tool_call>", `{"name": "fs_read", "arguments": {"path": "b"}}`, "</tool_call>"} {
		c, said := p.Add(piece)
		calls, text = append(calls, c...), text+said
	}
	if len(calls) != 2 || strings.TrimSpace(text) != "Reading." {
		t.Fatalf("got %d calls and the text %q", len(calls), text)
	}
	if path, _ := calls[0].Function.Arguments.Get("path"); path != "a<b>.txt" {
		t.Errorf("the path is %v", path)
	}
}
