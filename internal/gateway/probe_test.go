package gateway_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/moottest/ollamatest"
)

// able answers a probe as a model that can do everything does.
func able(c ollamatest.Chat) ollamatest.Reply {
	last := c.Messages[len(c.Messages)-1].Content
	switch {
	case len(c.Tools) > 0:
		return ollamatest.Reply{Calls: []ollamatest.Call{{Function: ollamatest.Function{Name: "get_forecast", Arguments: json.RawMessage(`{"city":"Oslo","day":"tomorrow"}`)}}}}
	case len(c.Format) > 0:
		return ollamatest.Reply{Text: `{"city":"Paris","letters":5}`}
	case c.Think == true:
		return ollamatest.Reply{Thinking: "17 and 17 and 17", Text: "51"}
	case strings.Contains(last, "Which word"):
		return ollamatest.Reply{Text: "Heron."}
	}
	return ollamatest.Reply{Text: "I do not know."}
}

// TestProbe tries out models of different skill.
func TestProbe(t *testing.T) {
	t.Parallel()
	type outcome struct {
		tools, json, thinking string
		streams               bool
		note                  string
	}
	plain := []string{"completion"}
	tests := map[string]struct {
		can     []string
		respond func(ollamatest.Chat) ollamatest.Reply
		want    outcome
	}{
		"able": {[]string{"completion", "tools", "thinking"}, able, outcome{"native", "native", "native", true, "read a prompt of 3000 words whole"}},
		"calls only when whole": {[]string{"completion", "tools"}, func(c ollamatest.Chat) ollamatest.Reply {
			if len(c.Tools) > 0 && *c.Stream {
				return ollamatest.Reply{Text: "I will look."}
			}
			return able(c)
		}, outcome{"native", "native", "none", false, ""}},
		"calls in the text": {[]string{"completion", "tools"}, func(c ollamatest.Chat) ollamatest.Reply {
			if len(c.Tools) > 0 {
				return ollamatest.Reply{Text: `<tool_call>{"name":"get_forecast","arguments":{"city":"Oslo"}}</tool_call>`}
			}
			return ollamatest.Reply{Text: "no"}
		}, outcome{"described", "none", "none", false, "calls arrive in the text, in <tool_call> tags"}},
		"no call": {[]string{"completion", "tools"}, func(ollamatest.Chat) ollamatest.Reply { return ollamatest.Reply{Text: "no"} },
			outcome{"native", "none", "none", true, "called no tool when asked to"}},
		"described tools": {plain, func(c ollamatest.Chat) ollamatest.Reply {
			if strings.Contains(c.Messages[0].Content, "get_forecast") {
				return ollamatest.Reply{Text: "```json\n{\"name\":\"get_forecast\",\"arguments\":{\"city\":\"oslo\"}}\n```"}
			}
			return ollamatest.Reply{Text: "<think>hm</think> no"}
		}, outcome{"described", "none", "none", false, "follows described tools, in a code block"}},
		"nothing": {plain, func(ollamatest.Chat) ollamatest.Reply { return ollamatest.Reply{Text: "no"} },
			outcome{"none", "none", "none", false, "lost its first line"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := ollamatest.New(t, ollamatest.Options{
				Models:  []ollamatest.Model{{Name: "m:1b", Family: "qwen3", Window: 40960, Capabilities: tt.can}},
				Respond: tt.respond,
			})
			g := openOn(t, s.URL, gateway.Options{})
			card, err := g.For(moothall.Person).ProbeModel(t.Context(), moothall.ModelRequest{Model: "m:1b"})
			if err != nil {
				t.Fatal(err)
			}
			got := outcome{card.Tools, card.JSON, card.Thinking, card.Streams, tt.want.note}
			if got != tt.want || card.Probed.IsZero() {
				t.Errorf("the card is %+v, want %+v", card, tt.want)
			}
			if !slices.ContainsFunc(card.Notes, func(n string) bool { return strings.Contains(n, tt.want.note) }) {
				t.Errorf("no note says %q: %q", tt.want.note, card.Notes)
			}
			if prompt := len(s.Chats()[0].Messages[0].Content); prompt < 8000 {
				t.Errorf("the first prompt has %d bytes, which is no agent's", prompt)
			}
		})
	}
}

// TestProbeInSmallWindow checks that a probe's prompts fit where an agent's
// would not.
func TestProbeInSmallWindow(t *testing.T) {
	t.Parallel()
	for _, window := range []int{1024, 2048, 4096} {
		s := ollamatest.New(t, ollamatest.Options{
			Models:  []ollamatest.Model{{Name: "m:1b", Family: "qwen3", Window: window, Capabilities: []string{"completion", "tools"}}},
			Respond: able,
		})
		g := openOn(t, s.URL, gateway.Options{})
		card, err := g.For(moothall.Person).ProbeModel(t.Context(), moothall.ModelRequest{Model: "m:1b"})
		if err != nil || card.Tools != "native" || !strings.Contains(strings.Join(card.Notes, "; "), "words whole") {
			t.Errorf("in a window of %d the card is %+v, %v", window, card, err)
		}
	}
}

