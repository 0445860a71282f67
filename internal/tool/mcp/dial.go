package mcp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"moothall"
	"moothall/internal/egress"
	"moothall/internal/tool/pin"
)

// dial connects and shakes hands. The function that it returns frees what the
// session's own Close may leave.
func (l *link) dial(ctx context.Context, s Server) (*sdk.ClientSession, func(), error) {
	transport, end, err := l.transport(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "moothall", Version: "1"}, &sdk.ClientOptions{
		// No roots, no sampling, no elicitation: a server asks for nothing.
		Capabilities:           &sdk.ClientCapabilities{},
		MultiRoundTrip:         &sdk.MultiRoundTripOptions{Disabled: true},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { l.recheck() },
		// What the library would log are words of the server.
		Logger: slog.New(slog.DiscardHandler),
	})
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		if said := end(); said != "" {
			err = fmt.Errorf("%w; its program said: %s", err, said)
		}
		return nil, nil, err
	}
	return session, func() { end() }, nil
}

// LastWords is what a stream of Options.Start may be besides: once it is
// closed it gives what the program wrote to standard error.
type LastWords interface{ LastWords() string }

// transport returns with the way to a server what ends it, and tells the last
// words of a program.
func (l *link) transport(ctx context.Context, s Server) (sdk.Transport, func() string, error) {
	if s.Remote() {
		return l.remote(s)
	}
	if l.c.o.Start == nil {
		return nil, nil, moothall.Fail(moothall.CodeNotConfigured, "mcp start", "programs of MCP servers cannot be started here")
	}
	stream, err := l.c.o.Start(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	once := &pipe{ReadWriteCloser: stream}
	return &sdk.IOTransport{Reader: once, Writer: once, MaxLineLength: l.c.o.MaxFrame}, once.end, nil
}

// patience is how long a program may leave what it is sent unread.
const patience = 10 * time.Second

// pipe lets several owners close a stream, and closes it itself when the
// other end does not read: a write under way cannot be given up otherwise.
type pipe struct {
	io.ReadWriteCloser
	once sync.Once
	err  error
}

func (p *pipe) Write(b []byte) (int, error) {
	t := time.AfterFunc(patience, func() { p.Close() })
	defer t.Stop()
	return p.ReadWriteCloser.Write(b)
}

func (p *pipe) Close() error {
	p.once.Do(func() { p.err = p.ReadWriteCloser.Close() })
	return p.err
}

func (p *pipe) end() string {
	p.Close()
	if w, ok := p.ReadWriteCloser.(LastWords); ok {
		return strings.TrimSpace(w.LastWords())
	}
	return ""
}

func (l *link) remote(s Server) (sdk.Transport, func() string, error) {
	host := s.Host()
	switch {
	case l.c.o.HTTP == nil:
		return nil, nil, moothall.Fail(moothall.CodeNotConfigured, "mcp address", "addresses of MCP servers cannot be called here")
	case !local(host) && !slices.Contains(l.c.o.Hosts, host):
		return nil, nil, &moothall.Error{
			Code: moothall.CodeDenied, Op: "mcp address", Message: fmt.Sprintf("%s is not among the hosts that may be called", host),
			Remedy: "add the host to those that MCP servers may be called at",
		}
	}
	next := l.c.o.HTTP.Transport
	if next == nil {
		next = &http.Transport{} // the default one would ask the environment for a proxy
	}
	next, _ = egress.Wrap(next)
	client := &http.Client{
		Transport: &gate{next: next, headers: s.Headers, maxBody: int64(l.c.o.MaxFrame)},
		// A redirect could carry the headers elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &sdk.StreamableClientTransport{Endpoint: s.URL, HTTPClient: client, MaxRetries: 2, MaxEventSize: l.c.o.MaxFrame},
		func() string { client.CloseIdleConnections(); return "" }, nil
}

// farewell bounds the request that ends a session.
const farewell = 3 * time.Second

// gate adds the person's headers to requests and bounds the answers.
type gate struct {
	next    http.RoundTripper
	headers map[string]string
	maxBody int64
}

// RoundTrip implements [http.RoundTripper].
func (g *gate) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := r.Context(), context.CancelFunc(func() {})
	if r.Method == http.MethodDelete {
		ctx, cancel = context.WithTimeout(ctx, farewell)
	}
	r = r.Clone(ctx)
	for name, value := range g.headers {
		r.Header.Set(name, value)
	}
	resp, err := g.next.RoundTrip(r)
	if err != nil {
		cancel()
		return nil, err
	}
	limit := g.maxBody
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		limit = -1 // endless by nature; each event has its own limit
	}
	resp.Body = &body{ReadCloser: resp.Body, left: limit, done: cancel}
	return resp, nil
}

// CloseIdleConnections passes the wish on.
func (g *gate) CloseIdleConnections() {
	if c, ok := g.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// body ends with an error where the limit is; there is none below 0.
type body struct {
	io.ReadCloser
	left int64
	done context.CancelFunc
}

func (b *body) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, moothall.Fail(moothall.CodeTooLarge, "mcp answer", "the answer is above the limit")
	}
	if b.left > 0 && int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left > 0 {
		b.left -= int64(n)
	}
	return n, err
}

func (b *body) Close() error {
	defer b.done()
	return b.ReadCloser.Close()
}

// maxComplaint bounds an error text that came from a server.
const maxComplaint = 2 << 10

// say makes a text of a server's fit to be shown.
func (l *link) say(h hider, text string) string {
	text, _ = pin.Clean(h.hide(text), maxComplaint)
	return text
}
