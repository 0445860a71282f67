package bus

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"time"

	"github.com/nats-io/nats.go"

	"moothall"
)

// A snapshot is framed so that a torn or changed file is noticed before the
// restored record is used:
//
//	magic, then blocks of a 4-byte big-endian length and that many bytes:
//	the stream's configuration and state as JSON, the data in chunks, a
//	block of length 0, and the SHA-256 of all bytes before it.
const snapshotMagic = "moothall bus 1\n"

// maxBlock is above any block that is written.
const maxBlock = 8 << 20

// Snapshot writes a consistent copy of the record, with the place of every
// observer, while the bus runs. CodeNotConfigured without credentials for the
// user "bus"; an error of w is returned as the cause.
func (b *Bus) Snapshot(ctx context.Context, w io.Writer) error {
	if b.admin == nil {
		return moothall.Fail(moothall.CodeNotConfigured, "bus snapshot", "this process has no credentials for "+string(Admin))
	}
	inbox := b.admin.nc.NewInbox()
	ch := make(chan *nats.Msg, 128) // above the number of chunks that the window lets be under way
	sub, err := b.admin.nc.ChanSubscribe(inbox, ch)
	if err != nil {
		return fault("bus snapshot", err)
	}
	defer sub.Unsubscribe()
	head, err := b.beginSnapshot(ctx, inbox)
	if err != nil {
		return fault("bus snapshot", err)
	}
	out := &frameWriter{w: w, sum: sha256.New()}
	out.raw([]byte(snapshotMagic))
	out.block(head)
	if err := b.copyChunks(ctx, ch, out); err != nil {
		return fault("bus snapshot", err)
	}
	out.block(nil)
	out.raw(out.sum.Sum(nil))
	if out.err != nil {
		return &moothall.Error{Code: moothall.CodeUnavailable, Op: "bus snapshot", Message: "the copy cannot be written", Err: out.err}
	}
	return nil
}

// beginSnapshot asks for the copy and returns what a restore needs to know.
func (b *Bus) beginSnapshot(ctx context.Context, inbox string) ([]byte, error) {
	req, err := json.Marshal(map[string]any{
		"deliver_subject": inbox, "chunk_size": 64 << 10, "window_size": 4 << 20, "jsck": true,
	})
	if err != nil {
		return nil, err
	}
	data, err := b.admin.request(ctx, &nats.Msg{Subject: "$JS.API.STREAM.SNAPSHOT." + streamName, Data: req}, time.Minute)
	if err != nil {
		return nil, err
	}
	var resp struct {
		Error  *apiError       `json:"error"`
		Config json.RawMessage `json:"config"`
		State  json.RawMessage `json:"state"`
	}
	if err := json.Unmarshal(data, &resp); err != nil {
		return nil, err
	}
	if resp.Error != nil {
		return nil, resp.Error
	}
	return json.Marshal(snapshotHead{resp.Config, resp.State})
}

// snapshotHead is what the server wants back with the data.
type snapshotHead struct {
	Config json.RawMessage `json:"config"`
	State  json.RawMessage `json:"state"`
}

// copyChunks writes what the server sends until it says that this was all.
func (b *Bus) copyChunks(ctx context.Context, ch <-chan *nats.Msg, out *frameWriter) error {
	idle := time.NewTimer(30 * time.Second)
	defer idle.Stop()
	for {
		select {
		case m := <-ch:
			if len(m.Data) == 0 {
				if s := m.Header.Get("Status"); s != "" && s != "204" {
					return errors.New("the server broke off: " + m.Header.Get("Description"))
				}
				return nil
			}
			if out.block(m.Data); out.err != nil {
				return nil // reported by the caller, who knows it as the writer's
			}
			if m.Reply != "" {
				if err := b.admin.nc.Publish(m.Reply, nil); err != nil {
					return err
				}
			}
			idle.Reset(30 * time.Second)
		case <-idle.C:
			return nats.ErrTimeout
		case <-b.done:
			return nats.ErrConnectionClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// frameWriter writes blocks and sums them up; the first error stays.
type frameWriter struct {
	w   io.Writer
	sum hash.Hash
	err error
}

func (f *frameWriter) raw(p []byte) {
	if f.err == nil {
		_, f.err = f.w.Write(p)
	}
	f.sum.Write(p)
}

func (f *frameWriter) block(p []byte) {
	f.raw(binary.BigEndian.AppendUint32(nil, uint32(len(p))))
	f.raw(p)
}

// frameReader is its counterpart.
type frameReader struct {
	r   io.Reader
	sum hash.Hash
}

func (f *frameReader) raw(n int) ([]byte, error) {
	p := make([]byte, n)
	if _, err := io.ReadFull(f.r, p); err != nil {
		return nil, err
	}
	f.sum.Write(p)
	return p, nil
}

// block returns the next block; an empty one is the last and its sum is right.
func (f *frameReader) block() ([]byte, error) {
	head, err := f.raw(4)
	if err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head)
	if n > maxBlock {
		return nil, errors.New("a block is longer than any that is written")
	}
	if n > 0 {
		return f.raw(int(n))
	}
	want := f.sum.Sum(nil)
	got, err := f.raw(len(want))
	if err != nil {
		return nil, err
	}
	if string(got) != string(want) {
		return nil, errors.New("the sum does not match")
	}
	return nil, nil
}
