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
	telling   = 10 * time.Second // for one event
	drainTime = 2 * time.Second  // for all that is left at the end: the whole hall has ten
)

// teller publishes in order and beside the work: a bus that makes every event
// durable must not hold a task up. What does not fit, or is left when the end
// has waited long enough, is dropped and counted; the journal is the record.
type teller struct {
	logger *slog.Logger
	queue  chan moothall.Event
	end    context.CancelFunc // gives the bus up
	done   sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	dropped int
}

func newTeller(tell func(context.Context, moothall.Event) error, logger *slog.Logger) *teller {
	life, end := context.WithCancel(context.Background())
	t := &teller{logger: logger, queue: make(chan moothall.Event, maxUntold), end: end}
	t.done.Go(func() {
		left := 0
		for e := range t.queue {
			if life.Err() != nil {
				left++
				continue
			}
			ctx, cancel := context.WithTimeout(life, telling)
			err := tell(ctx, e)
			cancel()
			if err != nil {
				logger.Warn("an event could not be published", "subject", e.Subject, "err", err)
			}
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.dropped += left
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

// close publishes what is left, within [drainTime], and waits.
func (t *teller) close() {
	t.mu.Lock()
	first := !t.closed
	t.closed = true
	t.mu.Unlock()
	if first {
		close(t.queue)
	}
	late := time.AfterFunc(drainTime, t.end)
	t.done.Wait()
	late.Stop()
	t.end()
	if first && t.dropped > 0 {
		t.logger.Error("events were dropped", "events", t.dropped)
	}
}
