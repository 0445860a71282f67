package moottest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"

	"moothall"
)

// GatewayFixture is what [TestGateway] needs.
type GatewayFixture struct {
	Gateway moothall.Gateway
	// Script makes the model behind the gateway give these replies next, to
	// callers in the order in which they come.
	Script func(replies ...Reply)
	Model  string // a model that is there, of the fixture's only provider
	Pull   string // one that is not and can be pulled; empty skips that
}

// TestGateway checks a gateway over a scripted model.
func TestGateway(t *testing.T, open func(t *testing.T) GatewayFixture) {
	suite(t, open, map[string]func(*testing.T, GatewayFixture){
		"text streams":         gatewayText,
		"whole answers":        gatewayWhole,
		"tool calls":           gatewayTools,
		"failing model":        gatewayFails,
		"unknown model":        gatewayUnknown,
		"breaking out":         gatewayBreak,
		"canceled in a stream": gatewayCanceled,
		"concurrent callers":   gatewayConcurrent,
		"embedding":            gatewayEmbed,
		"cards and bindings":   gatewayModels,
		"pulling":              gatewayPull,
	})
}

func ask() moothall.GenerateRequest {
	return moothall.GenerateRequest{
		Scope: scope(), Role: moothall.ModelChat, Messages: []moothall.Message{{Role: moothall.RoleUser, Content: "hello"}},
	}
}

// said joins the chunks of an answer and returns the last.
func said(chunks []moothall.Chunk) (text, thinking string, last moothall.Chunk) {
	for _, c := range chunks {
		text, thinking, last = text+c.Text, thinking+c.Thinking, c
	}
	return text, thinking, last
}

func gatewayText(t *testing.T, f GatewayFixture) {
	want := strings.Repeat("Grüße aus der Halle. ", 2000)
	f.Script(Reply{Thinking: "a greeting", Text: want})
	chunks := must(t, f.Gateway.Generate(t.Context(), ask()))
	text, thinking, last := said(chunks)
	if text != want || thinking != "a greeting" {
		t.Errorf("got %d bytes of text and thinking %q, want %d bytes and \"a greeting\"", len(text), thinking, len(want))
	}
	if len(chunks) < 3 {
		t.Errorf("%d chunks, want a stream", len(chunks))
	}
	if last.Stop != moothall.StopDone || last.Usage.Calls != 1 || last.Model == "" {
		t.Errorf("the last chunk lacks stop, usage or model: %+v", last)
	}
	for _, c := range chunks[:len(chunks)-1] {
		if c.Stop != "" {
			t.Fatalf("a stop before the end: %+v", c)
		}
	}
}

func gatewayWhole(t *testing.T, f GatewayFixture) {
	f.Script(Reply{Text: "all of it at once, as was asked for"})
	r := ask()
	r.Whole = true
	n := 0
	for _, c := range must(t, f.Gateway.Generate(t.Context(), r)) {
		if c.Text != "" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("text in %d chunks, want one", n)
	}
}

func gatewayTools(t *testing.T, f GatewayFixture) {
	f.Script(Reply{ToolCalls: []moothall.ToolCall{{ID: "c1", Name: "echo", Arguments: json.RawMessage(`{"say":"hi"}`)}}})
	r := ask()
	r.Tools = []moothall.ToolSpec{EchoTool("echo", moothall.RiskNone).Spec()}
	var calls []moothall.ToolCall
	chunks := must(t, f.Gateway.Generate(t.Context(), r))
	for _, c := range chunks {
		calls = append(calls, c.ToolCalls...)
	}
	if len(calls) != 1 || calls[0].Name != "echo" || !sameJSON(calls[0].Arguments, `{"say":"hi"}`) {
		t.Errorf("got calls %v", calls)
	}
	if _, _, last := said(chunks); last.Stop != moothall.StopTools {
		t.Errorf("stop is %q, want tools", last.Stop)
	}
}

