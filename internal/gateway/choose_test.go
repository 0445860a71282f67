package gateway_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/gateway"
)

func model(name, family, parameters, tools string, gigabytes int64, notes ...string) moothall.ModelCard {
	return moothall.ModelCard{Model: name, Family: family, Parameters: parameters, Tools: tools, Size: gigabytes << 30, Notes: notes}
}

func TestBest(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		cards []moothall.ModelCard
		want  string
	}{
		"nothing":                {nil, ""},
		"only embedders":         {[]moothall.ModelCard{model("e", "bert", "137M", "none", 1, gateway.NoteEmbeds)}, ""},
		"only cloud":             {[]moothall.ModelCard{model("c", "gptoss", "120B", "native", 0, gateway.NoteOutside+"x")}, ""},
		"embeds and chats":       {[]moothall.ModelCard{model("both", "qwen3", "1B", "none", 1, gateway.NoteEmbeds, gateway.NoteChats)}, "both"},
		"tools before size":      {[]moothall.ModelCard{model("big", "llama", "8B", "none", 5), model("tools", "llama", "3B", "native", 2)}, "tools"},
		"fitting before tools":   {[]moothall.ModelCard{model("huge", "qwen3", "70B", "native", 40), model("fits", "llama", "8B", "none", 5)}, "fits"},
		"class before family":    {[]moothall.ModelCard{model("q", "qwen3", "1.7B", "native", 1), model("l", "llama", "8B", "native", 5)}, "l"},
		"family within class":    {[]moothall.ModelCard{model("l", "llama", "8.0B", "native", 5), model("q", "qwen3", "7.6B", "native", 5)}, "q"},
		"parameters last":        {[]moothall.ModelCard{model("a", "qwen3", "4.0B", "native", 3), model("b", "qwen3", "8.2B", "native", 5)}, "b"},
		"unknown before none":    {[]moothall.ModelCard{model("n", "x", "8B", "none", 5), model("u", "x", "4B", "unknown", 3)}, "u"},
		"all else equal, a name": {[]moothall.ModelCard{model("b", "x", "?", "native", 1), model("a", "x", "?", "native", 1)}, "a"},
	}
	for name, tt := range tests {
		if got, _ := gateway.Best(tt.cards, 16<<30); got.Model != tt.want {
			t.Errorf("%s: %q is best, want %q", name, got.Model, tt.want)
		}
	}
}

func TestBestEmbedder(t *testing.T) {
	t.Parallel()
	cards := []moothall.ModelCard{
		model("chat", "qwen3", "8B", "native", 5), model("unheard-of", "bert", "1B", "none", 1, gateway.NoteEmbeds),
		model("all-minilm:l6", "bert", "23M", "none", 0, gateway.NoteEmbeds), model("nomic-embed-text:v1.5", "nomic-bert", "137M", "none", 1, gateway.NoteEmbeds),
	}
	if got, _ := gateway.BestEmbedder(cards); got.Model != "nomic-embed-text:v1.5" {
		t.Errorf("%q is best", got.Model)
	}
	if _, ok := gateway.BestEmbedder(cards[:1]); ok {
		t.Error("a model of text was chosen to embed")
	}
}

// down is how a server that is not there fails.
var down = moothall.Fail(moothall.CodeUnavailable, "server", "does not answer")

// TestChoiceMovesOn follows a hall whose model server goes and comes back.
func TestChoiceMovesOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server, builtin := newFake("server", "good"), newFake("builtin", "small")
		g := open(t, providers(server, builtin))
		answers := func() string {
			_, last := must(t, g.For(moothall.Person), hello())
			return last.Provider
		}
		if got := answers(); got != "server" {
			t.Fatalf("%s answers first", got)
		}
		for range 3 {
			answers()
		}
		if server.lists != 1 {
			t.Errorf("the server was listed %d times for 4 calls", server.lists)
		}
		server.set(func(f *fake) {
			f.listErr = down
			f.generate = func(_ context.Context, _ moothall.GenerateRequest, yield func(moothall.Chunk, error) bool) {
				yield(moothall.Chunk{}, down)
			}
		})
		if got := answers(); got != "builtin" {
			t.Errorf("%s answers without the server", got)
		}
		h := g.Health(t.Context(), "", "")
		if !h.OK || h.Provider != "builtin" || !h.Chosen || !strings.Contains(h.Notice, "server does not answer") {
			t.Errorf("health is %+v", h)
		}
		server.set(func(f *fake) { f.listErr, f.generate = nil, nil })
		time.Sleep(2 * time.Minute)
		if got := answers(); got != "server" {
			t.Errorf("%s answers after the server is back", got)
		}
	})
}

