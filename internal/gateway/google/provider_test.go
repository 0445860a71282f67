package google_test

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/google"
	"moothall/internal/gateway/providertest"
	"moothall/internal/gateway/wire/wiretest"
)

var update = flag.Bool("update", false, "write what was sent and what came into the archives")

func TestMain(m *testing.M) {
	flag.Parse()
	goleak.VerifyTestMain(m)
}

// key is what no error may show.
const key = "sk-a-key-that-nobody-may-see"

func keyring(context.Context) (moothall.Secret, error) { return moothall.NewSecret([]byte(key)), nil }

// newProvider returns a provider that ends with the test.
func newProvider(t testing.TB, o google.Options) *google.Provider {
	t.Helper()
	p, err := google.New(o)
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

func TestProvider(t *testing.T) {
	t.Parallel()
	providertest.Test(t, func(t *testing.T) providertest.Fixture {
		s := wiretest.NewServer(dialect{})
		t.Cleanup(s.Close)
		return providertest.Fixture{
			Provider: newProvider(t, google.Options{BaseURL: s.URL, Key: keyring}), Model: chatModel, Embedder: embedModel,
			Script: s.Script, Requests: s.Requests, Abandoned: s.Abandoned(),
		}
	})
}

// TestExchanges plays what real servers send, in several chunkings.
func TestExchanges(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			archive, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []wiretest.Chunking{0, 1, 7} {
				got, err := wiretest.Replay(t.Context(), archive, n, func(base string) (gateway.Provider, error) {
					return newProvider(t, google.Options{BaseURL: base, Key: keyring}), nil
				})
				if err != nil {
					t.Fatal(err)
				}
				for line := range strings.Lines(string(got)) {
					if strings.HasPrefix(line, "error ") && strings.Contains(line, key) {
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
		})
	}
}
