package broker

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"moothall"
)

// drainTime is how long closing waits for a bus that does not take events.
const drainTime = 5 * time.Second

// teller publishes events in order, beside the calls that they are about: a
// slow bus slows nobody. What does not fit in its queue is dropped, counted
// and logged; the journal and the record have it all the same.
type teller struct {
	publish func(context.Context, moothall.Event) error
	log     *slog.Logger
	queue   chan moothall.Event
	dropped atomic.Uint64
	work    sync.WaitGroup
	life    context.Context
	end     context.CancelFunc

	mu     sync.RWMutex // held for reading while an event is handed over
	closed bool
}

func newTeller(o Options) *teller {
	t := &teller{publish: o.Publish, log: o.Logger, queue: make(chan moothall.Event, o.Queue)}
	t.life, t.end = context.WithCancel(context.Background())
	t.work.Go(t.loop)
	return t
}

func (t *teller) loop() {
	for e := range t.queue {
		if err := t.publish(t.life, e); err != nil {
			t.dropped.Add(1)
			t.log.Warn("an event was not published", "subject", e.Subject, "error", err)
		}
	}
}

func (t *teller) tell(e moothall.Event) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.closed {
		return
	}
	select {
	case t.queue <- e:
	default:
		t.dropped.Add(1)
		t.log.Warn("the bus is too slow, an event was dropped", "subject", e.Subject)
	}
}

// close publishes what waits, within [drainTime].
func (t *teller) close() {
	t.mu.Lock()
	shut := !t.closed
	t.closed = true
	t.mu.Unlock()
	if shut {
		close(t.queue)
	}
	late := time.AfterFunc(drainTime, t.end)
	t.work.Wait()
	late.Stop()
	t.end()
}

// about is what an event says on whose behalf it happened.
type about struct {
	session     moothall.SessionID
	query       moothall.QueryID
	lineage     moothall.Lineage
	correlation string
}

// tell queues an event with a payload of ours, which always marshals.
func (b *Broker) tell(s moothall.Subject, w about, payload any) {
	e, err := moothall.NewEvent(s, payload)
	if err != nil {
		b.opt.Logger.Error("an event could not be written", "subject", s, "error", err)
		return
	}
	e.Time, e.Sender = b.opt.Now().UTC(), moothall.ToolBroker
	e.Session, e.Query, e.Lineage, e.Correlation = w.session, w.query, w.lineage, w.correlation
	b.events.tell(e)
}
