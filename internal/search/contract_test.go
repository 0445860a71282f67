package search_test

import (
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/search"
)

func TestContract(t *testing.T) {
	t.Parallel()
	moottest.TestSearch(t, func(t *testing.T) moottest.SearchFixture {
		web := tides()
		s := search.New(search.Options{Providers: []search.Provider{web}, Fetcher: web})
		return moottest.SearchFixture{
			Search: s.For(moothall.ToolBroker), Query: "spring tides", Nothing: "zyzzyva quux",
			URL: "https://sea.example/tides", Text: "raises a bulge",
		}
	})
}

func TestOnlyTheBroker(t *testing.T) {
	t.Parallel()
	web := tides()
	s := search.New(search.Options{Providers: []search.Provider{web}, Fetcher: web})
	for _, who := range moothall.Identities() {
		want := moothall.CodeDenied
		if who == moothall.ToolBroker {
			want = ""
		}
		_, err := collect(s.For(who).Search(t.Context(), moothall.SearchRequest{Query: "tides"}))
		if moothall.ErrorCode(err) != want {
			t.Errorf("%s may search: %v", who, err)
		}
		if _, err = s.For(who).Fetch(t.Context(), moothall.FetchRequest{URL: "https://sea.example/tides"}); moothall.ErrorCode(err) != want {
			t.Errorf("%s may fetch: %v", who, err)
		}
	}
}
