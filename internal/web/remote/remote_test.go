package remote_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/web"
	"moothall/internal/web/remote"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hall is a client made of fakes.
type hall struct {
	*moottest.FakeFront
	gateway *moottest.FakeGateway
	memory  *moottest.FakeMemory
	broker  moothall.Broker
}

func (h hall) Gateway() moothall.Gateway { return h.gateway }
func (h hall) Memory() moothall.Memory   { return h.memory }
func (h hall) Broker() moothall.Broker   { return h.broker }
func (h hall) Close() error              { return nil }

// open serves a hall of fakes and returns a client of it.
func open(t *testing.T, token string) (*remote.Client, hall, string) {
	t.Helper()
	h := hall{moottest.NewFront(), moottest.NewGateway(), moottest.NewMemory(),
		moottest.NewBroker(moottest.EchoTool("echo", moothall.RiskNone)).For(moothall.Person)}
	server := web.New(web.Options{Client: h, Token: token})
	ts := httptest.NewUnstartedServer(server.Handler())
	ts.Start()
	c, err := remote.New(ts.URL+"/", remote.Options{Token: token})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Close()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		server.Close(ctx)
		ts.CloseClientConnections()
		ts.Close()
	})
	return c, h, ts.URL
}

// kept takes backups from the hall itself: they do not go over HTTP.
type kept struct {
	*remote.Client
	front moothall.Front
}

func (k kept) Backup(ctx context.Context, w io.Writer) error { return k.front.Backup(ctx, w) }

// TestFront runs the suite of fronts over HTTP: API and client together do
// what the contract says.
func TestFront(t *testing.T) {
	t.Parallel()
	moottest.TestFront(t, func(t *testing.T) moottest.FrontFixture {
		c, h, _ := open(t, "secret")
		return moottest.FrontFixture{
			Front: kept{c, h}, Query: "How are you?", Want: "How are you?", Wait: moottest.WaitQuery,
			Task: "task-1", Participant: "critic", Settings: json.RawMessage(`{"on":false}`),
		}
	})
}

func wantCode(t *testing.T, err error, want moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != want {
		t.Errorf("code %q, want %q (%v)", got, want, err)
	}
}

func TestServices(t *testing.T) {
	t.Parallel()
	c, h, _ := open(t, "")
	ctx := t.Context()
	g := c.Gateway()
	card, err := g.ShowModel(ctx, moothall.ModelRequest{})
	wantCode(t, err, "")
	wantCode(t, g.BindModel(ctx, moothall.Scope{}, moothall.ModelBinding{Role: moothall.ModelCritic, Model: card.Model}), "")
	steps := 0
	for _, err := range g.PullModel(ctx, moothall.ModelRequest{Model: "new"}) {
		wantCode(t, err, "")
		steps++
	}
	if _, err := g.ProbeModel(ctx, moothall.ModelRequest{Model: "new"}); err != nil || steps < 2 {
		t.Errorf("pulled in %d steps, probe: %v", steps, err)
	}
	_, err = g.ShowModel(ctx, moothall.ModelRequest{Model: "nope"})
	wantCode(t, err, moothall.CodeNotFound)

	e, err := h.memory.Write(ctx, moothall.WriteRequest{Entry: moothall.MemoryEntry{Kind: moothall.Fact, Name: "sky", Corpus: "the sky is blue", Source: "test", Trust: moothall.TrustPerson}})
	wantCode(t, err, "")
	n := 0
	for got, err := range c.Memory().List(ctx, moothall.MemoryList{Kinds: []moothall.MemoryKind{moothall.Fact}}) {
		wantCode(t, err, "")
		if n++; got.ID != e.ID {
			t.Errorf("listed %+v", got)
		}
	}
	for _, err := range c.Memory().Recall(ctx, moothall.MemoryQuery{Text: "sky"}) {
		wantCode(t, err, "")
		n++
	}
	gone, err := c.Memory().Forget(ctx, moothall.Scope{}, e.ID)
	if wantCode(t, err, ""); n != 2 || len(gone) != 1 {
		t.Errorf("%d entries seen, %v gone", n, gone)
	}
	wantCode(t, c.Memory().Review(ctx, moothall.Scope{}, "nope", true), moothall.CodeNotFound)
	tools, err := c.Broker().Tools(ctx, moothall.Scope{})
	if err != nil || len(tools) != 1 {
		t.Errorf("tools: %v, %v", tools, err)
	}
	_, err = c.Broker().Decide(ctx, moothall.ApprovalDecision{ID: "nope", Answer: moothall.ApproveOnce})
	wantCode(t, err, moothall.CodeNotFound)
	list, err := c.Broker().Approvals(ctx, moothall.Scope{Session: "s"}, true)
	if err != nil || len(list) != 0 {
		t.Errorf("approvals: %v, %v", list, err)
	}
	o, err := c.Broker().Override(ctx, moothall.Scope{Session: "s"}, moothall.Overrides{Level: "relax"})
	if err != nil || o.Level != "relax" {
		t.Errorf("overrides: %+v, %v", o, err)
	}
}

