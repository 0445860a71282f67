package tavily

import (
	"context"
	"net/http"
	"time"

	"moothall"
	"moothall/internal/search"
	"moothall/internal/search/wire"
)

const (
	defaultURL = "https://api.tavily.com"
	maxResults = 20
)

// Options for [New].
type Options struct {
	// Key returns the API key. It is required.
	Key func(context.Context) (moothall.Secret, error)
	// URL is the address of the API; "" means Tavily's own.
	URL string
	Now func() time.Time // nil means time.Now
}

// Provider searches with Tavily.
type Provider struct{ client *wire.Client }

var _ search.Provider = (*Provider)(nil)

// New returns a provider. CodeInvalid without a key.
func New(o Options) (*Provider, error) {
	if o.Key == nil {
		return nil, &moothall.Error{
			Code: moothall.CodeInvalid, Op: "search provider tavily", Message: "Tavily needs a key",
			Remedy: "name one of the keyring in the configuration",
		}
	}
	if o.URL == "" {
		o.URL = defaultURL
	}
	c, err := wire.New(wire.Config{
		Name: "tavily", BaseURL: o.URL, Key: o.Key, Now: o.Now,
		Sign: func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
	})
	if err != nil {
		return nil, err
	}
	return &Provider{c}, nil
}

// Name is "tavily".
func (p *Provider) Name() string { return "tavily" }

// Close ends idle connections.
func (p *Provider) Close() error { return p.client.Close() }

// query is Tavily's form of a query. It has no field for a language.
type query struct {
	Query      string `json:"query"`
	Depth      string `json:"search_depth"`
	MaxResults int    `json:"max_results"`
	Answer     bool   `json:"include_answer"`
	StartDate  string `json:"start_date,omitempty"`
}

type reply struct {
	Results []struct {
		Title     string `json:"title"`
		URL       string `json:"url"`
		Content   string `json:"content"`
		Published string `json:"published_date"`
	} `json:"results"`
}

// Search asks Tavily.
func (p *Provider) Search(ctx context.Context, q search.Query) ([]search.Hit, error) {
	body := query{Query: q.Text, Depth: "basic", MaxResults: min(max(q.Limit, 1), maxResults)}
	if !q.Since.IsZero() {
		body.StartDate = q.Since.Format(time.DateOnly)
	}
	var r reply
	if err := p.client.JSON(ctx, wire.Request{Path: "/search", Body: body, Sent: q.Sent}, &r); err != nil {
		return nil, err
	}
	hits := make([]search.Hit, 0, len(r.Results))
	for _, h := range r.Results {
		hits = append(hits, search.Hit{Title: wire.Plain(h.Title), URL: h.URL, Snippet: wire.Plain(h.Content), Date: wire.Date(h.Published)})
	}
	return hits, nil
}
