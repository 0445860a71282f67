package fetch_test

import (
	"crypto/x509"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"testing"

	"moothall"
	"moothall/internal/search/fetch"
)

func TestCertificates(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("hello")) }))
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError) // refused handshakes are the point
	s.StartTLS()
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	at := netip.MustParseAddrPort(s.Listener.Addr().String())
	o := fetch.Options{
		AllowForTest: []netip.AddrPort{at},
		Resolver:     &names{answers: map[string][]string{"example.com": {"127.0.0.1"}, "pages.example.net": {"127.0.0.1"}}},
	}
	port := strconv.Itoa(int(at.Port()))
	_, err := fetch.New(o).Get(t.Context(), "https://example.com:"+port)
	wantCode(t, err, moothall.CodeUnavailable) // signed by nobody
	o.RootsForTest = roots
	_, err = fetch.New(o).Get(t.Context(), "https://example.com:"+port)
	wantCode(t, err, "")
	_, err = fetch.New(o).Get(t.Context(), "https://pages.example.net:"+port)
	wantCode(t, err, moothall.CodeUnavailable) // signed for another name
}
