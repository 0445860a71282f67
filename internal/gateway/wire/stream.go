package wire

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"moothall"
	"moothall/internal/gateway"
	"moothall/internal/gateway/sse"
)

// Stream is one exchange: a request that was sent and a reply that is read.
type Stream struct {
	client  *Client
	parent  context.Context // the caller's; kept, as http.Request does, for the one call that this is
	ctx     context.Context // ends with parent, or by silence
	cancel  context.CancelCauseFunc
	alarm   *time.Timer
	key     string // sent with the request, to be kept out of errors
	resp    *http.Response
	events  *sse.Reader
	started bool // a chunk was yielded
}

func newStream(parent context.Context, c *Client) *Stream {
	ctx, cancel := context.WithCancelCause(parent)
	return &Stream{
		client: c, parent: parent, ctx: ctx, cancel: cancel,
		alarm: time.AfterFunc(c.Idle, func() { cancel(errIdle) }),
	}
}

func (s *Stream) op() string { return "model provider " + s.client.Name }

// Close ends the exchange; the server sees it end.
func (s *Stream) Close() {
	s.alarm.Stop()
	s.cancel(nil)
	if s.resp != nil {
		s.resp.Body.Close() // read only: there is nothing to lose
	}
}

// Read reads the reply's body, and holds off the alarm.
func (s *Stream) Read(p []byte) (int, error) {
	n, err := s.resp.Body.Read(p)
	if n > 0 {
		s.alarm.Reset(s.client.Idle)
	}
	return n, err
}

// Whole reports whether the server answers with one JSON value where a
// stream was asked for. Some do.
func (s *Stream) Whole() bool {
	kind, _, err := mime.ParseMediaType(s.resp.Header.Get("Content-Type"))
	return err == nil && kind == "application/json"
}

// JSON reads the reply as one value.
func (s *Stream) JSON(out any) error {
	body, err := io.ReadAll(io.LimitReader(s, maxReply+1))
	switch {
	case err != nil:
		return s.fault(err)
	case len(body) > maxReply:
		return s.Malformed(errors.New("a reply larger than 64 MiB"))
	}
	if err := json.Unmarshal(body, out); err != nil {
		return s.Malformed(err)
	}
	return nil
}

// Next returns the next event, io.EOF at the end. Other errors are the
// hall's.
func (s *Stream) Next() (sse.Event, error) {
	if s.events == nil {
		s.events = sse.NewReader(s, sse.Options{})
	}
	e, err := s.events.Next()
	if err == nil || errors.Is(err, io.EOF) {
		return e, err
	}
	if errors.Is(err, sse.ErrTooLong) {
		return e, s.Malformed(err)
	}
	return e, s.fault(err)
}

// Decode reads an event's JSON. An event that the end of the stream cut off
// counts as an interruption, not as nonsense.
func (s *Stream) Decode(e sse.Event, out any) error {
	err := json.Unmarshal(e.Data, out)
	switch {
	case err == nil:
		return nil
	case e.Partial:
		return s.Cut()
	}
	return s.Malformed(err)
}

// Lost reports whether a failure to read on is the connection's, and not that
// the caller gave up: who has had the end of the answer by then has all of it.
func (s *Stream) Lost() bool { return s.parent.Err() == nil }

// Started says that a chunk was yielded: what fails from now on is an
// interruption.
func (s *Stream) Started() { s.started = true }

// Cut is the error of a stream that ended before the answer did.
func (s *Stream) Cut() error { return s.fault(io.ErrUnexpectedEOF) }

// Malformed is the error of a reply that is not what the format says.
func (s *Stream) Malformed(err error) error {
	return s.fault(fmt.Errorf("not what this kind of server says: %w", err))
}

// fault turns a failure of the transport into an error of the hall.
func (s *Stream) fault(err error) error {
	if cause := context.Cause(s.ctx); errors.Is(cause, errIdle) {
		err = cause
	}
	remedy := "check that a server of this kind is at " + s.client.base.Host
	return gateway.Broken(s.parent, s.op(), s.client.Name, remedy, s.redact(err), s.started)
}

// redact keeps an error as it is unless it holds the key.
func (s *Stream) redact(err error) error {
	if s.key == "" || !strings.Contains(err.Error(), s.key) {
		return err
	}
	return errors.New(s.hide(err.Error()))
}

func (s *Stream) hide(text string) string {
	if s.key == "" {
		return text
	}
	return strings.ReplaceAll(text, s.key, moothall.Secret{}.String())
}
