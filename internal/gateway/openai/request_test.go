package openai_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/gateway/openai"
	"moothall/internal/gateway/providertest/hosted"
)

// trip is a transport made of a function.
type trip func(*http.Request) (*http.Response, error)

func (t trip) RoundTrip(r *http.Request) (*http.Response, error) { return t(r) }

// newProvider returns a provider that ends with the test.
func newProvider(t *testing.T, o openai.Options) *openai.Provider {
	t.Helper()
	p, err := openai.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// TestOfficial checks the ways in which OpenAI itself differs from the others.
func TestOfficial(t *testing.T) {
	t.Parallel()
	for think, effort := range map[string]string{"": "", "off": "none", "on": "medium", "low": "low"} {
		var body map[string]any
		client := &http.Client{Transport: trip(func(r *http.Request) (*http.Response, error) {
			if r.URL.String() != "https://api.openai.com/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+hosted.Key {
				t.Errorf("asked %s", r.URL)
			}
			if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
				t.Error(err)
			}
			reply := `{"choices":[{"message":{"content":"yes"},"finish_reason":"stop"}]}`
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(reply))}, nil
		})}
		p := newProvider(t, openai.Options{Key: hosted.Keyring, HTTP: client})
		r := moothall.GenerateRequest{Model: "m", Think: think, MaxTokens: 7, Whole: true}
		for c, err := range p.Generate(t.Context(), r) {
			if err != nil || c.Text != "yes" {
				t.Errorf("got %+v, %v", c, err)
			}
		}
		got, _ := body["reasoning_effort"].(string)
		if got != effort || body["max_completion_tokens"] != 7.0 || body["max_tokens"] != nil || body["chat_template_kwargs"] != nil {
			t.Errorf("thinking %q: sent %v", think, body)
		}
	}
}

func TestLocal(t *testing.T) {
	t.Parallel()
	for base, local := range map[string]bool{"": false, "http://localhost:1234/v1": true, "http://127.0.0.1:8080": true, "https://example.com/v1": false} {
		if p := newProvider(t, openai.Options{BaseURL: base}); p.Local() != local {
			t.Errorf("%q: local is %v", base, p.Local())
		}
		other := !local
		if p := newProvider(t, openai.Options{BaseURL: base, Local: &other}); p.Local() != other {
			t.Errorf("%q: what the options say does not count", base)
		}
	}
}
