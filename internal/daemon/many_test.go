package daemon_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
	"moothall/internal/moottest/ollamatest"
)

// TestThousandSessions has a thousand people ask at once, each in a session
// of their own, over the socket. Every one gets the answer to their own
// question, and every session is there afterwards.
func TestThousandSessions(t *testing.T) {
	t.Parallel()
	people := 1000
	if moottest.Race {
		people = 250
	}
	model := ollamatest.New(t, ollamatest.Options{Forget: true, Respond: func(c ollamatest.Chat) ollamatest.Reply {
		words := strings.Fields(c.Messages[len(c.Messages)-1].Content)
		return ollamatest.Reply{Text: "You are " + words[len(words)-1]}
	}})
	c := config()
	c.Models.Ollama.URL = model.URL
	c.Models.Ollama.Parallel = 8
	h := home(t.TempDir())
	serve(t, h, c)
	client, err := daemon.Connect(t.Context(), h, c, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var wg sync.WaitGroup
	for i := range people {
		wg.Go(func() {
			name := fmt.Sprint("person", i)
			var got string
			for s, err := range client.Query(t.Context(), moothall.QueryRequest{Session: moothall.SessionID(name), Query: "I am " + name}) {
				if err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				if s.Answer != nil {
					got = s.Answer.Text
				}
			}
			if got != "You are "+name {
				t.Errorf("%s was told %q", name, got)
			}
		})
	}
	wg.Wait()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	list, err := client.Sessions(ctx)
	if err != nil || len(list) != people {
		t.Errorf("%d sessions, %v", len(list), err)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.Logf("memory obtained from the system, all of the tests included: %d MB", m.Sys>>20)
}
