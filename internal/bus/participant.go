package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"moothall"
)

const (
	// publishLimit is how long Publish tries when its context sets no limit. An
	// event waits for those before it, each for flushes that may take a second.
	publishLimit = 15 * time.Second
	// readLimit is the same for reading what is in the record.
	readLimit = 5 * time.Second
	// attemptLimit is after what silence one attempt is given up.
	attemptLimit = 2 * time.Second
	// retryPause separates attempts while nothing says when to try again.
	retryPause = 50 * time.Millisecond
)

// Participant speaks and listens as one identity of the hall.
type Participant struct {
	bus  *Bus
	id   moothall.Identity
	conn *conn
}

// Identity is whom the handle is bound to.
func (p *Participant) Identity() moothall.Identity { return p.id }

// Publish sends an event. Sender is filled in, as are a missing id and time;
// keep the id when you repeat a call that failed, and the event is stored
// once. For a subject that must be delivered the event is on disk when Publish
// returns, at the place that it returns. For one that may be dropped it
// returns 0 at once. Errors: CodeInvalid, CodeDenied (not your subject, or
// another's name), CodeTooLarge, CodeUnavailable, CodeExhausted (disk full).
func (p *Participant) Publish(ctx context.Context, e moothall.Event) (uint64, error) {
	rule, data, err := p.prepare(&e)
	if err != nil {
		return 0, err
	}
	msg := &nats.Msg{Subject: wireSubject(e.Subject, p.id), Data: data}
	if rule.Delivery == moothall.MayDrop {
		return 0, p.send(msg)
	}
	if err := p.bus.room(); err != nil {
		return 0, err
	}
	msg.Header = nats.Header{nats.MsgIdHdr: {string(e.ID)}}
	seq, err := p.store(ctx, msg, e.ID)
	if err != nil {
		return 0, err
	}
	p.bus.published.Add(1)
	return seq, nil
}

// prepare stamps, checks and encodes.
func (p *Participant) prepare(e *moothall.Event) (moothall.SubjectRule, []byte, error) {
	rule, ok := e.Subject.Rule()
	switch {
	case !ok:
		return rule, nil, moothall.Fail(moothall.CodeInvalid, "publish", "unknown subject "+string(e.Subject))
	case e.Sender != "" && e.Sender != p.id:
		return rule, nil, moothall.Fail(moothall.CodeDenied, "publish",
			fmt.Sprintf("%s may not publish as %s", p.id, e.Sender))
	case !p.id.MayPublish(e.Subject):
		return rule, nil, moothall.Fail(moothall.CodeDenied, "publish",
			fmt.Sprintf("%s may not publish %s", p.id, e.Subject))
	case len(e.Payload) > p.bus.opts.MaxPayload:
		return rule, nil, moothall.Fail(moothall.CodeTooLarge, "publish",
			fmt.Sprintf("the payload has %d bytes, the limit is %d", len(e.Payload), p.bus.opts.MaxPayload))
	}
	e.Sender, e.Seq = p.id, 0
	if e.ID == "" {
		e.ID = moothall.EventID(moothall.NewID())
	}
	if e.Time.IsZero() {
		e.Time = time.Now().UTC()
	}
	data, err := Encode(*e)
	return rule, data, err
}

// send is for events that may be dropped: what the connection does not take
// now is dropped and counted.
func (p *Participant) send(msg *nats.Msg) error {
	switch err := p.conn.nc.PublishMsg(msg); {
	case err == nil:
		p.bus.published.Add(1)
	case passing(err):
		p.bus.dropped.Add(1)
	default:
		return fault("publish", err)
	}
	return nil
}

// store sends until the record has the event. The server knows a repeated id,
// so an attempt whose answer was lost does no harm.
func (p *Participant) store(ctx context.Context, msg *nats.Msg, id moothall.EventID) (uint64, error) {
	ctx, cancel := withLimit(ctx, publishLimit)
	defer cancel()
	for {
		back := p.conn.restored()
		ack, err := p.attempt(ctx, msg)
		stored := err == nil
		if stored && ack.Duplicate {
			stored, err = p.isThere(ctx, ack.Seq, msg.Subject, id)
		}
		switch {
		case stored:
			return ack.Seq, nil
		case err == nil:
			// Another sender's message took this id. Ours must not be
			// lost for that: it goes under an id of its own.
			msg.Header.Set(nats.MsgIdHdr, moothall.NewID())
			continue
		case !passing(err):
			return 0, fault("publish", err)
		}
		if err := p.bus.room(); err != nil {
			return 0, err
		}
		if denied := p.conn.refusal(); denied != nil && strings.Contains(denied.Error(), `"`+msg.Subject+`"`) {
			return 0, fault("publish", denied)
		}
		if !p.pause(ctx, back) {
			if ctx.Err() == context.Canceled {
				err = ctx.Err()
			}
			return 0, fault("publish", err)
		}
	}
}

// pubAck is JetStream's answer to a stored message.
type pubAck struct {
	Seq       uint64    `json:"seq"`
	Duplicate bool      `json:"duplicate"`
	Error     *apiError `json:"error"`
}

func (p *Participant) attempt(ctx context.Context, msg *nats.Msg) (pubAck, error) {
	var ack pubAck
	data, err := p.conn.request(ctx, msg, attemptLimit)
	if err != nil {
		return ack, err
	}
	if err := json.Unmarshal(data, &ack); err != nil {
		return ack, err
	}
	if ack.Error != nil {
		return ack, ack.Error
	}
	return ack, nil
}

// isThere reports whether the place that the server named holds this event.
// A place that is no longer there counts as it: the record's bounds took it.
func (p *Participant) isThere(ctx context.Context, seq uint64, wire string, id moothall.EventID) (bool, error) {
	m, err := p.get(ctx, getRequest{Seq: seq})
	if err != nil {
		return isNotFound(err), err
	}
	e, err := m.event()
	return err == nil && m.Subject == wire && e.ID == id, nil
}

// pause waits until another attempt makes sense. False: no more attempts.
func (p *Participant) pause(ctx context.Context, back <-chan struct{}) bool {
	var tick <-chan time.Time
	if p.conn.nc.IsConnected() {
		timer := time.NewTimer(retryPause)
		defer timer.Stop()
		tick = timer.C
	}
	select {
	case <-tick:
	case <-back:
	case <-p.bus.done:
		return false
	case <-ctx.Done():
		return false
	}
	return ctx.Err() == nil
}

// withLimit gives a context without a deadline one.
func withLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if _, ok := ctx.Deadline(); ok {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, limit)
}
