package bus

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"

	"moothall"
)

// Bus is the way to a server, in this process or elsewhere.
type Bus struct {
	opts Options
	log  *slog.Logger
	emb  *embedded // nil when the server is elsewhere
	done chan struct{}

	published, dropped, refused, deadLetters atomic.Uint64

	mu           sync.Mutex
	closed       bool
	admin        *conn // nil without credentials for it
	participants map[moothall.Identity]*Participant
	tallies      map[string]*tally // by consumer
}

// Open starts or reaches the server. It creates the stream and the declared
// observers or brings them up to date with the options, where this process
// may. Errors name the folder, the port or the address that is at fault:
// CodeConflict (in use), CodeDenied, CodeCorrupt, CodeUnavailable,
// CodeInvalid (the options).
func Open(ctx context.Context, o Options) (*Bus, error) {
	o = o.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	b := &Bus{
		opts: o, log: o.Logger, done: make(chan struct{}),
		participants: map[moothall.Identity]*Participant{}, tallies: map[string]*tally{},
	}
	if o.Dir != "" {
		emb, err := startEmbedded(o)
		if err != nil {
			return nil, err
		}
		b.emb = emb
	}
	if err := b.prepare(ctx); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// prepare does what the user "bus" is for.
func (b *Bus) prepare(ctx context.Context) error {
	if !b.administers() {
		return nil
	}
	admin, err := b.dial(Admin)
	if err != nil {
		return err
	}
	b.admin = admin
	return b.ensure(ctx)
}

// administers reports whether this process may act as the user "bus". At a
// server without any credentials everybody may.
func (b *Bus) administers() bool {
	o := b.opts
	return b.emb != nil || o.DefaultCredentials != "" || o.Credentials[Admin] != "" || len(o.Credentials) == 0
}

// Addr is the address that the server in this process listens on, or "".
func (b *Bus) Addr() string {
	if b.emb == nil || b.opts.Listen == "" {
		return ""
	}
	return b.emb.srv.Addr().String()
}

// As returns the handle of one participant; the same one each time. The
// connection is made on the first call. CodeDenied for a name that is no
// identity of the hall, CodeUnavailable after Close.
func (b *Bus) As(id moothall.Identity) (*Participant, error) {
	if !id.Known() {
		return nil, moothall.Fail(moothall.CodeDenied, "bus participant", "no identity of the hall: "+string(id))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, moothall.Fail(moothall.CodeUnavailable, "bus participant", "the bus is closed")
	}
	if p := b.participants[id]; p != nil {
		return p, nil
	}
	c, err := b.dial(id)
	if err != nil {
		return nil, err
	}
	p := &Participant{bus: b, id: id, conn: c}
	b.participants[id] = p
	return p, nil
}

// Close ends every connection and the server in this process. A second call
// does nothing.
func (b *Bus) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil
	}
	b.closed = true
	close(b.done)
	for _, p := range b.participants {
		p.conn.close()
	}
	if b.admin != nil {
		b.admin.close()
	}
	for _, t := range b.tallies {
		t.f.Close() // nothing in it waits to be written
	}
	if b.emb == nil {
		return nil
	}
	return fault("close bus", b.emb.stop())
}
