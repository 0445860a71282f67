package gateway_test

import (
	"testing"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/ollama"
	"moothall/internal/moottest"
	"moothall/internal/moottest/ollamatest"
)

// openOn returns a gateway over an Ollama server.
func openOn(t testing.TB, url string, o gateway.Options) *gateway.Gateway {
	t.Helper()
	p, err := ollama.New(ollama.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	o.Providers = append([]gateway.Provider{p}, o.Providers...)
	return open(t, o)
}

// open returns a gateway that ends with the test.
func open(t testing.TB, o gateway.Options) *gateway.Gateway {
	t.Helper()
	g, err := gateway.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// TestContract runs the suite of the root's contract over a real wire.
func TestContract(t *testing.T) {
	t.Parallel()
	moottest.TestGateway(t, func(t *testing.T) moottest.GatewayFixture {
		s := ollamatest.New(t, ollamatest.Options{Respond: func(ollamatest.Chat) ollamatest.Reply { return ollamatest.Reply{Text: "well"} }})
		g := openOn(t, s.URL, gateway.Options{State: t.TempDir() + "/models.json", Cards: t.TempDir()})
		return moottest.GatewayFixture{
			Gateway: g.For(moothall.Person), Model: ollamatest.ChatModel, Pull: ollamatest.PullModel,
			Script: func(replies ...moottest.Reply) {
				for _, r := range replies {
					s.Script(onWire(r))
				}
			},
		}
	})
}

func onWire(r moottest.Reply) ollamatest.Reply {
	out := ollamatest.Reply{Thinking: r.Thinking, Text: r.Text, Hang: r.Hang}
	for _, c := range r.ToolCalls {
		out.Calls = append(out.Calls, ollamatest.Call{ID: string(c.ID), Function: ollamatest.Function{Name: string(c.Name), Arguments: c.Arguments}})
	}
	if r.Err != nil {
		out.ErrorLine = r.Err.Error()
	}
	return out
}
