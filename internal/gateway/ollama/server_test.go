package ollama_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/ollama"
	"moothall/internal/moottest/ollamatest"
)

func TestCards(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{})
	s.Add(ollamatest.Model{Name: "far:cloud", Family: "gptoss", RemoteHost: "https://ollama.com:443", Window: 131072, Capabilities: []string{"completion", "tools", "vision"}})
	list, err := p.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if len(list[i].Digest) != 64 {
			t.Errorf("%s has the digest %q", list[i].Model, list[i].Digest)
		}
		list[i].Digest = ""
	}
	want := []moothall.ModelCard{
		{
			Provider: "ollama", Model: ollamatest.ChatModel, Family: "qwen3", Parameters: "1.2B", Size: 1 << 30, Window: 32000,
			Tools: "native", JSON: "native", Thinking: "native", Streams: true, Loaded: true,
			Notes: []string{"can be asked for a window of up to 40960 tokens"},
		},
		{
			Provider: "ollama", Model: ollamatest.PlainModel, Family: "llama", Parameters: "1.1B", Size: 1 << 30, Window: 8192,
			Tools: "none", JSON: "native", Thinking: "none", Streams: true,
		},
		{
			Provider: "ollama", Model: ollamatest.EmbedModel, Family: "bert", Parameters: "137M", Size: 1 << 28, Window: 2048,
			Tools: "none", JSON: "none", Thinking: "none", Notes: []string{gateway.NoteEmbeds},
		},
		{
			Provider: "ollama", Model: "far:cloud", Family: "gptoss", Window: 32000, Tools: "native", JSON: "native", Thinking: "none", Streams: true,
			Notes: []string{gateway.NoteVision, gateway.NoteOutside + "https://ollama.com:443", "can be asked for a window of up to 131072 tokens"},
		},
	}
	if d := cmp.Diff(want, list); d != "" {
		t.Error(d)
	}
	host, err := p.Outside(t.Context(), "far:cloud")
	if err != nil || host != "https://ollama.com:443" {
		t.Errorf("the cloud model answers at %q, %v", host, err)
	}
	loaded, err := p.Loaded(t.Context())
	if err != nil || !slices.Equal(loaded, []string{ollamatest.ChatModel}) {
		t.Errorf("in memory are %v, %v", loaded, err)
	}
}

// TestReplacedModel checks that a model of the same name and other weights is
// looked at again.
func TestReplacedModel(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{})
	for _, window := range []int{4096, 2048} {
		s.Add(ollamatest.Model{Name: "m:1b", Family: "llama", Window: window, Capabilities: []string{"completion"}})
		list, err := p.List(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got := list[len(list)-1].Window; got != window {
			t.Errorf("the window is %d, want %d", got, window)
		}
	}
}

// TestLegacy is a server from before capabilities, ids and /api/embed.
func TestLegacy(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{Legacy: true, Version: "0.3.0", Models: []ollamatest.Model{
		{Name: ollamatest.ChatModel, Family: "llama", Capabilities: []string{"completion", "tools"}, Template: "{{ if .Tools }}x{{ end }}"},
		{Name: ollamatest.EmbedModel, Family: "nomic-bert", Capabilities: []string{"embedding"}},
	}}, ollama.Options{})
	card, err := p.Show(t.Context(), ollamatest.ChatModel)
	if err != nil || card.Tools != "native" || card.Thinking != "none" || card.JSON != "none" || card.Streams || card.Window != 32000 {
		t.Errorf("the card is %+v, %v", card, err)
	}
	card, err = p.Show(t.Context(), ollamatest.EmbedModel)
	if err != nil || !gateway.Embeds(card) || gateway.Chats(card) {
		t.Errorf("the embedder's card is %+v, %v", card, err)
	}
	s.Script(ollamatest.Reply{Calls: []ollamatest.Call{callOf("echo", `{}`), callOf("echo", `{"say":"x"}`)}})
	r := ask("hello")
	r.Tools = []moothall.ToolSpec{echoTool()}
	a := mustGenerate(t, p, r)
	if len(a.calls) != 2 || a.calls[0].ID == "" || a.calls[0].ID == a.calls[1].ID {
		t.Errorf("the calls are %v", a.calls)
	}
	for range 2 {
		e, err := p.Embed(t.Context(), moothall.EmbedRequest{Model: ollamatest.EmbedModel, Texts: []string{"a", "b", "a"}})
		if err != nil || len(e.Vectors) != 3 || !slices.Equal(e.Vectors[0], e.Vectors[2]) {
			t.Fatalf("got %v, %v", e, err)
		}
	}
	if n := len(s.Requests("/api/embed")); n != 1 {
		t.Errorf("the missing path was tried %d times, want once", n)
	}
}

func TestEmbed(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{Batch: 2})
	_, err := p.Embed(t.Context(), moothall.EmbedRequest{Model: ollamatest.EmbedModel, Texts: []string{"a", "b", "c", "d", "e"}})
	if n := len(s.Requests("/api/embed")); err != nil || n != 3 {
		t.Errorf("5 texts went in %d batches of 2, %v", n, err)
	}
	_, err = p.Embed(t.Context(), moothall.EmbedRequest{Model: ollamatest.ChatModel, Texts: []string{"a"}})
	wantCode(t, err, moothall.CodeUnsupported)
	_, err = p.Embed(t.Context(), moothall.EmbedRequest{Model: "gone:1b", Texts: []string{"a"}})
	wantCode(t, err, moothall.CodeNotFound)
	_, err = p.Embed(t.Context(), moothall.EmbedRequest{Model: ollamatest.EmbedModel, Texts: []string{wordsOf(3000)}})
	wantCode(t, err, moothall.CodeTooLarge)
}

