package daemon_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/bus"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
)

// get asks the hall over HTTP.
func get(t *testing.T, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	resp := request(t, url, headers...)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func request(t *testing.T, url string, headers ...string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			req.Host = value
		} else {
			req.Header.Set(name, value)
		}
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func TestHealth(t *testing.T) {
	t.Parallel()
	hall := serve(t, home(t.TempDir()), config())
	var resp *http.Response
	h := settles(func() moothall.Health {
		var body string
		resp, body = get(t, hall.URL()+"/health")
		return read[moothall.Health](t, []byte(body))
	}, func(h moothall.Health) bool { return h.Status == "ok" && h.Model.State == moothall.ServiceOK })
	if resp.StatusCode != http.StatusOK || h.Status != "ok" || h.Version == "" || h.PID != os.Getpid() {
		t.Errorf("health: %s %+v", resp.Status, h)
	}
	for name, want := range map[string]moothall.ServiceState{
		"audit": moothall.ServiceOK, "bus": moothall.ServiceOK, "database": moothall.ServiceOK, "front": moothall.ServiceOK,
		"memory": moothall.ServiceOK, "search": moothall.ServiceNotConfigured, "broker": moothall.ServiceOK, "secrets": moothall.ServiceOK,
	} {
		if h.Services[name].State != want {
			t.Errorf("%s is %q, want %q", name, h.Services[name].State, want)
		}
	}
	if h.Model.State != moothall.ServiceOK || h.Model.Provider != "builtin" || h.Model.Detail == "" {
		t.Errorf("model: %+v", h.Model)
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	hall := serve(t, home(t.TempDir()), config())
	_, body := get(t, hall.URL()+"/metrics")
	for _, name := range []string{"moothall_audit_entries 2", "moothall_bus_published_total 1", "moothall_http_requests_total 1", "go_goroutines"} {
		if !strings.Contains(body, name) {
			t.Errorf("metrics lack %q", name)
		}
	}
}

func TestPageOnlyWhenWanted(t *testing.T) {
	t.Parallel()
	hall := serve(t, home(t.TempDir()), config())
	resp, body := get(t, hall.URL()+"/")
	if resp.StatusCode != http.StatusOK || !strings.Contains(body, "<title>Moothall</title>") {
		t.Errorf("page: %s", resp.Status)
	}
	if csp := resp.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") {
		t.Errorf("policy: %q", csp)
	}
	c := config()
	c.Front.Headless = true
	bare := serve(t, home(t.TempDir()), c)
	if resp, _ := get(t, bare.URL()+"/"); resp.StatusCode != http.StatusNotFound {
		t.Errorf("headless page: %s", resp.Status)
	}
}

// say publishes an event that the hall may publish and returns its id.
func say(t *testing.T, hall *daemon.Hall, text string) moothall.EventID {
	t.Helper()
	e, err := moothall.NewEvent(moothall.SubjectHallState, map[string]string{"state": text})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hall.Publish(t.Context(), moothall.Hall, e); err != nil {
		t.Fatal(err)
	}
	return e.ID
}

// stream reads server-sent events.
type stream struct {
	t    *testing.T
	resp *http.Response
	r    *bufio.Reader
	last string // id of the last event
}

func listenTo(t *testing.T, url string, headers ...string) *stream {
	t.Helper()
	resp := request(t, url, headers...)
	t.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("events: %s", resp.Status)
	}
	s := &stream{t: t, resp: resp, r: bufio.NewReader(resp.Body)}
	for { // the greeting says that the hall listens for us
		line, err := s.r.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		if line == "\n" {
			return s
		}
	}
}

// next returns the next event.
func (s *stream) next() moothall.Event {
	s.t.Helper()
	e, err := s.read()
	if err != nil {
		s.t.Fatal(err)
	}
	return e
}

func (s *stream) read() (moothall.Event, error) {
	var e moothall.Event
	for {
		line, err := s.r.ReadString('\n')
		if err != nil {
			return e, err
		}
		if id, ok := strings.CutPrefix(line, "id: "); ok {
			s.last = strings.TrimSpace(id)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return e, json.Unmarshal([]byte(data), &e)
		}
	}
}

