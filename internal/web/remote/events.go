package remote

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"

	"moothall"
)

// maxEvent bounds one event of a stream.
const maxEvent = 64 << 20

// message is one server-sent event.
type message struct {
	name string
	data []byte // valid until the next one is read
}

// messages reads a stream of server-sent events to its end. Comments, ids and
// times to retry are passed over.
func messages(r io.Reader) iter.Seq2[message, error] {
	return func(yield func(message, error) bool) {
		lines := bufio.NewScanner(r)
		lines.Buffer(make([]byte, 64<<10), maxEvent)
		var m message
		some := false
		for lines.Scan() {
			line := lines.Bytes()
			if len(line) == 0 {
				if some && !yield(m, nil) {
					return
				}
				m, some = message{data: m.data[:0]}, false
				continue
			}
			field, value, _ := bytes.Cut(line, []byte(":"))
			value = bytes.TrimPrefix(value, []byte(" "))
			switch string(field) {
			case "event":
				m.name = string(value)
			case "data":
				if some {
					m.data = append(m.data, '\n')
				}
				m.data, some = append(m.data, value...), true
			}
		}
		if err := lines.Err(); err != nil {
			yield(message{}, err)
		}
	}
}

// stream makes a request whose answer is a stream and hands each event on.
// It yields the error that ends it, if one does; read says when enough has
// come.
func stream[T any](ctx context.Context, c *Client, method, path string, body any, read func(message) (T, bool, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		resp, err := c.send(ctx, method, path, body, "text/event-stream")
		if err != nil {
			yield(zero, err)
			return
		}
		defer resp.Body.Close()
		for m, err := range messages(resp.Body) {
			if err != nil {
				yield(zero, broken(ctx, err))
				return
			}
			v, wanted, err := read(m)
			if err != nil {
				yield(zero, err)
				return
			}
			if wanted && !yield(v, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(zero, err)
		}
	}
}

func broken(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &moothall.Error{Code: moothall.CodeInterrupted, Op: "read from the hall", Message: "the connection broke", Err: err}
}

// parse reads the data of an event; one named error is the hall's refusal.
func parse[T any](m message) (v T, err error) {
	if m.name == "error" {
		return v, refused(m.data)
	}
	if err := json.Unmarshal(m.data, &v); err != nil {
		return v, &moothall.Error{Code: moothall.CodeCorrupt, Op: "event of the hall", Message: "it cannot be read", Err: err}
	}
	return v, nil
}

// Query streams a turn.
func (c *Client) Query(ctx context.Context, r moothall.QueryRequest) iter.Seq2[moothall.Step, error] {
	return stream(ctx, c, "POST", "/query", r, func(m message) (moothall.Step, bool, error) {
		step, err := parse[moothall.Step](m)
		return step, true, err
	})
}

// Events streams events until the caller stops.
func (c *Client) Events(ctx context.Context, q moothall.EventQuery) iter.Seq2[moothall.Event, error] {
	return stream(ctx, c, "GET", eventsPath(q), nil, func(m message) (moothall.Event, bool, error) {
		e, err := parse[moothall.Event](m)
		if m.name == "mark" {
			return moothall.Event{Seq: e.Seq}, q.Mark, err
		}
		return e, e.Subject != "", err
	})
}