// TestPurpose checks the words that some models want before a text.
func TestPurpose(t *testing.T) {
	t.Parallel()
	m := ollamatest.Model{Name: "nomic-embed-text:v1.5", Family: "nomic-bert", Window: 2048, Capabilities: []string{"embedding"}}
	for purpose, want := range map[string]string{"query": `"search_query: x"`, "document": `"search_document: x"`, "": `"x"`} {
		s, p := pair(t, ollamatest.Options{Models: []ollamatest.Model{m}}, ollama.Options{})
		if _, err := p.Embed(t.Context(), moothall.EmbedRequest{Model: m.Name, Purpose: purpose, Texts: []string{"x"}}); err != nil {
			t.Fatal(err)
		}
		if got := string(s.Requests("/api/embed")[0].Body); !strings.Contains(got, want) {
			t.Errorf("purpose %q sends %s, want %s in it", purpose, got, want)
		}
	}
}

func TestPull(t *testing.T) {
	t.Parallel()
	_, p := pair(t, ollamatest.Options{}, ollama.Options{})
	var steps []moothall.Progress
	for s, err := range p.Pull(t.Context(), ollamatest.PullModel) {
		if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, s)
	}
	if len(steps) != 5 || steps[3] != (moothall.Progress{Step: "pulling 0123456789ab", Done: 4, Total: 4}) || steps[4].Step != "success" {
		t.Errorf("progress is %v", steps)
	}
	if _, err := p.Show(t.Context(), ollamatest.PullModel); err != nil {
		t.Error(err)
	}
	var failed error
	for _, err := range p.Pull(t.Context(), "nobody:has-it") {
		failed = err
	}
	wantCode(t, failed, moothall.CodeNotFound)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range p.Pull(ctx, ollamatest.PullModel) {
		failed = err
	}
	wantCode(t, failed, moothall.CodeCanceled)
}

// TestGoneModel checks that details of a removed model are not used for ever.
func TestGoneModel(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{})
	s.Script(ollamatest.Reply{Text: "yes"})
	mustGenerate(t, p, ask("hello"))
	s.Remove(ollamatest.ChatModel)
	_, err := generate(t, p, ask("hello"))
	wantCode(t, err, moothall.CodeNotFound)
	if !strings.Contains(moothall.ErrorRemedy(err), "moothall model pull "+ollamatest.ChatModel) {
		t.Errorf("the remedy is %q", moothall.ErrorRemedy(err))
	}
	s.Add(ollamatest.Model{Name: ollamatest.ChatModel, Family: "llama", Window: 4096, Capabilities: []string{"completion"}})
	s.Script(ollamatest.Reply{Text: "yes"})
	mustGenerate(t, p, ask("hello"))
	chats := s.Chats()
	if got := chats[len(chats)-1].Options["num_ctx"]; got != float64(4096) {
		t.Errorf("another model of the same name is asked for a window of %v", got)
	}
}

// TestDetailsOnce checks that a model is looked at once, not before each call.
func TestDetailsOnce(t *testing.T) {
	t.Parallel()
	s, p := pair(t, ollamatest.Options{}, ollama.Options{})
	for range 3 {
		s.Script(ollamatest.Reply{Text: "yes"})
		mustGenerate(t, p, ask("hello"))
	}
	if n := len(s.Requests("/api/show")) + len(s.Requests("/api/version")); n != 2 {
		t.Errorf("%d questions beside 3 chats, want 2", n)
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	local := map[string]bool{
		"": true, "127.0.0.1": true, "localhost:11434": true, "http://[::1]:11434": true, "192.168.1.7": true, "0.0.0.0:11434": true,
		"http://ollama:11434": true, "tower.local": true, "https://models.example.com": false, "8.8.8.8": false,
	}
	here := map[string]bool{"": true, "127.0.0.1": true, "localhost:11434": true, "http://[::1]:11434": true, "0.0.0.0:11434": true}
	for url, want := range local {
		p, err := ollama.New(ollama.Options{URL: url})
		if err != nil {
			t.Errorf("%q: %v", url, err)
			continue
		}
		if p.Local() != want {
			t.Errorf("%q: local is %v, want %v", url, p.Local(), want)
		}
		if p.Here() != here[url] {
			t.Errorf("%q: on this machine is %v, want %v", url, p.Here(), here[url])
		}
	}
	for _, url := range []string{"ftp://x", "http://", "http://user:pass@host", "::::"} {
		if _, err := ollama.New(ollama.Options{URL: url}); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%q is taken: %v", url, err)
		}
	}
}

func TestOnlyVerySmallModelsHaveThingsLookedUp(t *testing.T) {
	t.Parallel()
	for size, want := range map[string]bool{"22.62M": true, "137M": true, "494M": false, "1.2B": false, "13K": false, "": false, "M": false} {
		if got := ollama.KnowsNothing(size); got != want {
			t.Errorf("%q: %v", size, got)
		}
	}
}
