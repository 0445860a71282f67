package egress

import (
	"context"
	"slices"
	"sync"

	"moothall"
)

// Tally counts what one call sends. The zero value is ready.
type Tally struct {
	mu      sync.Mutex
	through string
	sent    []moothall.Egress // in the order of first use
	told    []int64           // of each, what Take has handed out
}

type key struct{}

// With returns a context whose requests are counted in t.
func With(ctx context.Context, t *Tally) context.Context { return context.WithValue(ctx, key{}, t) }

// from returns the tally of a context, nil without one.
func from(ctx context.Context) *Tally {
	t, _ := ctx.Value(key{}).(*Tally)
	return t
}

// Through says that servers on this machine pass what they get on to host,
// from now on; "" that they keep it.
func (t *Tally) Through(host string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.through = host
}

// add counts n bytes for a host; here means that it is this machine.
func (t *Tally) add(host string, here bool, n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if here {
		if t.through == "" {
			return
		}
		host = t.through
	}
	i := slices.IndexFunc(t.sent, func(e moothall.Egress) bool { return e.Host == host })
	if i < 0 {
		i = len(t.sent)
		t.sent, t.told = append(t.sent, moothall.Egress{Host: host}), append(t.told, 0)
	}
	t.sent[i].Bytes += int64(n)
}

// Total returns all that was counted, nil for nothing.
func (t *Tally) Total() []moothall.Egress {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.sent)
}

// Take returns what was counted since the last Take, nil for nothing.
func (t *Tally) Take() []moothall.Egress {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []moothall.Egress
	for i, e := range t.sent {
		if n := e.Bytes - t.told[i]; n > 0 {
			out = append(out, moothall.Egress{Host: e.Host, Bytes: n})
			t.told[i] = e.Bytes
		}
	}
	return out
}
