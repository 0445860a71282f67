package canned_test

import (
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/search"
	"moothall/internal/search/canned"
	"moothall/internal/search/fetch"
)

func web() *canned.Web {
	return canned.New(
		canned.Page{URL: "https://a.example/one", Title: "Tides", Text: "The moon <pulls>.\nTwice a day.", Language: "en", Date: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)},
		canned.Page{URL: "https://a.example/two", Title: "Moon and tides", Text: "The moon.", HTML: "<p>own page</p>"},
	)
}

func TestSearch(t *testing.T) {
	t.Parallel()
	hits, err := web().Search(t.Context(), search.Query{Text: "moon tides and", Limit: 5})
	if err != nil || len(hits) != 2 || hits[0].URL != "https://a.example/one" {
		t.Errorf("got %+v, %v", hits, err)
	}
	if hits, err := web().Search(t.Context(), search.Query{Text: "the", Limit: 5}); err != nil || len(hits) != 0 {
		t.Errorf("a word that says nothing found %+v, %v", hits, err)
	}
	if hits, _ := web().Search(t.Context(), search.Query{Text: "tides", Limit: 5, Language: "de"}); len(hits) != 1 || hits[0].URL != "https://a.example/two" {
		t.Errorf("in German: %+v", hits)
	}
}

func TestGet(t *testing.T) {
	t.Parallel()
	doc, err := web().Get(t.Context(), "HTTPS://A.example/one#x")
	if err != nil || doc.Kind != fetch.HTML || !strings.Contains(string(doc.Body), "The moon &lt;pulls&gt;.") || !strings.Contains(string(doc.Body), "2026-01-02") {
		t.Errorf("got %s, %v", doc.Body, err)
	}
	if doc, err := web().Get(t.Context(), "https://a.example/two"); err != nil || string(doc.Body) != "<p>own page</p>" {
		t.Errorf("got %s, %v", doc.Body, err)
	}
	for url, want := range map[string]moothall.Code{
		"https://a.example/three": moothall.CodeNotFound, "http://127.0.0.1/": moothall.CodeDenied, "file:///x": moothall.CodeInvalid,
	} {
		if _, err := web().Get(t.Context(), url); moothall.ErrorCode(err) != want {
			t.Errorf("%s: %v", url, err)
		}
	}
}
