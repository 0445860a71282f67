package attack_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"moothall"
	"moothall/internal/search"
	"moothall/internal/search/fetch"
)

// The hosts of this web. They are one server; what is asked of the second
// one has left the machine for somebody who must not have it.
const (
	goodHost = "news.example"
	evilHost = "evil.example"
)

// outside is everything beyond the machine: pages, a search engine and a
// resolver. It notes all that reaches it.
type outside struct {
	port  string
	at    netip.AddrPort
	mu    sync.Mutex
	pages map[string]string // by path, at the good host
	hits  []search.Hit      // all that the engine knows
	seen  []string          // requests with host, path, query and headers
	asked []string          // queries of the engine
	names []string          // looked up

	inner *httptest.Server // a service of the machine itself
	knock atomic.Int32     // requests that it got
}

func newOutside(t *testing.T) *outside {
	t.Helper()
	o := &outside{pages: map[string]string{}}
	server := httptest.NewServer(o)
	t.Cleanup(server.Close)
	o.at = server.Listener.Addr().(*net.TCPAddr).AddrPort()
	o.port = strconv.Itoa(int(o.at.Port()))
	o.inner = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		o.knock.Add(1)
		w.Header().Set("Content-Type", "text/plain")
		w.Write([]byte("metadata " + sshKey))
	}))
	t.Cleanup(o.inner.Close)
	return o
}

// innerPort is where the machine's own service listens.
func (o *outside) innerPort() uint16 { return o.inner.Listener.Addr().(*net.TCPAddr).AddrPort().Port() }

// url is an address at a host of this web.
func (o *outside) url(host, path string) string { return "http://" + host + ":" + o.port + path }

// ServeHTTP notes a request and gives the page, if it is one of the good
// host's.
func (o *outside) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var line strings.Builder
	line.WriteString(r.Host + r.URL.RequestURI())
	for name, values := range r.Header {
		line.WriteString("\n" + name + ": " + strings.Join(values, ","))
	}
	o.mu.Lock()
	o.seen = append(o.seen, line.String())
	page, ok := o.pages[r.URL.Path]
	o.mu.Unlock()
	switch {
	case strings.HasPrefix(r.URL.Path, "/to/"): // sends the reader on
		http.Redirect(w, r, r.URL.Query().Get("next"), http.StatusFound)
	case ok && strings.HasPrefix(r.Host, goodHost):
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Write([]byte(page))
	default:
		http.NotFound(w, r)
	}
}

// LookupNetIP sends every name to this server.
func (o *outside) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.names = append(o.names, host)
	return []netip.Addr{o.at.Addr()}, nil
}

// Name is the engine's.
func (o *outside) Name() string { return "engine" }

// Search finds the hits whose title has the first word of the query that
// names a trial.
func (o *outside) Search(_ context.Context, q search.Query) ([]search.Hit, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.asked = append(o.asked, strings.Join([]string{q.Text, q.Language, q.Since.Format("2006-01-02")}, " | "))
	token := tokens.FindString(q.Text)
	var out []search.Hit
	for _, h := range o.hits {
		if token != "" && strings.Contains(h.Title, token) {
			out = append(out, h)
		}
	}
	return out, nil
}

// publish adds a page.
func (o *outside) publish(path, text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pages[path] = text
}

// list adds a hit.
func (o *outside) list(h search.Hit) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.hits = append(o.hits, h)
}

// service is the real search service over this web.
func (o *outside) service() func(moothall.Identity) moothall.Search {
	return search.New(search.Options{
		Providers: []search.Provider{o}, Rates: map[string]search.Rate{o.Name(): {Every: 1, Burst: 1 << 20}},
		Fetcher: fetch.New(fetch.Options{Resolver: o, Ports: []uint16{o.at.Port(), o.innerPort()}, AllowForTest: []netip.AddrPort{o.at}}),
	}).For
}

// received returns everything that reached the outside and fits.
func (o *outside) received(fits func(string) bool) []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var out []string
	for _, list := range [][]string{o.seen, o.asked, o.names} {
		for _, s := range list {
			if fits(s) {
				out = append(out, s)
			}
		}
	}
	return out
}
