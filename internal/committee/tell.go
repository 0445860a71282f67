package committee

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"moothall"
)

// drainTime is how long an answer waits for a bus that is slow to take what
// was said on the way to it.
const drainTime = 2 * time.Second

// teller publishes the events of one meeting, in order and beside it: a bus
// that does not answer must not hold a voice up. What is left when the answer
// has waited long enough is dropped and counted; the outcome has it all.
type teller struct {
	queue chan moothall.Event
	end   context.CancelFunc // gives the bus up
	work  sync.WaitGroup
}

// newTeller has room for so many events: push never waits.
func newTeller(ctx context.Context, publish func(context.Context, moothall.Event) error, events int, log *slog.Logger) *teller {
	life, end := context.WithCancel(context.WithoutCancel(ctx))
	t := &teller{queue: make(chan moothall.Event, events), end: end}
	t.work.Go(func() {
		dropped := 0
		for e := range t.queue {
			if life.Err() != nil {
				dropped++
				continue
			}
			one, cancel := context.WithTimeout(life, finishing)
			err := publish(one, e)
			cancel()
			if err != nil {
				log.Warn("an event could not be published", "subject", e.Subject, "err", err)
			}
		}
		if dropped > 0 {
			log.Error("the bus is too slow: events were dropped", "events", dropped)
		}
	})
	return t
}

func (t *teller) push(e moothall.Event) { t.queue <- e }

// close publishes what is left, within [drainTime], and waits.
func (t *teller) close() {
	close(t.queue)
	late := time.AfterFunc(drainTime, t.end)
	t.work.Wait()
	late.Stop()
	t.end()
}
