package web

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"moothall"
)

// heartbeat keeps proxies and browsers from taking silence for death.
const heartbeat = 15 * time.Second

// stalled is how long one write to a listener may take before it is let go;
// it can come back with the id of the last event it saw.
const stalled = 20 * time.Second

// listener is one open stream of server-sent events.
type listener struct {
	w        http.ResponseWriter
	rc       *http.ResponseController
	subjects []moothall.Subject
	session  moothall.SessionID
	seen     uint64 // newest durable event that has been dealt with
}

// events answers GET /events?subjects=a,b&session=ID&after=ID. Without a place
// to resume from, only new events come; ?replay=1 starts at the oldest that is
// kept, and ?mark=1 asks for an event named mark once the replay is done.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	select {
	case <-s.hub.ready:
	case <-ctx.Done():
		return
	case <-time.After(headerTimeout):
		s.fail(w, r, moothall.Fail(moothall.CodeUnavailable, "events", "the bus does not answer"))
		return
	}
	s.stats.listeners.Add(1)
	defer s.stats.listeners.Add(-1)

	l := &listener{w: w, rc: http.NewResponseController(w), session: moothall.SessionID(r.FormValue("session"))}
	for _, name := range list[moothall.Subject](r, "subjects") {
		l.subjects = append(l.subjects, moothall.Subject(strings.TrimSpace(string(name))))
	}
	pos, seen := s.hub.tail()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	if !l.send([]byte("retry: 1000\n: moothall\n\n")) {
		return
	}
	after := r.Header.Get("Last-Event-ID")
	if after == "" {
		after = r.FormValue("after")
	}
	if q, ok := resume(after, r.FormValue("replay") != ""); ok && !l.catchUp(ctx, s.opt.Client, q) {
		return
	}
	l.seen = max(l.seen, seen)
	if r.FormValue("mark") != "" && !l.send(fmt.Appendf(nil, "event: mark\ndata: {\"seq\":%d}\n\n", l.seen)) {
		return
	}
	l.follow(ctx, s, pos)
}

// resume says what a listener has to be told of the past, if anything.
func resume(after string, replay bool) (moothall.EventQuery, bool) {
	if after == "" {
		return moothall.EventQuery{Replay: true}, replay
	}
	seq, id := parseMark(after)
	return moothall.EventQuery{AfterSeq: seq, After: id}, true
}

// follow copies from the ring until the listener or the server goes away.
func (l *listener) follow(ctx context.Context, s *Server, pos uint64) {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	buf := make([]frame, 0, 256)
	for {
		got, wait, lapped := s.hub.from(pos, buf)
		switch {
		case lapped:
			s.stats.lapped.Add(1)
			pos, _ = s.hub.tail()
			if !l.catchUp(ctx, s.opt.Client, moothall.EventQuery{AfterSeq: l.seen, Replay: l.seen == 0}) {
				return
			}
		case len(got) > 0:
			pos += uint64(len(got))
			if !l.sendFrames(got) {
				return
			}
		default:
			select {
			case <-wait:
			case <-beat.C:
				if !l.send([]byte(": still here\n\n")) {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	}
}

// catchUp writes the durable events from a place up to the present. What may
// be dropped is left to the ring, which has it from where the listener joined.
func (l *listener) catchUp(ctx context.Context, c moothall.Client, q moothall.EventQuery) bool {
	q.Mark = true
	for e, err := range c.Events(ctx, q) {
		switch {
		case err != nil:
			return false // the listener comes back with what it has seen
		case e.Subject == "":
			return true
		case e.Seq > 0 && !l.sendFrames([]frame{encodeFrame(e)}):
			return false
		}
	}
	return false
}

// sendFrames writes what the listener asked for, in one flush.
func (l *listener) sendFrames(frames []frame) bool {
	var out []byte
	for _, f := range frames {
		if f.seq > 0 && f.seq <= l.seen {
			continue // had it while catching up
		}
		l.seen = max(l.seen, f.seq)
		if l.wants(f) {
			out = append(out, f.wire...)
		}
	}
	return len(out) == 0 || l.send(out)
}

func (l *listener) wants(f frame) bool {
	if l.session != "" && f.session != l.session {
		return false
	}
	return len(l.subjects) == 0 || slices.ContainsFunc(l.subjects, func(s moothall.Subject) bool {
		return s == f.subject || strings.HasPrefix(string(f.subject), string(s)+".")
	})
}

// send writes and flushes within the stall limit.
func (l *listener) send(b []byte) bool {
	if err := l.rc.SetWriteDeadline(time.Now().Add(stalled)); err != nil {
		return false
	}
	if _, err := l.w.Write(b); err != nil {
		return false
	}
	return l.rc.Flush() == nil
}
