package bus

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/nats-io/nats.go"

	"moothall"
)

// run hands out events until somebody has had enough.
func (l *listener) run(ctx context.Context, yield func(moothall.Event, error) bool) error {
	for {
		back := l.p.conn.restored()
		l.noteLosses()
		if l.behind {
			if more, err := l.catchUp(ctx, yield); !more {
				return err
			}
			continue
		}
		if l.mark {
			l.mark = false
			if !yield(moothall.Event{Seq: l.next - 1}, nil) {
				return nil
			}
		}
		select {
		case m := <-l.ch:
			if !l.live(m, yield) {
				return nil
			}
		case <-back: // noted above
		case <-l.p.bus.done:
			return nats.ErrConnectionClosed
		case <-ctx.Done():
			return nil
		}
	}
}

// noteLosses looks for what did not get into the channel: what did not fit,
// and what passed while the connection was down. The channel is full when
// something does not fit, so whoever empties it comes by here again before
// waiting. The connection counts its returns before it asks for the
// subscriptions again, so no message overtakes the count.
func (l *listener) noteLosses() {
	if n := l.p.conn.nc.Stats().Reconnects; n != l.epoch {
		l.epoch, l.behind = n, len(l.want) > 0
	}
	for i := range l.subs {
		s := &l.subs[i]
		n, err := s.sub.Dropped()
		if err != nil || n == s.dropped {
			continue
		}
		if s.stored {
			l.behind = true
		} else {
			l.p.bus.dropped.Add(uint64(n - s.dropped))
		}
		s.dropped = n
	}
}

// live handles one message of the channel.
func (l *listener) live(m *nats.Msg, yield func(moothall.Event, error) bool) bool {
	wire, repeated := strings.CutPrefix(m.Subject, storedPrefix)
	if !repeated {
		return l.hand(storedMsg{Subject: wire, Data: m.Data}, yield)
	}
	seq, err := strconv.ParseUint(lastValue(m.Header, nats.JSSequence), 10, 64)
	if err != nil || seq < l.next {
		return true // no repetition of a stored event, or one that was read
	}
	// One that was lost lies before this one: read both from the record, in
	// order.
	if l.noteLosses(); l.behind {
		return true
	}
	l.next = seq + 1
	return l.hand(storedMsg{Subject: wire, Seq: seq, Data: m.Data}, yield)
}

// lastValue: the server adds its headers after those of the publisher, who
// may have given the same.
func lastValue(h nats.Header, key string) string {
	v := h.Values(key)
	if len(v) == 0 {
		return ""
	}
	return v[len(v)-1]
}

// hand yields an event; what is none is counted and left out.
func (l *listener) hand(m storedMsg, yield func(moothall.Event, error) bool) bool {
	e, err := m.event()
	if err != nil {
		l.p.bus.refused.Add(1)
		l.p.bus.log.Warn("bus message refused", "subject", m.Subject, "seq", m.Seq, "err", err)
		return true
	}
	return yield(e, nil)
}

// catchUp reads the record up to its end. False ends the loop.
func (l *listener) catchUp(ctx context.Context, yield func(moothall.Event, error) bool) (bool, error) {
	for {
		back := l.p.conn.restored()
		m, err := l.p.get(ctx, getRequest{Seq: l.next, NextFor: l.filter})
		switch {
		case isNotFound(err):
			l.behind = false
			return true, nil
		case ctx.Err() != nil:
			return false, nil
		case errors.Is(err, nats.ErrConnectionClosed):
			return false, err
		case err != nil && !passing(err):
			return false, err
		case err != nil:
			if !l.p.pause(ctx, back) {
				return false, nats.ErrConnectionClosed
			}
			continue
		}
		l.next = m.Seq + 1
		if matches(l.want, m.Subject) && !l.hand(m, yield) {
			return false, nil
		}
	}
}
