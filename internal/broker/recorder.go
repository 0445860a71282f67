package broker

import (
	"context"
	"log/slog"
	"sync"

	"moothall"
)

// recorders is how many entries may share a flush of the record.
const recorders = 8

// recorder appends entries that guard no effect, beside the calls that they
// are about. It drops none: a slow record slows who comes next.
type recorder struct {
	audit moothall.Audit
	log   *slog.Logger
	queue chan moothall.AuditEntry
	work  sync.WaitGroup

	mu     sync.RWMutex // held for reading while an entry is handed over
	closed bool
}

func newRecorder(o Options) *recorder {
	r := &recorder{audit: o.Audit, log: o.Logger, queue: make(chan moothall.AuditEntry, 512)}
	for range recorders {
		r.work.Go(r.loop)
	}
	return r
}

func (r *recorder) loop() {
	for e := range r.queue {
		ctx, cancel := context.WithTimeout(context.Background(), drainTime)
		if _, err := r.audit.Append(ctx, e); err != nil {
			r.log.Error("an outcome is not on record", "tool", e.Tool, "call", e.Call, "error", err)
		}
		cancel()
	}
}

func (r *recorder) push(e moothall.AuditEntry) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	if !r.closed {
		r.queue <- e
	}
}

// close appends what waits.
func (r *recorder) close() {
	r.mu.Lock()
	shut := !r.closed
	r.closed = true
	r.mu.Unlock()
	if shut {
		close(r.queue)
	}
	r.work.Wait()
}
