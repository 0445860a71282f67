package search_test

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/search"
	"moothall/internal/search/fetch"
)

func TestModelSummary(t *testing.T) {
	t.Parallel()
	web := tides()
	model := moottest.NewGateway(moottest.Reply{Text: "```json\n" + `{"claim":"Two tides\na day","confidence":0.8,"date":"2026-01-31","summary":"The moon raises two bulges."}` + "\n```"})
	s := search.New(search.Options{Providers: []search.Provider{web}, Fetcher: web, Model: model, Now: func() time.Time { return day("2026-05-30") }})
	found, err := find(t, s, moothall.SearchRequest{Query: "why are there two tides each day", Summaries: true, Limit: 1})
	wantCode(t, err, "")
	f := found[0]
	if f.Claim != "Two tides a day" || f.Confidence != 0.8 || !f.Date.Equal(day("2026-01-31")) || f.Summary != "The moon raises two bulges." || f.Snippet != "" {
		t.Errorf("found %+v", f)
	}
	r := model.Requests()[0]
	if r.Role != moothall.ModelResearcher || len(r.Schema) == 0 || r.Priority != moothall.PriorityTask {
		t.Errorf("asked %+v", r)
	}
	prompt := r.Messages[1].Content
	for _, want := range []string{"Today is 2026-05-30", "Question: why are there", "> Tides are the rise"} {
		if !strings.Contains(prompt, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, prompt)
		}
	}
}

// Whatever the model says that does not fit, the page's own sentences are
// given, with low confidence.
func TestModelFails(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]moottest.Reply{
		"error":      {Err: moothall.Fail(moothall.CodeUnavailable, "x", "no model")},
		"no JSON":    {Text: "Tides are nice."},
		"confidence": {Text: `{"claim":"x","confidence":7,"date":"","summary":"y"}`},
		"no claim":   {Text: `{"claim":"","confidence":0.5,"date":"","summary":"y"}`},
		"missing":    {Text: `{"claim":"x"}`},
	} {
		web := tides()
		s := search.New(search.Options{Providers: []search.Provider{web}, Fetcher: web, Model: moottest.NewGateway(reply)})
		found, err := find(t, s, moothall.SearchRequest{Query: "two tides each day", Summaries: true, Limit: 1})
		wantCode(t, err, "")
		f := found[0]
		if f.Confidence != 0.3 || !strings.Contains(f.Claim, "two tides each day") || !strings.Contains(f.Summary, "low confidence") {
			t.Errorf("%s: found %+v", name, f)
		}
	}
}

func TestPageFails(t *testing.T) {
	t.Parallel()
	web := tides()
	gone := search.Hit{Title: "Old tides", URL: "https://gone.example/tides", Snippet: "Tides of 1990."}
	s := search.New(search.Options{Providers: []search.Provider{gives("x", gone, tideHit)}, Fetcher: web})
	found, err := find(t, s, moothall.SearchRequest{Query: "tides", Summaries: true})
	wantCode(t, err, "")
	if len(found) != 2 {
		t.Fatalf("found %+v", found)
	}
	for _, f := range found {
		if f.URL == gone.URL && (f.Confidence != 0.2 || f.Claim != "Tides of 1990." || !strings.Contains(f.Summary, "status 404")) {
			t.Errorf("found %+v", f)
		}
		if f.URL != gone.URL && f.Confidence != 0.3 {
			t.Errorf("found %+v", f)
		}
	}
}

func TestQueryThatIsAnAddress(t *testing.T) {
	t.Parallel()
	web, other := tides(), gives("other", tideHit)
	s := search.New(search.Options{Providers: []search.Provider{other}, Fetcher: web})
	for _, summaries := range []bool{true, false} {
		found, err := find(t, s, moothall.SearchRequest{Query: "https://sea.example/spring", Summaries: summaries})
		wantCode(t, err, "")
		if len(found) != 1 || found[0].Title != "Spring tides explained" || (found[0].Claim != "") != summaries || (found[0].Snippet != "") == summaries {
			t.Errorf("found %+v", found)
		}
		_, err = find(t, s, moothall.SearchRequest{Query: "https://sea.example/nothing", Summaries: summaries})
		wantCode(t, err, moothall.CodeNotFound)
		_, err = find(t, s, moothall.SearchRequest{Query: "http://127.0.0.1/", Summaries: summaries})
		wantCode(t, err, moothall.CodeDenied)
	}
	if other.calls.Load() != 0 {
		t.Error("an address was sent to a search engine")
	}
}

// TestPageOfARequest: however the address is written, no provider hears of it.
func TestPageOfARequest(t *testing.T) {
	t.Parallel()
	web, other := tides(), gives("other", tideHit)
	s := search.New(search.Options{Providers: []search.Provider{other}, Fetcher: web})
	for page, want := range map[string]moothall.Code{
		"https://sea.example/spring":                        "",
		" HTTPS://Sea.example/spring\n":                     "",
		"https://sea.example/spring tides?token=x":          moothall.CodeNotFound,
		"https://sea.example/" + strings.Repeat("a", 2000):  moothall.CodeNotFound,
		"https://sea.example/" + strings.Repeat("a", 10000): moothall.CodeTooLarge,
		"Http://192.168.1.1/admin":                          moothall.CodeDenied,
		"tides":                                             moothall.CodeInvalid,
		" ":                                                 moothall.CodeInvalid,
		"https://sea.example/\xff":                          moothall.CodeInvalid,
	} {
		for _, summaries := range []bool{true, false} {
			found, err := find(t, s, moothall.SearchRequest{Page: page, Query: "tides", Summaries: summaries})
			if moothall.ErrorCode(err) != want || (len(found) == 1) != (want == "") {
				t.Errorf("%.50q: found %+v, %v", page, found, err)
			}
		}
	}
	found, err := find(t, s, moothall.SearchRequest{Query: "HTTPS://sea.example/spring"})
	if wantCode(t, err, ""); len(found) != 1 || found[0].Provider != "page" {
		t.Errorf("found %+v", found)
	}
	if other.calls.Load() != 0 {
		t.Error("an address was sent to a search engine")
	}
}

