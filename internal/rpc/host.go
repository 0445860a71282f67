package rpc

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"

	"moothall"
)

// Defaults of hosts and connections.
const (
	DefaultMaxMessage  = 16 << 20
	DefaultDeadline    = 30 * time.Second
	DefaultMaxDeadline = 10 * time.Minute
)

// hardStop is how long Close waits for handlers whose calls were cut off.
const hardStop = 5 * time.Second

// HostOptions change how a [Host] serves.
type HostOptions struct {
	// Logger gets refusals, panics and internal errors. Nil discards.
	Logger *slog.Logger
	// TLS is needed to listen with mtls.
	TLS *Material
	// Key is what tokens over h2c are derived from, of at least 16 bytes.
	// Without it every call over h2c is refused.
	Key []byte
	// UIDs says which users may claim an identity on a unix socket. An
	// identity that is not in it may be claimed by the host's own user
	// only. Once it names another user, sockets are made open to all (the
	// folder's permissions still hold) and the kernel's word decides;
	// otherwise they are the owner's alone.
	UIDs map[moothall.Identity][]int
	// Denied is told of every refused call, before the caller is, and of
	// every refused TLS handshake. The caller is empty when it claimed
	// nothing known; of a handshake only the reason is known. Who can reach
	// the address can cause any number of these.
	Denied func(ctx context.Context, caller moothall.Identity, s Service, method, reason string)
	// MaxMessage is the largest message in bytes, either way; 0 means
	// [DefaultMaxMessage].
	MaxMessage int
	// Deadline is given to a call with a single reply that comes without
	// one; 0 means [DefaultDeadline]. Streams get none.
	Deadline time.Duration
	// MaxDeadline cuts longer deadlines of such calls; 0 means
	// [DefaultMaxDeadline].
	MaxDeadline time.Duration
}

// Host serves the offers of a process to others. Make it with [NewHost].
type Host struct {
	opts   HostOptions
	log    *slog.Logger
	offers *offered
	health *health.Server
	serve  sync.WaitGroup

	mu     sync.Mutex
	closed bool
	doors  []*door
}

// NewHost returns a host that listens nowhere yet.
func NewHost(o Offers, opts *HostOptions) *Host {
	h := &Host{offers: newOffered(o), health: health.NewServer()}
	if opts != nil {
		h.opts = *opts
	}
	h.log = h.opts.Logger
	if h.log == nil {
		h.log = slog.New(slog.DiscardHandler)
	}
	h.opts.MaxMessage = orDefault(h.opts.MaxMessage, DefaultMaxMessage)
	h.opts.Deadline = orDefault(h.opts.Deadline, DefaultDeadline)
	h.opts.MaxDeadline = orDefault(h.opts.MaxDeadline, DefaultMaxDeadline)
	for _, s := range Services() {
		if o.Offered(s) {
			h.SetServing(s, true)
		}
	}
	return h
}

// SetServing says in the health service whether s works. Every offered
// service starts as working; the setting refuses no call.
func (h *Host) SetServing(s Service, ok bool) {
	state := grpc_health_v1.HealthCheckResponse_NOT_SERVING
	if ok {
		state = grpc_health_v1.HealthCheckResponse_SERVING
	}
	h.health.SetServingStatus(s.fullName(), state)
}

// Listen serves at one more address, in the background. A port of 0 takes a
// free one, see [Host.Addrs]. CodeConflict means that somebody else answers
// there, CodeNotConfigured that there are no certificates, CodeInvalid that
// this is no address to listen at.
func (h *Host) Listen(a Address) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return moothall.Fail(moothall.CodeUnavailable, "listen", "the host is closed")
	}
	d, err := h.openDoor(a)
	if err != nil {
		return err
	}
	h.doors = append(h.doors, d)
	h.serve.Go(func() {
		if err := d.server.Serve(d.listener); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
			h.log.Error("serving ended", "address", d.address.String(), "error", err)
		}
	})
	h.log.Info("listening", "address", d.address.String())
	return nil
}

// Addrs returns where the host listens, in the order of the calls of Listen.
func (h *Host) Addrs() []Address {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]Address, len(h.doors))
	for i, d := range h.doors {
		out[i] = d.address
	}
	return out
}

// Close stops listening, lets running calls end until ctx is over, cuts off
// what still runs then, and removes the sockets. An error means that a
// service did not let go of a cancelled call.
func (h *Host) Close(ctx context.Context) error {
	h.mu.Lock()
	h.closed = true
	doors := slices.Clone(h.doors)
	h.mu.Unlock()

	h.health.Shutdown()
	var stops sync.WaitGroup
	for _, d := range doors {
		stops.Go(d.server.GracefulStop)
	}
	done := make(chan struct{})
	go func() {
		stops.Wait()
		h.serve.Wait()
		close(done)
	}()
	defer func() {
		for _, d := range doors {
			d.cleanup()
		}
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	var cuts sync.WaitGroup // not the other, whose end is waited for
	for _, d := range doors {
		cuts.Go(d.server.Stop)
	}
	limit := time.NewTimer(hardStop)
	defer limit.Stop()
	select {
	case <-done:
		cuts.Wait() // nothing is left that they could wait for
		return nil
	case <-limit.C:
		return moothall.Fail(moothall.CodeTimeout, "close host", "a service did not let go of a cancelled call")
	}
}

// boundAddress is the address with the port that the system chose.
func boundAddress(a Address, lis net.Listener) Address {
	tcp, ok := lis.Addr().(*net.TCPAddr)
	if !ok {
		return a
	}
	host, _, err := net.SplitHostPort(a.Where)
	if err != nil {
		return a
	}
	return Address{Transport: a.Transport, Where: net.JoinHostPort(host, strconv.Itoa(tcp.Port))}
}

// foreignUIDs reports whether users other than the host's own are named.
func (h *Host) foreignUIDs() bool {
	for _, uids := range h.opts.UIDs {
		if slices.ContainsFunc(uids, func(u int) bool { return u != os.Geteuid() }) {
			return true
		}
	}
	return false
}

func orDefault[T int | time.Duration](v, d T) T {
	if v <= 0 {
		return d
	}
	return v
}
