package moothall

import (
	"context"
	"iter"
	"time"
)

// SearchRequest asks the web.
type SearchRequest struct {
	Scope
	Query    string
	Limit    int
	Language string
	Since    time.Time
	// Summaries asks for {claim, source, confidence, date, summary} made
	// from the pages; otherwise snippets come back.
	Summaries bool
	// Page asks about the page at this address and nothing else: Query is
	// not read, and no provider hears of either. The address is held to
	// what Fetch holds one to.
	Page string
}

// SearchResult is one finding.
type SearchResult struct {
	Title      string    `json:"title"`
	URL        string    `json:"source_url"`
	Snippet    string    `json:"snippet,omitempty"`
	Claim      string    `json:"claim,omitempty"`
	Summary    string    `json:"summary,omitempty"`
	Confidence float64   `json:"confidence,omitempty"`
	Date       time.Time `json:"date,omitzero"`
	Provider   string    `json:"provider"`
	Sent       []Egress  `json:"sent,omitempty"`
}

// FetchRequest asks for one page.
type FetchRequest struct {
	Scope
	URL string
	Max int // bytes of text; 0 means the default
}

// Page is the readable part of a web page.
type Page struct {
	URL      string    `json:"url"` // after redirects
	Title    string    `json:"title"`
	Text     string    `json:"text"`
	Date     time.Time `json:"date,omitzero"`
	Language string    `json:"language,omitempty"`
	Cut      string    `json:"cut,omitempty"`
	Sent     []Egress  `json:"sent,omitempty"`
}

// Search is the only service with a way out of the machine for content.
type Search interface {
	// Search streams findings as they come. No finding at all is
	// CodeNotFound with the reason; CodeDenied when Page is not public.
	Search(ctx context.Context, r SearchRequest) iter.Seq2[SearchResult, error]
	// Fetch reads one page. CodeDenied for addresses that are not public.
	Fetch(ctx context.Context, r FetchRequest) (Page, error)
}
