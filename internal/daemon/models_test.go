package daemon

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"moothall"
)

// TestServersInOrder checks that model servers are looked at in the same order
// at every start: the first that will do is chosen, and an embedder that is
// another one tomorrow cannot read what today's has written.
func TestServersInOrder(t *testing.T) {
	t.Parallel()
	models := defaultModels()
	models.Ollama.URL, models.Builtin, models.Servers = "http://127.0.0.1:1", builtinRules, map[string]ServerConfig{}
	var want []string
	for i := range 12 {
		name := fmt.Sprintf("server%02d", i)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"data":[{"id":"model"}]}`)
		}))
		t.Cleanup(s.Close)
		models.Servers[name] = ServerConfig{Kind: "openai", URL: s.URL}
		want = append(want, name)
	}
	h := &Hall{conf: Config{Models: models}, log: slog.New(slog.DiscardHandler)}
	h.home.Data, h.home.Cache = t.TempDir(), t.TempDir()
	stop, err := h.openGateway(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stop(t.Context())
	cards, _, err := h.gateway.For(moothall.Hall).Models(t.Context(), moothall.Scope{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range cards {
		got = append(got, c.Provider)
	}
	if !slices.Equal(got, append(want, "builtin")) {
		t.Errorf("the order is %v", got)
	}
}