func sameJSON(got json.RawMessage, want string) bool {
	var a, b any
	if json.Unmarshal(got, &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
		return false
	}
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

func gatewayFails(t *testing.T, f GatewayFixture) {
	f.Script(Reply{Text: "as far as it goes", Err: moothall.Fail(moothall.CodeUnavailable, "model", "the server went away")})
	text, failed := "", error(nil)
	for c, err := range f.Gateway.Generate(t.Context(), ask()) {
		if failed != nil {
			t.Fatal("something follows after the error")
		}
		text, failed = text+c.Text, err
	}
	if text != "as far as it goes" {
		t.Errorf("the text before the error is %q", text)
	}
	if c := moothall.ErrorCode(failed); c != moothall.CodeUnavailable && c != moothall.CodeInterrupted {
		t.Errorf("got %v, want code unavailable or interrupted", failed)
	}
}

func gatewayUnknown(t *testing.T, f GatewayFixture) {
	r := ask()
	r.Model = "no-such-model"
	wantQuiet(t, f.Gateway.Generate(t.Context(), r), moothall.CodeNotFound)
	_, err := f.Gateway.ShowModel(t.Context(), moothall.ModelRequest{Model: "no-such-model"})
	wantCode(t, err, moothall.CodeNotFound)
	if !strings.Contains(err.Error(), f.Model) {
		t.Errorf("the error does not list what is there: %v", err)
	}
}

func gatewayBreak(t *testing.T, f GatewayFixture) {
	f.Script(Reply{Text: "some words before the wait", Hang: true}, Reply{Text: "still here"})
	breakAfterOne(t, f.Gateway.Generate(t.Context(), ask()))
	if text, _, _ := said(must(t, f.Gateway.Generate(t.Context(), ask()))); text != "still here" {
		t.Errorf("after a break the next answer is %q", text)
	}
}

func gatewayCanceled(t *testing.T, f GatewayFixture) {
	f.Script(Reply{Text: "some words before the wait", Hang: true})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n, failed := 0, error(nil)
	for _, err := range f.Gateway.Generate(ctx, ask()) {
		n, failed = n+1, err
		cancel()
	}
	if n < 2 {
		t.Fatalf("%d values, want a chunk and an error", n)
	}
	wantCode(t, failed, moothall.CodeCanceled)
}

func gatewayConcurrent(t *testing.T, f GatewayFixture) {
	var want, got []string
	for _, s := range strings.Split("abcdefgh", "") {
		want = append(want, strings.Repeat(s, 100))
		f.Script(Reply{Text: strings.Repeat(s, 100)})
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range want {
		wg.Go(func() {
			chunks, err := collect(f.Gateway.Generate(t.Context(), ask()))
			if err != nil {
				t.Error(err)
			}
			text, _, _ := said(chunks)
			mu.Lock()
			defer mu.Unlock()
			got = append(got, text)
		})
	}
	wg.Wait()
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Error("answers of concurrent callers are mixed up")
	}
}

func gatewayEmbed(t *testing.T, f GatewayFixture) {
	texts := []string{"one", "two", "one"}
	e, err := f.Gateway.Embed(t.Context(), moothall.EmbedRequest{Scope: scope(), Purpose: "document", Texts: texts})
	wantCode(t, err, "")
	if len(e.Vectors) != len(texts) || e.Embedder == "" {
		t.Fatalf("%d vectors by %q for %d texts", len(e.Vectors), e.Embedder, len(texts))
	}
	if !slices.Equal(e.Vectors[0], e.Vectors[2]) || slices.Equal(e.Vectors[0], e.Vectors[1]) {
		t.Error("the vectors are not in the order of the texts")
	}
	_, err = f.Gateway.Embed(canceled(t), moothall.EmbedRequest{Texts: texts})
	wantCode(t, err, moothall.CodeCanceled)
}

func gatewayModels(t *testing.T, f GatewayFixture) {
	card, err := f.Gateway.ShowModel(t.Context(), moothall.ModelRequest{Scope: scope(), Model: f.Model})
	wantCode(t, err, "")
	if card.Model != f.Model {
		t.Errorf("asked for %s, got %s", f.Model, card.Model)
	}
	b := moothall.ModelBinding{Role: moothall.ModelCritic, Provider: card.Provider, Model: f.Model}
	wantCode(t, f.Gateway.BindModel(t.Context(), scope(), b), "")
	cards, bindings, err := f.Gateway.Models(t.Context(), scope())
	wantCode(t, err, "")
	if !slices.ContainsFunc(cards, func(c moothall.ModelCard) bool { return c.Model == f.Model }) || !slices.Contains(bindings, b) {
		t.Errorf("the list lacks the model or the binding: %v %v", cards, bindings)
	}
	b.Model = "no-such-model"
	wantCode(t, f.Gateway.BindModel(t.Context(), scope(), b), moothall.CodeNotFound)
	probed, err := f.Gateway.ProbeModel(t.Context(), moothall.ModelRequest{Model: f.Model})
	wantCode(t, err, "")
	if probed.Probed.IsZero() || probed.Model != f.Model {
		t.Errorf("the probed card is %+v", probed)
	}
}

func gatewayPull(t *testing.T, f GatewayFixture) {
	if f.Pull == "" {
		t.Skip("nothing to pull")
	}
	steps := must(t, f.Gateway.PullModel(t.Context(), moothall.ModelRequest{Scope: scope(), Model: f.Pull}))
	if len(steps) == 0 || steps[len(steps)-1].Step == "" {
		t.Errorf("progress is %v", steps)
	}
	_, err := f.Gateway.ShowModel(t.Context(), moothall.ModelRequest{Model: f.Pull})
	wantCode(t, err, "")
	wantQuiet(t, f.Gateway.PullModel(canceled(t), moothall.ModelRequest{Model: f.Pull}), moothall.CodeCanceled)
}
