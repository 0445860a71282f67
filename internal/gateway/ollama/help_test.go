package ollama_test

import (
	"encoding/json"
	"testing"

	"moothall"
	"moothall/internal/gateway/ollama"
	"moothall/internal/moottest/ollamatest"
)

// pair returns a server and a provider for it.
func pair(t testing.TB, so ollamatest.Options, po ollama.Options) (*ollamatest.Server, *ollama.Provider) {
	t.Helper()
	s := ollamatest.New(t, so)
	po.URL = s.URL
	return s, newProvider(t, po)
}

func user(text string) []moothall.Message {
	return []moothall.Message{{Role: moothall.RoleUser, Content: text}}
}

func ask(text string) moothall.GenerateRequest {
	return moothall.GenerateRequest{Model: ollamatest.ChatModel, Messages: user(text)}
}

type answer struct {
	text, thinking string
	calls          []moothall.ToolCall
	last           moothall.Chunk
	chunks         int
}

func generate(t testing.TB, p *ollama.Provider, r moothall.GenerateRequest) (a answer, err error) {
	t.Helper()
	for c, e := range p.Generate(t.Context(), r) {
		if err != nil {
			t.Fatal("something follows after the error")
		}
		if err = e; e != nil {
			continue
		}
		a.text, a.thinking, a.calls, a.last, a.chunks = a.text+c.Text, a.thinking+c.Thinking, append(a.calls, c.ToolCalls...), c, a.chunks+1
	}
	return a, err
}

func mustGenerate(t testing.TB, p *ollama.Provider, r moothall.GenerateRequest) answer {
	t.Helper()
	a, err := generate(t, p, r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func wantCode(t testing.TB, err error, want moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != want {
		t.Errorf("error code is %q, want %q (error: %v)", got, want, err)
	}
}

func onlyChat(t testing.TB, s *ollamatest.Server) ollamatest.Chat {
	t.Helper()
	chats := s.Chats()
	if len(chats) != 1 {
		t.Fatalf("the server got %d chats, want 1", len(chats))
	}
	return chats[0]
}

func echoTool() moothall.ToolSpec {
	return moothall.ToolSpec{Name: "echo", Description: "Echoes.", Parameters: json.RawMessage(`{"type":"object","properties":{"say":{"type":"string"}}}`)}
}

func callOf(name, args string) ollamatest.Call {
	return ollamatest.Call{ID: "c1", Function: ollamatest.Function{Name: name, Arguments: json.RawMessage(args)}}
}
