package brave_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/search"
	"moothall/internal/search/brave"
)

const answer = `{"type":"search","query":{"original":"tides"},"web":{"type":"search","results":[
{"title":"How tides work","url":"https://sea.example/tides","description":"The <strong>moon</strong> &amp; the sun","page_age":"2026-02-01T10:00:00","age":"February 1, 2026","language":"en","extra_snippets":["Two bulges.","Each day."]},
{"title":"Old","url":"https://sea.example/old","description":"x"}]},"mixed":{}}`

func now() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }

func key(value string) func(context.Context) (moothall.Secret, error) {
	return func(context.Context) (moothall.Secret, error) { return moothall.NewSecret([]byte(value)), nil }
}

func ask(t *testing.T, k func(context.Context) (moothall.Secret, error), q search.Query, status int, body string) ([]search.Hit, *http.Request, error) {
	t.Helper()
	var asked *http.Request
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r
		w.Header().Set("Retry-After", "3")
		w.WriteHeader(status)
		w.Write([]byte(body))
	}))
	defer s.Close()
	p, err := brave.New(brave.Options{URL: s.URL + "/res/v1", Key: k, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	q.Sent, q.Note = func(string, int64) {}, func(string) {}
	hits, err := p.Search(t.Context(), q)
	return hits, asked, err
}

func TestSearch(t *testing.T) {
	t.Parallel()
	hits, r, err := ask(t, key("canary-key\n"), search.Query{Text: "tides", Limit: 50, Language: "de-AT", Since: now().AddDate(0, -1, 0)}, 200, answer)
	if err != nil {
		t.Fatal(err)
	}
	want := []search.Hit{
		{Title: "How tides work", URL: "https://sea.example/tides", Snippet: "The moon & the sun Two bulges. Each day.", Date: time.Date(2026, 2, 1, 10, 0, 0, 0, time.UTC)},
		{Title: "Old", URL: "https://sea.example/old", Snippet: "x"},
	}
	if d := cmp.Diff(want, hits); d != "" {
		t.Error(d)
	}
	asked := url.Values{"q": {"tides"}, "count": {"20"}, "text_decorations": {"false"}, "search_lang": {"de"}, "country": {"AT"}, "freshness": {"2026-02-01to2026-03-01"}}
	if d := cmp.Diff(asked, r.URL.Query()); d != "" {
		t.Error(d)
	}
	if r.URL.Path != "/res/v1/web/search" || r.Header.Get("X-Subscription-Token") != "canary-key" || strings.Contains(r.URL.String(), "canary") {
		t.Errorf("asked %s with %v", r.URL, r.Header)
	}
}

func TestLongQuery(t *testing.T) {
	t.Parallel()
	_, r, err := ask(t, key("k"), search.Query{Text: strings.Repeat("ä", 500)}, 200, answer)
	if err != nil || len([]rune(r.URL.Query().Get("q"))) != 400 || r.URL.Query().Get("count") != "1" {
		t.Errorf("asked %v: %v", r.URL.Query(), err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	const limited = `{"type":"ErrorResponse","error":{"id":"1","status":429,"code":"RATE_LIMITED","detail":"Request rate limit exceeded for plan."}}`
	for status, want := range map[int]moothall.Code{401: moothall.CodeDenied, 403: moothall.CodeDenied, 422: moothall.CodeInvalid, 429: moothall.CodeExhausted, 503: moothall.CodeUnavailable} {
		_, _, err := ask(t, key("canary-key"), search.Query{Text: "x"}, status, limited)
		if moothall.ErrorCode(err) != want || !strings.Contains(err.Error(), "rate limit exceeded") || strings.Contains(err.Error(), "canary") {
			t.Errorf("%d: got %v", status, err)
		}
		if wait, ok := search.RetryAfter(err); !ok || wait != 3*time.Second {
			t.Errorf("%d: wait %s", status, wait)
		}
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	if _, err := brave.New(brave.Options{}); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Errorf("no key: %v", err)
	}
	if _, err := brave.New(brave.Options{Key: key("k"), URL: "http://api.example.org"}); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Errorf("a key in the clear: %v", err)
	}
	for _, bad := range []string{"", "two words", "line\r\nX-Other: 1"} {
		if _, r, err := ask(t, key(bad), search.Query{Text: "x"}, 200, answer); moothall.ErrorCode(err) != moothall.CodeDenied || r != nil {
			t.Errorf("%q: %v", bad, err)
		}
	}
	locked := func(context.Context) (moothall.Secret, error) {
		return moothall.Secret{}, &moothall.Error{Code: moothall.CodeUnavailable, Message: "locked", Remedy: "unlock it"}
	}
	if _, r, err := ask(t, locked, search.Query{Text: "x"}, 200, answer); moothall.ErrorCode(err) != moothall.CodeUnavailable || moothall.ErrorRemedy(err) != "unlock it" || r != nil {
		t.Errorf("locked: %v", err)
	}
}
