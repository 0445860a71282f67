package anthropic

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

// DefaultBaseURL is Anthropic's own address.
const DefaultBaseURL = "https://api.anthropic.com"

// version is that of the wire.
const version = "2023-06-01"

// Options set up a provider; the zero value is Anthropic without a key.
type Options struct {
	// Name is what the configuration calls it: "anthropic" when empty.
	Name string
	// BaseURL ends before "/v1": [DefaultBaseURL] when empty.
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
	// MaxTokens limits an answer when the request does not, since the wire
	// demands a limit: 8192 when 0.
	MaxTokens int
}

// Provider reaches the models of the service.
type Provider struct {
	name      string
	maxTokens int
	client    *wire.Client
	habits    wire.Habits
	thoughts  wire.Keep // signed blocks by the first call after them
}

var _ gateway.Provider = (*Provider)(nil)

// New returns a provider. It does no I/O. CodeInvalid names an address that
// cannot be used.
func New(o Options) (*Provider, error) {
	name := cmp.Or(o.Name, "anthropic")
	client, err := wire.NewClient(wire.Config{
		Name: name, BaseURL: cmp.Or(o.BaseURL, DefaultBaseURL), Key: o.Key, HTTP: o.HTTP,
		PlainHTTP: o.PlainHTTP, Idle: o.Idle,
		Header: http.Header{"Anthropic-Version": {version}},
		Sign:   func(h http.Header, key string) { h.Set("X-Api-Key", key) },
	})
	if err != nil {
		return nil, err
	}
	return &Provider{name: name, maxTokens: cmp.Or(o.MaxTokens, 8192), client: client}, nil
}

// Name is what the configuration calls the provider.
func (p *Provider) Name() string { return p.name }

// Close ends idle connections.
func (p *Provider) Close() error { return p.client.Close() }

// Embed refuses: the service makes no embeddings.
func (p *Provider) Embed(context.Context, moothall.EmbedRequest) (moothall.Embeddings, error) {
	return moothall.Embeddings{}, &moothall.Error{
		Code: moothall.CodeUnsupported, Op: "embed", Message: p.name + " makes no embeddings",
		Remedy: "bind the role embedder to a model of another provider",
	}
}

// Generate asks for the next message.
func (p *Provider) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		s, form, err := p.open(ctx, r)
		if err != nil {
			yield(moothall.Chunk{}, err)
			return
		}
		defer s.Close()
		out := wire.NewOutput(s, r, yield)
		d := decoder{stream: s, out: out, model: r.Model, answerTool: form.answerTool, keep: &p.thoughts}
		out.Read(d.whole, d.events)
	}
}

// open sends the request, in the form that the model takes.
func (p *Provider) open(ctx context.Context, r moothall.GenerateRequest) (*wire.Stream, form, error) {
	var s *wire.Stream
	var f form
	err := p.habits.Adapt(r.Model, func(refused wire.Refused) ([]wire.Feature, error) {
		f = newForm(r, refused, &p.thoughts)
		body, err := f.request(r, p.maxTokens)
		if err != nil {
			return nil, err
		}
		s, err = p.client.Send(ctx, wire.Request{Path: "/v1/messages", Model: r.Model, Body: body})
		return f.used, err
	})
	return s, f, err
}
