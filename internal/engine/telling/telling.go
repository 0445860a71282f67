// Package telling publishes events in order and beside the work that they tell
// of: a bus that makes every event durable, or does not answer, must not hold
// that up. What does not fit, or is left when the end has waited long enough,
// is dropped and counted; events are never the record.
//
// A [Teller] is safe for concurrent use.
package telling

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"moothall"
)

const (
	one   = 10 * time.Second // for one event
	still = 2 * time.Second  // at the end, until the next one has been published
	end   = 6 * time.Second  // for all that is left at the end: the whole hall has ten
)

// Teller has one goroutine, which ends with Close.
type Teller struct {
	logger *slog.Logger
	queue  chan moothall.Event
	giveUp context.CancelFunc // of the bus
	done   sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	dropped int
	late    *time.Timer // at the end: gives up a bus on which nothing moves
}

// New returns a teller with room for so many events that wait. The end of ctx
// is not its end.
func New(ctx context.Context, publish func(context.Context, moothall.Event) error, room int, logger *slog.Logger) *Teller {
	life, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	t := &Teller{logger: logger, queue: make(chan moothall.Event, room), giveUp: giveUp}
	t.done.Go(func() {
		left := 0
		for e := range t.queue {
			if life.Err() != nil {
				left++
				continue
			}
			ctx, cancel := context.WithTimeout(life, one)
			err := publish(ctx, e)
			cancel()
			if err != nil {
				logger.Warn("an event could not be published", "subject", e.Subject, "err", err)
				continue
			}
			t.moved()
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.dropped += left
	})
	return t
}

// Push puts an event into the queue, and never waits.
func (t *Teller) Push(e moothall.Event) {
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

// moved gives what is left its time again: a disk that is slow takes its time over
// each event.
func (t *Teller) moved() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.late != nil && t.late.Stop() {
		t.late.Reset(still)
	}
}

// Close publishes what is left, as long as the bus takes one event after another
// and not for long, and waits.
func (t *Teller) Close() {
	t.mu.Lock()
	first := !t.closed
	t.closed = true
	if first {
		close(t.queue)
		t.late = time.AfterFunc(still, t.giveUp)
	}
	t.mu.Unlock()
	last := time.AfterFunc(end, t.giveUp)
	t.done.Wait()
	last.Stop()
	t.giveUp() // what late would do
	if first && t.dropped > 0 {
		t.logger.Error("events were dropped", "events", t.dropped)
	}
}
