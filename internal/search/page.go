package search

import (
	"cmp"
	"context"
	"fmt"
	"unicode/utf8"

	"moothall"
	"moothall/internal/search/fetch"
	"moothall/internal/search/readable"
)

// fetch reads one page for the caller.
func (s *Service) fetch(ctx context.Context, r moothall.FetchRequest) (moothall.Page, error) {
	p, err := s.page(ctx, r.URL)
	if err != nil {
		return moothall.Page{Sent: p.Sent}, coded(ctx, "fetch", err)
	}
	limit := r.Max
	if limit <= 0 {
		limit = s.limits.PageText
	}
	if whole := len(p.Text); whole > limit {
		p.Text = clip(p.Text, limit)
		p.Cut = fmt.Sprintf("the first %d of %d bytes of text", len(p.Text), whole)
	}
	return p, nil
}

// page reads a page and finds what is readable in it.
func (s *Service) page(ctx context.Context, address string) (moothall.Page, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limits.Page)
	defer cancel()
	doc, err := s.options.Fetcher.Get(ctx, address)
	if err != nil {
		return moothall.Page{Sent: doc.Sent}, err
	}
	a := readable.Extract(readable.Source{URL: doc.URL, Kind: kinds[doc.Kind], Body: doc.Body})
	p := moothall.Page{
		URL: doc.URL, Title: cmp.Or(a.Title, doc.URL), Text: a.Text, Date: a.Date, Language: cmp.Or(a.Language, doc.Language), Sent: doc.Sent,
	}
	if a.Text == "" {
		return moothall.Page{Sent: doc.Sent}, &moothall.Error{
			Code: moothall.CodeNotFound, Op: "fetch", Message: "the page has no text that can be read; it may need a browser that runs its programs",
			Remedy: "try another source",
		}
	}
	if doc.Cut {
		p.Cut = "the page is longer than what is read of one"
	}
	return p, nil
}

var kinds = map[fetch.Kind]readable.Kind{
	fetch.HTML: readable.HTML, fetch.Text: readable.Text, fetch.JSON: readable.JSON, fetch.XML: readable.XML,
}

// snippet fills in a finding whose page is all that is known of it.
func (f *finding) snippet(ctx context.Context, s *Service, r moothall.SearchRequest) {
	p, err := s.page(ctx, f.result.URL)
	if f.result.Sent = p.Sent; err != nil {
		f.err = coded(ctx, "search", err)
		return
	}
	f.result.URL, f.result.Title, f.result.Date = p.URL, p.Title, p.Date
	f.result.Snippet = clip(p.Text, snippetLength)
}

const snippetLength = 600 // bytes

// clip cuts text at a character.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
