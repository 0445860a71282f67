package gateway_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"moothall"
	"moothall/internal/egress"
	"moothall/internal/egress/egresstest"
	"moothall/internal/gateway"
	"moothall/internal/gateway/ollama"
	"moothall/internal/gateway/openai"
)

// hosted is a gateway to one server over TLS, as if on another machine.
func hosted(t *testing.T, h http.HandlerFunc) (moothall.Gateway, *atomic.Int64) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	n := egresstest.Count(&s.Listener)
	s.StartTLS()
	t.Cleanup(s.Close)
	transport := egress.New(s.Client().Transport.(*http.Transport), egress.Options{Here: egresstest.Nowhere})
	t.Cleanup(transport.CloseIdleConnections)
	p, err := openai.New(openai.Options{BaseURL: s.URL, HTTP: &http.Client{Transport: transport}, Local: new(bool)})
	if err != nil {
		t.Fatal(err)
	}
	var last gateway.Call
	g, err := gateway.Open(gateway.Options{
		Providers: []gateway.Provider{p}, Roles: []moothall.ModelBinding{{Role: moothall.ModelChat, Provider: "openai", Model: "m"}},
		AllowHosted: func(context.Context, moothall.Scope, string, string) error { return nil }, Sink: func(c gateway.Call) { last = c },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		g.Close()
		if got := bytesOf(last.Sent); got != n.Load() {
			t.Errorf("the ledger has %d, the server received %d", got, n.Load())
		}
	})
	return g.For(moothall.ChatHall), n
}

func bytesOf(list []moothall.Egress) (n int64) {
	for _, e := range list {
		n += e.Bytes
	}
	return n
}

const streamed = "data: {\"choices\":[{\"delta\":{\"content\":\"yes\"}}]}\n\n" +
	"data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"

func TestSentBytesAreThoseTheServerReceived(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	replies := map[string]http.HandlerFunc{
		"an answer": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, streamed)
		},
		"a refusal": func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusInternalServerError) },
		"a break": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, streamed[:60])
		},
		"a retry": func(w http.ResponseWriter, r *http.Request) {
			if asked.Add(1) == 1 {
				w.Header().Set("Retry-After", "0")
				http.Error(w, `{"error":{"message":"slow down"}}`, http.StatusTooManyRequests)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, streamed)
		},
	}
	for name, reply := range replies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g, received := hosted(t, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				reply(w, r)
			})
			var sum int64
			var failed error
			for c, err := range g.Generate(t.Context(), hello()) {
				for _, e := range c.Sent {
					if e.Host != "127.0.0.1" {
						t.Errorf("host %q", e.Host)
					}
				}
				sum += bytesOf(c.Sent)
				failed = err
			}
			if name == "a retry" && asked.Load() != 2 {
				t.Errorf("asked %d times", asked.Load())
			}
			if (failed != nil) != (name == "a refusal" || name == "a break") {
				t.Errorf("error: %v", failed)
			}
			if got := received.Load(); sum != got || got < 500 {
				t.Errorf("counted %d, the server received %d", sum, got)
			}
		})
	}
}

// A caller that leaves has been told by then.
func TestSentBeforeTheCallerLeaves(t *testing.T) {
	t.Parallel()
	g, received := hosted(t, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, streamed)
	})
	for c, err := range g.Generate(t.Context(), hello()) {
		if err != nil || bytesOf(c.Sent) != received.Load() {
			t.Errorf("counted %v, the server received %d (%v)", c.Sent, received.Load(), err)
		}
		break
	}
}

// TestALocalModelSendsNothing: zero is a measurement.
func TestALocalModelSendsNothing(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/chat" {
			fmt.Fprintln(w, `{"message":{"role":"assistant","content":"yes"},"done":false}`)
			fmt.Fprintln(w, `{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","prompt_eval_count":10,"eval_count":1}`)
			return
		}
		fmt.Fprintln(w, `{"details":{"family":"x"},"model_info":{},"capabilities":["completion"],"version":"0.9.0"}`)
	}))
	t.Cleanup(s.Close)
	p, err := ollama.New(ollama.Options{URL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	g, err := gateway.Open(gateway.Options{
		Providers: []gateway.Provider{p}, Roles: []moothall.ModelBinding{{Role: moothall.ModelChat, Provider: "ollama", Model: "m"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	for c, err := range g.For(moothall.ChatHall).Generate(t.Context(), hello()) {
		if err != nil || c.Sent != nil {
			t.Errorf("sent %v, %v", c.Sent, err)
		}
	}
}

// TestTextsThatAServerPassesOn: what a server here gives to a cloud model to
// embed has left this machine as much as a question has.
func TestTextsThatAServerPassesOn(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/embed" {
			fmt.Fprintln(w, `{"embeddings":[[1,2]]}`)
			return
		}
		fmt.Fprintln(w, `{"details":{"family":"x"},"capabilities":["embedding"],"remote_host":"https://cloud.example:443","version":"0.17.4"}`)
	}))
	t.Cleanup(s.Close)
	p, err := ollama.New(ollama.Options{URL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	var calls []gateway.Call
	g := open(t, gateway.Options{
		Providers: []gateway.Provider{p}, Sink: func(c gateway.Call) { calls = append(calls, c) },
		AllowHosted: func(context.Context, moothall.Scope, string, string) error { return nil },
	})
	r := moothall.EmbedRequest{Provider: "ollama", Model: "m", Texts: []string{"a private text"}}
	if _, err := g.For(moothall.MemoryKeeper).Embed(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if len(calls) != 1 || !calls[0].Hosted || bytesOf(calls[0].Sent) == 0 {
		t.Errorf("on the record is %+v", calls)
	}
}

// TestSentForCards: a turn asks a hosted service what its model can do before it
// asks the model; that left the machine too.
func TestSentForCards(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"data":[{"id":"m"}]}`) }))
	n := egresstest.Count(&s.Listener)
	s.Start()
	t.Cleanup(s.Close)
	transport := egress.New(&http.Transport{}, egress.Options{Here: egresstest.Nowhere})
	t.Cleanup(transport.CloseIdleConnections)
	p, err := openai.New(openai.Options{BaseURL: s.URL, HTTP: &http.Client{Transport: transport}, Local: new(bool)})
	if err != nil {
		t.Fatal(err)
	}
	open, err := gateway.Open(gateway.Options{
		Providers: []gateway.Provider{p}, AllowHosted: func(context.Context, moothall.Scope, string, string) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { open.Close() })
	g := open.For(moothall.ChatHall)
	var sending moothall.Sending
	ctx := sending.Under(t.Context())
	if _, err := g.ShowModel(ctx, moothall.ModelRequest{Provider: "openai", Model: "m"}); err != nil {
		t.Fatal(err)
	}
	first := bytesOf(sending.Take())
	if got := n.Load(); first != got || got == 0 {
		t.Errorf("counted %d for a card, the server received %d", first, got)
	}
	if _, _, err := g.Models(ctx, moothall.Scope{}); err != nil {
		t.Fatal(err)
	}
	if got := n.Load() - first; bytesOf(sending.Take()) != got || got == 0 {
		t.Errorf("the server received %d for the list, and that was not counted", got)
	}
}
