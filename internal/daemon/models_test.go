package daemon

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest"
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
	h := &Hall{conf: Config{Models: models}, log: slog.New(slog.DiscardHandler), far: newFar(ServicesConfig{}, proofs{})}
	h.here.Audit = moottest.NewAudit().For
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

// TestObserversMakeWay checks that a person does not wait for the critic on any
// server of theirs, whatever it speaks.
func TestObserversMakeWay(t *testing.T) {
	t.Parallel()
	begun, free := make(chan struct{}, 2), make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-free:
		}
	}))
	t.Cleanup(s.Close)
	models := defaultModels()
	models.Ollama.URL, models.Builtin = "http://127.0.0.1:1", builtinRules
	models.Servers = map[string]ServerConfig{"mine": {Kind: "openai", URL: s.URL}}
	h := &Hall{conf: Config{Models: models}, log: slog.New(slog.DiscardHandler), far: newFar(ServicesConfig{}, proofs{})}
	h.here.Audit = moottest.NewAudit().For
	h.home.Data, h.home.Cache = t.TempDir(), t.TempDir()
	stop, err := h.openGateway(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	ask := func(who moothall.Identity) {
		calls.Go(func() {
			r := moothall.GenerateRequest{Provider: "mine", Model: "m", Messages: []moothall.Message{{Role: moothall.RoleUser, Content: "hello"}}}
			for range h.gateway.For(who).Generate(t.Context(), r) { // how it ends is not what is looked at
			}
		})
	}
	ask(moothall.Critic)
	<-begun
	ask(moothall.ChatHall)
	for {
		q := h.gateway.Stats().Generating["mine"]
		if q.Preempted > 0 {
			break
		}
		if q.Person > 0 {
			t.Error("the person waits for the critic")
			break
		}
		time.Sleep(time.Millisecond)
	}
	close(free)
	calls.Wait()
	if err := stop(t.Context()); err != nil {
		t.Error(err)
	}
}

// A machine of 8 GiB is not given a model of 9 GB because nobody said otherwise.
func TestLargestModelHere(t *testing.T) {
	for memory, want := range map[int64]int64{0: 0, 8 << 30: 6 << 30, 64 << 30: 16 << 30} {
		if got := largestHere(memory); got != want {
			t.Errorf("with %d bytes of memory a model may have %d, want %d", memory, got, want)
		}
	}
	if n := machineMemory(); n < 64<<20 || n > 1<<50 {
		t.Errorf("this machine has %d bytes of memory", n)
	}
}
