package brave

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"moothall"
	"moothall/internal/search"
	"moothall/internal/search/wire"
)

const (
	defaultURL = "https://api.search.brave.com/res/v1"
	maxCount   = 20  // of results in one answer
	maxQuery   = 400 // characters
)

// Options for [New].
type Options struct {
	// Key returns the subscription token. It is required.
	Key func(context.Context) (moothall.Secret, error)
	// URL is the address of the API; "" means Brave's own.
	URL string
	Now func() time.Time // nil means time.Now
}

// Provider searches with Brave.
type Provider struct {
	client *wire.Client
	now    func() time.Time
}

var _ search.Provider = (*Provider)(nil)

// New returns a provider. CodeInvalid without a key.
func New(o Options) (*Provider, error) {
	if o.Key == nil {
		return nil, &moothall.Error{
			Code: moothall.CodeInvalid, Op: "search provider brave", Message: "Brave needs a key",
			Remedy: "name one of the keyring in the configuration",
		}
	}
	if o.URL == "" {
		o.URL = defaultURL
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	c, err := wire.New(wire.Config{
		Name: "brave", BaseURL: o.URL, Key: o.Key, Now: o.Now,
		Sign: func(h http.Header, key string) { h.Set("X-Subscription-Token", key) },
	})
	if err != nil {
		return nil, err
	}
	return &Provider{c, o.Now}, nil
}

// Name is "brave".
func (p *Provider) Name() string { return "brave" }

// Close ends idle connections.
func (p *Provider) Close() error { return p.client.Close() }

type reply struct {
	Web struct {
		Results []struct {
			Title       string   `json:"title"`
			URL         string   `json:"url"`
			Description string   `json:"description"`
			PageAge     string   `json:"page_age"`
			Extra       []string `json:"extra_snippets"`
		} `json:"results"`
	} `json:"web"`
}

// Search asks Brave.
func (p *Provider) Search(ctx context.Context, q search.Query) ([]search.Hit, error) {
	var r reply
	if err := p.client.JSON(ctx, wire.Request{Path: "/web/search?" + p.values(q).Encode(), Sent: q.Sent}, &r); err != nil {
		return nil, err
	}
	hits := make([]search.Hit, 0, len(r.Web.Results))
	for _, h := range r.Web.Results {
		snippet := strings.Join(append([]string{h.Description}, h.Extra...), " ")
		hits = append(hits, search.Hit{Title: wire.Plain(h.Title), URL: h.URL, Snippet: wire.Plain(snippet), Date: wire.Date(h.PageAge)})
	}
	return hits, nil
}

func (p *Provider) values(q search.Query) url.Values {
	text := []rune(q.Text)
	v := url.Values{"q": {string(text[:min(len(text), maxQuery)])}, "count": {strconv.Itoa(min(max(q.Limit, 1), maxCount))}, "text_decorations": {"false"}}
	if lang, region, _ := strings.Cut(q.Language, "-"); lang != "" {
		v.Set("search_lang", strings.ToLower(lang))
		if len(region) == 2 {
			v.Set("country", strings.ToUpper(region))
		}
	}
	if !q.Since.IsZero() {
		v.Set("freshness", q.Since.Format(time.DateOnly)+"to"+p.now().Format(time.DateOnly))
	}
	return v
}
