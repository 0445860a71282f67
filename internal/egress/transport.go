package egress

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"sync/atomic"
	"time"
)

// Options for [New].
type Options struct {
	// Here reports whether an address is this machine's; nil asks the
	// machine.
	Here func(netip.Addr) bool
}

// Transport makes requests and counts what they send.
type Transport struct {
	base *http.Transport
	here func(net.Conn) bool
}

var _ http.RoundTripper = (*Transport)(nil)

// New returns a transport with the settings of base, which is not used
// itself, over HTTP/1.1. What base dials with DialTLSContext is not counted.
func New(base *http.Transport, o Options) *Transport {
	t := &Transport{base: base.Clone(), here: onThisMachine}
	if o.Here != nil {
		t.here = func(c net.Conn) bool { return o.Here(remote(c)) }
	}
	dial := t.base.DialContext
	if dial == nil {
		dial = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	}
	t.base.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return t.count(ctx, c, address), nil
	}
	oneAtATime(t.base)
	return t
}

// oneAtATime switches HTTP/2 off.
func oneAtATime(t *http.Transport) {
	only := new(http.Protocols)
	only.SetHTTP1(true)
	t.Protocols, t.ForceAttemptHTTP2 = only, false
	t.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	if t.TLSClientConfig != nil {
		t.TLSClientConfig.NextProtos = []string{"http/1.1"}
	}
}

// Wrap makes a transport count. One that counts already stays as it is, nil
// means the default one's settings, and of one that is not HTTP's own, which
// has no connections to look at, nothing is counted. It reports whether the
// connections are now the new transport's to close.
func Wrap(rt http.RoundTripper) (http.RoundTripper, bool) {
	if rt == nil {
		rt = http.DefaultTransport
	}
	base, ok := rt.(*http.Transport)
	if !ok {
		return rt, false
	}
	return New(base, Options{}), true
}

// RoundTrip makes one request. What it sends is counted in its context's
// tally.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	tally := from(r.Context())
	trace := &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { own(i.Conn, tally) }}
	return t.base.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
}

// CloseIdleConnections ends connections that no request uses.
func (t *Transport) CloseIdleConnections() { t.base.CloseIdleConnections() }

// count wraps a new connection. Its handshake belongs to the call that had it
// made, even where another call then uses it first.
func (t *Transport) count(ctx context.Context, c net.Conn, address string) net.Conn {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	out := &conn{Conn: c, host: host, here: t.here(c)}
	out.tally.Store(from(ctx))
	return out
}

// own gives a connection to a call.
func own(c net.Conn, t *Tally) {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	if counted, ok := c.(*conn); ok {
		counted.tally.Store(t)
	}
}

// conn counts what is written to it. Embedding the interface hides the
// methods by which bytes could pass Write.
type conn struct {
	net.Conn
	host  string
	here  bool
	tally atomic.Pointer[Tally]
}

func (c *conn) Write(b []byte) (int, error) {
	t := c.tally.Load()
	if t == nil {
		return c.Conn.Write(b)
	}
	// Before the write, since the answer may be there before it returns.
	t.add(c.host, c.here, len(b))
	n, err := c.Conn.Write(b)
	if n < len(b) {
		t.add(c.host, c.here, n-len(b))
	}
	return n, err
}
