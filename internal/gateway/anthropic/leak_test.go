package anthropic_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"moothall"
	"moothall/internal/gateway/anthropic"
)

// TestKeyNeverShows talks to servers that give back the key in every way that
// a server can.
func TestKeyNeverShows(t *testing.T) {
	t.Parallel()
	replies := map[string]func(w http.ResponseWriter, key string){
		"text": func(w http.ResponseWriter, key string) { http.Error(w, "bad key "+key, http.StatusUnauthorized) },
		"redirect": func(w http.ResponseWriter, key string) {
			w.Header().Set("Location", "http://"+key+".example/")
			w.WriteHeader(http.StatusFound)
		},
		"not JSON": func(w http.ResponseWriter, key string) { fmt.Fprint(w, key) },
		"an event": func(w http.ResponseWriter, key string) {
			fmt.Fprintf(w, "data: {\"error\":{\"type\":%q,\"message\":%q}}\n\n", key, key)
		},
		"nonsense": func(w http.ResponseWriter, key string) { fmt.Fprintf(w, "data: {%s\n\n", key) },
		"bad HTTP": badHTTP,
	}
	for _, status := range []int{400, 401, 403, 404, 413, 422, 429, 500, 503} {
		replies[fmt.Sprint("status ", status)] = func(w http.ResponseWriter, key string) {
			w.Header().Set("Retry-After", key)
			w.WriteHeader(status)
			fmt.Fprintf(w, `{"error":{"message":"no: %s","type":%q,"code":%q,"param":%q}}`, key, key, key, key)
		}
	}
	for name, give := range replies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Bool
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				for _, values := range r.Header {
					if strings.Contains(values[0], key) {
						asked.Store(true)
					}
				}
				if strings.Contains(r.URL.String(), key) {
					t.Error("the key stands in the address")
				}
				give(w, key)
			}))
			t.Cleanup(server.Close)
			p := newProvider(t, anthropic.Options{BaseURL: server.URL, Key: keyring})
			for _, err := range everything(t, p) {
				wantHidden(t, err)
			}
			if !asked.Load() {
				t.Error("the server never got the key")
			}
		})
	}
}

// badHTTP answers with the key where the status line should be.
func badHTTP(w http.ResponseWriter, key string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer conn.Close()
	fmt.Fprintf(conn, "%s\r\n\r\n", key)
}

// everything uses all of a provider and returns the errors.
func everything(t *testing.T, p *anthropic.Provider) []error {
	var out []error
	for _, whole := range []bool{false, true} {
		r := moothall.GenerateRequest{Model: "m", Whole: whole, Messages: []moothall.Message{{Role: moothall.RoleUser, Content: "hello"}}}
		for _, err := range p.Generate(t.Context(), r) {
			out = append(out, err)
		}
	}
	_, err := p.List(t.Context())
	_, err2 := p.Show(t.Context(), "m")
	_, err3 := p.Embed(t.Context(), moothall.EmbedRequest{Model: "m", Texts: []string{"a"}})
	return append(out, err, err2, err3)
}

func wantHidden(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Error("a server that makes no sense gave an answer")
	}
	for e := err; e != nil; e = errors.Unwrap(e) {
		for _, text := range []string{e.Error(), fmt.Sprintf("%+v", e), fmt.Sprintf("%#v", e)} {
			if strings.Contains(text, key) {
				t.Errorf("the key shows: %s", text)
			}
		}
	}
}

func TestKeyIsKeptHome(t *testing.T) {
	t.Parallel()
	for base, plain := range map[string]bool{
		"http://example.com": false, "ftp://example.com": true, "nowhere": true,
		"https://me:pass@example.com": true, "https://example.com?key=1": true,
	} {
		_, err := anthropic.New(anthropic.Options{BaseURL: base, Key: keyring, PlainHTTP: plain})
		if moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: got %v, want CodeInvalid", base, err)
		}
	}
	for _, o := range []anthropic.Options{
		{}, {BaseURL: "http://127.0.0.1:1", Key: keyring}, {BaseURL: "http://[::1]:1/v1/", Key: keyring},
		{BaseURL: "http://example.com"}, {BaseURL: "http://example.com", Key: keyring, PlainHTTP: true},
	} {
		p := newProvider(t, o)
		if strings.Contains(fmt.Sprintf("%+v", p), key) {
			t.Error("a provider prints its key")
		}
	}
}
