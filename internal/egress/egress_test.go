package egress_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/egress"
	"moothall/internal/egress/egresstest"
)

func echo(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	fmt.Fprintf(w, "%s %d", r.Proto, r.ContentLength)
}

// post sends n bytes and returns what was counted for it.
func post(t *testing.T, c *http.Client, url string, n int) []moothall.Egress {
	t.Helper()
	tally := new(egress.Tally)
	req, err := http.NewRequestWithContext(egress.With(t.Context(), tally), http.MethodPost, url, strings.NewReader(strings.Repeat("x", n)))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if want := fmt.Sprintf("HTTP/1.1 %d", n); err != nil || string(said) != want {
		t.Fatalf("the server says %q, want %q (%v)", said, want, err)
	}
	return tally.Total()
}

// TestWhatTheServerReceives compares the counts with those of the other end,
// over a connection that is used again.
func TestWhatTheServerReceives(t *testing.T) {
	t.Parallel()
	for name, secure := range map[string]bool{"plain": false, "TLS": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, "tcp", "127.0.0.1:0", secure, echo)
			c := client(t, s, egress.Options{Here: egresstest.Nowhere})
			var sum int64
			var each []int64
			for _, n := range []int{10, 5000, 200_000, 10} {
				sent := post(t, c, s.URL, n)
				if len(sent) != 1 || sent[0].Host != "127.0.0.1" || sent[0].Bytes < int64(n) {
					t.Fatalf("%d bytes were posted, counted is %v", n, sent)
				}
				each = append(each, sent[0].Bytes)
				sum += sent[0].Bytes
				if got := s.got.Load(); got != sum {
					t.Errorf("after %d bytes: counted %d, the server received %d", n, sum, got)
				}
			}
			if handshake := each[0] - each[3]; secure != (handshake > 200) {
				t.Errorf("the first call took %d bytes more than the same one later", handshake)
			}
		})
	}
}

// TestCallsAtOnce gives every call its own bytes.
func TestCallsAtOnce(t *testing.T) {
	t.Parallel()
	s := serve(t, "tcp", "127.0.0.1:0", true, echo)
	c := client(t, s, egress.Options{Here: egresstest.Nowhere})
	var wg sync.WaitGroup
	sums := make([]int64, 24)
	for i := range sums {
		wg.Go(func() {
			for range 3 {
				n := 1000 * (i + 1)
				sent := post(t, c, s.URL, n)
				// A handshake and headers are all that may be added.
				if got := sent[0].Bytes; got < int64(n) || got > int64(n+n/10+3000) {
					t.Errorf("%d bytes were posted, counted is %d", n, got)
				}
				sums[i] += sent[0].Bytes
			}
		})
	}
	wg.Wait()
	var sum int64
	for _, n := range sums {
		sum += n
	}
	// A connection that was made and then not needed has a handshake of its
	// own: its call may have been over by then, and the server may not have
	// read it yet.
	if got := s.got.Load(); sum > got*105/100 || sum < got*95/100 {
		t.Errorf("counted %d, the server received %d", sum, got)
	}
}

// TestThisMachine reaches servers on this machine in every way there is.
func TestThisMachine(t *testing.T) {
	t.Parallel()
	addresses := []string{"127.0.0.1:0"}
	list, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLinkLocalUnicast() {
			addresses = append(addresses, net.JoinHostPort(n.IP.String(), "0"))
		}
	}
	for _, a := range addresses {
		s := serve(t, "tcp", a, false, echo)
		if sent := post(t, client(t, s, egress.Options{}), s.URL, 100); sent != nil {
			t.Errorf("%s: counted %v", a, sent)
		}
		// The same server, were it another machine.
		if sent := post(t, client(t, s, egress.Options{Here: egresstest.Nowhere}), s.URL, 100); len(sent) != 1 || 2*sent[0].Bytes != s.got.Load() {
			t.Errorf("%s: counted %v, the server received %d in two calls", a, sent, s.got.Load())
		}
	}
	path := filepath.Join(t.TempDir(), "s")
	s := serve(t, "unix", path, false, echo)
	base := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}
	transport := egress.New(base, egress.Options{})
	t.Cleanup(transport.CloseIdleConnections)
	if sent := post(t, &http.Client{Transport: transport}, "http://model.example/", 100); sent != nil || s.got.Load() == 0 {
		t.Errorf("unix socket: counted %v", sent)
	}
}

// TestPassedOn counts what a server here is known to send elsewhere.
func TestPassedOn(t *testing.T) {
	t.Parallel()
	s := serve(t, "tcp", "127.0.0.1:0", false, echo)
	c := client(t, s, egress.Options{})
	tally := new(egress.Tally)
	tally.Through("cloud.example")
	req, err := http.NewRequestWithContext(egress.With(t.Context(), tally), http.MethodGet, s.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := c.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if sent := tally.Total(); len(sent) != 1 || sent[0] != (moothall.Egress{Host: "cloud.example", Bytes: s.got.Load()}) {
		t.Errorf("counted %v", sent)
	}
}

// TestFailures count as well.
func TestFailures(t *testing.T) {
	t.Parallel()
	s := serve(t, "tcp", "127.0.0.1:0", false, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		panic(http.ErrAbortHandler)
	})
	c := client(t, s, egress.Options{Here: egresstest.Nowhere})
	tally := new(egress.Tally)
	req, err := http.NewRequestWithContext(egress.With(t.Context(), tally), http.MethodPost, s.URL, strings.NewReader("words"))
	if err != nil {
		t.Fatal(err)
	}
	if resp, err := c.Do(req); err == nil {
		resp.Body.Close()
		t.Fatal("the server answered")
	}
	first := tally.Take()
	if len(first) != 1 || first[0].Bytes != s.got.Load() {
		t.Errorf("counted %v, the server received %d", first, s.got.Load())
	}
	if again := tally.Take(); again != nil {
		t.Errorf("taken twice: %v", again)
	}
}

// TestWrap leaves alone what it cannot count, and what counts already.
func TestWrap(t *testing.T) {
	t.Parallel()
	counting := egress.New(&http.Transport{}, egress.Options{})
	if got, ours := egress.Wrap(counting); got != http.RoundTripper(counting) || ours {
		t.Error("a transport that counts was wrapped")
	}
	if got, ours := egress.Wrap(nil); got == nil || !ours {
		t.Error("the default transport was not wrapped")
	}
}