func TestProbeRefuses(t *testing.T) {
	t.Parallel()
	s := ollamatest.New(t, ollamatest.Options{})
	g := openOn(t, s.URL, gateway.Options{})
	_, err := g.For(moothall.Person).ProbeModel(t.Context(), moothall.ModelRequest{Model: ollamatest.EmbedModel})
	wantCode(t, err, moothall.CodeUnsupported)
	_, err = g.For(moothall.Critic).ProbeModel(t.Context(), moothall.ModelRequest{})
	wantCode(t, err, moothall.CodeDenied)
	s.Script(ollamatest.Reply{Status: 500, Message: "llama runner process has terminated"})
	_, err = g.For(moothall.Person).ProbeModel(t.Context(), moothall.ModelRequest{Model: ollamatest.ChatModel})
	wantCode(t, err, moothall.CodeUnavailable)
}

// TestCardsAreKept checks that what a probe found outlives the gateway, and
// is not believed of other weights.
func TestCardsAreKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := ollamatest.New(t, ollamatest.Options{Respond: able})
	m := ollamatest.Model{Name: "hf.co/Some/Model:Q4", Family: "qwen3", Window: 8192, Capabilities: []string{"completion"}}
	s.Add(m)
	ask := moothall.ModelRequest{Model: m.Name}
	first := openOn(t, s.URL, gateway.Options{Cards: dir})
	probed, err := first.For(moothall.Person).ProbeModel(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	second := openOn(t, s.URL, gateway.Options{Cards: dir}).For(moothall.Person)
	kept, err := second.ShowModel(t.Context(), ask)
	if err != nil || !kept.Probed.Equal(probed.Probed) || kept.JSON != "native" || !slices.Equal(kept.Notes, probed.Notes) {
		t.Errorf("kept is %+v, %v, want %+v", kept, err, probed)
	}
	m.Size = 12345
	s.Add(m)
	other, err := second.ShowModel(t.Context(), ask)
	if err != nil || !other.Probed.IsZero() {
		t.Errorf("other weights have the card %+v, %v", other, err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != 1 {
		t.Fatalf("the folder holds %v, %v", names, err)
	}
	if err := os.WriteFile(names[0], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	open(t, gateway.Options{Cards: dir, Logger: slog.New(slog.NewTextHandler(&said, nil))}) // damaged cards are no reason not to start
	for _, name := range []string{names[0], "folder.json"} {
		if !strings.Contains(said.String(), name) {
			t.Errorf("of %s nothing is said: %s", name, &said)
		}
	}
}

// TestEmbedding checks the choice of an embedder, and the record of a call
// that failed.
func TestEmbedding(t *testing.T) {
	t.Parallel()
	s := ollamatest.New(t, ollamatest.Options{})
	var calls []gateway.Call
	g := openOn(t, s.URL, gateway.Options{Sink: func(c gateway.Call) { calls = append(calls, c) }})
	e, err := g.For(moothall.MemoryKeeper).Embed(t.Context(), moothall.EmbedRequest{Texts: []string{"a", "b"}})
	if err != nil || len(e.Vectors) != 2 || e.Embedder != "ollama/"+ollamatest.EmbedModel {
		t.Errorf("got %v, %v", e, err)
	}
	_, err = g.For(moothall.MemoryKeeper).Embed(t.Context(), moothall.EmbedRequest{Model: "gone:1b", Texts: []string{"a"}})
	wantCode(t, err, moothall.CodeNotFound)
	if len(calls) != 2 || calls[0].Kind != gateway.KindEmbed || calls[0].Priority != moothall.PriorityBackground || calls[1].Code != moothall.CodeNotFound {
		t.Errorf("the records are %+v", calls)
	}
}

// FuzzFiles feeds any bytes where state and cards should be.
func FuzzFiles(f *testing.F) {
	f.Add([]byte(`{"version":1,"bindings":[{"role":"chat","provider":"p","model":"m"}]}`))
	f.Add([]byte(`{"provider":"p","model":"m","probed":"2026-01-02T03:04:05Z"}`))
	f.Add([]byte(`{"version":1,"bindings":[{}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		dir := t.TempDir()
		for _, name := range []string{"state", "x.json"} {
			if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		g, err := gateway.Open(gateway.Options{State: filepath.Join(dir, "state"), Cards: dir})
		if err != nil {
			wantCode(t, err, moothall.CodeCorrupt)
			return
		}
		if err := g.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzRetryAfter feeds any header.
func FuzzRetryAfter(f *testing.F) {
	f.Add("7")
	f.Add("Fri, 02 Jan 2026 03:04:35 GMT")
	f.Add("1e999")
	f.Fuzz(func(t *testing.T, s string) {
		wait, _ := gateway.RetryAfter(gateway.Refusal{Status: 429, RetryAfter: s, Now: time.Unix(1e9, 0)}.Err("x"))
		if wait < 0 || wait > 24*time.Hour {
			t.Fatalf("%q is %v", s, wait)
		}
	})
}
