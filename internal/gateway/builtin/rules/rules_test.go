package rules_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/builtin/rules"
)

// said collects a reply.
type said struct {
	thinking, text string
	calls          []moothall.ToolCall
	last           moothall.Chunk
	chunks         int
}

func generate(t *testing.T, r moothall.GenerateRequest) said {
	t.Helper()
	var out said
	for c, err := range (rules.Provider{}).Generate(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		out.thinking += c.Thinking
		out.text += c.Text
		out.calls = append(out.calls, c.ToolCalls...)
		out.last = c
		out.chunks++
	}
	return out
}

// dialogue is user and assistant in turns.
func dialogue(lines ...string) []moothall.Message {
	var out []moothall.Message
	for i, l := range lines {
		role := moothall.RoleUser
		if i%2 == 1 {
			role = moothall.RoleAssistant
		}
		out = append(out, moothall.Message{Role: role, Content: l})
	}
	return out
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"capital", []string{"What is the capital of France?"}, "Paris"},
		{"capital, other words", []string{"tell me the capital city of Japan please"}, "Tokyo"},
		{"follow-up", []string{"What is the capital of Italy?", "The capital of Italy is Rome.", "And what is its population?"}, "2.8 million"},
		{"follow-up, latest first", []string{"Capital of Spain?", "Madrid.", "And the capital of Norway?", "Oslo.", "How many people live there?"}, "Oslo has about"},
		{"currency", []string{"What is the capital of Japan?", "The capital of Japan is Tokyo.", "What is its currency?"}, "the yen"},
		{"country", []string{"What is the population of Germany?"}, "Germany has about 84 million"},
		{"the United States", []string{"capital of the United States?"}, "Washington"},
		{"itself", []string{"What are you?"}, "small responder"},
		{"unknown", []string{"Who wrote the Iliad?"}, "I don't know that"},
		{"unknown country", []string{"What is the capital of Atlantis?"}, "I don't know that"},
		{"follow-up on nothing", []string{"What is its population?"}, "I don't know that"},
	} {
		got := generate(t, moothall.GenerateRequest{Model: rules.Model, Messages: dialogue(c.lines...)})
		if !strings.Contains(got.text, c.want) {
			t.Errorf("%s: %q does not contain %q", c.name, got.text, c.want)
		}
		if got.thinking == "" || got.last.Stop != moothall.StopDone || got.last.Usage.OutputTokens == 0 {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestHonest says how to get a real model whenever it does not know.
func TestHonest(t *testing.T) {
	t.Parallel()
	got := generate(t, moothall.GenerateRequest{Model: rules.Model, Messages: dialogue("Prove Fermat's last theorem.")})
	for _, want := range []string{"not a language model", "ollama pull"} {
		if !strings.Contains(got.text, want) {
			t.Errorf("%q lacks %q", got.text, want)
		}
	}
}

func tool(name, about, required string) moothall.ToolSpec {
	return moothall.ToolSpec{
		Name: moothall.ToolName(name), Description: about,
		Parameters: json.RawMessage(`{"type":"object","properties":{"` + required + `":{"type":"string"}},"required":["` + required + `"]}`),
	}
}

func TestCallsToolsByTheirWords(t *testing.T) {
	t.Parallel()
	tools := []moothall.ToolSpec{
		tool("finder", "Search the web for something.", "query"), tool("reader", "Fetch a page by its address.", "url"),
		tool("sums", "Calculate an arithmetic expression.", "expression"),
	}
	for question, want := range map[string]string{
		"What are the latest news about Go?":     `finder {"query":"What are the latest news about Go?"}`,
		"Read https://example.org/a page for me": `reader {"url":"https://example.org/a"}`,
		"How much is 12 * (3 + 4)?":              `sums {"expression":"12 * (3 + 4)"}`,
		"What is the capital of France?":         ``,
	} {
		got := generate(t, moothall.GenerateRequest{Model: rules.Model, Tools: tools, Messages: dialogue(question)})
		var called string
		for _, c := range got.calls {
			called += string(c.Name) + " " + string(c.Arguments)
		}
		if called != want {
			t.Errorf("%q: called %q, want %q", question, called, want)
		}
		if called != "" && (got.last.Stop != moothall.StopTools || got.calls[0].ID == "") {
			t.Errorf("%q: %+v", question, got.last)
		}
	}
}

func TestPassesOnWhatToolsFound(t *testing.T) {
	t.Parallel()
	messages := append(dialogue("Any news?"), moothall.Message{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "1", Name: "finder"}}},
		moothall.Message{Role: moothall.RoleTool, ToolName: "finder", CallID: "1", Content: "Go 1.99 is out."})
	got := generate(t, moothall.GenerateRequest{Model: rules.Model, Messages: messages, Tools: []moothall.ToolSpec{tool("finder", "Search the web.", "query")}})
	if !strings.Contains(got.text, "Go 1.99 is out.") || len(got.calls) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	r := moothall.GenerateRequest{Model: rules.Model, Messages: dialogue("What are you?")}
	streamed := generate(t, r)
	r.Whole = true
	whole := generate(t, r)
	if streamed.text != whole.text || whole.chunks != 3 || streamed.chunks < 20 {
		t.Errorf("streamed in %d, whole in %d chunks", streamed.chunks, whole.chunks)
	}
	r.MaxTokens = 3
	if cut := generate(t, r); cut.last.Stop != moothall.StopLength || len(strings.Fields(cut.text)) != 3 {
		t.Errorf("cut: %+v", cut)
	}
	r.Think = "off"
	if quiet := generate(t, r); quiet.thinking != "" {
		t.Errorf("thinking: %q", quiet.thinking)
	}
}

func TestRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		r    moothall.GenerateRequest
		want moothall.Code
	}{
		"another model": {moothall.GenerateRequest{Model: "gpt"}, moothall.CodeNotFound},
		"a schema":      {moothall.GenerateRequest{Model: rules.Model, Schema: json.RawMessage(`{}`)}, moothall.CodeUnsupported},
		"too much":      {moothall.GenerateRequest{Model: rules.Model, Messages: dialogue(strings.Repeat("w ", 40_000))}, moothall.CodeTooLarge},
	} {
		for _, err := range (rules.Provider{}).Generate(t.Context(), c.r) {
			if moothall.ErrorCode(err) != c.want {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range (rules.Provider{}).Generate(ctx, moothall.GenerateRequest{Messages: dialogue("hi")}) {
		if moothall.ErrorCode(err) != moothall.CodeCanceled {
			t.Errorf("canceled: %v", err)
		}
	}
}
