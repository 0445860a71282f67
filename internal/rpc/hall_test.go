package rpc_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/rpc"
)

func TestMain(m *testing.M) {
	if where := os.Getenv(childAddress); where != "" {
		os.Exit(child(where, moothall.Identity(os.Getenv(childIdentity))))
	}
	goleak.VerifyTestMain(m)
}

// authority is the one that all tests share; making keys is slow.
var authority = sync.OnceValue(func() *rpc.Authority {
	a, err := rpc.NewAuthority("test hall", nil)
	if err != nil {
		panic(err)
	}
	return a
})

var testKey = []byte("a key of thirty-two bytes, or so")

func transports() []rpc.Transport {
	return []rpc.Transport{rpc.Here, rpc.Unix, rpc.H2C, rpc.MTLS}
}

// remote are the transports with a wire.
func remote() []rpc.Transport { return transports()[1:] }

func each(t *testing.T, list []rpc.Transport, test func(t *testing.T, over rpc.Transport)) {
	for _, over := range list {
		t.Run(string(over), func(t *testing.T) {
			t.Parallel()
			test(t, over)
		})
	}
}

// hall is a running host of a test, or the offers themselves.
type hall struct {
	over    rpc.Transport
	offers  rpc.Offers
	host    *rpc.Host
	address rpc.Address
}

// start hosts offers; the options may be nil.
func start(t testing.TB, over rpc.Transport, o rpc.Offers, opts *rpc.HostOptions) *hall {
	t.Helper()
	h := &hall{over: over, offers: o}
	if over == rpc.Here {
		return h
	}
	var all rpc.HostOptions
	if opts != nil {
		all = *opts
	}
	if all.Key == nil {
		all.Key = testKey
	}
	if all.TLS == nil {
		all.TLS = issue(t, nil, moothall.Hall)
	}
	h.host = rpc.NewHost(o, &all)
	if err := h.host.Listen(h.where(t)); err != nil {
		t.Fatal(err)
	}
	h.address = h.host.Addrs()[0]
	t.Cleanup(func() { h.stop(t) })
	return h
}

func (h *hall) where(t testing.TB) rpc.Address {
	if h.over == rpc.Unix {
		return rpc.Address{Transport: rpc.Unix, Where: filepath.Join(t.TempDir(), "hall.sock")}
	}
	return rpc.Address{Transport: h.over, Where: "127.0.0.1:0"}
}

func (h *hall) stop(t testing.TB) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // a busy machine takes its time over calls in flight
	defer cancel()
	if err := h.host.Close(ctx); err != nil {
		t.Error(err)
	}
}

func issue(t testing.TB, l *rpc.Lifetime, ids ...moothall.Identity) *rpc.Material {
	t.Helper()
	m, err := authority().Issue(l, ids...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// options are those with which an honest participant dials.
func options(t testing.TB, as moothall.Identity) rpc.DialOptions {
	return rpc.DialOptions{Token: rpc.Token(testKey, as), TLS: issue(t, nil, as)}
}

// peer returns an honest participant's way in.
func (h *hall) peer(t testing.TB, as moothall.Identity) rpc.Peer {
	t.Helper()
	if h.over == rpc.Here {
		return rpc.NewLocal(h.offers, as)
	}
	return h.dial(t, as, options(t, as))
}

func (h *hall) dial(t testing.TB, as moothall.Identity, o rpc.DialOptions) *rpc.Conn {
	t.Helper()
	c, err := rpc.Dial(h.address, as, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// got unwraps a service that has to be handed out.
func got[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func wantCode(t testing.TB, err error, want moothall.Code) {
	t.Helper()
	if c := moothall.ErrorCode(err); c != want {
		t.Fatalf("error code is %q, want %q (error: %v)", c, want, err)
	}
}

// audited makes an offer of a function.
func audited(f func(ctx context.Context, e moothall.AuditEntry) (uint64, error)) rpc.Offers {
	return rpc.Offers{Audit: func(moothall.Identity) moothall.Audit { return auditFunc(f) }}
}

type auditFunc func(ctx context.Context, e moothall.AuditEntry) (uint64, error)

func (f auditFunc) Append(ctx context.Context, entries ...moothall.AuditEntry) (last uint64, err error) {
	for _, e := range entries {
		if last, err = f(ctx, e); err != nil {
			return 0, err
		}
	}
	return last, nil
}

func entry() moothall.AuditEntry {
	return moothall.AuditEntry{Action: moothall.ActionToolCall, Status: moothall.StatusOK}
}
