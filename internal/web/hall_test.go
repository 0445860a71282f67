package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/moottest"
)

// hall is a client made of fakes, with the two things that the fake front
// lacks: tasks that begin, and conversations that can be compacted.
type hall struct {
	*moottest.FakeFront
	gateway moothall.Gateway
	memory  moothall.Memory
	broker  moothall.Broker

	waits func() // done before a question is dealt with; may be nil

	mu    sync.Mutex
	asked moothall.QueryRequest // the last one
}

func newHall() *hall {
	broker := moottest.NewBroker(moottest.EchoTool("calc", moothall.RiskNone))
	broker.Allow("generator", moottest.AgentRules{Tools: []moothall.ToolName{"calc"}})
	return &hall{
		FakeFront: moottest.NewFront(), gateway: moottest.NewGateway(), memory: moottest.NewMemory(),
		broker: broker.For(moothall.Person),
	}
}

func (h *hall) Gateway() moothall.Gateway { return h.gateway }
func (h *hall) Memory() moothall.Memory   { return h.memory }
func (h *hall) Broker() moothall.Broker   { return h.broker }
func (h *hall) Close() error              { return nil }

// Configure imports lines by counting them.
func (h *hall) Configure(ctx context.Context, name string, settings json.RawMessage) (moothall.Participant, error) {
	var ask struct{ Import string }
	if name != "memory" || json.Unmarshal(settings, &ask) != nil || ask.Import == "" {
		return h.FakeFront.Configure(ctx, name, settings)
	}
	if !strings.HasPrefix(ask.Import, "{") {
		return moothall.Participant{}, moothall.Fail(moothall.CodeInvalid, "import memories", "line 1: it is no JSON object")
	}
	n := strings.Count(strings.TrimSpace(ask.Import), "\n") + 1
	b, err := json.Marshal(MemoryImported{Lines: int64(n), Stored: int64(n)})
	return moothall.Participant{Name: name, Settings: b}, err
}

func (h *hall) Query(ctx context.Context, r moothall.QueryRequest) iter.Seq2[moothall.Step, error] {
	h.mu.Lock()
	h.asked = r
	h.mu.Unlock()
	if h.waits != nil {
		h.waits()
	}
	if r.Mode != moothall.ModeTask {
		return h.FakeFront.Query(ctx, r)
	}
	return func(yield func(moothall.Step, error) bool) {
		if r.Query == "refuse" {
			yield(moothall.Step{}, moothall.Fail(moothall.CodeNotConfigured, "task", "no orchestrator"))
			return
		}
		yield(moothall.Step{Kind: "final", Answer: &moothall.Answer{Task: "task-1"}}, nil)
	}
}

func (h *hall) lastAsked() moothall.QueryRequest {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked
}

func (h *hall) ChangeSession(ctx context.Context, c moothall.SessionChange) error {
	if c.Compact {
		_, err := h.FakeFront.Session(ctx, c.ID)
		return err
	}
	return h.FakeFront.ChangeSession(ctx, c)
}

// served is a server on a fake hall, over a real connection.
type served struct {
	t      *testing.T
	hall   *hall
	server *Server
	url    string
}

func serve(t *testing.T, o Options) *served {
	t.Helper()
	h := newHall()
	o.Client = h
	s := New(o)
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		s.stop()
		ts.CloseClientConnections()
		ts.Close()
		s.work.Wait()
	})
	return &served{t, h, s, ts.URL}
}

// answered is what came back.
type answered struct {
	status int
	header http.Header
	body   []byte
}

func (a answered) into(t *testing.T, v any) {
	t.Helper()
	if err := json.Unmarshal(a.body, v); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
}

// do sends a request; "SSE " before the path asks for events.
func (s *served) do(method, path, body string) answered {
	s.t.Helper()
	path, events := strings.CutPrefix(path, "SSE ")
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if events {
		r.Header.Set("Accept", "text/event-stream")
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answered{resp.StatusCode, resp.Header, b}
}

// ask makes a turn.
func (s *served) ask(question string) moothall.Answer {
	s.t.Helper()
	var a moothall.Answer
	s.do("POST", "/query", `{"query":`+quoted(question)+`}`).into(s.t, &a)
	return a
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func (s *served) want(status int, method, path, body string, contains ...string) answered {
	s.t.Helper()
	got := s.do(method, path, body)
	if got.status != status {
		s.t.Errorf("%s %s %s: status %d, want %d: %s", method, path, body, got.status, status, got.body)
	}
	for _, c := range contains {
		if !bytes.Contains(got.body, []byte(c)) {
			s.t.Errorf("%s %s: %q is not in %s", method, path, c, got.body)
		}
	}
	return got
}

// data lists the data of events, by name.
func data(body []byte) (names []string, data [][]byte) {
	name := "message"
	for line := range bytes.Lines(body) {
		line = bytes.TrimRight(line, "\n")
		switch {
		case bytes.HasPrefix(line, []byte("event: ")):
			name = string(line[7:])
		case bytes.HasPrefix(line, []byte("data: ")):
			names, data = append(names, name), append(data, slices.Clone(line[6:]))
			name = "message"
		}
	}
	return names, data
}
