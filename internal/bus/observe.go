package bus

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"moothall"
)

// Observer handles the events of a declared [Durable].
type Observer struct {
	// Name is that of the declaration.
	Name string
	// Handle does the work of one event. An error has it called again
	// later; CodeInvalid says that no repetition will help, CodeExhausted that
	// the disk is full or the like, which costs the event no try. It may run
	// as often at once as the declaration's Concurrency says.
	Handle func(ctx context.Context, e moothall.Event) error
	// Ledger remembers what is done. Nil: at least once, as delivered.
	Ledger Ledger
	// MaxTries is how often an event is given to Handle: 5 when 0.
	MaxTries int
	// Backoff are the pauses before the second try, the third and so on;
	// the last repeats. 1 s, 5 s, 30 s, 2 min when nil.
	Backoff []time.Duration
}

// Ledger remembers which events an observer has done. Done is asked before
// the event is handled, Mark told after. Both may be called for one event
// again; marking twice is no error. While either fails the event waits.
type Ledger interface {
	Done(ctx context.Context, observer string, id moothall.EventID) (bool, error)
	Mark(ctx context.Context, observer string, id moothall.EventID) error
}

// observation is a running observer.
type observation struct {
	p       *Participant
	durable Durable
	Observer
	ch    chan *nats.Msg
	tally *tally // nil at a remote server
}

// Observe hands events to the observer until ctx ends, then waits for the
// handlers that run and returns nil. What it could not finish is given out
// again, here or in the next process. That costs no try, except where the server
// lives on and counts by itself.
// CodeNotConfigured when the bus was opened without this observer,
// CodeUnavailable when the bus is closed.
func (p *Participant) Observe(ctx context.Context, o Observer) error {
	i := slices.IndexFunc(p.bus.opts.Observers, func(d Durable) bool { return d.Identity == p.id && d.Name == o.Name })
	if i < 0 {
		return &moothall.Error{
			Code: moothall.CodeNotConfigured, Op: "observe",
			Message: fmt.Sprintf("%s has no observer %q", p.id, o.Name),
			Remedy:  "declare it in the options of the bus",
		}
	}
	if o.Handle == nil || o.MaxTries < 0 {
		return moothall.Fail(moothall.CodeInvalid, "observe", "no handler, or a negative number of tries")
	}
	o.MaxTries = orDefault(o.MaxTries, 5)
	if o.Backoff == nil {
		o.Backoff = []time.Duration{time.Second, 5 * time.Second, 30 * time.Second, 2 * time.Minute}
	}
	d := p.bus.opts.Observers[i]
	t, err := p.bus.tallyOf(d.consumer())
	if err != nil {
		return err
	}
	return (&observation{p: p, durable: d, Observer: o, tally: t, ch: make(chan *nats.Msg, d.Concurrency+8)}).run(ctx)
}

func (o *observation) run(ctx context.Context) error {
	// One group name, so that of two processes only one gets an event.
	sub, err := o.p.conn.nc.ChanQueueSubscribe(o.durable.deliver(), o.durable.consumer(), o.ch)
	if err != nil {
		return fault("observe", err)
	}
	var workers sync.WaitGroup
	for range o.durable.Concurrency {
		workers.Go(func() { o.work(ctx) })
	}
	workers.Wait()
	// Return when the server knows that nobody listens: an event that it
	// still sends here comes again only after AckWait.
	if err := sub.Unsubscribe(); err == nil {
		o.p.conn.nc.FlushTimeout(flushPatience)
	}
	// Given to us but not begun: others may have it at once.
	for len(o.ch) > 0 {
		o.answer(<-o.ch, (*nats.Msg).Nak)
	}
	if ctx.Err() == nil {
		return fault("observe", nats.ErrConnectionClosed)
	}
	return nil
}

func (o *observation) work(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case m := <-o.ch:
			o.one(ctx, m)
		case <-o.p.bus.done:
			return
		case <-ctx.Done():
			return
		}
	}
}

// verdict is what the server is told about a message in the end.
type verdict func(*nats.Msg, ...nats.AckOpt) error

// one takes a message to its end: done, to be repeated, or given up.
func (o *observation) one(ctx context.Context, m *nats.Msg) {
	meta, err := m.Metadata()
	if err != nil {
		o.p.bus.refused.Add(1)
		o.p.bus.log.Warn("bus message refused", "observer", o.durable.consumer(), "err", err)
		return
	}
	stop := o.heartbeat(m)
	v := o.judge(ctx, m, meta)
	stop()
	o.answer(m, v)
}

func (o *observation) judge(ctx context.Context, m *nats.Msg, meta *nats.MsgMetadata) verdict {
	tries := o.begin(meta)
	e, err := Decode(m.Subject, m.Data)
	e.Seq = meta.Sequence.Stream
	switch {
	case err != nil:
		o.p.bus.refused.Add(1)
	case tries > o.MaxTries:
		tries--
		err = moothall.Fail(moothall.CodeInvalid, "observe", "it was given out too often: the process ended while handling it, or no dead letter could be written")
	default:
		err = o.once(ctx, e)
	}
	switch {
	case err == nil:
		o.note(meta, (*tally).end)
		return (*nats.Msg).Ack
	case ctx.Err() != nil:
		o.note(meta, (*tally).leave)
		return (*nats.Msg).Nak
	case tries >= o.MaxTries || moothall.ErrorCode(err) == moothall.CodeInvalid:
		return o.giveUp(ctx, m, meta, tries, err)
	}
	return o.again(m, meta, tries, err)
}

