package web

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"moothall"
)

// ringSize is how many events a listener may be behind before it has to catch
// up from the bus.
const ringSize = 4096

// retryHub is the pause before the hub asks the hall again after its stream
// of events broke.
const retryHub = 500 * time.Millisecond

// frame is one event, encoded once for all listeners.
type frame struct {
	seq     uint64
	subject moothall.Subject
	session moothall.SessionID
	wire    []byte
}

// hub fans the hall's live events out to listeners.
type hub struct {
	mu      sync.Mutex
	ring    []frame
	next    uint64        // position of the next frame; frame p lies at ring[p%len]
	lastSeq uint64        // newest durable place seen
	changed chan struct{} // closed and replaced at every new frame
	ready   chan struct{} // closed when the hub has its place in the record
	began   sync.Once
}

func newHub(size int) *hub {
	return &hub{ring: make([]frame, size), changed: make(chan struct{}), ready: make(chan struct{})}
}

// run feeds the ring until ctx ends. After a break it goes on from the last
// durable event, so that listeners see no gap.
func (h *hub) run(ctx context.Context, client moothall.Client) {
	for ctx.Err() == nil {
		h.mu.Lock()
		q := moothall.EventQuery{AfterSeq: h.lastSeq, Mark: true}
		h.mu.Unlock()
		for e, err := range client.Events(ctx, q) {
			if err != nil {
				break
			}
			h.add(e)
		}
		select {
		case <-ctx.Done():
		case <-time.After(retryHub):
		}
	}
}

// add encodes an event and wakes the listeners. The mark says that watching
// is in place and where the record stood: it opens the hub to listeners.
func (h *hub) add(e moothall.Event) {
	if e.Subject == "" {
		h.mu.Lock()
		h.lastSeq = max(h.lastSeq, e.Seq)
		h.mu.Unlock()
		h.began.Do(func() { close(h.ready) })
		return
	}
	f := encodeFrame(e)
	h.mu.Lock()
	h.ring[h.next%uint64(len(h.ring))] = f
	h.next++
	h.lastSeq = max(h.lastSeq, f.seq)
	close(h.changed)
	h.changed = make(chan struct{})
	h.mu.Unlock()
}

// tail is where a listener that joins now starts, and the newest durable
// event before that.
func (h *hub) tail() (pos, seq uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.next, h.lastSeq
}

// from copies the frames at and after pos into buf. When there are none it
// returns a channel to wait on; lapped says that pos has been overwritten.
func (h *hub) from(pos uint64, buf []frame) (got []frame, wait <-chan struct{}, lapped bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if pos+uint64(len(h.ring)) < h.next {
		return buf[:0], nil, true
	}
	got = buf[:0]
	for ; pos < h.next && len(got) < cap(buf); pos++ {
		got = append(got, h.ring[pos%uint64(len(h.ring))])
	}
	return got, h.changed, false
}

// encodeFrame writes an event in the server-sent form. Only durable events
// carry an id: it is what a browser sends back to resume after them.
func encodeFrame(e moothall.Event) frame {
	var b bytes.Buffer
	if e.Seq > 0 {
		b.WriteString("id: ")
		b.WriteString(eventMark(e))
		b.WriteByte('\n')
	}
	b.WriteString("data: ")
	enc := json.NewEncoder(&b) // ends with a newline, and JSON has none inside
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		// The envelope was decoded from JSON; a payload that is not JSON
		// cannot be here. Say so rather than drop the event.
		b.WriteString(`{"error":"event could not be encoded"}` + "\n")
	}
	b.WriteByte('\n')
	return frame{seq: e.Seq, subject: e.Subject, session: e.Session, wire: b.Bytes()}
}

// eventMark names an event's place: its number in the record, and its id to
// tell whether the record is still the same one.
func eventMark(e moothall.Event) string {
	return strconv.FormatUint(e.Seq, 10) + "." + string(e.ID)
}

// parseMark reads what eventMark wrote, or a bare event id.
func parseMark(s string) (seq uint64, id moothall.EventID) {
	for i := range len(s) {
		if s[i] == '.' {
			if n, err := strconv.ParseUint(s[:i], 10, 64); err == nil {
				return n, moothall.EventID(s[i+1:])
			}
			break
		}
	}
	return 0, moothall.EventID(s)
}
