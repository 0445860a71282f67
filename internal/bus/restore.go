package bus

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"

	"moothall"
)

// Restore makes the record in dir out of a snapshot, for [Open] to find. No
// server may run there, and no record may be there. CodeCorrupt when the
// snapshot is damaged; the folder then has no record, as before.
func Restore(ctx context.Context, dir string, r io.Reader) error {
	snapshot, err := spool(ctx, dir, r)
	if err != nil {
		return err
	}
	defer os.Remove(snapshot.Name())
	defer snapshot.Close()
	o := Options{Dir: dir}.withDefaults()
	b := &Bus{opts: o, log: o.Logger, done: make(chan struct{})}
	if b.emb, err = startEmbedded(o); err != nil {
		return err
	}
	if !b.emb.fresh {
		b.Close()
		return &moothall.Error{
			Code: moothall.CodeConflict, Op: "bus restore", Message: dir + " holds a record already",
			Remedy: "restore into an empty folder",
		}
	}
	if b.admin, err = b.dial(Admin); err == nil {
		err = b.restore(ctx, snapshot)
	}
	closeErr := b.Close()
	if err != nil {
		// Half a record would pass for a whole one.
		os.RemoveAll(filepath.Join(dir, "jetstream"))
		return err
	}
	return closeErr
}

// spool keeps a snapshot until its sum is known to be right: the server is
// given no byte of a damaged one.
func spool(ctx context.Context, dir string, r io.Reader) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unwritable(dir, err)
	}
	f, err := os.CreateTemp(dir, "restore-*")
	if err != nil {
		return nil, unwritable(dir, err)
	}
	err = check(ctx, io.TeeReader(r, f))
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		os.Remove(f.Name())
		if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
			return nil, unwritable(dir, err) // the snapshot may be as good as ever
		}
		return nil, err
	}
	return f, nil
}

// check reads a snapshot to its end.
func check(ctx context.Context, r io.Reader) error {
	in := &frameReader{r: r, sum: sha256.New()}
	if _, err := in.head(); err != nil {
		return torn(err)
	}
	for ctx.Err() == nil {
		chunk, err := in.block()
		if err != nil {
			return torn(err)
		}
		if len(chunk) == 0 {
			return nil
		}
	}
	return fault("bus restore", ctx.Err())
}

func (b *Bus) restore(ctx context.Context, r io.Reader) error {
	in := &frameReader{r: r, sum: sha256.New()}
	head, err := in.head()
	if err != nil {
		return torn(err)
	}
	data, err := b.admin.request(ctx, &nats.Msg{Subject: "$JS.API.STREAM.RESTORE." + streamName, Data: head}, time.Minute)
	if err != nil {
		return fault("bus restore", err)
	}
	var resp struct {
		Error   *apiError `json:"error"`
		Deliver string    `json:"deliver_subject"`
	}
	if err := json.Unmarshal(data, &resp); err != nil {
		return fault("bus restore", err)
	}
	if resp.Error != nil {
		return torn(resp.Error)
	}
	for {
		chunk, err := in.block()
		if err != nil {
			return torn(err)
		}
		if err := b.putChunk(ctx, resp.Deliver, chunk); err != nil || len(chunk) == 0 {
			return err
		}
	}
}

// putChunk hands the server one piece; an empty one asks for the result.
func (b *Bus) putChunk(ctx context.Context, deliver string, chunk []byte) error {
	data, err := b.admin.request(ctx, &nats.Msg{Subject: deliver, Data: chunk}, time.Minute)
	if err != nil {
		return fault("bus restore", err)
	}
	if len(data) == 0 {
		return nil
	}
	var resp struct {
		Error *apiError `json:"error"`
	}
	if err := json.Unmarshal(data, &resp); err != nil {
		return fault("bus restore", err)
	}
	if resp.Error != nil {
		return torn(resp.Error)
	}
	return nil
}

// head reads the magic and the first block.
func (f *frameReader) head() ([]byte, error) {
	magic, err := f.raw(len(snapshotMagic))
	if err != nil {
		return nil, err
	}
	if string(magic) != snapshotMagic {
		return nil, errors.New("not a snapshot of the bus")
	}
	head, err := f.block()
	if err != nil {
		return nil, err
	}
	var h snapshotHead
	if err := json.Unmarshal(head, &h); err != nil {
		return nil, err
	}
	return head, nil
}

func torn(err error) error {
	return &moothall.Error{
		Code: moothall.CodeCorrupt, Op: "bus restore", Message: "the snapshot is damaged or not one",
		Remedy: "use another backup, or start with an empty bus", Err: err,
	}
}
