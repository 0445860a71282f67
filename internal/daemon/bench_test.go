package daemon_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest/ollamatest"
)

// benchHall is a hall with its faces, before a scripted model server.
func benchHall(b *testing.B, c daemon.Config, model string) (*daemon.Hall, daemon.Home) {
	b.Helper()
	daemon.Tune()
	c.Models.Ollama.URL = model
	h := home(b.TempDir())
	hall, err := daemon.Open(b.Context(), daemon.Options{Home: h, Config: c, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := hall.Shutdown(); err != nil {
			b.Errorf("stop: %v", err)
		}
	})
	if err := hall.Serve(b.Context()); err != nil {
		b.Fatal(err)
	}
	return hall, h
}

// quiet is a configuration in which nobody listens to answers but the keeper
// of the score, who asks no model.
func quiet() daemon.Config {
	c := config()
	c.Memory.Ingest = false
	return c
}

// caller is a program that keeps its connection.
type caller struct {
	b      *testing.B
	client *http.Client
}

func newCaller(b *testing.B) caller {
	transport := &http.Transport{MaxIdleConnsPerHost: 16, DisableCompression: true}
	b.Cleanup(transport.CloseIdleConnections)
	return caller{b, &http.Client{Transport: transport}}
}

func (c caller) post(url, body, accept string) *http.Response {
	c.b.Helper()
	r, err := http.NewRequestWithContext(c.b.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		c.b.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if accept != "" {
		r.Header.Set("Accept", accept)
	}
	resp, err := c.client.Do(r)
	if err != nil {
		c.b.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(resp.Body)
		c.b.Fatalf("%s: %s: %s", url, resp.Status, text)
	}
	return resp
}

// direct asks the model server itself and reads its lines: the least that a
// program without a hall does.
func (c caller) direct(url, call string) time.Duration {
	c.b.Helper()
	began := time.Now()
	resp := c.post(url+"/api/chat", call, "")
	defer resp.Body.Close()
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		var l struct {
			Message struct{ Content string }
			Done    bool
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			c.b.Fatal(err)
		}
	}
	return time.Since(began)
}

// bare is a question and nothing else.
const bare = `{"model":"` + ollamatest.ChatModel + `","messages":[{"role":"user","content":"hello"}],"options":{"num_ctx":32000}}`

// ask has the hall answer and returns what that took.
func (c caller) ask(hall *daemon.Hall, question string) (moothall.Answer, time.Duration) {
	c.b.Helper()
	began := time.Now()
	resp := c.post(hall.URL()+"/query", fmt.Sprintf(`{"query":%q,"unattended":true}`, question), "")
	defer resp.Body.Close()
	var a moothall.Answer
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil || a.Text == "" {
		c.b.Fatalf("%+v, %v", a, err)
	}
	return a, time.Since(began)
}

// first follows an answer and returns when its first word came and when it
// was over.
func (c caller) first(hall *daemon.Hall, question string) (first, all time.Duration) {
	c.b.Helper()
	began := time.Now()
	resp := c.post(hall.URL()+"/query", fmt.Sprintf(`{"query":%q,"unattended":true}`, question), "text/event-stream")
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	final := false
	for lines.Scan() {
		if first == 0 && bytes.HasPrefix(lines.Bytes(), []byte("event: delta")) {
			first = time.Since(began)
		}
		final = final || bytes.HasPrefix(lines.Bytes(), []byte("event: final"))
	}
	if first == 0 || !final {
		c.b.Fatalf("no answer: %v", lines.Err())
	}
	return first, time.Since(began)
}

// percentile of some times, in milliseconds.
func percentile(took []time.Duration, q float64) float64 {
	s := slices.Sorted(slices.Values(took))
	return s[int(q*float64(len(s)-1))].Seconds() * 1000
}
