package search

import (
	"context"
	"iter"
	"log/slog"
	"time"

	"moothall"
	"moothall/internal/search/fetch"
)

// Fetcher reads pages. *[fetch.Client] is one; so is the canned web.
type Fetcher interface {
	// Get reads one page. CodeDenied for addresses that are not public. The
	// document's Sent is set also when there is an error.
	Get(ctx context.Context, address string) (fetch.Document, error)
}

// Options for [New].
type Options struct {
	// Providers are asked in order. Without one, searching is
	// CodeNotConfigured and fetching still works.
	Providers []Provider
	// Rates bound the use of providers, by name. One that has none is asked
	// once a second on average, five times at once.
	Rates map[string]Rate
	// Fetcher reads pages; nil means the guarded client with its defaults.
	Fetcher Fetcher
	// Model summarises in the researcher's role; nil means extracts.
	Model  moothall.Model
	Limits Limits
	Now    func() time.Time // nil means time.Now
	Logger *slog.Logger     // nil discards
}

// Service searches and fetches. See the package's comment.
type Service struct {
	options Options
	limits  Limits
	gates   []*gate // of the provider with the same index
}

// New returns a service. It does no I/O.
func New(o Options) *Service {
	if o.Fetcher == nil {
		o.Fetcher = fetch.New(fetch.Options{})
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Service{options: o, limits: o.Limits.orDefaults()}
	for _, p := range o.Providers {
		s.gates = append(s.gates, newGate(o.Rates[p.Name()], o.Now))
	}
	return s
}

// For returns the service as one participant sees it. Only the broker may
// use it: everybody else reaches the web through a tool, or not at all.
func (s *Service) For(who moothall.Identity) moothall.Search { return caller{s, who} }

type caller struct {
	s   *Service
	who moothall.Identity
}

var _ moothall.Search = caller{}

func (c caller) may(op string) error {
	if c.who == moothall.ToolBroker {
		return nil
	}
	return moothall.Fail(moothall.CodeDenied, op, "only the broker may reach the web, and "+string(c.who)+" is not")
}

// Search streams findings.
func (c caller) Search(ctx context.Context, r moothall.SearchRequest) iter.Seq2[moothall.SearchResult, error] {
	return func(yield func(moothall.SearchResult, error) bool) {
		if err := c.may("search"); err != nil {
			yield(moothall.SearchResult{}, err)
			return
		}
		c.s.search(ctx, r, yield)
	}
}

// Fetch reads one page.
func (c caller) Fetch(ctx context.Context, r moothall.FetchRequest) (moothall.Page, error) {
	if err := c.may("fetch"); err != nil {
		return moothall.Page{}, err
	}
	return c.s.fetch(ctx, r)
}
