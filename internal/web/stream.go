package web

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"time"
)

// patient lets an answer take as long as a model does.
func patient(w http.ResponseWriter) (*http.ResponseController, error) {
	rc := http.NewResponseController(w)
	return rc, rc.SetWriteDeadline(time.Time{})
}

// stream is an answer in pieces, as server-sent events.
type stream struct {
	w   http.ResponseWriter
	rc  *http.ResponseController
	log *slog.Logger
}

func newStream(w http.ResponseWriter, rc *http.ResponseController, log *slog.Logger) stream {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	return stream{w, rc, log}
}

// send writes one event and reports whether the listener is still there. A
// listener that does not read is let go; the work between two events may take
// any time.
func (s stream) send(name string, data any) bool {
	body, err := json.Marshal(whole(data))
	if err != nil {
		s.log.Error("event could not be encoded", "event", name, "err", err)
		return false
	}
	if s.rc.SetWriteDeadline(time.Now().Add(stalled)) != nil {
		return false
	}
	if _, err := io.WriteString(s.w, "event: "+name+"\ndata: "+string(body)+"\n\n"); err != nil || s.rc.Flush() != nil {
		return false
	}
	return s.rc.SetWriteDeadline(time.Time{}) == nil
}
