package orchestrator

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"moothall"
)

const (
	maxUntold = 4096             // events that wait for a slow bus
	telling   = 10 * time.Second // for one event, and for the rest at the end
)

// teller publishes in order and beside the work: a bus that makes every event
// durable must not hold a task up. What does not fit is dropped and counted;
// the journal is the record.
type teller struct {
	logger *slog.Logger
	queue  chan moothall.Event
	done   sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	dropped int
}

func newTeller(tell func(context.Context, moothall.Event) error, logger *slog.Logger) *teller {
	t := &teller{logger: logger, queue: make(chan moothall.Event, maxUntold)}
	t.done.Go(func() {
		for e := range t.queue {
			ctx, cancel := context.WithTimeout(context.Background(), telling)
			err := tell(ctx, e)
			cancel()
			if err != nil {
				logger.Warn("an event could not be published", "subject", e.Subject, "err", err)
			}
		}
	})
	return t
}

// push puts an event into the queue.
func (t *teller) push(e moothall.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return
	}
	select {
	case t.queue <- e:
	default:
		if t.dropped++; t.dropped == 1 {
			t.logger.Error("the bus is too slow: events are dropped", "subject", e.Subject)
		}
	}
}

// close publishes what is left and waits.
func (t *teller) close() {
	t.mu.Lock()
	if !t.closed {
		t.closed = true
		close(t.queue)
	}
	t.mu.Unlock()
	t.done.Wait()
}
