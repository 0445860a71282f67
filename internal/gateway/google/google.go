package google

import (
	"cmp"
	"context"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/wire"
)

// DefaultBaseURL is Google's own address.
const DefaultBaseURL = "https://generativelanguage.googleapis.com/v1beta"

// Options set up a provider; the zero value is Google without a key.
type Options struct {
	// Name is what the configuration calls it: "google" when empty.
	Name string
	// BaseURL ends before "/models": [DefaultBaseURL] when empty.
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
}

// Provider reaches the models of the service.
type Provider struct {
	name       string
	client     *wire.Client
	habits     wire.Habits
	signatures wire.Keep // by call
}

var _ gateway.Provider = (*Provider)(nil)

// New returns a provider. It does no I/O. CodeInvalid names an address that
// cannot be used.
func New(o Options) (*Provider, error) {
	name := cmp.Or(o.Name, "google")
	client, err := wire.NewClient(wire.Config{
		Name: name, BaseURL: cmp.Or(o.BaseURL, DefaultBaseURL), Key: o.Key, HTTP: o.HTTP,
		PlainHTTP: o.PlainHTTP, Idle: o.Idle,
		Sign: func(h http.Header, key string) { h.Set("X-Goog-Api-Key", key) },
	})
	if err != nil {
		return nil, err
	}
	return &Provider{name: name, client: client}, nil
}

// Name is what the configuration calls the provider.
func (p *Provider) Name() string { return p.name }

// Close ends idle connections.
func (p *Provider) Close() error { return p.client.Close() }

// modelPath is the resource of a model, with a method. A name may already be
// a resource, "models/x" or "tunedModels/x".
func modelPath(model, method string) string {
	kind, name, ok := strings.Cut(model, "/")
	if !ok {
		kind, name = "models", model
	}
	return "/" + url.PathEscape(kind) + "/" + url.PathEscape(name) + method
}

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
		d := decoder{stream: s, out: out, model: r.Model, keep: &p.signatures}
		out.Read(d.whole, d.events)
	}
}

// open sends the request, in the form that the model takes.
func (p *Provider) open(ctx context.Context, r moothall.GenerateRequest) (*wire.Stream, error) {
	path := modelPath(r.Model, ":streamGenerateContent?alt=sse")
	if r.Whole {
		path = modelPath(r.Model, ":generateContent")
	}
	var s *wire.Stream
	err := p.habits.Adapt(r.Model, func(refused wire.Refused) ([]wire.Feature, error) {
		f := form{model: r.Model, refused: refused, kept: &p.signatures}
		body, err := f.request(r)
		if err != nil {
			return nil, err
		}
		s, err = p.client.Send(ctx, wire.Request{Path: path, Model: r.Model, Body: body})
		return f.used, err
	})
	return s, err
}
