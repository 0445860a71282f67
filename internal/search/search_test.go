package search_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/search"
)

var tideHit = search.Hit{Title: "Tides", URL: "https://sea.example/tides", Snippet: "about tides", Date: day("2026-02-01")}

func TestFallback(t *testing.T) {
	t.Parallel()
	down := fails("down", moothall.Fail(moothall.CodeUnavailable, "x", "down does not answer"))
	broken := &engine{name: "broken", do: func(context.Context, search.Query) ([]search.Hit, error) { panic("oops") }}
	empty, good, spare := gives("empty"), gives("good", tideHit), gives("spare", tideHit)
	var log bytes.Buffer
	s := search.New(search.Options{Providers: []search.Provider{down, broken, empty, good, spare}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	found, err := find(t, s, moothall.SearchRequest{Query: "tides"})
	wantCode(t, err, "")
	if len(found) != 1 || found[0].Provider != "good" || found[0].Snippet != "about tides" {
		t.Errorf("found %+v", found)
	}
	// Those that had nothing were sent the query as well.
	hosts := []string{"down.example", "broken.example", "empty.example", "good.example"}
	for i, e := range found[0].Sent {
		if len(found[0].Sent) != len(hosts) || e != (moothall.Egress{Host: hosts[i], Bytes: 100}) {
			t.Errorf("sent %v", found[0].Sent)
		}
	}
	for r, err := range search.New(search.Options{Providers: []search.Provider{down, empty}}).For(moothall.ToolBroker).Search(t.Context(), moothall.SearchRequest{Query: "tides"}) {
		if err == nil || len(r.Sent) != 2 {
			t.Errorf("a search without findings: sent %v, %v", r.Sent, err)
		}
	}
	if spare.calls.Load() != 0 {
		t.Error("a provider was asked although there were findings")
	}
	if !strings.Contains(log.String(), "provider=down") || !strings.Contains(log.String(), "provider=broken") {
		t.Errorf("the log does not tell who failed: %s", log.String())
	}
}

func TestPartialHitsAreKept(t *testing.T) {
	t.Parallel()
	half := &engine{name: "half", do: func(context.Context, search.Query) ([]search.Hit, error) {
		return []search.Hit{tideHit}, moothall.Fail(moothall.CodeUnavailable, "x", "broke off")
	}}
	found, err := find(t, search.New(search.Options{Providers: []search.Provider{half}}), moothall.SearchRequest{Query: "tides"})
	wantCode(t, err, "")
	if len(found) != 1 {
		t.Errorf("found %v", found)
	}
}

func TestWhyNothing(t *testing.T) {
	t.Parallel()
	down := func() *engine { return fails("down", moothall.Fail(moothall.CodeUnavailable, "x", "no answer")) }
	for name, test := range map[string]struct {
		providers []search.Provider
		request   moothall.SearchRequest
		code      moothall.Code
		text      string
	}{
		"none set up":  {nil, moothall.SearchRequest{Query: "x"}, moothall.CodeNotConfigured, "no search engine"},
		"no results":   {[]search.Provider{down(), gives("a")}, moothall.SearchRequest{Query: "x"}, moothall.CodeNotFound, "a has no results"},
		"all down":     {[]search.Provider{down()}, moothall.SearchRequest{Query: "x"}, moothall.CodeUnavailable, "down: no answer"},
		"too old":      {[]search.Provider{gives("a", tideHit)}, moothall.SearchRequest{Query: "tides", Since: day("2026-03-01")}, moothall.CodeNotFound, "recent enough"},
		"empty query":  {[]search.Provider{gives("a", tideHit)}, moothall.SearchRequest{Query: " \n "}, moothall.CodeInvalid, "empty"},
		"long query":   {[]search.Provider{gives("a", tideHit)}, moothall.SearchRequest{Query: strings.Repeat("x", 2000)}, moothall.CodeTooLarge, "longer"},
		"broken query": {[]search.Provider{gives("a", tideHit)}, moothall.SearchRequest{Query: "a\xffb"}, moothall.CodeInvalid, "not valid"},
	} {
		_, err := find(t, search.New(search.Options{Providers: test.providers}), test.request)
		if moothall.ErrorCode(err) != test.code || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first, second := gives("first", tideHit), gives("second", tideHit)
		s := search.New(search.Options{
			Providers: []search.Provider{first, second},
			Rates:     map[string]search.Rate{"first": {Every: 10 * time.Second, Burst: 2}, "second": {Every: time.Second, Burst: 100}},
			Limits:    search.Limits{Wait: 3 * time.Second},
		})
		ask := func() string {
			found, err := find(t, s, moothall.SearchRequest{Query: "tides"})
			wantCode(t, err, "")
			return found[0].Provider
		}
		start := time.Now()
		if a, b, c := ask(), ask(), ask(); a != "first" || b != "first" || c != "second" {
			t.Errorf("asked %s, %s, %s", a, b, c)
		}
		time.Sleep(8 * time.Second) // of the bubble's clock: within patience of the next token
		if got := ask(); got != "first" || time.Since(start) != 10*time.Second {
			t.Errorf("asked %s after %s", got, time.Since(start))
		}
	})
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		busy := fails("busy", &moothall.Error{Code: moothall.CodeExhausted, Message: "slow down", Err: search.Later("60", time.Now())})
		s := search.New(search.Options{Providers: []search.Provider{busy}})
		for range 3 {
			_, err := find(t, s, moothall.SearchRequest{Query: "tides"})
			wantCode(t, err, moothall.CodeExhausted)
		}
		if n := busy.calls.Load(); n != 1 {
			t.Errorf("asked %d times within the minute", n)
		}
		time.Sleep(time.Minute)
		find(t, s, moothall.SearchRequest{Query: "tides"})
		if n := busy.calls.Load(); n != 2 {
			t.Errorf("asked %d times after the minute", n)
		}
	})
}

func TestLater(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"5": 5 * time.Second, "0.5": time.Second / 2, "1e99": 24 * time.Hour, "Thu, 01 Jan 2026 00:01:00 GMT": time.Minute, "Wed, 31 Dec 2025 00:00:00 GMT": 0,
	} {
		if got, ok := search.RetryAfter(search.Later(header, now)); !ok || got != want {
			t.Errorf("%q: %s %v, want %s", header, got, ok, want)
		}
	}
	for _, header := range []string{"", "soon", "-1", "NaN", "Inf"} {
		if err := search.Later(header, now); err != nil {
			t.Errorf("%q: %v", header, err)
		}
	}
}

func TestSilentProvider(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		silent := &engine{name: "silent", do: func(ctx context.Context, _ search.Query) ([]search.Hit, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		s := search.New(search.Options{Providers: []search.Provider{silent, gives("good", tideHit)}, Limits: search.Limits{Provider: 4 * time.Second}})
		start := time.Now()
		found, err := find(t, s, moothall.SearchRequest{Query: "tides"})
		wantCode(t, err, "")
		if found[0].Provider != "good" || time.Since(start) != 4*time.Second {
			t.Errorf("%s after %s", found[0].Provider, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = collect(s.For(moothall.ToolBroker).Search(ctx, moothall.SearchRequest{Query: "tides"}))
		wantCode(t, err, moothall.CodeTimeout)
	})
}
