package canned

import (
	"cmp"
	"context"
	"html"
	"slices"
	"strings"
	"time"
	"unicode"

	"moothall"
	"moothall/internal/search"
	"moothall/internal/search/fetch"
)

// Page is one page of the web. HTML, when given, is what is fetched;
// otherwise the text is.
type Page struct {
	URL      string    `json:"url"`
	Title    string    `json:"title"`
	Text     string    `json:"text"`
	HTML     string    `json:"html,omitempty"`
	Date     time.Time `json:"date,omitzero"`
	Language string    `json:"language,omitempty"`
}

// Web is a web of pages. It is a provider and a fetcher.
type Web struct{ pages []Page }

var (
	_ search.Provider = (*Web)(nil)
	_ search.Fetcher  = (*Web)(nil)
)

// New returns a web of the given pages.
func New(pages ...Page) *Web { return &Web{slices.Clone(pages)} }

// Name is "canned".
func (w *Web) Name() string { return "canned" }

// Search returns the pages that have a word of the query, those with most
// first.
func (w *Web) Search(ctx context.Context, q search.Query) ([]search.Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	type scored struct {
		page  Page
		score int
	}
	var found []scored
	for _, p := range w.pages {
		if q.Language != "" && p.Language != "" && !strings.HasPrefix(q.Language, p.Language) {
			continue
		}
		if n := score(p, q.Text); n > 0 {
			found = append(found, scored{p, n})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	var hits []search.Hit
	for _, f := range found[:min(len(found), max(q.Limit, 1))] {
		text := strings.Join(strings.Fields(f.page.Text), " ")
		hits = append(hits, search.Hit{Title: f.page.Title, URL: f.page.URL, Snippet: cut(text, 200), Date: f.page.Date})
	}
	return hits, nil
}

// score counts the words of a query that a page has; words of up to three
// letters say too little.
func score(p Page, query string) int {
	text := words(p.Title + " " + p.Text)
	n := 0
	for _, w := range words(query) {
		if len(w) > 3 && slices.Contains(text, w) {
			n++
		}
	}
	return n
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// Get returns one of the pages. CodeNotFound for all other public addresses.
func (w *Web) Get(ctx context.Context, address string) (fetch.Document, error) {
	if err := ctx.Err(); err != nil {
		return fetch.Document{}, err
	}
	u, err := fetch.Check(address)
	if err != nil {
		return fetch.Document{}, err
	}
	for _, p := range w.pages {
		known, err := fetch.Check(p.URL)
		if err != nil || known.String() != u.String() {
			continue
		}
		return document(p), nil
	}
	return fetch.Document{}, &moothall.Error{
		Code: moothall.CodeNotFound, Op: "fetch", Message: "there is no such page (status 404)", Remedy: "try another address",
	}
}

// document makes a page of the text, since titles and dates stand in HTML.
func document(p Page) fetch.Document {
	body := p.HTML
	if body == "" {
		body = "<html lang=\"" + html.EscapeString(p.Language) + "\"><head><title>" + html.EscapeString(p.Title) + "</title>"
		if !p.Date.IsZero() {
			body += "<meta name=\"date\" content=\"" + p.Date.Format(time.RFC3339) + "\">"
		}
		body += "</head><body><article>"
		for line := range strings.Lines(p.Text) {
			body += "<p>" + html.EscapeString(line) + "</p>"
		}
		body += "</article></body></html>"
	}
	return fetch.Document{URL: p.URL, Kind: fetch.HTML, Body: []byte(body), Language: p.Language}
}
