package openai

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"time"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/wire"
)

// DefaultBaseURL is OpenAI's own address.
const DefaultBaseURL = "https://api.openai.com/v1"

// officialHost is where OpenAI's own rules hold.
const officialHost = "api.openai.com"

// Options set up a provider; the zero value is OpenAI without a key.
type Options struct {
	// Name is what the configuration calls it: "openai" when empty.
	Name string
	// BaseURL ends before "/chat/completions": [DefaultBaseURL] when empty.
	BaseURL string
	// Key is asked before each request; nil sends none.
	Key func(context.Context) (moothall.Secret, error)
	// HTTP is the client to use; nil means one without a proxy.
	HTTP *http.Client
	// PlainHTTP lets the key travel to another machine without TLS.
	PlainHTTP bool
	// Idle is the silence after which the server counts as gone: 10
	// minutes when 0.
	Idle time.Duration
	// Local says whether the server is on a machine of the person's. Nil goes
	// by the address: one of this machine is local. A proxy on this machine
	// that passes calls on to a hosted service is not.
	Local *bool
	// BatchSize is how many texts are embedded at once: 64 when 0.
	BatchSize int
}

// Provider reaches the models of one server.
type Provider struct {
	name   string
	local  bool
	batch  int
	client *wire.Client
	habits wire.Habits
}

var (
	_ gateway.Provider = (*Provider)(nil)
	_ gateway.Local    = (*Provider)(nil)
)

// New returns a provider. It does no I/O. CodeInvalid names an address that
// cannot be used.
func New(o Options) (*Provider, error) {
	name := cmp.Or(o.Name, "openai")
	client, err := wire.NewClient(wire.Config{
		Name: name, BaseURL: cmp.Or(o.BaseURL, DefaultBaseURL), Key: o.Key, HTTP: o.HTTP,
		PlainHTTP: o.PlainHTTP, Idle: o.Idle,
		Sign: func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
	})
	if err != nil {
		return nil, err
	}
	p := &Provider{name: name, local: client.Local(), batch: cmp.Or(o.BatchSize, 64), client: client}
	if o.Local != nil {
		p.local = *o.Local
	}
	return p, nil
}

// Name is what the configuration calls the provider.
func (p *Provider) Name() string { return p.name }

// Local reports whether the server is on a machine of the person's.
func (p *Provider) Local() bool { return p.local }

// Close ends idle connections.
func (p *Provider) Close() error { return p.client.Close() }

func (p *Provider) official() bool { return p.client.Host() == officialHost }

// Generate asks for the next message.
func (p *Provider) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		s, err := p.open(ctx, r)
		if err != nil {
			yield(moothall.Chunk{}, err)
			return
		}
		defer s.Close()
		out := wire.NewOutput(s, r, yield)
		d := decoder{stream: s, out: out, model: r.Model}
		out.Read(d.whole, d.events)
	}
}

// open sends the request, in the form that the model takes.
func (p *Provider) open(ctx context.Context, r moothall.GenerateRequest) (*wire.Stream, error) {
	var s *wire.Stream
	err := p.habits.Adapt(r.Model, func(refused wire.Refused) ([]wire.Feature, error) {
		body, used, err := newRequest(r, refused, p.official())
		if err != nil {
			return nil, err
		}
		s, err = p.client.Send(ctx, wire.Request{Path: "/chat/completions", Model: r.Model, Body: body})
		return used, err
	})
	return s, err
}
