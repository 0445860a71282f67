package sse

import (
	"bytes"
	"errors"
	"io"
)

// ErrTooLong says that an event is larger than the limit.
var ErrTooLong = errors.New("server-sent event is too long")

// Options set limits; zero means the default.
type Options struct {
	// MaxEvent bounds the bytes of one event, framing included: 16 MiB
	// when 0.
	MaxEvent int
}

const (
	defaultMaxEvent = 16 << 20
	firstBuffer     = 4 << 10
)

// Event is one event.
type Event struct {
	// Name is that of the field "event"; empty for most.
	Name string
	// Data is valid until the next call of Next.
	Data []byte
	// Partial says that the stream ended before the event did.
	Partial bool
}

// Reader reads events.
type Reader struct {
	src io.Reader
	max int

	buf     []byte // read and not yet consumed: buf[at:]
	at      int
	scanned int   // of buf[at:], known to hold no end of line
	err     error // from src, given out once buf is empty
	begun   bool
	afterCR bool // a LF that comes next belongs to the line before

	name string
	data []byte
	size int  // bytes of the event so far
	some bool // the event has a data line
}

// NewReader reads from src.
func NewReader(src io.Reader, o Options) *Reader {
	if o.MaxEvent <= 0 {
		o.MaxEvent = defaultMaxEvent
	}
	return &Reader{src: src, max: o.MaxEvent}
}

// Next returns the next event that has data. At the end of the stream it
// returns io.EOF; when reading fails, the error of the source, after what was
// whole. Nothing can be read after an error.
func (r *Reader) Next() (Event, error) {
	r.name, r.data, r.size, r.some = "", r.data[:0], 0, false
	for {
		line, ended, err := r.line()
		if err != nil {
			return Event{}, err
		}
		if r.size += len(line) + 1; r.size > r.max {
			r.err, r.buf, r.at = ErrTooLong, nil, 0
			return Event{}, ErrTooLong
		}
		r.take(line)
		switch {
		case !ended && r.some:
			return Event{r.name, r.data, true}, nil
		case ended && len(line) == 0 && r.some:
			return Event{r.name, r.data, false}, nil
		case ended && len(line) == 0:
			r.name, r.size = "", 0
		}
	}
}

// take adds a line to the event.
func (r *Reader) take(line []byte) {
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "event":
		r.name = string(value)
	case "error":
		r.name = "error"
		r.add(value)
	case "data":
		r.add(value)
	}
}

func (r *Reader) add(value []byte) {
	if r.some {
		r.data = append(r.data, '\n')
	}
	r.data, r.some = append(r.data, value...), true
}

// line returns the next line without its end. The last line of a stream may
// have none: then ended is false, and the line may be empty.
func (r *Reader) line() (line []byte, ended bool, err error) {
	for {
		r.skip()
		rest := r.buf[r.at:]
		if i := bytes.IndexAny(rest[r.scanned:], "\r\n"); i >= 0 {
			i += r.scanned
			r.afterCR, r.begun = rest[i] == '\r', true
			r.at, r.scanned = r.at+i+1, 0
			return rest[:i], true, nil
		}
		r.scanned = len(rest)
		if r.size+len(rest) > r.max {
			r.err = ErrTooLong
			r.buf, r.at, r.scanned = nil, 0, 0
			return nil, false, ErrTooLong
		}
		if r.err != nil {
			return r.last(rest)
		}
		r.fill()
	}
}

// last hands out what stands before the end of the source. Only a clean end
// can have a last line without an end: what an error cut off is worth nothing.
func (r *Reader) last(rest []byte) ([]byte, bool, error) {
	pending := len(rest) > 0 || r.some
	if r.err != io.EOF || !pending {
		return nil, false, r.err
	}
	r.at, r.scanned = len(r.buf), 0
	if !r.some && !bytes.HasPrefix(rest, []byte("data")) && !bytes.HasPrefix(rest, []byte("error")) {
		return nil, false, io.EOF
	}
	return rest, false, nil
}

// skip drops what is no part of a line: a byte order mark at the beginning,
// and the LF of a CR LF.
func (r *Reader) skip() {
	rest := r.buf[r.at:]
	if !r.begun && (len(rest) >= 3 || r.err != nil) {
		r.begun = true
		if bytes.HasPrefix(rest, []byte("\xef\xbb\xbf")) {
			r.at, r.scanned = r.at+3, 0
		}
		rest = r.buf[r.at:]
	}
	if r.afterCR && len(rest) > 0 {
		r.afterCR = false
		if rest[0] == '\n' {
			r.at++
		}
	}
}

// fill reads more, moving what is left to the front.
func (r *Reader) fill() {
	n := copy(r.buf, r.buf[r.at:])
	r.buf, r.at = r.buf[:n], 0
	if n == cap(r.buf) {
		grown := make([]byte, n, max(firstBuffer, 2*n))
		copy(grown, r.buf)
		r.buf = grown
	}
	n, err := r.src.Read(r.buf[len(r.buf):cap(r.buf)])
	r.buf = r.buf[:len(r.buf)+n]
	r.err = err
}
