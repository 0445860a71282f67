package moottest

import (
	"context"
	"iter"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"

	"moothall"
)

// FakeSearch is a small web in memory.
type FakeSearch struct {
	mu    sync.Mutex
	pages []moothall.Page
}

// NewSearch returns a web of the given pages.
func NewSearch(pages ...moothall.Page) *FakeSearch { return &FakeSearch{pages: slices.Clone(pages)} }

// For returns the search as one caller sees it: all see the same.
func (s *FakeSearch) For(moothall.Identity) moothall.Search { return s }

var _ moothall.Search = (*FakeSearch)(nil)

// Search finds the pages that contain every word of the query, or the one page
// that is asked about.
func (s *FakeSearch) Search(ctx context.Context, r moothall.SearchRequest) iter.Seq2[moothall.SearchResult, error] {
	return func(yield func(moothall.SearchResult, error) bool) {
		if r.Page != "" {
			p, err := s.Fetch(ctx, moothall.FetchRequest{Scope: r.Scope, URL: r.Page})
			if err != nil {
				yield(moothall.SearchResult{}, err)
				return
			}
			f := finding(p, r.Summaries)
			f.Sent = p.Sent
			yield(f, nil)
			return
		}
		n := 0
		for _, p := range s.all() {
			if err := ctx.Err(); err != nil {
				yield(moothall.SearchResult{}, err)
				return
			}
			if !matches(p, r) || r.Limit > 0 && n == r.Limit {
				continue
			}
			n++
			if !yield(finding(p, r.Summaries), nil) {
				return
			}
		}
		if n == 0 {
			yield(moothall.SearchResult{}, moothall.Fail(moothall.CodeNotFound, "search", "no page has these words"))
		}
	}
}

func (s *FakeSearch) all() []moothall.Page {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.pages)
}

func matches(p moothall.Page, r moothall.SearchRequest) bool {
	text := strings.ToLower(p.Title + " " + p.Text)
	for w := range strings.FieldsSeq(strings.ToLower(r.Query)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return !p.Date.Before(r.Since) && (r.Language == "" || r.Language == p.Language)
}

func finding(p moothall.Page, summaries bool) moothall.SearchResult {
	r := moothall.SearchResult{Title: p.Title, URL: p.URL, Date: p.Date, Provider: "fake"}
	head := p.Text[:min(len(p.Text), 80)]
	if !summaries {
		r.Snippet = head
		return r
	}
	r.Claim, r.Summary, r.Confidence = p.Title, head, 0.5
	return r
}

// Fetch returns one of the pages.
func (s *FakeSearch) Fetch(ctx context.Context, r moothall.FetchRequest) (moothall.Page, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Page{}, err
	}
	u, err := url.Parse(r.URL)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return moothall.Page{}, moothall.Fail(moothall.CodeInvalid, "fetch", "this is no address of a page")
	}
	if !public(u.Hostname()) {
		return moothall.Page{}, moothall.Fail(moothall.CodeDenied, "fetch", u.Hostname()+" is not public")
	}
	for _, p := range s.all() {
		if p.URL != r.URL {
			continue
		}
		if r.Max > 0 && len(p.Text) > r.Max {
			p.Text, p.Cut = p.Text[:r.Max], "the rest of the page"
		}
		p.Sent = []moothall.Egress{{Host: u.Hostname(), Bytes: int64(len(r.URL))}}
		return p, nil
	}
	return moothall.Page{}, moothall.Fail(moothall.CodeNotFound, "fetch", "there is no such page")
}

func public(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasSuffix(host, ".local") {
		return false
	}
	ip, err := netip.ParseAddr(host)
	return err != nil || ip.IsGlobalUnicast() && !ip.IsPrivate()
}
