package otlp_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/otlp"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// collector keeps what it is sent.
func collector(t *testing.T, status int) (string, <-chan map[string]any) {
	t.Helper()
	got := make(chan map[string]any, 16)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("asked %s as %s: %v", r.URL.Path, r.Header.Get("Content-Type"), err)
		}
		var m map[string]any
		if err := json.Unmarshal(body, &m); err != nil {
			t.Error(err)
		}
		got <- m
		w.WriteHeader(status)
	}))
	t.Cleanup(s.Close)
	return s.URL, got
}

func spans(m map[string]any) []any {
	r := m["resourceSpans"].([]any)[0].(map[string]any)
	return r["scopeSpans"].([]any)[0].(map[string]any)["spans"].([]any)
}

func TestSpansArrive(t *testing.T) {
	url, got := collector(t, http.StatusOK)
	x, err := otlp.New(otlp.Options{Endpoint: url + "/", Service: "moothall", Version: "1", Every: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Unix(100, 5)
	x.Send(otlp.Span{
		Trace: otlp.TraceOf("q"), ID: otlp.SpanOf("a"), Parent: otlp.SpanOf("q"), Name: "chat m", Kind: otlp.Client,
		Start: start, End: start.Add(time.Second), Failed: "timeout",
		Attributes: map[string]any{"gen_ai.request.model": "m", "gen_ai.usage.input_tokens": 12, "empty": "", "odd": struct{}{}},
	})
	if err := x.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := spans(<-got)[0].(map[string]any)
	if s["traceId"] != string(otlp.TraceOf("q")) || len(s["traceId"].(string)) != 32 || len(s["spanId"].(string)) != 16 {
		t.Errorf("the span's ids are %v and %v", s["traceId"], s["spanId"])
	}
	if s["startTimeUnixNano"] != "100000000005" || s["kind"] != 3.0 {
		t.Errorf("the span is %v", s)
	}
	if status := s["status"].(map[string]any); status["code"] != 2.0 || status["message"] != "timeout" {
		t.Errorf("its status is %v", status)
	}
	if as := s["attributes"].([]any); len(as) != 2 {
		t.Errorf("its attributes are %v", as)
	}
	x.Send(otlp.Span{}) // after Close: nowhere to go, and no harm
}

func TestBatchesAreSentWhenFull(t *testing.T) {
	url, got := collector(t, http.StatusOK)
	x, err := otlp.New(otlp.Options{Endpoint: url, Every: time.Hour, Batch: 2})
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		x.Send(otlp.Span{Name: "s"})
	}
	for range 2 {
		if n := len(spans(<-got)); n != 2 {
			t.Errorf("a batch of %d", n)
		}
	}
	if err := x.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestWhatIsRefusedIsCounted(t *testing.T) {
	url, got := collector(t, http.StatusInternalServerError)
	x, err := otlp.New(otlp.Options{Endpoint: url, Every: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	x.Send(otlp.Span{Name: "s"})
	if err := x.Close(t.Context()); err != nil {
		t.Error(err)
	}
	<-got
	if x.Dropped() != 1 {
		t.Errorf("%d dropped", x.Dropped())
	}
}

// TestRedirectsAreNotFollowed: spans go to the host that was named, or nowhere.
func TestRedirectsAreNotFollowed(t *testing.T) {
	other, got := collector(t, http.StatusOK)
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		named := httptest.NewServer(http.RedirectHandler(other+"/v1/traces", status))
		t.Cleanup(named.Close)
		x, err := otlp.New(otlp.Options{Endpoint: named.URL, Every: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		x.Send(otlp.Span{Name: "s"})
		if err := x.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if len(got) != 0 || x.Dropped() != 1 {
			t.Errorf("status %d: %d batches went on, %d spans dropped", status, len(got), x.Dropped())
		}
	}
}

func TestEndpoints(t *testing.T) {
	for _, bad := range []string{"", "collector", "ftp://x", "http://"} {
		if _, err := otlp.New(otlp.Options{Endpoint: bad}); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%q: %v", bad, err)
		}
	}
	var none *otlp.Exporter
	none.Send(otlp.Span{})
	if err := none.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
