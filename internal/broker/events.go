package broker

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"moothall"
	"moothall/internal/policy"
)

// drainTime is how long closing waits for a bus that does not take events.
const drainTime = 5 * time.Second

// teller publishes events in order, beside the calls that they are about: a
// slow bus slows nobody. What does not fit in its queue is dropped, counted
// and logged; the journal and the record have it all the same.
type teller struct {
	publish func(context.Context, moothall.Event) error
	log     *slog.Logger
	queue   chan told
	dropped atomic.Uint64
	work    sync.WaitGroup
	life    context.Context
	end     context.CancelFunc

	mu     sync.RWMutex // held for reading while an event is handed over
	closed bool
}

// told is an event that waits for the bus.
type told struct {
	event moothall.Event
	idle  bool // nobody waits for it: it lets go first what somebody does
}

// aside is for how long what nobody waits for waits: an agent that was made a
// moment ago is about to be used.
const aside = 3 * time.Millisecond

func newTeller(o Options) *teller {
	t := &teller{publish: o.Publish, log: o.Logger, queue: make(chan told, o.Queue)}
	t.life, t.end = context.WithCancel(context.Background())
	t.work.Go(t.loop)
	return t
}

// loop publishes in order. What is idle waits a moment, or for the first event
// that is not.
func (t *teller) loop() {
	var held []moothall.Event
	late := time.NewTimer(aside)
	late.Stop()
	defer late.Stop()
	for open := true; open; {
		select {
		case e, ok := <-t.queue:
			if open = ok; ok {
				held = append(held, e.event)
			}
			if ok && e.idle {
				if len(held) == 1 {
					late.Reset(aside)
				}
				continue
			}
		case <-late.C:
		}
		late.Stop()
		for _, e := range held {
			t.out(e)
		}
		held = held[:0]
	}
}

func (t *teller) out(e moothall.Event) {
	if err := t.publish(t.life, e); err != nil {
		t.dropped.Add(1)
		t.log.Warn("an event was not published", "subject", e.Subject, "error", err)
	}
}

func (t *teller) tell(e moothall.Event, idle bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.closed {
		return
	}
	select {
	case t.queue <- told{e, idle}:
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
	kind        moothall.AgentType
}

// respondent is whose answer the work is for: the one that is shown, but for an
// agent of the type that answers in the shadow, which has none below it.
func (w *about) respondent() moothall.RespondentID {
	switch {
	case w.query == "":
		return ""
	case w.kind == policy.RespondentB:
		return "B"
	}
	return "A"
}

// tell queues an event with a payload of ours, which always marshals.
func (b *Broker) tell(s moothall.Subject, w about, payload any) {
	e, err := moothall.NewEvent(s, payload)
	if err != nil {
		b.opt.Logger.Error("an event could not be written", "subject", s, "error", err)
		return
	}
	e.Time, e.Sender = b.opt.Now().UTC(), moothall.ToolBroker
	e.Session, e.Query, e.Lineage, e.Correlation, e.Respondent = w.session, w.query, w.lineage, w.correlation, w.respondent()
	b.events.tell(e, s == moothall.SubjectAgentSpawned || s == moothall.SubjectAgentFinished)
}
