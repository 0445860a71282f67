package hosted

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"moothall"
	"moothall/internal/gateway"
)

// TestKeyNeverShows talks to servers that give back the key in every way that
// a server can.
func (s Suite) TestKeyNeverShows(t *testing.T) {
	t.Parallel()
	for name, give := range indiscretions() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Bool
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				for _, values := range r.Header {
					if strings.Contains(values[0], Key) {
						asked.Store(true)
					}
				}
				if strings.Contains(r.URL.String(), Key) {
					t.Error("the key stands in the address")
				}
				give(w, Key)
			}))
			t.Cleanup(server.Close)
			for _, err := range everything(t, s.Open(t, Options{BaseURL: server.URL, Key: Keyring})) {
				wantHidden(t, err)
			}
			if !asked.Load() {
				t.Error("the server never got the key")
			}
		})
	}
}

// indiscretions are the ways in which a server shows a key.
func indiscretions() map[string]func(w http.ResponseWriter, key string) {
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
	return replies
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
func everything(t *testing.T, p gateway.Provider) []error {
	var out []error
	for _, whole := range []bool{false, true} {
		for _, err := range p.Generate(t.Context(), hello(whole)) {
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
			if strings.Contains(text, Key) {
				t.Errorf("the key shows: %s", text)
			}
		}
	}
}

// TestKeyIsKeptHome tries addresses to which a key may not go, and those to
// which it may.
func (s Suite) TestKeyIsKeptHome(t *testing.T) {
	t.Parallel()
	for base, plain := range map[string]bool{
		"http://example.com": false, "ftp://example.com": true, "nowhere": true,
		"https://me:pass@example.com": true, "https://example.com?key=1": true,
	} {
		_, err := s.New(Options{BaseURL: base, Key: Keyring, PlainHTTP: plain})
		if moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("%s: got %v, want CodeInvalid", base, err)
		}
	}
	for _, o := range []Options{
		{}, {BaseURL: "http://127.0.0.1:1", Key: Keyring}, {BaseURL: "http://[::1]:1/v1/", Key: Keyring},
		{BaseURL: "http://example.com"}, {BaseURL: "http://example.com", Key: Keyring, PlainHTTP: true},
	} {
		if strings.Contains(fmt.Sprintf("%+v", s.Open(t, o)), Key) {
			t.Error("a provider prints its key")
		}
	}
}
