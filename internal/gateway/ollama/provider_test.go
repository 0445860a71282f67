package ollama_test

import (
	"net/http"
	"testing"

	"moothall"
	"moothall/internal/gateway/ollama"
	"moothall/internal/gateway/providertest"
	"moothall/internal/moottest/ollamatest"
)

// newProvider returns a provider that ends with the test.
func newProvider(t testing.TB, o ollama.Options) *ollama.Provider {
	t.Helper()
	p, err := ollama.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func TestProvider(t *testing.T) {
	providertest.Test(t, func(t *testing.T) providertest.Fixture {
		s := ollamatest.New(t, ollamatest.Options{})
		return providertest.Fixture{
			Provider: newProvider(t, ollama.Options{URL: s.URL}), Model: ollamatest.ChatModel, Embedder: ollamatest.EmbedModel,
			Abandoned: s.Abandoned,
			Script: func(replies ...providertest.Reply) {
				for _, r := range replies {
					s.Script(onWire(r))
				}
			},
			Requests: func() []providertest.Request { return understood(s.Chats()) },
		}
	})
}

// onWire renders a reply of the suite as Ollama does.
func onWire(r providertest.Reply) ollamatest.Reply {
	out := ollamatest.Reply{
		Seen: r.Seen, Wait: r.Wait, Thinking: r.Thinking, Text: r.Text, Pieces: r.Pieces, PromptTokens: r.Prompt, OutputTokens: r.Output,
		Hang: r.Hang, Die: r.Die, Garbage: r.Garbage, ErrorLine: r.Fault, RetryAfter: r.RetryAfter,
	}
	if r.Cut {
		out.DoneReason = "length"
	}
	for _, c := range r.ToolCalls {
		out.Calls = append(out.Calls, ollamatest.Call{ID: string(c.ID), Function: ollamatest.Function{Name: string(c.Name), Arguments: c.Arguments}})
	}
	refusals := map[providertest.Failure]ollamatest.Reply{
		providertest.FailModel:    {Status: 404, Message: "model 'gone:1b' not found"},
		providertest.FailPrompt:   {Status: 400, Message: "the input length exceeds the context length"},
		providertest.FailTools:    {Status: 400, Message: "registry.ollama.ai/library/hall:1b does not support tools"},
		providertest.FailKey:      {Status: 401, Message: "unauthorized"},
		providertest.FailRate:     {Status: 429, Message: "too many concurrent requests"},
		providertest.FailRequest:  {Status: 400, Message: "invalid options"},
		providertest.FailServer:   {Status: 500, Message: "llama runner process has terminated: exit status 2"},
		providertest.FailOverload: {Status: 503, Message: "server busy, please try again. maximum pending requests exceeded"},
	}
	if f, ok := refusals[r.Failure]; ok {
		out.Status, out.Message = f.Status, f.Message
	}
	return out
}

// understood reads chats as the suite wants them.
func understood(chats []ollamatest.Chat) []providertest.Request {
	var out []providertest.Request
	for _, c := range chats {
		r := providertest.Request{Model: c.Model, Stream: c.Stream == nil || *c.Stream, Schema: c.Format}
		for _, m := range c.Messages {
			msg := moothall.Message{
				Role: moothall.Role(m.Role), Content: m.Content, Thinking: m.Thinking,
				ToolName: moothall.ToolName(m.ToolName), CallID: moothall.CallID(m.ToolCallID),
			}
			for _, k := range m.ToolCalls {
				msg.ToolCalls = append(msg.ToolCalls, moothall.ToolCall{
					ID: moothall.CallID(k.ID), Name: moothall.ToolName(k.Function.Name), Arguments: k.Function.Arguments,
				})
			}
			r.Messages = append(r.Messages, msg)
		}
		for _, t := range c.Tools {
			r.Tools = append(r.Tools, moothall.ToolName(t.Function.Name))
		}
		if n, ok := c.Options["num_predict"].(float64); ok {
			r.MaxTokens = int(n)
		}
		if stops, ok := c.Options["stop"].([]any); ok {
			for _, s := range stops {
				r.Stop = append(r.Stop, s.(string))
			}
		}
		out = append(out, r)
	}
	return out
}

// TestListWithoutResidents: a proxy that does not let anybody ask what is in
// memory hides no model.
func TestListWithoutResidents(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed} {
		p, err := ollama.New(ollama.Options{Transport: refusing{answers{
			"/api/show": `{"capabilities":["tools"]}`, "/api/version": `{}`, "/api/tags": `{"models":[{"name":"m","digest":"d"}]}`,
		}, status}})
		if err != nil {
			t.Fatal(err)
		}
		if list, err := p.List(t.Context()); err != nil || len(list) != 1 || list[0].Model != "m" || list[0].Loaded {
			t.Errorf("status %d: listed are %+v, %v", status, list, err)
		}
		if card, err := p.Show(t.Context(), "m"); err != nil || card.Digest != "d" {
			t.Errorf("status %d: shown is %+v, %v", status, card, err)
		}
		if _, err := p.Loaded(t.Context()); err == nil {
			t.Errorf("status %d: nothing is said to be in memory", status)
		}
	}
}

// refusing answers what it has no answer for with a status.
type refusing struct {
	answers
	status int
}

func (r refusing) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.answers.RoundTrip(req)
	if err == nil && resp.StatusCode != http.StatusOK {
		resp.StatusCode = r.status
	}
	return resp, err
}