func TestNotOffered(t *testing.T) {
	t.Parallel()
	c, _, _ := open(t, "")
	wantCode(t, c.Backup(t.Context(), io.Discard), moothall.CodeUnsupported)
	for _, err := range c.Gateway().Generate(t.Context(), moothall.GenerateRequest{}) {
		wantCode(t, err, moothall.CodeUnsupported)
	}
	_, err := c.Broker().Spawn(t.Context(), moothall.SpawnRequest{})
	wantCode(t, err, moothall.CodeUnsupported)
	wantCode(t, c.Memory().Annotate(t.Context(), moothall.Annotation{}), moothall.CodeUnsupported)
}

func TestWrongPlaces(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "127.0.0.1:8765", "ftp://x", "http://", "http://u:p@x", "http://x/?q=1", "\x00"} {
		_, err := remote.New(address, remote.Options{})
		wantCode(t, err, moothall.CodeInvalid)
	}
	_, _, url := open(t, "right")
	c, err := remote.New(url, remote.Options{Token: "wrong"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Sessions(t.Context())
	if wantCode(t, err, moothall.CodeDenied); moothall.ErrorRemedy(err) == "" {
		t.Error("no remedy for a wrong token")
	}
	nobody, err := remote.New("http://127.0.0.1:1", remote.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer nobody.Close()
	_, err = nobody.Health(t.Context())
	wantCode(t, err, moothall.CodeUnavailable)
}

// TestOtherServers: what is no hall is called so, and the token is not
// carried on to where a redirect points.
func TestOtherServers(t *testing.T) {
	t.Parallel()
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/sessions":
			http.Redirect(w, r, "/elsewhere", http.StatusFound)
		case "/elsewhere":
			t.Error("followed a redirect")
		case "/health":
			w.WriteHeader(503)
			io.WriteString(w, `{"status":"degraded"}`)
		case "/tasks":
			panic(http.ErrAbortHandler)
		default:
			io.WriteString(w, "<html>")
		}
	}))
	defer ts.Close()
	c, err := remote.New(ts.URL, remote.Options{Token: "t"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_, err = c.Sessions(t.Context())
	wantCode(t, err, moothall.CodeUnavailable)
	_, err = c.Participants(t.Context())
	wantCode(t, err, moothall.CodeCorrupt)
	_, err = c.Tasks(t.Context(), "")
	wantCode(t, err, moothall.CodeInterrupted)
	if h, err := c.Health(t.Context()); err != nil || h.Status != "degraded" {
		t.Errorf("health: %+v, %v", h, err)
	}
}

// FuzzStream: whatever a server sends ends in steps or an error, never in a
// panic.
func FuzzStream(f *testing.F) {
	f.Add("event: delta\ndata: {\"kind\":\"delta\",\"text\":\"x\"}\n\n")
	f.Add("event: error\ndata: {\"error\":{\"code\":\"invalid\"}}\n\n")
	f.Add("event: error\ndata: {}\n\ndata\n\n:\n\nid: 1\ndata: 1\ndata: 2\n\n")
	f.Fuzz(func(t *testing.T, body string) {
		c, err := remote.New("http://hall.localhost", remote.Options{HTTP: &http.Client{Transport: canned(body)}})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range c.Query(t.Context(), moothall.QueryRequest{Query: "x"}) {
			if err != nil && moothall.ErrorCode(err) == moothall.CodeInternal && !strings.Contains(body, "internal") {
				t.Errorf("a foreign error: %v", err)
			}
		}
	})
}

// canned answers every request with the same bytes.
type canned string

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Status: "200 OK", Body: io.NopCloser(strings.NewReader(string(c))), Request: r}, nil
}