// begin returns which try this is.
func (o *observation) begin(meta *nats.MsgMetadata) int {
	tries := int(meta.NumDelivered)
	if o.tally == nil {
		return tries
	}
	begun, err := o.tally.begin(meta.Sequence.Stream)
	if err != nil {
		o.p.bus.log.Warn("bus observer's tally", "observer", o.durable.consumer(), "err", err)
	}
	return max(tries, begun)
}

// note tells the tally about an event.
func (o *observation) note(meta *nats.MsgMetadata, change func(t *tally, seq uint64) error) {
	if o.tally == nil {
		return
	}
	if err := change(o.tally, meta.Sequence.Stream); err != nil {
		o.p.bus.log.Warn("bus observer's tally", "observer", o.durable.consumer(), "err", err)
	}
}

// once handles an event unless the ledger knows it as done.
func (o *observation) once(ctx context.Context, e moothall.Event) error {
	if o.Ledger == nil {
		return o.withRoom(ctx, e)
	}
	var done bool
	if err := o.insist(ctx, func() (err error) {
		done, err = o.Ledger.Done(ctx, o.durable.consumer(), e.ID)
		return err
	}); err != nil || done {
		return err
	}
	if err := o.withRoom(ctx, e); err != nil {
		return err
	}
	return o.insist(ctx, func() error { return o.Ledger.Mark(ctx, o.durable.consumer(), e.ID) })
}

// withRoom handles an event, again and again while there is no room for what
// comes of it: a disk may be full for longer than all tries take.
func (o *observation) withRoom(ctx context.Context, e moothall.Event) error {
	for n := 1; ; n++ {
		err := o.handle(ctx, e)
		if moothall.ErrorCode(err) != moothall.CodeExhausted {
			return err
		}
		o.p.bus.log.Warn("bus observer has no room", "observer", o.durable.consumer(), "event", e.ID, "err", err)
		if !sleep(ctx, o.pause(n)) {
			return err
		}
	}
}

// pause is how long the next try is waited for, after n of them.
func (o *observation) pause(n int) time.Duration {
	if len(o.Backoff) == 0 {
		return 0
	}
	return o.Backoff[min(n, len(o.Backoff))-1]
}

// sleep waits, and reports whether ctx let it.
func sleep(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// insist repeats a call to the ledger until it succeeds or ctx ends: that the
// ledger is down is no fault of the event and costs it no try.
func (o *observation) insist(ctx context.Context, call func() error) error {
	for pause := 10 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		err := call()
		if err == nil || ctx.Err() != nil {
			return err
		}
		o.p.bus.log.Warn("bus ledger", "observer", o.durable.consumer(), "err", err)
		if !sleep(ctx, pause) {
			return ctx.Err()
		}
	}
}

// handle calls the handler; a panic is an error like any other.
func (o *observation) handle(ctx context.Context, e moothall.Event) (err error) {
	defer func() {
		if r := recover(); r != nil {
			o.p.bus.log.Error("bus observer panicked", "observer", o.durable.consumer(), "panic", r, "stack", string(debug.Stack()))
			err = moothall.Fail(moothall.CodeInternal, "observe", fmt.Sprintf("the handler panicked: %v", r))
		}
	}()
	return o.Handle(ctx, e)
}

// heartbeat tells the server that the event is in work, until the returned
// function is called, which waits for the last beat.
func (o *observation) heartbeat(m *nats.Msg) (stop func()) {
	quit := make(chan struct{})
	var beat sync.WaitGroup
	beat.Go(func() {
		tick := time.NewTicker(o.durable.AckWait / 3)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				o.answer(m, (*nats.Msg).InProgress)
			case <-quit:
				return
			}
		}
	})
	return func() { close(quit); beat.Wait() }
}

// again asks for the event once more, after a pause.
func (o *observation) again(m *nats.Msg, meta *nats.MsgMetadata, tries int, err error) verdict {
	pause := o.pause(tries)
	o.note(meta, func(t *tally, seq uint64) error { return t.wait(seq, time.Now().Add(pause)) })
	tell := o.p.bus.log.Warn
	if moothall.ErrorCode(err) == moothall.CodeCanceled { // stopped together with the hall: no fault of anybody
		tell = o.p.bus.log.Debug
	}
	tell("bus observer failed", "observer", o.durable.consumer(), "subject", m.Subject, "try", tries, "err", err)
	return func(m *nats.Msg, _ ...nats.AckOpt) error { return m.NakWithDelay(pause) }
}

// giveUp writes the dead letter, then lays the event aside.
func (o *observation) giveUp(ctx context.Context, m *nats.Msg, meta *nats.MsgMetadata, tries int, cause error) verdict {
	subject, _ := splitWire(m.Subject)
	o.p.bus.log.Error("bus event given up", "observer", o.durable.consumer(), "subject", m.Subject,
		"seq", meta.Sequence.Stream, "tries", tries, "err", cause)
	if subject == moothall.SubjectDeadLetter {
		o.p.bus.deadLetters.Add(1)
		o.note(meta, (*tally).end)
		return (*nats.Msg).Term
	}
	err := o.p.bury(ctx, DeadLetter{
		Observer: o.durable.consumer(), Reason: cause.Error(), Tries: tries,
		Seq: meta.Sequence.Stream, Wire: m.Subject,
	}, meta.Timestamp, m.Data)
	if err != nil {
		return o.again(m, meta, tries, err)
	}
	o.note(meta, (*tally).end)
	return (*nats.Msg).Term
}

// answer tells the server about a message. When that fails the connection is
// gone, and the server gives the event out again by itself.
func (o *observation) answer(m *nats.Msg, v verdict) {
	if err := v(m); err != nil {
		o.p.bus.log.Warn("bus acknowledgement", "observer", o.durable.consumer(), "err", err)
	}
}
