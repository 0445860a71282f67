package egress_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"moothall/internal/gateway/egress"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server counts what reaches it.
type server struct {
	*httptest.Server
	got atomic.Int64
}

type countingListener struct {
	net.Listener
	got *atomic.Int64
}

type countingConn struct {
	net.Conn
	got *atomic.Int64
}

func (l countingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return countingConn{c, l.got}, nil
}

func (c countingConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.got.Add(int64(n))
	return n, err
}

// serve starts a server at an address.
func serve(t *testing.T, network, address string, secure bool, h http.HandlerFunc) *server {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	s := &server{Server: httptest.NewUnstartedServer(h)}
	s.Listener.Close()
	s.Listener = countingListener{l, &s.got}
	if secure {
		s.EnableHTTP2 = true // which a client must not take up
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

// nowhere is a machine that has no address, so that everything leaves it.
func nowhere(netip.Addr) bool { return false }

func client(t *testing.T, s *server, o egress.Options) *http.Client {
	t.Helper()
	base := &http.Transport{}
	if cert := s.Certificate(); cert != nil {
		roots := x509.NewCertPool()
		roots.AddCert(cert)
		base.TLSClientConfig = &tls.Config{RootCAs: roots, NextProtos: []string{"h2"}}
		base.ForceAttemptHTTP2 = true
	}
	transport := egress.New(base, o)
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}
