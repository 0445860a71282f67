package mcp_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"moothall"
	"moothall/internal/egress"
	"moothall/internal/egress/egresstest"
	"moothall/internal/tool/mcp"
)

// web serves over HTTP on this machine and returns the address.
func web(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL + "/mcp"
}

func httpOptions(t *testing.T) mcp.Options {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return mcp.Options{HTTP: &http.Client{Transport: transport}}
}

func TestRemote(t *testing.T) {
	t.Parallel()
	server := serverWith(echo("note", "Takes a note."))
	handler := sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil)
	var without atomic.Int32
	url := web(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer key" {
			without.Add(1)
		}
		handler.ServeHTTP(w, r)
	}))
	c := open(t, nil, httpOptions(t), mcp.Server{Name: "net", URL: url, Headers: map[string]string{"Authorization": "Bearer key"}, ReadOnly: []string{"note"}})
	approveAll(t, c)
	tool := only(t, c)
	spec := tool.Spec()
	if spec.Risk != moothall.RiskRead || spec.Origin != "mcp:net" || spec.Sends != nil || !spec.ReadOnly {
		t.Errorf("spec %+v", spec)
	}
	got := call(t, tool, `{"text":"hello"}`, moothall.CallOK)
	if got.Text != `{"text":"hello"}` || got.Sent != nil {
		t.Errorf("got %+v", got)
	}
	closeClient(t, c)
	if without.Load() > 0 {
		t.Error("a request came without the person's header")
	}
}

// elsewhere opens a client to a server over TLS, as if on another machine,
// and returns what the server has received.
func elsewhere(t *testing.T, server *sdk.Server) (*mcp.Client, *atomic.Int64) {
	t.Helper()
	s := httptest.NewUnstartedServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
		&sdk.StreamableHTTPOptions{DisableLocalhostProtection: true}))
	received := egresstest.Count(&s.Listener)
	s.StartTLS()
	t.Cleanup(s.Close)
	base := s.Client().Transport.(*http.Transport).Clone()
	base.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, s.Listener.Addr().String())
	}
	transport := egress.New(base, egress.Options{Here: egresstest.Nowhere})
	t.Cleanup(transport.CloseIdleConnections)
	o := mcp.Options{HTTP: &http.Client{Transport: transport}, Hosts: []string{"example.com"}}
	c := open(t, nil, o, mcp.Server{Name: "net", URL: "https://example.com/mcp"})
	approveAll(t, c)
	return c, received
}

// Beyond this machine the bytes that leave it are measured.
func TestRemoteElsewhere(t *testing.T) {
	t.Parallel()
	c, received := elsewhere(t, serverWith(echo("note", "Takes a note.")))
	tool := only(t, c)
	if spec := tool.Spec(); spec.Risk != moothall.RiskSend || !slices.Equal(spec.Sends, []string{"text"}) {
		t.Errorf("spec %+v", spec)
	}
	var sum int64
	for _, n := range []int{10, 5000, 200_000} {
		got := call(t, tool, `{"text":"`+strings.Repeat("x", n)+`"}`, moothall.CallOK)
		// A handshake, headers and the envelope are all that may be added.
		if len(got.Sent) != 1 || got.Sent[0].Host != "example.com" || got.Sent[0].Bytes <= int64(n+200) || got.Sent[0].Bytes > int64(n+n/50+3000) {
			t.Fatalf("%d bytes of text: counted %v", n, got.Sent)
		}
		if sum += got.Sent[0].Bytes; sum > received.Load() {
			t.Errorf("counted %d, the server received %d", sum, received.Load())
		}
	}
}

// What a call sent counts when it fails, and when it is given up.
func TestRemoteFailuresCount(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	c, _ := elsewhere(t, serverWith(scripted{name: "hang", about: "x", do: func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if string(r.Params.Arguments) == `{"text":"no"}` {
			return nil, errors.New("no")
		}
		close(entered)
		<-release
		return said("late"), nil
	}}))
	t.Cleanup(func() { close(release) }) // before the server ends, which waits for its calls
	tool := only(t, c)
	if got := call(t, tool, `{"text":"no"}`, moothall.CallFailed); len(got.Sent) != 1 || got.Sent[0].Bytes < 13 {
		t.Errorf("a refused call sent %v", got.Sent)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-entered
		cancel()
	}()
	got, err := tool.Run(ctx, request(tool, `{"text":"wait"}`))
	if moothall.ErrorCode(err) != moothall.CodeCanceled || len(got.Sent) != 1 || got.Sent[0].Bytes < 15 {
		t.Errorf("a call that was given up sent %v: %v", got.Sent, err)
	}
}

func TestRemoteThatIsNotListed(t *testing.T) {
	t.Parallel()
	c := open(t, nil, httpOptions(t), mcp.Server{Name: "net", URL: "https://elsewhere.example/mcp"})
	if st := c.Status()[0]; moothall.ErrorCode(st.Err) != moothall.CodeDenied {
		t.Errorf("status %+v", st)
	}
}

// A redirect would carry the headers to whoever it names.
func TestRemoteRedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	var reached atomic.Bool
	other := web(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	url := web(t, http.RedirectHandler(strings.Replace(other, "127.0.0.1", "localhost", 1), http.StatusTemporaryRedirect))
	c := open(t, nil, httpOptions(t), mcp.Server{Name: "net", URL: url})
	if c.Status()[0].Connected || reached.Load() {
		t.Errorf("status %+v, reached %v", c.Status()[0], reached.Load())
	}
}

func TestRemoteEndlessAnswer(t *testing.T) {
	t.Parallel()
	url := web(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":"`)
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, strings.Repeat("a", 1<<16)); err != nil {
				return
			}
		}
	}))
	o := httpOptions(t)
	o.MaxFrame = 1 << 20
	c := open(t, nil, o, mcp.Server{Name: "net", URL: url})
	if st := c.Status()[0]; st.Connected || st.Err == nil || !strings.Contains(st.Err.Error(), "above the limit") {
		t.Errorf("status %+v", st)
	}
}

// Close does not wait for an answer that may never come.
func TestRemoteCloseEndsCalls(t *testing.T) {
	t.Parallel()
	entered, release := make(chan struct{}), make(chan struct{})
	server := serverWith(scripted{name: "hang", about: "x", do: func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		entered <- struct{}{}
		<-release
		return said("late"), nil
	}})
	url := web(t, sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server }, nil))
	o := httpOptions(t)
	o.Timeout = time.Hour
	c := open(t, nil, o, mcp.Server{Name: "net", URL: url})
	approveAll(t, c)
	tool, done := only(t, c), make(chan moothall.CallStatus, 1)
	go func() {
		got, _ := tool.Run(context.Background(), request(tool, `{}`))
		done <- got.Status
	}()
	<-entered
	closeClient(t, c)
	close(release)
	if got := <-done; got != moothall.CallUnavailable {
		t.Errorf("the call ended %s", got)
	}
}
