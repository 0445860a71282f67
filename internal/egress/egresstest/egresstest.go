// Package egresstest is the other end of what is measured: a server's side
// that counts what reaches it, to hold the measure against. Only tests import
// it.
//
//	s := httptest.NewUnstartedServer(handler)
//	received := egresstest.Count(&s.Listener)
//	s.Start()
//	transport := egress.New(&http.Transport{}, egress.Options{Here: egresstest.Nowhere})
//	// ... requests ...
//	if tally.Total()[0].Bytes != received.Load() { … }
//
// The count may be read at any time by any goroutine.
package egresstest

import (
	"net"
	"net/netip"
	"sync/atomic"
)

// Nowhere is a machine that has no address, so that everything leaves it.
func Nowhere(netip.Addr) bool { return false }

// Count makes a listener count what its connections receive, below TLS.
func Count(l *net.Listener) *atomic.Int64 {
	n := new(atomic.Int64)
	*l = listener{*l, n}
	return n
}

type listener struct {
	net.Listener
	n *atomic.Int64
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return conn{c, l.n}, nil
}

type conn struct {
	net.Conn
	n *atomic.Int64
}

func (c conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.n.Add(int64(n))
	return n, err
}
