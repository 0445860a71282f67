package searxng_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/search"
	"moothall/internal/search/searxng"
)

// The answers below are in the form that SearXNG writes; searx has the dates
// in pubdate and words in publishedDate.
const answer = `{"query":"tides","number_of_results":0,"results":[
{"url":"https://sea.example/tides","title":"How &amp; why of <b>tides</b>","content":"The moon\n pulls.","engine":"a","score":1.0,"publishedDate":"2026-02-01T10:00:00","category":"general"},
{"url":"https://sea.example/old","title":"Old","content":null,"publishedDate":null,"pubdate":"2020-01-02 03:04:05+0000"},
{"url":"https://sea.example/none","title":"None","content":"x","publishedDate":"3 hours ago"}],
"answers":[],"corrections":[],"infoboxes":[],"suggestions":["tide table"],"unresponsive_engines":[["slow","timeout"],["odd"],"x",[]]}`

func now() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }

type exchange struct {
	asked url.Values
	notes []string
	sent  int64
}

func ask(t *testing.T, q search.Query, status int, body string, header ...string) ([]search.Hit, exchange, error) {
	t.Helper()
	var x exchange
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x.asked = r.URL.Query()
		if r.URL.Path != "/sub/search" {
			t.Errorf("asked for %s", r.URL.Path)
		}
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		w.Write([]byte(body))
	}))
	defer s.Close()
	p, err := searxng.New(searxng.Options{URL: s.URL + "/sub/", Engines: []string{"a", "b"}, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	q.Sent = func(host string, n int64) {
		if host != "127.0.0.1" {
			t.Errorf("sent to %s", host)
		}
		x.sent += n
	}
	q.Note = func(s string) { x.notes = append(x.notes, s) }
	hits, err := p.Search(t.Context(), q)
	return hits, x, err
}

func TestSearch(t *testing.T) {
	t.Parallel()
	hits, x, err := ask(t, search.Query{Text: "tides & currents", Language: "de", Since: now().AddDate(0, 0, -5)}, 200, answer)
	if err != nil {
		t.Fatal(err)
	}
	want := []search.Hit{
		{Title: "How & why of tides", URL: "https://sea.example/tides", Snippet: "The moon pulls.", Date: time.Date(2026, 2, 1, 10, 0, 0, 0, time.UTC)},
		{Title: "Old", URL: "https://sea.example/old", Date: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)},
		{Title: "None", URL: "https://sea.example/none", Snippet: "x"},
	}
	if d := cmp.Diff(want, hits); d != "" {
		t.Error(d)
	}
	wantAsked := url.Values{"q": {"tides & currents"}, "format": {"json"}, "pageno": {"1"}, "language": {"de"}, "engines": {"a,b"}, "time_range": {"month"}}
	if d := cmp.Diff(wantAsked, x.asked); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"no answer from slow (timeout), odd"}, x.notes); d != "" {
		t.Error(d)
	}
	if x.sent < 100 {
		t.Errorf("%d bytes sent", x.sent)
	}
}

func TestTimeRanges(t *testing.T) {
	t.Parallel()
	for since, want := range map[time.Time]string{
		now().Add(-time.Hour): "day", now().AddDate(0, 0, -20): "month", now().AddDate(0, -6, 0): "year", now().AddDate(-3, 0, 0): "", {}: "",
	} {
		_, x, _ := ask(t, search.Query{Text: "x", Since: since}, 200, `{"results":[]}`)
		if got := x.asked.Get("time_range"); got != want {
			t.Errorf("%s: got %q, want %q", since, got, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int
		body   string
		code   moothall.Code
		remedy string
	}{
		"json is off":      {403, "<html>Forbidden", moothall.CodeDenied, "search.formats"},
		"not this server":  {404, "", moothall.CodeUnavailable, "search.formats"},
		"a page":           {200, "<html>", moothall.CodeUnavailable, "search.formats"},
		"too many":         {429, "", moothall.CodeExhausted, "wait"},
		"its own fault":    {500, `{"error":"search error"}`, moothall.CodeUnavailable, "runs"},
		"bad query":        {400, `{"error":"No query"}`, moothall.CodeInvalid, ""},
		"a redirect":       {302, "", moothall.CodeUnavailable, ""},
		"all engines fail": {200, `{"results":[],"unresponsive_engines":[["a","CAPTCHA"]]}`, moothall.CodeUnavailable, ""},
	} {
		_, _, err := ask(t, search.Query{Text: "x"}, test.status, test.body, "Retry-After", "7", "Location", "http://127.0.0.1:1/")
		if moothall.ErrorCode(err) != test.code || !strings.Contains(moothall.ErrorRemedy(err), test.remedy) {
			t.Errorf("%s: got %v (%s)", name, err, moothall.ErrorRemedy(err))
		}
		if wait, ok := search.RetryAfter(err); test.status == 429 && (!ok || wait != 7*time.Second) {
			t.Errorf("%s: wait %s", name, wait)
		}
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	for _, u := range []string{"", "localhost:8888", "ftp://x", "http://user:pw@x", "http://x/?q=1"} {
		if _, err := searxng.New(searxng.Options{URL: u}); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%q: %v", u, err)
		}
	}
}

func TestNobodyThere(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(nil)
	s.Close()
	p, err := searxng.New(searxng.Options{URL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Search(t.Context(), search.Query{Text: "very private words", Sent: func(string, int64) {}, Note: func(string) {}})
	if moothall.ErrorCode(err) != moothall.CodeUnavailable || strings.Contains(err.Error(), "private") {
		t.Errorf("got %v", err)
	}
}
