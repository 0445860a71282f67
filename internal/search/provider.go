package search

import (
	"context"
	"time"

	"moothall"
)

// Query is what a provider is asked.
type Query struct {
	Text     string
	Limit    int       // hits wanted; more may come
	Language string    // "", or a tag like "de" or "de-AT"
	Since    time.Time // zero, or the day before which hits are too old

	// Sent tells the service what leaves the machine, measured at the
	// connection, whether the call ends well or not. Note tells it what is missing in hits that came. Neither
	// is nil.
	Sent func(host string, bytes int64)
	Note func(text string)
}

// Hit is one result of a provider. Title and Snippet are plain text.
type Hit struct {
	Title   string
	URL     string
	Snippet string
	Date    time.Time // zero when the provider does not say
}

// Provider is a search engine. Children of this package implement it.
//
// A provider is safe for concurrent use, keeps nothing of a query after the
// call and starts no goroutine that outlives it. It translates and
// classifies; order, rates, filters and fallback are the service's.
type Provider interface {
	// Name is what configuration and findings call it: "searxng".
	Name() string

	// Search returns hits, best first. No hits is no error. Errors are
	// *[moothall.Error]: CodeUnavailable when it does not answer or not in
	// its protocol, CodeDenied when the key is refused, CodeExhausted when
	// a rate or quota is used up ([RetryAfter] has the wait), CodeInvalid
	// when it does not take the query, CodeCanceled and CodeTimeout those
	// of ctx. Hits that come with an error are kept.
	Search(ctx context.Context, q Query) ([]Hit, error)
}

// Rate is how often a provider may be asked.
type Rate struct {
	Every time.Duration // one query in this time, on average
	Burst int           // queries at once after a pause
}

// Limits bound one call. A field that is 0 has the default in brackets.
type Limits struct {
	Results     int           // findings when the request does not say [5]
	MaxResults  int           // findings at most [20]
	Provider    time.Duration // for one provider to answer [15 s]
	Page        time.Duration // for one page to be read [20 s]
	Summary     time.Duration // for the model to summarise one page [2 min]
	Concurrency int           // pages at once [4]
	Wait        time.Duration // for a provider's rate before the next is asked [3 s]
	PageText    int           // bytes of a fetched page's text [24,000]
	ModelText   int           // bytes of a page that the model reads [12,000]
}

func (l Limits) orDefaults() Limits {
	def(&l.Results, 5)
	def(&l.MaxResults, 20)
	def(&l.Provider, 15*time.Second)
	def(&l.Page, 20*time.Second)
	def(&l.Summary, 2*time.Minute)
	def(&l.Concurrency, 4)
	def(&l.Wait, 3*time.Second)
	def(&l.PageText, 24_000)
	def(&l.ModelText, 12_000)
	return l
}

func def[T comparable](v *T, to T) {
	var zero T
	if *v == zero {
		*v = to
	}
}

// tally collects what was sent, by host, in the order of first use.
type tally []moothall.Egress

func (t *tally) add(host string, bytes int64) {
	*t = moothall.SumEgress(*t, moothall.Egress{Host: host, Bytes: bytes})
}
