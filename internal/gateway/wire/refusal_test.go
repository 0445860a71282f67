package wire_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/wire"
)

// refuse returns the error that a status and a body become.
func refuse(t testing.TB, status int, header http.Header, body string) error {
	t.Helper()
	if header == nil {
		header = http.Header{}
	}
	c := newClient(t, wire.Config{BaseURL: "https://example.com", HTTP: &http.Client{
		Transport: trip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body))}, nil
		}),
	}})
	_, err := c.Send(t.Context(), wire.Request{Path: "/x", Model: "m", Body: 1})
	return err
}

// TestWordings holds what the servers say, each in its own shape.
func TestWordings(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		code   moothall.Code
		status int
		body   string
	}{
		{moothall.CodeTooLarge, 400, `{"error":{"message":"Your input exceeds the context window of this model.","code":"context_length_exceeded"}}`},
		{moothall.CodeTooLarge, 400, `{"error":{"message":"Too long.","code":"context_length_exceeded"}}`},
		{moothall.CodeTooLarge, 400, `{"message":"'max_tokens' is too large: 9000. This model's maximum context length is 4096 tokens","object":"error"}`},
		{moothall.CodeTooLarge, 400, `{"error":{"message":"too much","type":"exceed_context_size_error","code":400}}`},
		{moothall.CodeTooLarge, 400, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length"}`},
		{moothall.CodeTooLarge, 413, `{"type":"error","error":{"type":"request_too_large","message":"Request size exceeds model limits"}}`},
		{moothall.CodeTooLarge, 413, ``},
		{moothall.CodeTooLarge, 400, `{"error":{"message":"This model's maximum context length is 8192 tokens","type":null,"code":"400","status":400}}`},
		{moothall.CodeTooLarge, 400, `{"error":{"message":"prompt is too long","details":"9000 tokens"}}`},
		{moothall.CodeTooLarge, 400, `{"error":{"message":"prompt is too long","type":400}}`},
		{moothall.CodeExhausted, 429, `{"error":{"message":"Request too large for the context window","type":"tokens"}}`},
		{moothall.CodeExhausted, 402, `{"error":{"message":"Payment required"}}`},
		{moothall.CodeUnsupported, 400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set"}`},
		{moothall.CodeUnsupported, 404, `{"error":{"message":"No endpoints found that support tool use.","code":404}}`},
		{moothall.CodeUnsupported, 400, `{"object":"error","message":"hall-1b is not a multimodal model None"}`},
		{moothall.CodeUnsupported, 501, `{"error":{"message":"This server does not support embeddings. Start it with ` + "`--embeddings`" + `","type":"not_supported_error"}}`},
		{moothall.CodeNotFound, 404, `404 page not found`},
		{moothall.CodeNotFound, 400, `{"error":{"message":"x","code":"model_not_found"}}`},
		{moothall.CodeDenied, 401, `{"error":{"message":"the model does not exist"}}`},
		{moothall.CodeDenied, 403, `{"error":{"message":"no"}}`},
		{moothall.CodeInvalid, 422, `{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`},
		{moothall.CodeInvalid, 400, `{"detail":"There was an error parsing the body"}`},
		{moothall.CodeTimeout, 504, `<html>gateway timeout</html>`},
		{moothall.CodeUnavailable, 500, `[]`},
		{moothall.CodeUnavailable, 500, `null`},
	} {
		if err := refuse(t, test.status, nil, test.body); moothall.ErrorCode(err) != test.code {
			t.Errorf("%d %s: code %q, want %q", test.status, test.body, moothall.ErrorCode(err), test.code)
		}
	}
}

func TestRefusalIsOneCleanLine(t *testing.T) {
	t.Parallel()
	err := refuse(t, 400, nil, "{\"error\":{\"message\":\"a\\u001b[31mb\\n\\n  c\\u202e"+strings.Repeat("x", 2000)+"\"}}")
	if text := err.Error(); !strings.Contains(text, "a[31mb c") || strings.ContainsAny(text, "\n\x1b\u202e") || len(text) > 600 {
		t.Errorf("got %q", text)
	}
	if err := refuse(t, 502, nil, "<html><script>evil</script>"); strings.Contains(err.Error(), "script") {
		t.Errorf("a page became part of %v", err)
	}
}

// TestFaultyWithNumbers finds an error in a stream whose other fields are not
// of the types that most servers give them.
func TestFaultyWithNumbers(t *testing.T) {
	t.Parallel()
	for _, data := range []string{`{"error":"out of memory","status":500}`, `{"error":{"message":"out of memory","status":500},"details":"x","type":1}`} {
		if said, faulty := wire.Faulty([]byte(data)); !faulty || said.Message != "out of memory" {
			t.Errorf("%s: %+v, %v", data, said, faulty)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		header http.Header
		body   string
		want   time.Duration
		ok     bool
	}{
		{nil, `{}`, 0, false},
		{http.Header{"Retry-After": {"7"}}, `{}`, 7 * time.Second, true},
		{http.Header{"Retry-After": {"8"}, "Retry-After-Ms": {"7250"}}, `{}`, 7250 * time.Millisecond, true},
		{http.Header{"Retry-After": {"soon"}}, `{}`, 0, false},
		{nil, `{"error":{"details":[{"retryDelay":"1.5s"}]}}`, 1500 * time.Millisecond, true},
		{nil, `[{"error":{"details":[{"reason":"X"},{"retryDelay":"2m"}]}}]`, 2 * time.Minute, true},
		{http.Header{"Retry-After": {"3"}}, `{"error":{"details":[{"retryDelay":"2m"}]}}`, 3 * time.Second, true},
	} {
		err := refuse(t, 429, test.header, test.body)
		if got, ok := gateway.RetryAfter(err); got != test.want || ok != test.ok {
			t.Errorf("%v %s: %v, %v, want %v", test.header, test.body, got, ok, test.want)
		}
	}
}

func FuzzExplain(f *testing.F) {
	f.Add([]byte(`{"error":{"message":"a","type":"b","code":"c","param":null,"details":[{"retryDelay":"1s"}]}}`))
	f.Add([]byte(`[{"error":"text"}]`))
	f.Add([]byte(`{"detail":[1]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		wire.Explain(body)
		if said, faulty := wire.Faulty(body); faulty && !strings.Contains(string(body), "error") {
			t.Fatalf("%q is taken for an error: %+v", body, said)
		}
		if err := refuse(t, 400, nil, string(body)); moothall.ErrorCode(err) == "" {
			t.Fatal("a refusal is no error")
		}
	})
}
