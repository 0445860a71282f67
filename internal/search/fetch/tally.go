package fetch

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"moothall"
)

// tally counts bytes sent by host.
type tally struct {
	mu    sync.Mutex
	hosts map[string]*atomic.Int64
}

func (t *tally) host(name string) *atomic.Int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.hosts == nil {
		t.hosts = map[string]*atomic.Int64{}
	}
	if t.hosts[name] == nil {
		t.hosts[name] = new(atomic.Int64)
	}
	return t.hosts[name]
}

// egress lists the counts, by host name.
func (t *tally) egress() []moothall.Egress {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []moothall.Egress
	for name, n := range t.hosts {
		out = append(out, moothall.Egress{Host: name, Bytes: n.Load()})
	}
	slices.SortFunc(out, func(a, b moothall.Egress) int { return cmp.Compare(a.Host, b.Host) })
	return out
}