// TestBoundIsNotReplaced checks that what a person chose is not changed for
// them.
func TestBoundIsNotReplaced(t *testing.T) {
	t.Parallel()
	server, builtin := newFake("server", "good"), newFake("builtin", "small")
	server.listErr = down
	server.generate = func(_ context.Context, _ moothall.GenerateRequest, yield func(moothall.Chunk, error) bool) {
		yield(moothall.Chunk{}, down)
	}
	o := providers(server, builtin)
	o.Roles = []moothall.ModelBinding{{Role: moothall.ModelChat, Provider: "server", Model: "good"}}
	g := open(t, o)
	_, _, err := collect(t.Context(), g.For(moothall.Person), hello())
	wantCode(t, err, moothall.CodeUnavailable)
	if h := g.Health(t.Context(), "", ""); h.OK || h.Provider != "server" || h.Notice == "" {
		t.Errorf("health is %+v", h)
	}
	cards, _, err := g.For(moothall.Person).Models(t.Context(), moothall.Scope{})
	if err != nil || len(cards) != 1 {
		t.Errorf("with one server down the list is %v, %v", cards, err)
	}
}

func TestNothingToChoose(t *testing.T) {
	t.Parallel()
	_, _, err := collect(t.Context(), open(t, providers()).For(moothall.Person), hello())
	wantCode(t, err, moothall.CodeNotConfigured)
	g := open(t, providers(newFake("local")))
	_, _, err = collect(t.Context(), g.For(moothall.Person), hello())
	wantCode(t, err, moothall.CodeUnavailable)
	_, err = g.For(moothall.Person).Embed(t.Context(), moothall.EmbedRequest{Texts: []string{"x"}})
	if !strings.Contains(moothall.ErrorRemedy(err), "moothall model pull") {
		t.Errorf("no way out is named: %v", err)
	}
	if h := g.Health(t.Context(), "", ""); h.OK || h.Remedy == "" {
		t.Errorf("health is %+v", h)
	}
}

// TestNoSuchProvider names the provider that is not there: that of a model that
// is to be chosen, too.
func TestNoSuchProvider(t *testing.T) {
	t.Parallel()
	g := open(t, gateway.Options{Providers: []gateway.Provider{newFake("local", "talk")}})
	for _, model := range []string{"", "talk"} {
		_, err := g.For(moothall.Person).ShowModel(t.Context(), moothall.ModelRequest{Provider: "nobody", Model: model})
		if moothall.ErrorCode(err) != moothall.CodeNotConfigured || !strings.Contains(err.Error(), "nobody") {
			t.Errorf("model %q: %v", model, err)
		}
	}
}

// TestChoicePassesOver follows a hall whose server has too little memory for
// its best models, until it has enough.
func TestChoicePassesOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := newFake("server")
		server.cards = []moothall.ModelCard{
			model("large", "qwen3", "14B", "native", 9), model("middle", "qwen3", "8B", "native", 5), model("small", "qwen3", "1.7B", "native", 1),
		}
		full := gateway.Refusal{Provider: "server", Status: 500, Message: "model requires more system memory (9.1 GiB) than is available (3.2 GiB)"}.Err("chat")
		room := "small"
		server.generate = func(_ context.Context, r moothall.GenerateRequest, yield func(moothall.Chunk, error) bool) {
			if r.Model != room {
				yield(moothall.Chunk{}, full)
				return
			}
			yield(end(), nil)
		}
		g := open(t, providers(server)).For(moothall.Person)
		for range 2 {
			if _, last := must(t, g, hello()); last.Model != "small" {
				t.Errorf("%s answers where only the small one has room", last.Model)
			}
		}
		if got := server.models(); !slices.Equal(got, []string{"large", "middle", "small", "small"}) {
			t.Errorf("asked were %v", got)
		}
		_, _, err := collect(t.Context(), g, moothall.GenerateRequest{Model: "large", Messages: hello().Messages})
		wantCode(t, err, moothall.CodeUnavailable) // what is named is not replaced
		time.Sleep(11 * time.Minute)
		room = "large"
		if _, last := must(t, g, hello()); last.Model != "large" {
			t.Errorf("%s answers where the large one has room again", last.Model)
		}
		room = "none"
		_, _, err = collect(t.Context(), g, hello())
		wantCode(t, err, moothall.CodeUnavailable)
		if err == nil || !strings.Contains(err.Error(), "no room") {
			t.Errorf("without room for any: %v", err)
		}
	})
}
