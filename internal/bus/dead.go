package bus

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"moothall"
)

// DeadLetter is the payload of an event on dead.letter: one that an observer
// could not handle.
type DeadLetter struct {
	Observer string `json:"observer"` // identity and name: "critic-grades"
	Reason   string `json:"reason"`
	Tries    int    `json:"tries"`
	Seq      uint64 `json:"seq"`          // its place in the record
	Wire     string `json:"wire_subject"` // what it was published on

	// Envelope is the event as it was sent; Raw instead when that was not
	// JSON. Both are left out when the letter would grow above the limit:
	// the event is at Seq for as long as the record keeps it.
	Envelope json.RawMessage `json:"envelope,omitempty"`
	Raw      []byte          `json:"raw,omitempty"`
}

// maxReason bounds a reason: it may quote what a model said.
const maxReason = 2 << 10

// bury publishes a dead letter. Its id follows from observer and place, so
// that a crash between publishing and laying the event aside leaves one
// letter, or two with one id.
func (p *Participant) bury(ctx context.Context, letter DeadLetter, stored time.Time, data []byte) error {
	if len(letter.Reason) > maxReason {
		letter.Reason = letter.Reason[:maxReason]
	}
	switch room := p.bus.opts.MaxPayload - 2*maxReason - 1024; {
	case len(data) <= room && json.Valid(data):
		letter.Envelope = data
	case len(data)*4/3 <= room:
		letter.Raw = data
	}
	e, err := moothall.NewEvent(moothall.SubjectDeadLetter, letter)
	if err != nil {
		return err
	}
	e.ID = letterID(letter, stored)
	if orig, err := Decode(letter.Wire, data); err == nil {
		e.Session, e.Query, e.Correlation = orig.Session, orig.Query, string(orig.ID)
		e.Trace = orig.Trace
	}
	p.bus.deadLetters.Add(1) // before anybody can hear of it
	_, err = p.Publish(ctx, e)
	if err != nil {
		p.bus.deadLetters.Add(^uint64(0)) // it was none after all
	}
	return err
}

// letterID is an identifier of version 7 with the time at which the event was
// stored, and a digest where others are random.
func letterID(l DeadLetter, stored time.Time) moothall.EventID {
	h := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", l.Observer, l.Seq, stored.UnixNano()))
	h[0], h[2] = 0x70|h[0]&0x0f, 0x80|h[2]&0x3f
	s := fmt.Sprintf("%012x%s", stored.UnixMilli(), hex.EncodeToString(h[:10]))
	return moothall.EventID(s[:8] + "-" + s[8:12] + "-" + s[12:16] + "-" + s[16:20] + "-" + s[20:32])
}
