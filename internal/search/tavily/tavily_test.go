package tavily_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/search"
	"moothall/internal/search/tavily"
)

const answer = `{"query":"tides","follow_up_questions":null,"answer":null,"images":[],"results":[
{"title":"How tides work","url":"https://sea.example/tides","content":"The moon pulls the water.","score":0.98,"raw_content":null,"published_date":"Sun, 01 Feb 2026 10:00:00 GMT"},
{"title":"Old","url":"https://sea.example/old","content":"x","score":0.2}],"response_time":1.2}`

type exchange struct {
	request *http.Request
	body    string
	sent    int64
}

func ask(t *testing.T, q search.Query, status int, body string) ([]search.Hit, exchange, error) {
	t.Helper()
	var x exchange
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		x.request, x.body = r, string(b)
		w.WriteHeader(status)
		w.Write([]byte(body))
	}))
	defer s.Close()
	p, err := tavily.New(tavily.Options{URL: s.URL, Key: func(context.Context) (moothall.Secret, error) { return moothall.NewSecret([]byte("canary-key")), nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	q.Sent, q.Note = func(_ string, n int64) { x.sent += n }, func(string) {}
	hits, err := p.Search(t.Context(), q)
	return hits, x, err
}

func TestSearch(t *testing.T) {
	t.Parallel()
	hits, x, err := ask(t, search.Query{Text: "tides", Limit: 7, Language: "de", Since: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)}, 200, answer)
	if err != nil {
		t.Fatal(err)
	}
	want := []search.Hit{
		{Title: "How tides work", URL: "https://sea.example/tides", Snippet: "The moon pulls the water.", Date: time.Date(2026, 2, 1, 10, 0, 0, 0, time.UTC)},
		{Title: "Old", URL: "https://sea.example/old", Snippet: "x"},
	}
	if d := cmp.Diff(want, hits, cmp.Comparer(func(a, b time.Time) bool { return a.Equal(b) })); d != "" {
		t.Error(d)
	}
	if want := `{"query":"tides","search_depth":"basic","max_results":7,"include_answer":false,"start_date":"2026-01-02"}`; x.body != want {
		t.Errorf("asked %s", x.body)
	}
	if x.request.Method != "POST" || x.request.URL.Path != "/search" || x.request.Header.Get("Authorization") != "Bearer canary-key" || x.request.Header.Get("Content-Type") != "application/json" {
		t.Errorf("asked %s %s %v", x.request.Method, x.request.URL, x.request.Header)
	}
	if x.sent < int64(len(x.body)) {
		t.Errorf("%d bytes counted for %d", x.sent, len(x.body))
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]moothall.Code{
		400: moothall.CodeInvalid, 401: moothall.CodeDenied, 429: moothall.CodeExhausted, 432: moothall.CodeExhausted, 433: moothall.CodeExhausted, 500: moothall.CodeUnavailable,
	} {
		_, x, err := ask(t, search.Query{Text: "x"}, status, `{"detail":{"error":"said by tavily"}}`)
		if moothall.ErrorCode(err) != want || !strings.Contains(err.Error(), "said by tavily") || strings.Contains(err.Error(), "canary") {
			t.Errorf("%d: got %v", status, err)
		}
		if x.sent == 0 {
			t.Errorf("%d: what was sent is not counted", status)
		}
	}
	if _, err := tavily.New(tavily.Options{}); moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Errorf("no key: %v", err)
	}
}
