package web

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"moothall"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// events is a hall of which only the events work.
type events struct {
	moothall.Client
	mu   sync.Mutex
	log  []moothall.Event // the record; event i has place i+1
	news chan struct{}
}

func newEvents() *events { return &events{news: make(chan struct{})} }

// say adds an event to the record.
func (c *events) say(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range n {
		i := len(c.log)
		c.log = append(c.log, moothall.Event{
			ID: moothall.EventID(fmt.Sprintf("e%d", i)), Subject: moothall.SubjectHallState, Seq: uint64(i + 1),
		})
	}
	close(c.news)
	c.news = make(chan struct{})
}

// Events follows the record as the contract says.
func (c *events) Events(ctx context.Context, q moothall.EventQuery) iter.Seq2[moothall.Event, error] {
	return func(yield func(moothall.Event, error) bool) {
		c.mu.Lock()
		next, mark := len(c.log), q.Mark
		switch {
		case q.Replay:
			next = 0
		case q.AfterSeq > 0:
			next = int(q.AfterSeq)
		}
		c.mu.Unlock()
		for {
			c.mu.Lock()
			due, news := c.log[min(next, len(c.log)):], c.news
			c.mu.Unlock()
			for _, e := range due {
				next++
				if !yield(e, nil) {
					return
				}
			}
			if len(due) == 0 && mark {
				mark = false
				if !yield(moothall.Event{Seq: uint64(next)}, nil) {
					return
				}
			}
			select {
			case <-news:
			case <-ctx.Done():
				return
			}
		}
	}
}

// slowWriter is a listener that takes nothing until it is released.
type slowWriter struct {
	header  http.Header
	release chan struct{}
	greeted chan struct{}
	once    sync.Once

	mu  sync.Mutex
	got bytes.Buffer
}

func (w *slowWriter) Header() http.Header              { return w.header }
func (w *slowWriter) WriteHeader(int)                  {}
func (w *slowWriter) SetWriteDeadline(time.Time) error { return nil }
func (w *slowWriter) FlushError() error                { return nil }

func (w *slowWriter) Write(p []byte) (int, error) {
	first := false
	w.once.Do(func() { first = true; close(w.greeted) })
	if !first {
		<-w.release
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.got.Write(p)
}

func (w *slowWriter) ids() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []string
	for line := range strings.Lines(w.got.String()) {
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			_, event, _ := strings.Cut(strings.TrimSpace(id), ".")
			out = append(out, event)
		}
	}
	return out
}

// TestSlowListener takes nothing while far more happens than the ring holds.
// Nobody waits for it, and in the end it has missed nothing.
func TestSlowListener(t *testing.T) {
	t.Parallel()
	hall := newEvents()
	s := New(Options{Client: hall})
	s.hub = newHub(8)
	ctx, cancel := context.WithCancel(t.Context())
	slow := &slowWriter{header: http.Header{}, release: make(chan struct{}), greeted: make(chan struct{})}
	fast := &slowWriter{header: http.Header{}, release: make(chan struct{}), greeted: make(chan struct{})}
	close(fast.release)
	var wg sync.WaitGroup
	for _, w := range []*slowWriter{slow, fast} {
		wg.Go(func() {
			s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "http://127.0.0.1/events", nil))
		})
		<-w.greeted
	}
	const total = 500
	for range total / 5 {
		hall.say(5)
	}
	await(t, func() bool { return len(fast.ids()) == total })
	close(slow.release)
	await(t, func() bool { return len(slow.ids()) >= total })
	cancel()
	wg.Wait()
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	for i, id := range slow.ids() {
		if id != fmt.Sprintf("e%d", i) {
			t.Fatalf("event %d is %s", i, id)
		}
	}
	if s.Stats().Lapped == 0 {
		t.Error("the slow listener never fell behind: the test tested nothing")
	}
}

// await gives another goroutine time to get there.
func await(t *testing.T, done func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it never happened")
		}
	}
}

func TestMarkRoundTrip(t *testing.T) {
	t.Parallel()
	e := moothall.Event{Seq: 42, ID: "0198-x"}
	if seq, id := parseMark(eventMark(e)); seq != 42 || id != "0198-x" {
		t.Errorf("came back as %d, %q", seq, id)
	}
	for _, foreign := range []string{"", "0198-x", "x.y", ".", "99999999999999999999999.z"} {
		if seq, id := parseMark(foreign); seq != 0 || string(id) != foreign {
			t.Errorf("%q is read as %d, %q", foreign, seq, id)
		}
	}
}

// FuzzMark reads whatever a browser sends as its last event.
func FuzzMark(f *testing.F) {
	f.Add("42.0198f0c2-aaaa-7aaa-8aaa-aaaaaaaaaaaa")
	f.Add("..")
	f.Fuzz(func(t *testing.T, s string) {
		seq, id := parseMark(s)
		if seq == 0 && string(id) != s && s[:2] != "0." && !strings.HasPrefix(strings.TrimLeft(s, "0"), ".") {
			t.Errorf("%q lost something: %d, %q", s, seq, id)
		}
	})
}
