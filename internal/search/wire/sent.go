package wire

import (
	"context"
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// countKey finds the counter of an exchange in the context of its dialing: a
// handshake belongs to the exchange that needed the connection.
type countKey struct{}

// countedFor returns a context for a request whose bytes are added to sent.
func countedFor(ctx context.Context, sent *atomic.Int64) context.Context {
	ctx = context.WithValue(ctx, countKey{}, sent)
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) {
		c := i.Conn
		if secure, ok := c.(*tls.Conn); ok {
			c = secure.NetConn()
		}
		if counted, ok := c.(*conn); ok {
			counted.sent.Store(sent)
		}
	}})
}

// dial connects, and counts from the first byte on.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{Timeout: 5 * time.Second}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	out := &conn{Conn: c}
	if sent, ok := ctx.Value(countKey{}).(*atomic.Int64); ok {
		out.sent.Store(sent)
	}
	return out, nil
}

// conn counts what is written to it, below TLS.
type conn struct {
	net.Conn
	sent atomic.Pointer[atomic.Int64]
}

func (c *conn) Write(b []byte) (int, error) {
	sent := c.sent.Load()
	if sent == nil {
		return c.Conn.Write(b)
	}
	// Before the write, since the answer may be there before it returns.
	sent.Add(int64(len(b)))
	n, err := c.Conn.Write(b)
	sent.Add(int64(n - len(b)))
	return n, err
}
