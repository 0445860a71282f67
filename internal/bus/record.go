package bus

import (
	"context"
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"

	"moothall"
)

// getRequest asks for one stored message: the one at Seq, or with NextFor the
// first at or after Seq or StartTime that fits the pattern.
type getRequest struct {
	Seq       uint64     `json:"seq,omitempty"`
	NextFor   string     `json:"next_by_subj,omitempty"`
	StartTime *time.Time `json:"start_time,omitempty"`
}

// storedMsg is a message of the record.
type storedMsg struct {
	Subject string    `json:"subject"`
	Seq     uint64    `json:"seq"`
	Data    []byte    `json:"data"`
	Time    time.Time `json:"time"`
}

// event decodes the message and gives it its place.
func (m storedMsg) event() (moothall.Event, error) {
	e, err := Decode(m.Subject, m.Data)
	e.Seq = m.Seq
	return e, err
}

// At returns the event at one place of the record. CodeNotFound when there is
// none, or no longer; CodeInvalid when what is there is no event.
func (p *Participant) At(ctx context.Context, seq uint64) (moothall.Event, error) {
	if seq == 0 {
		return moothall.Event{}, moothall.Fail(moothall.CodeNotFound, "read record", "places are counted from 1")
	}
	m, err := p.insist(ctx, getRequest{Seq: seq})
	if err != nil {
		return moothall.Event{}, fault("read record", err)
	}
	return m.event()
}

// insist asks for a stored message for a while: a server that is busy is silent
// for a moment.
func (p *Participant) insist(ctx context.Context, req getRequest) (storedMsg, error) {
	ctx, cancel := withLimit(ctx, readLimit)
	defer cancel()
	for {
		back := p.conn.restored()
		m, err := p.get(ctx, req)
		if err == nil || !passing(err) || !p.pause(ctx, back) {
			return m, err
		}
	}
}

// get asks the server for a stored message once.
func (p *Participant) get(ctx context.Context, req getRequest) (storedMsg, error) {
	body, err := json.Marshal(req)
	if err != nil {
		return storedMsg{}, err
	}
	data, err := p.conn.request(ctx, &nats.Msg{Subject: apiGet, Data: body}, attemptLimit)
	if err != nil {
		return storedMsg{}, err
	}
	var resp struct {
		Message storedMsg `json:"message"`
		Error   *apiError `json:"error"`
	}
	if err := json.Unmarshal(data, &resp); err != nil {
		return storedMsg{}, err
	}
	if resp.Error != nil {
		return storedMsg{}, resp.Error
	}
	return resp.Message, nil
}

// How far from the time inside its id an event is looked for. It is stored
// after its id is made, later when the publisher had to try again, and
// earlier only where two machines' clocks differ.
const (
	searchAfter  = 10 * time.Minute
	searchBefore = time.Minute
)

// locate returns the place of an event, or when it is not there any more the
// place before the first event stored after its id was made.
func (p *Participant) locate(ctx context.Context, id moothall.EventID) (uint64, error) {
	made, ok := madeAt(id)
	if !ok {
		return 0, moothall.Fail(moothall.CodeInvalid, "find event", "not an id that the hall makes")
	}
	// An id comes from outside and may name a year that the server's clock
	// cannot count to.
	if limit := time.Now().Add(searchBefore); made.After(limit) {
		made = limit
	}
	seq, found, err := p.search(ctx, id, made, made.Add(searchAfter))
	if found || err != nil {
		return seq, err
	}
	if seq, found, err = p.search(ctx, id, made.Add(-searchBefore), made); found || err != nil {
		return seq, err
	}
	m, err := p.insist(ctx, getRequest{NextFor: ">", StartTime: &made})
	if isNotFound(err) {
		info, err := p.conn.info(ctx)
		return info.State.Last, err
	}
	if err != nil {
		return 0, err
	}
	return m.Seq - 1, nil
}

// Dated reports whether an event's id tells when it was made, so that what follows
// on it can be found also when it is not there any more.
func Dated(id moothall.EventID) bool {
	_, ok := madeAt(id)
	return ok
}

// madeAt is the time inside an id: of [moothall.NewID], or one that follows from
// such a one, as an answer's from its question's.
func madeAt(id moothall.EventID) (time.Time, bool) {
	const length = 36
	for i := range max(0, len(id)-length+1) {
		if t, ok := moothall.IDTime(string(id[i : i+length])); ok {
			return t, true
		}
	}
	return time.Time{}, false
}

// search looks for an id among what was stored in a span of time.
func (p *Participant) search(ctx context.Context, id moothall.EventID, from, to time.Time) (uint64, bool, error) {
	req := getRequest{NextFor: ">", StartTime: &from}
	for {
		m, err := p.insist(ctx, req)
		if isNotFound(err) {
			return 0, false, nil
		}
		if err != nil {
			return 0, false, err
		}
		if m.Time.After(to) {
			return 0, false, nil
		}
		if e, err := m.event(); err == nil && e.ID == id {
			return m.Seq, true, nil
		}
		req = getRequest{NextFor: ">", Seq: m.Seq + 1}
	}
}

func isNotFound(err error) bool {
	return err != nil && moothall.ErrorCode(fault("", err)) == moothall.CodeNotFound
}