// slowPages takes a second for each page and counts how many run at once.
type slowPages struct{ now, most atomic.Int32 }

func (p *slowPages) Get(ctx context.Context, url string) (fetch.Document, error) {
	n := p.now.Add(1)
	defer p.now.Add(-1)
	for most := p.most.Load(); n > most && !p.most.CompareAndSwap(most, n); most = p.most.Load() {
	}
	select {
	case <-time.After(time.Second):
	case <-ctx.Done():
		return fetch.Document{}, ctx.Err()
	}
	return fetch.Document{URL: url, Kind: fetch.Text, Body: []byte("Tides of the page at " + url + " are described here.")}, nil
}

func TestPagesAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		pages := &slowPages{}
		var hits []search.Hit
		for _, n := range "12345678" {
			hits = append(hits, search.Hit{Title: "Tides", Snippet: "tides", URL: "https://sea.example/page" + string(n)})
		}
		s := search.New(search.Options{Providers: []search.Provider{gives("x", hits...)}, Fetcher: pages, Limits: search.Limits{Concurrency: 3}})
		start := time.Now()
		found, err := find(t, s, moothall.SearchRequest{Query: "tides", Summaries: true, Limit: 8})
		wantCode(t, err, "")
		for i, f := range found {
			if f.URL != hits[i].URL {
				t.Errorf("finding %d is %s", i, f.URL)
			}
		}
		if took := time.Since(start); took != 3*time.Second || pages.most.Load() != 3 {
			t.Errorf("%d findings took %s with %d at once", len(found), took, pages.most.Load())
		}
		// Leaving early ends the rest before the loop returns.
		for range s.For(moothall.ToolBroker).Search(t.Context(), moothall.SearchRequest{Query: "tides", Summaries: true, Limit: 8}) {
			break
		}
		if n := pages.now.Load(); n != 0 {
			t.Errorf("%d pages are still being read", n)
		}
		// Running out of time keeps what came and says that it is not all.
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond)
		defer cancel()
		found, err = collect(s.For(moothall.ToolBroker).Search(ctx, moothall.SearchRequest{Query: "tides", Summaries: true, Limit: 8}))
		wantCode(t, err, moothall.CodeTimeout)
		if len(found) != 3 {
			t.Errorf("%d findings in time, want 3", len(found))
		}
	})
}

// endlessPages sends a request for a page and then waits for the caller.
type endlessPages struct{ asked chan struct{} }

func (p endlessPages) Get(ctx context.Context, _ string) (fetch.Document, error) {
	if ctx.Err() != nil {
		return fetch.Document{}, ctx.Err()
	}
	p.asked <- struct{}{}
	<-ctx.Done()
	return fetch.Document{Sent: []moothall.Egress{{Host: "sea.example", Bytes: 7}}}, ctx.Err()
}

// TestStoppedSearchCounts: what was sent is told when the caller gives up
// while pages are read: to the provider, and for each page that was asked for.
func TestStoppedSearchCounts(t *testing.T) {
	t.Parallel()
	kettles := search.Hit{Title: "Tides and kettles", URL: "https://shop.example/kettles", Snippet: "tides"}
	pages := endlessPages{make(chan struct{})}
	s := search.New(search.Options{Providers: []search.Provider{gives("x", tideHit, kettles)}, Fetcher: pages, Limits: search.Limits{Concurrency: 2}})
	for _, test := range []struct {
		request moothall.SearchRequest
		pages   int
		want    []moothall.Egress
	}{
		{moothall.SearchRequest{Query: "tides", Summaries: true}, 2, []moothall.Egress{{Host: "x.example", Bytes: 100}, {Host: "sea.example", Bytes: 14}}},
		{moothall.SearchRequest{Page: tideHit.URL, Summaries: true}, 1, []moothall.Egress{{Host: "sea.example", Bytes: 7}}},
		{moothall.SearchRequest{Page: tideHit.URL}, 1, []moothall.Egress{{Host: "sea.example", Bytes: 7}}},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			for range test.pages {
				<-pages.asked
			}
		}()
		for r, err := range s.For(moothall.ToolBroker).Search(ctx, test.request) {
			wantCode(t, err, moothall.CodeCanceled)
			if !slices.Equal(r.Sent, test.want) {
				t.Errorf("%+v: sent %v, want %v", test.request, r.Sent, test.want)
			}
		}
	}
}

func TestEmptyPage(t *testing.T) {
	t.Parallel()
	s := search.New(search.Options{Fetcher: emptyPages{}})
	_, err := s.For(moothall.ToolBroker).Fetch(t.Context(), moothall.FetchRequest{URL: "https://app.example/"})
	wantCode(t, err, moothall.CodeNotFound)
}

type emptyPages struct{}

func (emptyPages) Get(_ context.Context, url string) (fetch.Document, error) {
	return fetch.Document{URL: url, Kind: fetch.HTML, Body: []byte("<div id=root></div><script>app()</script>")}, nil
}
