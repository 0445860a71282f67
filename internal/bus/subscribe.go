package bus

import (
	"context"
	"iter"
	"sync/atomic"

	"github.com/nats-io/nats.go"

	"moothall"
)

// SubscribeOptions say what to hear. The zero value hears everything new.
type SubscribeOptions struct {
	// Subjects to hear, families included; none means all.
	Subjects []moothall.Subject

	// At most one of these: from the beginning of the record; from just
	// after a place in it; from just after an event. For an event that is
	// no longer there, from the first one stored after it was made.
	FromStart bool
	AfterSeq  uint64
	After     moothall.EventID

	// Mark yields one event without a subject when the record has been read
	// up to its end; its Seq says where that was.
	Mark bool

	// Buffer is how many events wait for a listener that is busy: 256 when
	// 0. More of those that may be dropped are dropped; the others are read
	// from the record again.
	Buffer int
}

// listener merges what is live with what is read from the record.
type listener struct {
	p       *Participant
	want    []string // wire patterns of subjects that are stored
	filter  string   // the narrowest pattern that covers them, for reading
	ch      chan *nats.Msg
	subs    []liveSub
	stop    func() bool
	started atomic.Bool

	next   uint64 // the place that is due
	behind bool   // the record has what the channel does not
	epoch  uint64 // which connection the channel is known to be whole for
	mark   bool   // the end of the replay is still to be shown
}

// liveSub is one subscription and how much of it did not fit the channel.
type liveSub struct {
	sub     *nats.Subscription
	stored  bool
	dropped int
}

// Subscribe hears events from the moment it returns; the loop may begin
// later. It ends without an error when ctx ends; until then the listener
// exists, so cancel ctx if you never loop. Breaking out of the loop ends it,
// too. A lost connection is waited out. An error ends the loop: CodeInvalid,
// CodeUnavailable when the bus is closed.
func (p *Participant) Subscribe(ctx context.Context, o SubscribeOptions) iter.Seq2[moothall.Event, error] {
	l, err := p.listen(ctx, o)
	if err != nil {
		return func(yield func(moothall.Event, error) bool) { yield(moothall.Event{}, err) }
	}
	return func(yield func(moothall.Event, error) bool) {
		if l.started.Swap(true) {
			yield(moothall.Event{}, moothall.Fail(moothall.CodeConflict, "subscribe", "the loop ran already"))
			return
		}
		defer l.close()
		if err := l.run(ctx, yield); err != nil && ctx.Err() == nil {
			yield(moothall.Event{}, fault("subscribe", err))
		}
	}
}

func (p *Participant) listen(ctx context.Context, o SubscribeOptions) (*listener, error) {
	if o.Buffer < 0 || btoi(o.FromStart)+btoi(o.AfterSeq > 0)+btoi(o.After != "") > 1 {
		return nil, moothall.Fail(moothall.CodeInvalid, "subscribe", "more than one place to begin, or a negative buffer")
	}
	l := &listener{p: p, mark: o.Mark, ch: make(chan *nats.Msg, orDefault(o.Buffer, 256))}
	l.epoch = p.conn.nc.Stats().Reconnects
	l.stop = func() bool { return true }
	err := l.subscribe(o.Subjects)
	if err == nil {
		err = l.begin(ctx, o)
	}
	if err != nil {
		l.close()
		return nil, fault("subscribe", err)
	}
	l.stop = context.AfterFunc(ctx, l.unsubscribe) // not before: it reads what subscribe writes
	return l, nil
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// subscribe asks for what is live: what may be dropped as it is sent, the
// rest as the server repeats it once it is stored. All go through one
// channel, which keeps them in order.
func (l *listener) subscribe(subjects []moothall.Subject) error {
	var plain []string
	for _, s := range subjects {
		rule, pattern, err := lookup(s)
		if err != nil {
			return err
		}
		if rule.Delivery == moothall.MayDrop {
			plain = append(plain, pattern)
		} else {
			l.want = append(l.want, pattern)
		}
	}
	repeated := l.want
	if len(subjects) == 0 {
		plain, l.want, repeated = dropPatterns(), durablePatterns(), []string{">"}
	}
	l.filter = ">"
	if len(l.want) == 1 {
		l.filter = l.want[0]
	}
	for _, pattern := range repeated {
		if err := l.add(storedPrefix+pattern, true); err != nil {
			return err
		}
	}
	for _, pattern := range plain {
		if err := l.add(pattern, false); err != nil {
			return err
		}
	}
	return nil
}

// dropPatterns are the wire patterns of what may be dropped.
func dropPatterns() []string {
	var out []string
	for _, r := range moothall.Subjects() {
		if r.Delivery == moothall.MayDrop {
			out = append(out, rulePattern(r, "*"))
		}
	}
	return out
}

func (l *listener) add(subject string, stored bool) error {
	sub, err := l.p.conn.nc.ChanSubscribe(subject, l.ch)
	if err != nil {
		return err
	}
	l.subs = append(l.subs, liveSub{sub: sub, stored: stored})
	return nil
}

// begin finds where to start. The request that it makes is answered after
// the server has taken the subscriptions in, for both go the same way: what
// is not in the record by then will come by the channel.
func (l *listener) begin(ctx context.Context, o SubscribeOptions) error {
	info, err := l.p.conn.info(ctx)
	if err != nil {
		return err
	}
	last := info.State.Last
	switch {
	case o.FromStart:
		l.next = 1
	case o.AfterSeq > 0:
		l.next = min(o.AfterSeq, last) + 1
	case o.After != "":
		seq, err := l.p.locate(ctx, o.After)
		if err != nil {
			return err
		}
		l.next = seq + 1
	default:
		l.next = last + 1
	}
	l.behind = l.next <= last && len(l.want) > 0
	return nil
}

func (l *listener) close() {
	l.stop()
	l.unsubscribe()
}

func (l *listener) unsubscribe() {
	for _, s := range l.subs {
		s.sub.Unsubscribe()
	}
}
