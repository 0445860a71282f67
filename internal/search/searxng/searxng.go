package searxng

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"moothall"
	"moothall/internal/search"
	"moothall/internal/search/wire"
)

// Options for [New].
type Options struct {
	// URL is the server's address.
	URL string
	// Engines narrows the search to some of the server's engines.
	Engines []string
	// Key is for a server behind a gate: it is sent as a bearer token. nil
	// sends none.
	Key func(context.Context) (moothall.Secret, error)
	Now func() time.Time // nil means time.Now
}

// Provider searches with one server.
type Provider struct {
	options Options
	client  *wire.Client
}

var _ search.Provider = (*Provider)(nil)

// New returns a provider. CodeInvalid for an address that is none.
func New(o Options) (*Provider, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	c, err := wire.New(wire.Config{
		Name: "searxng", BaseURL: o.URL, Key: o.Key, Now: o.Now,
		Sign: func(h http.Header, key string) { h.Set("Authorization", "Bearer "+key) },
		Hint: "check that the server runs, and that its settings have json under search.formats",
	})
	if err != nil {
		return nil, err
	}
	return &Provider{o, c}, nil
}

// Name is "searxng".
func (p *Provider) Name() string { return "searxng" }

// Close ends idle connections.
func (p *Provider) Close() error { return p.client.Close() }

type reply struct {
	Results []struct {
		Title     string `json:"title"`
		URL       string `json:"url"`
		Content   string `json:"content"`
		Published any    `json:"publishedDate"`
		PubDate   string `json:"pubdate"`
	} `json:"results"`
	// Unresponsive is a list of [engine, reason], the reason being optional.
	Unresponsive []json.RawMessage `json:"unresponsive_engines"`
}

// Search asks the server.
func (p *Provider) Search(ctx context.Context, q search.Query) ([]search.Hit, error) {
	var r reply
	if err := p.client.JSON(ctx, wire.Request{Path: "/search?" + p.values(q).Encode(), Sent: q.Sent}, &r); err != nil {
		return nil, err
	}
	silent := silentEngines(r.Unresponsive)
	if len(silent) > 0 {
		q.Note("no answer from " + strings.Join(silent, ", "))
	}
	hits := make([]search.Hit, 0, len(r.Results))
	for _, h := range r.Results {
		published, _ := h.Published.(string)
		date := wire.Date(h.PubDate)
		if date.IsZero() {
			date = wire.Date(published)
		}
		hits = append(hits, search.Hit{Title: wire.Plain(h.Title), URL: h.URL, Snippet: wire.Plain(h.Content), Date: date})
	}
	if len(hits) == 0 && len(silent) > 0 {
		return nil, moothall.Fail(moothall.CodeUnavailable, "search with searxng", "the engines behind searxng did not answer: "+strings.Join(silent, ", "))
	}
	return hits, nil
}

func (p *Provider) values(q search.Query) url.Values {
	v := url.Values{"q": {q.Text}, "format": {"json"}, "pageno": {"1"}}
	if q.Language != "" {
		v.Set("language", q.Language)
	}
	if len(p.options.Engines) > 0 {
		v.Set("engines", strings.Join(p.options.Engines, ","))
	}
	if r := timeRange(q.Since, p.options.Now()); r != "" {
		v.Set("time_range", r)
	}
	return v
}

// timeRange is the smallest of the server's ranges that reaches back to
// since. The service drops what is older.
func timeRange(since, now time.Time) string {
	if since.IsZero() {
		return ""
	}
	switch ago := now.Sub(since); {
	case ago <= 24*time.Hour:
		return "day"
	case ago <= 30*24*time.Hour:
		return "month"
	case ago <= 365*24*time.Hour:
		return "year"
	}
	return ""
}

func silentEngines(raw []json.RawMessage) []string {
	var out []string
	for _, r := range raw {
		var pair []any
		if json.Unmarshal(r, &pair) != nil || len(pair) == 0 {
			continue
		}
		name, ok := pair[0].(string)
		if !ok {
			continue
		}
		if len(pair) > 1 {
			if why, ok := pair[1].(string); ok && why != "" {
				name += " (" + why + ")"
			}
		}
		out = append(out, wire.Plain(name))
	}
	return out
}
