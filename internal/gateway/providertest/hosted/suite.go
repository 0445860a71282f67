package hosted

import (
	"context"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/providertest"
)

var update = flag.Bool("update", false, "write what was sent and what came into the archives")

// Key is what no error may show.
const Key = "sk-a-key-that-nobody-may-see"

// Keyring hands out [Key].
func Keyring(context.Context) (moothall.Secret, error) { return moothall.NewSecret([]byte(Key)), nil }

// Options are those that every hosted provider has.
type Options struct {
	BaseURL   string
	Key       func(context.Context) (moothall.Secret, error)
	HTTP      *http.Client
	PlainHTTP bool
}

// Provider is a provider with connections to end.
type Provider interface {
	gateway.Provider
	Close() error
}

// Suite is a provider and the wire that it speaks.
type Suite struct {
	Dialect  Dialect
	Model    string // that the dialect's server has
	Embedder string // that it has; empty: the provider makes no vectors
	// New makes the provider; it does no I/O.
	New func(Options) (Provider, error)
	// Seeds are replies, streamed and whole, for fuzzing.
	Seeds []string
}

// Open returns a provider that ends with the test.
func (s Suite) Open(t testing.TB, o Options) Provider {
	t.Helper()
	p, err := s.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// TestProvider runs the suite of all providers.
func (s Suite) TestProvider(t *testing.T) {
	t.Parallel()
	providertest.Test(t, func(t *testing.T) providertest.Fixture {
		server := NewServer(s.Dialect)
		t.Cleanup(server.Close)
		return providertest.Fixture{
			Provider: s.Open(t, Options{BaseURL: server.URL, Key: Keyring}), Model: s.Model, Embedder: s.Embedder,
			Script: server.Script, Requests: server.Requests, Abandoned: server.Abandoned(),
		}
	})
}

// TestExchanges plays what real servers send, in several chunkings, from the
// archives in testdata.
func (s Suite) TestExchanges(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			s.exchange(t, file)
		})
	}
}

func (s Suite) exchange(t *testing.T, file string) {
	archive, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []Chunking{0, 1, 7} {
		got, err := Replay(t.Context(), archive, n, func(base string) (gateway.Provider, error) {
			return s.Open(t, Options{BaseURL: base, Key: Keyring}), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(got)) {
			if strings.HasPrefix(line, "error ") && strings.Contains(line, Key) {
				t.Errorf("the key shows: %s", line)
			}
		}
		if *update && n == 0 {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
			archive = got
		}
		if diff := cmp.Diff(string(archive), string(got)); diff != "" {
			t.Errorf("chunks of %d bytes (-archive +played):\n%s", n, diff)
		}
	}
}

// FuzzReply feeds a reply, streamed or whole, and wants a stream of chunks
// that keeps to the contract in any chunking.
func (s Suite) FuzzReply(f *testing.F) {
	for _, seed := range s.Seeds {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, body []byte, whole bool) {
		kind := "text/event-stream"
		if whole {
			kind = "application/json"
		}
		var outcomes []Outcome
		for _, bytewise := range []bool{false, true} {
			p, err := s.New(Options{HTTP: &http.Client{Transport: Transport{Body: body, Type: kind, Bytewise: bytewise}}})
			if err != nil {
				t.Fatal(err)
			}
			o, err := Check(p.Generate(t.Context(), hello(whole)))
			if err != nil {
				t.Fatal(err)
			}
			outcomes = append(outcomes, o)
		}
		if diff := cmp.Diff(outcomes[0], outcomes[1]); diff != "" {
			t.Fatalf("chunking matters: %s", diff)
		}
	})
}

// hello is the smallest request.
func hello(whole bool) moothall.GenerateRequest {
	return moothall.GenerateRequest{Model: "m", Whole: whole, Messages: []moothall.Message{{Role: moothall.RoleUser, Content: "hello"}}}
}