func TestEventsAreLiveAndResume(t *testing.T) {
	t.Parallel()
	hall := serve(t, home(t.TempDir()), config())
	s := listenTo(t, hall.URL()+"/events")
	first, second := say(t, hall, "one"), say(t, hall, "two")
	if got := s.next().ID; got != first {
		t.Errorf("first event is %s, want %s", got, first)
	}
	mark := s.last
	if got := s.next().ID; got != second {
		t.Errorf("second event is %s, want %s", got, second)
	}
	s.resp.Body.Close()
	missed := []moothall.EventID{second, say(t, hall, "three")} // the last while nobody listens
	for name, from := range map[string]string{"the mark": mark, "the event's id": string(first)} {
		again := listenTo(t, hall.URL()+"/events", "Last-Event-ID: "+from)
		missed = append(missed, say(t, hall, "live again"))
		for _, want := range missed {
			if got := again.next().ID; got != want {
				t.Errorf("resumed from %s: %s, want %s", name, got, want)
			}
		}
	}
}

func TestEventsAreFiltered(t *testing.T) {
	t.Parallel()
	hall := serve(t, home(t.TempDir()), config())
	s := listenTo(t, hall.URL()+"/events?subjects=tool.request,session.state")
	say(t, hall, "not for you")
	e, err := moothall.NewEvent(moothall.SubjectToolRequest.Of("now"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := hall.Publish(t.Context(), moothall.ToolBroker, e); err != nil {
		t.Fatal(err)
	}
	if got := s.next(); got.ID != e.ID || got.Sender != moothall.ToolBroker {
		t.Errorf("got %+v", got)
	}
}

// TestEventsSurviveARestart is a browser that goes on where it was after the
// hall was stopped and started again.
func TestEventsSurviveARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	hall := serve(t, home(dir), config())
	s := listenTo(t, hall.URL()+"/events")
	id := say(t, hall, "before")
	if got := s.next().ID; got != id {
		t.Fatalf("got %s", got)
	}
	if err := hall.Shutdown(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, s.r); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Logf("the stream ended with %v", err)
	}
	again := serve(t, home(dir), config())
	s2 := listenTo(t, again.URL()+"/events", "Last-Event-ID: "+s.last)
	for _, want := range []string{"stopping", "started"} {
		if got := string(s2.next().Payload); !strings.Contains(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestEventsOfAnotherRecord is a browser that goes on where it was when the record
// does not have that event any more: it was restored or begun anew.
func TestEventsOfAnotherRecord(t *testing.T) {
	t.Parallel()
	hall := serve(t, home(t.TempDir()), config())
	for _, mark := range []string{"40." + moothall.NewID(), "40.answer-" + moothall.NewID() + "-A", "1.received-" + moothall.NewID(), "40.reward-0123456789abcdef"} {
		s := listenTo(t, hall.URL()+"/events", "Last-Event-ID: "+mark)
		for id := say(t, hall, "news"); s.next().ID != id; { // what else is there comes before
		}
	}
}

// TestManyListeners has a thousand of them hear everything, in order.
func TestManyListeners(t *testing.T) {
	t.Parallel()
	hall := serve(t, home(t.TempDir()), config())
	listeners, events := 1000, 20
	if moottest.Race {
		listeners = 250
	}
	streams := make([]*stream, listeners)
	for i := range streams {
		streams[i] = listenTo(t, hall.URL()+"/events")
	}
	var ids []moothall.EventID
	for i := range events {
		ids = append(ids, say(t, hall, fmt.Sprint(i)))
	}
	for i, s := range streams {
		for _, want := range ids {
			if got := s.next().ID; got != want {
				t.Fatalf("listener %d got %s, want %s", i, got, want)
			}
		}
	}
}

func TestGuard(t *testing.T) {
	t.Parallel()
	hall := serve(t, home(t.TempDir()), config())
	base := strings.TrimPrefix(hall.URL(), "http://")
	for _, c := range []struct {
		name    string
		headers []string
		path    string
		want    int
	}{
		{"plain", nil, "/health", 200},
		{"localhost", []string{"Host: localhost:8765"}, "/health", 200},
		{"v6", []string{"Host: [::1]:8765"}, "/health", 200},
		{"rebinding", []string{"Host: evil.example"}, "/health", 421},
		{"rebinding with port", []string{"Host: evil.example:8765"}, "/events", 421},
		{"no host", []string{"Host: :8765"}, "/health", 421},
		{"own origin", []string{"Origin: http://" + base}, "/health", 200},
		{"other origin", []string{"Origin: https://evil.example"}, "/health", 403},
		{"null origin", []string{"Origin: null"}, "/events", 403},
		{"other port", []string{"Origin: http://127.0.0.1:1"}, "/metrics", 403},
		{"cross-site image", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"}, "/health", 403},
		{"same-site", []string{"Sec-Fetch-Site: same-site"}, "/events", 403},
		{"a link to the page", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}, "/", 200},
		{"a frame", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"}, "/", 403},
		{"nothing there", nil, "/nothing", 404},
	} {
		resp, body := get(t, hall.URL()+c.path, c.headers...)
		if resp.StatusCode != c.want {
			t.Errorf("%s: %s, want %d: %s", c.name, resp.Status, c.want, body)
		}
		if c.want >= 400 && !strings.Contains(body, `"code"`) {
			t.Errorf("%s: the refusal explains nothing: %s", c.name, body)
		}
	}
}

func TestTokenWhenBoundWider(t *testing.T) {
	t.Parallel()
	c := config()
	c.Front.Listen = "0.0.0.0"
	h := home(t.TempDir())
	hall := serve(t, h, c)
	url := strings.NewReplacer("0.0.0.0", "127.0.0.1", "[::]", "127.0.0.1").Replace(hall.URL())
	token, err := os.ReadFile(h.Token())
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(h.Token())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the token's file is %v, %v", info.Mode(), err)
	}
	good := "Authorization: Bearer " + strings.TrimSpace(string(token))
	for _, c := range []struct {
		header string
		want   int
	}{{"X: y", 401}, {"Authorization: Bearer wrong", 401}, {"Authorization: Basic abc", 401}, {good, 200}} {
		if resp, _ := get(t, url+"/health", c.header); resp.StatusCode != c.want {
			t.Errorf("%.30s: %s, want %d", c.header, resp.Status, c.want)
		}
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	hall := serve(t, home(t.TempDir()), config())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := hall.Wait(ctx); err != nil {
		t.Error(err)
	}
}

// TestRemoteBus runs a hall on the bus of another process, let in by the
// passwords that moothall bus accounts makes.
func TestRemoteBus(t *testing.T) {
	t.Parallel()
	_, files, err := daemon.BusAccounts(filepath.Join(t.TempDir(), "passwords"))
	if err != nil {
		t.Fatal(err)
	}
	credentials := map[moothall.Identity]string{}
	c := config()
	c.Bus.Credentials = map[string]string{}
	for name, file := range files {
		c.Bus.Credentials[name] = file
		credentials[moothall.Identity(name)] = file
	}
	far, err := bus.Open(t.Context(), bus.Options{Dir: t.TempDir(), Listen: "127.0.0.1:0", Credentials: credentials})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := far.Close(); err != nil {
			t.Error(err)
		}
	})
	c.Bus.URL = "nats://" + far.Addr() + ",nats://me:canary@127.0.0.1:1" // where nobody is
	hall := serve(t, home(t.TempDir()), c)
	s := listenTo(t, hall.URL()+"/events")
	id := say(t, hall, "from afar")
	if got := s.next().ID; got != id {
		t.Errorf("got %s, want %s", got, id)
	}
	if _, body := get(t, hall.URL()+"/health"); !strings.Contains(body, `"nats://`+far.Addr()) || strings.Contains(body, "canary") {
		t.Errorf("health: %s", body)
	}
	stats, err := far.Stats(t.Context())
	if err != nil || stats.Messages < 2 {
		t.Errorf("the far bus has %+v, %v", stats, err)
	}
}
