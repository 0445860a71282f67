package search

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"moothall"
)

const maxQuery = 1000 // bytes; engines cut far earlier

// yielder is the caller's side of a stream.
type yielder = func(moothall.SearchResult, error) bool

func (s *Service) search(ctx context.Context, r moothall.SearchRequest, yield yielder) {
	fail := func(err error) { yield(moothall.SearchResult{}, coded(ctx, "search", err)) }
	r, err := s.checked(r)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		fail(err)
		return
	}
	found, sent, err := s.ask(ctx, r)
	if err != nil {
		yield(moothall.SearchResult{Sent: sent}, coded(ctx, "search", err))
		return
	}
	if r.Summaries {
		s.summaries(ctx, r, found, yield)
		return
	}
	for _, f := range found {
		if f.page { // nothing but its address is known so far
			f.snippet(ctx, s, r)
		}
		if !yield(f.result, f.err) || f.err != nil {
			return
		}
	}
}

// checked is the request as it is answered: a query that is an address alone
// is about that page. Of a page its address is all that a model is asked.
func (s *Service) checked(r moothall.SearchRequest) (moothall.SearchRequest, error) {
	r.Limit = s.limit(r.Limit)
	if r.Page == "" {
		query, err := checkQuery(r.Query)
		if err != nil || !isAddress(query) {
			r.Query = query
			return r, err
		}
		r.Page = query
	}
	r.Query = r.Page
	return r, nil
}

func checkQuery(q string) (string, error) {
	q = strings.Join(strings.Fields(q), " ")
	switch {
	case q == "":
		return "", moothall.Fail(moothall.CodeInvalid, "search", "the query is empty")
	case len(q) > maxQuery:
		return "", &moothall.Error{
			Code: moothall.CodeTooLarge, Op: "search", Message: "the query is longer than " + strconv.Itoa(maxQuery) + " bytes",
			Remedy: "search for a few words",
		}
	case !utf8.ValidString(q):
		return "", moothall.Fail(moothall.CodeInvalid, "search", "the query is not valid text")
	}
	return q, nil
}

func (s *Service) limit(asked int) int {
	if asked <= 0 {
		return s.limits.Results
	}
	return min(asked, s.limits.MaxResults)
}

// finding is a result under way.
type finding struct {
	result moothall.SearchResult
	page   bool // this page is what was asked about
	err    error
}

// ask returns what the first useful provider has, filtered, or why there is
// nothing. What was sent to all that were asked is in the first finding, or
// comes with the error.
func (s *Service) ask(ctx context.Context, r moothall.SearchRequest) ([]finding, tally, error) {
	if r.Page != "" {
		return []finding{{result: moothall.SearchResult{Title: r.Page, URL: r.Page, Provider: "page"}, page: true}}, nil, nil
	}
	if len(s.options.Providers) == 0 {
		return nil, nil, &moothall.Error{
			Code: moothall.CodeNotConfigured, Op: "search", Message: "no search engine is set up in this hall",
			Remedy: "name a SearXNG server, or a key for Brave or Tavily, in the configuration",
		}
	}
	var why reasons
	var all tally
	for i, p := range s.options.Providers {
		got, sent, err := s.askOne(ctx, i, r)
		for _, e := range sent {
			all.add(e.Host, e.Bytes)
		}
		if ctx.Err() != nil {
			return nil, all, ctx.Err()
		}
		hits := prepare(got, r)
		if err != nil {
			s.options.Logger.WarnContext(ctx, "search provider failed", "provider", p.Name(), "hits", len(got), "err", err)
		}
		if len(hits) > 0 {
			return findings(hits, p.Name(), all), nil, nil
		}
		why.add(p.Name(), len(got), err)
	}
	return nil, all, why.err()
}

func isAddress(q string) bool {
	scheme, _, ok := strings.Cut(q, "://")
	return ok && !strings.Contains(q, " ") && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http"))
}

func (s *Service) askOne(ctx context.Context, i int, r moothall.SearchRequest) (hits []Hit, sent tally, err error) {
	if err := s.gates[i].enter(ctx, s.limits.Wait); err != nil {
		return nil, nil, err
	}
	p := s.options.Providers[i]
	ctx, cancel := context.WithTimeout(ctx, s.limits.Provider)
	defer cancel()
	q := Query{
		Text: r.Query, Limit: min(2*r.Limit, s.limits.MaxResults), Language: r.Language, Since: r.Since,
		Sent: func(host string, n int64) { sent.add(host, n) },
		Note: func(text string) {
			s.options.Logger.InfoContext(ctx, "search is incomplete", "provider", p.Name(), "note", text)
		},
	}
	defer func() { // a fault in reading a stranger's answer costs the answer only
		if v := recover(); v != nil {
			hits, err = nil, panicked(p.Name(), v)
		}
	}()
	hits, err = p.Search(ctx, q)
	if wait, ok := RetryAfter(err); ok {
		s.gates[i].closeFor(wait)
	}
	return hits, sent, err
}

// prepare is the way from hits to those worth showing.
func prepare(hits []Hit, r moothall.SearchRequest) []Hit {
	hits = Relevant(r.Query, Distinct(recent(hits, r)))
	return hits[:min(len(hits), r.Limit)]
}

// recent drops what is known to be too old, since engines take dates lightly.
func recent(hits []Hit, r moothall.SearchRequest) []Hit {
	out := make([]Hit, 0, len(hits))
	for _, h := range hits {
		if h.Date.IsZero() || !h.Date.Before(r.Since) {
			out = append(out, h)
		}
	}
	return out
}

// findings gives the bytes sent to the first: they were sent once.
func findings(hits []Hit, provider string, sent tally) []finding {
	out := make([]finding, len(hits))
	for i, h := range hits {
		out[i].result = moothall.SearchResult{Title: h.Title, URL: h.URL, Snippet: h.Snippet, Date: h.Date, Provider: provider}
	}
	out[0].result.Sent = sent
	return out
}
