package bus

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/nats-io/nats-server/v2/server"

	"moothall"
)

// reserve is how much of the disk must be free for an event to be taken in.
//
// A disk that is full would stop the record for good: after one write that
// failed JetStream answers nobody and writes nothing until it is started
// again. So little room is refused before it becomes none, and where
// something else took the last of it, JetStream is started again as soon as
// there is room.
const reserve = 4 << 20

// room reports why the record cannot be written now, if so. A server
// elsewhere looks after its own disk.
func (b *Bus) room() error {
	if b.emb == nil {
		return nil
	}
	if free, known := freeSpace(b.opts.Dir); known && free < reserve {
		return &moothall.Error{
			Code: moothall.CodeExhausted, Op: "publish",
			Message: fmt.Sprintf("only %d KiB are free for the bus in %s", free>>10, b.opts.Dir),
			Remedy:  "free space on that disk; the bus then goes on by itself",
		}
	}
	return b.emb.revive()
}

// writeFailure is what the server says, once, when it stops writing.
const writeFailure = "critical write error"

// health is what the server's own words tell of its record.
type health struct {
	failed atomic.Bool
	mu     sync.Mutex // one revival at a time
}

// hear looks for the one thing that cannot be asked for.
func (h *health) hear(said string) {
	if strings.Contains(said, writeFailure) {
		h.failed.Store(true)
	}
}

// revive starts JetStream again after a write failed. Connections stay.
func (e *embedded) revive() error {
	h := &e.log.health
	if !h.failed.Load() {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.failed.Load() {
		return nil // somebody else did it meanwhile
	}
	if err := e.srv.ShutdownJetStream(); err != nil {
		return fault("restart bus", err)
	}
	h.failed.Store(false)
	if err := e.srv.EnableJetStream(&server.JetStreamConfig{
		StoreDir: e.opts.StoreDir, SyncAlways: e.opts.SyncAlways, SyncInterval: e.opts.SyncInterval,
		MaxMemory: e.opts.JetStreamMaxMemory, MaxStore: e.opts.JetStreamMaxStore, Strict: true,
	}); err != nil {
		h.failed.Store(true)
		return fault("restart bus", err)
	}
	return nil
}
