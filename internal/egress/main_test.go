package egress_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"moothall/internal/egress"
	"moothall/internal/egress/egresstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server counts what reaches it.
type server struct {
	*httptest.Server
	got *atomic.Int64
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
	s.Listener = l
	s.got = egresstest.Count(&s.Listener)
	if secure {
		s.EnableHTTP2 = true // which a client must not take up
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

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
