package web

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"moothall"
)

// BenchmarkQuery is what HTTP adds to a turn: a fake hall answers at once.
func BenchmarkQuery(b *testing.B) {
	s := New(Options{Client: newHall()})
	ts := httptest.NewServer(s.Handler())
	defer ts.Close()
	defer s.stop()
	var session string
	b.ReportAllocs()
	for b.Loop() {
		body := `{"query":"hello","session_id":"` + session + `"}`
		resp, err := http.Post(ts.URL+"/query", "application/json", strings.NewReader(body))
		if err != nil {
			b.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != 200 {
			b.Fatalf("%d, %v", resp.StatusCode, err)
		}
		if session == "" {
			var a moothall.Answer
			if err := json.Unmarshal(text, &a); err != nil {
				b.Fatal(err)
			}
			session = string(a.Session)
		}
	}
}

// BenchmarkDelta is what one streamed token costs to encode.
func BenchmarkDelta(b *testing.B) {
	step := moothall.Step{Kind: "delta", Text: "word "}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := json.Marshal(whole(step)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDocument is the making of the OpenAPI document, once a start.
func BenchmarkDocument(b *testing.B) {
	s := New(Options{Client: newHall()})
	defer s.stop()
	table := s.routes(b.Context())
	for b.Loop() {
		openAPI(table)
	}
}
