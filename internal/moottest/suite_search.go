package moottest

import (
	"strings"
	"testing"

	"moothall"
)

// SearchFixture is what [TestSearch] needs.
type SearchFixture struct {
	Search  moothall.Search
	Query   string // has two findings or more
	Nothing string // has none
	URL     string // a page that can be fetched, with 100 bytes of text or more
	Text    string // a part of its text
}

// TestSearch checks a search service.
func TestSearch(t *testing.T, open func(t *testing.T) SearchFixture) {
	suite(t, open, map[string]func(*testing.T, SearchFixture){
		"findings":                searchFindings,
		"summaries":               searchSummaries,
		"nothing found":           searchNothing,
		"breaking out":            searchBreak,
		"a page":                  searchPage,
		"about a page":            searchAbout,
		"addresses not for pages": searchPrivate,
		"canceled caller":         searchCanceled,
	})
}

func searchFindings(t *testing.T, f SearchFixture) {
	all := must(t, f.Search.Search(t.Context(), moothall.SearchRequest{Scope: scope(), Query: f.Query}))
	if len(all) < 2 {
		t.Fatalf("%d findings, want two or more", len(all))
	}
	for _, r := range all {
		if r.URL == "" || r.Title == "" || r.Provider == "" {
			t.Errorf("a finding lacks title, address or provider: %+v", r)
		}
	}
	one := must(t, f.Search.Search(t.Context(), moothall.SearchRequest{Query: f.Query, Limit: 1}))
	if len(one) != 1 {
		t.Errorf("%d findings with a limit of 1", len(one))
	}
}

func searchSummaries(t *testing.T, f SearchFixture) {
	for _, r := range must(t, f.Search.Search(t.Context(), moothall.SearchRequest{Query: f.Query, Summaries: true})) {
		if r.Claim == "" || r.Summary == "" || r.Confidence < 0 || r.Confidence > 1 {
			t.Errorf("an incomplete summary: %+v", r)
		}
	}
}

func searchNothing(t *testing.T, f SearchFixture) {
	wantQuiet(t, f.Search.Search(t.Context(), moothall.SearchRequest{Query: f.Nothing}), moothall.CodeNotFound)
}

func searchBreak(t *testing.T, f SearchFixture) {
	breakAfterOne(t, f.Search.Search(t.Context(), moothall.SearchRequest{Query: f.Query}))
	must(t, f.Search.Search(t.Context(), moothall.SearchRequest{Query: f.Query}))
}

func searchPage(t *testing.T, f SearchFixture) {
	p, err := f.Search.Fetch(t.Context(), moothall.FetchRequest{Scope: scope(), URL: f.URL})
	wantCode(t, err, "")
	if !strings.Contains(p.Text, f.Text) || p.URL == "" {
		t.Errorf("the page is not the one asked for: %+v", p)
	}
	short, err := f.Search.Fetch(t.Context(), moothall.FetchRequest{URL: f.URL, Max: 50})
	wantCode(t, err, "")
	if len(short.Text) > 50 || short.Cut == "" {
		t.Errorf("a cut page has %d bytes and says %q", len(short.Text), short.Cut)
	}
}

func searchAbout(t *testing.T, f SearchFixture) {
	for _, summaries := range []bool{true, false} {
		about := must(t, f.Search.Search(t.Context(), moothall.SearchRequest{Scope: scope(), Page: f.URL, Summaries: summaries}))
		if len(about) != 1 || about[0].URL == "" || (about[0].Summary != "") != summaries {
			t.Errorf("asked about one page, found %+v", about)
		}
		wantQuiet(t, f.Search.Search(t.Context(), moothall.SearchRequest{Page: "http://127.0.0.1:9/", Summaries: summaries}), moothall.CodeDenied)
	}
}

func searchPrivate(t *testing.T, f SearchFixture) {
	for _, u := range []string{"http://localhost/x", "http://127.0.0.1:9/", "http://10.0.0.1/", "http://[::1]/", "http://169.254.169.254/latest"} {
		if _, err := f.Search.Fetch(t.Context(), moothall.FetchRequest{URL: u}); moothall.ErrorCode(err) != moothall.CodeDenied {
			t.Errorf("%s: got %v, want code denied", u, err)
		}
	}
}

func searchCanceled(t *testing.T, f SearchFixture) {
	wantQuiet(t, f.Search.Search(canceled(t), moothall.SearchRequest{Query: f.Query}), moothall.CodeCanceled)
	_, err := f.Search.Fetch(canceled(t), moothall.FetchRequest{URL: f.URL})
	wantCode(t, err, moothall.CodeCanceled)
}
