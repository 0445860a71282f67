package ollama_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"moothall/internal/gateway"
	"moothall/internal/gateway/ollama"
)

// TestOutsideWithoutDetails checks that a cloud model never passes for one on
// this machine because the server does not show it.
func TestOutsideWithoutDetails(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusInternalServerError, http.StatusNotImplemented} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/api/tags":
				fmt.Fprintln(w, `{"models":[{"name":"far:cloud","model":"far:cloud","digest":"d","remote_host":"https://ollama.com:443"}]}`)
			case "/api/show":
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				fmt.Fprintln(w, `{"error":"showing remote models is not supported now"}`)
			default:
				fmt.Fprintln(w, `{"version":"0.17.4"}`)
			}
		}))
		t.Cleanup(s.Close)
		p := newProvider(t, ollama.Options{URL: s.URL})
		if host, err := p.Outside(t.Context(), "far:cloud"); host == "" && err == nil {
			t.Errorf("status %d: the model counts as one of this machine", status)
		}
		list, err := p.List(t.Context())
		if err != nil || len(list) != 1 || !slices.Contains(list[0].Notes, gateway.NoteOutside+"https://ollama.com:443") {
			t.Errorf("status %d: the list is %+v, %v", status, list, err)
		}
		if _, ok := gateway.Best(list, 1<<30); ok {
			t.Errorf("status %d: the model can be chosen", status)
		}
	}
}
