package fetch_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/search/fetch"
)

// site is a test server that clients made by it may reach.
type site struct {
	*httptest.Server
	at    netip.AddrPort
	names *names
}

func newSite(t *testing.T, handler http.HandlerFunc) *site {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return &site{s, netip.MustParseAddrPort(s.Listener.Addr().String()), &names{answers: map[string][]string{}}}
}

func (s *site) client(o fetch.Options) *fetch.Client {
	o.AllowForTest = []netip.AddrPort{s.at}
	o.Resolver = s.names
	return fetch.New(o)
}

// names is a resolver that gives each name its answers in turn; the last one
// stays.
type names struct {
	mu      sync.Mutex
	answers map[string][]string
	asked   int
}

func (n *names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked++
	list := n.answers[host]
	if len(list) == 0 {
		return nil, errors.New("no such host")
	}
	if len(list) > 1 {
		n.answers[host] = list[1:]
	}
	return []netip.Addr{netip.MustParseAddr(list[0])}, nil
}

func wantCode(t *testing.T, err error, want moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != want {
		t.Errorf("error code is %q, want %q (error: %v)", got, want, err)
	}
}
