package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"moothall"
)

// open checks the directory and prepares a Log whose goroutines do not run
// yet. f is the locked log file.
func open(root *os.Root, f *os.File, o Options) (*Log, error) {
	if _, err := root.Lstat(fileKey); errors.Is(err, fs.ErrNotExist) {
		if err := create(root, f, o.Origin); err != nil {
			return nil, err
		}
		o.Logger.Info("audit log created")
	}
	k, err := loadKeys(root)
	if err != nil {
		return nil, err
	}
	h, err := root.OpenFile(fileHeads, os.O_RDWR|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, tampered(opOpen, "the file heads is missing")
	}
	if err != nil {
		return nil, ioFailure(opOpen, err)
	}
	l, err := check(root, f, h, k, o)
	if err != nil {
		h.Close()
		return nil, err
	}
	return l, nil
}

// check reads heads and log, cuts off torn ends, and makes what it accepted
// durable: the process that wrote it may have died before its flush.
func check(root *os.Root, f, h *os.File, k *keys, o Options) (*Log, error) {
	heads, headBytes, err := readHeads(h, k)
	if err != nil {
		return nil, err
	}
	if len(heads) == 0 {
		return nil, tampered(opOpen, "the log has no signed head")
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, ioFailure(opOpen, err)
	}
	found, err := scan(f, heads, k.note())
	if err != nil {
		return nil, err
	}
	signed := heads[len(heads)-1].size
	l := newLog(f, h, k, o, found)
	l.seals.bytes, l.seals.signed, l.seals.heads = headBytes, signed, uint64(len(heads))
	l.headed = signed
	for _, c := range []struct {
		file *os.File
		name string
		size int64
	}{{h, fileHeads, headBytes}, {f, fileLog, found.bytes}} {
		if err := l.cut(root, c.file, c.name, c.size); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(f.Sync(), h.Sync(), syncDir(root)); err != nil {
		return nil, ioFailure(opOpen, err)
	}
	return l, nil
}

func newLog(f, h *os.File, k *keys, o Options, found scanned) *Log {
	l := &Log{
		file: o.wrap(fileLog, f), keys: k, logger: o.Logger, window: o.Window, every: uint64(o.HeadEvery),
		wake: make(chan struct{}, 1), done: make(chan struct{}), tree: found.tree,
		stats: Stats{Entries: uint64(found.tree.size), Bytes: found.bytes},
	}
	l.seals = &sealer{
		keys: k, file: o.wrap(fileHeads, h), poison: l.poison,
		wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
	return l
}

// cut shortens a file to its intact part, keeping the rest beside it, and
// puts a note about it first in line for the log.
func (l *Log) cut(root *os.Root, f *os.File, name string, size int64) error {
	const op = "recover audit log"
	info, err := f.Stat()
	if err != nil {
		return ioFailure(op, err)
	}
	torn := info.Size() - size
	if torn <= 0 {
		return nil
	}
	kept := "torn-" + strconv.FormatInt(time.Now().UnixNano(), 10)
	if name != fileLog {
		kept = "torn-" + name + "-" + strconv.FormatInt(time.Now().UnixNano(), 10)
	}
	if err := keep(root, kept, io.NewSectionReader(f, size, torn)); err != nil {
		return ioFailure(op, err)
	}
	if err := errors.Join(f.Truncate(size), f.Sync()); err != nil {
		return ioFailure(op, err)
	}
	l.logger.Warn("torn end of a file cut off", "file", name, "bytes", torn, "kept", kept)
	l.stats.Recovered += torn
	l.owe(fmt.Sprintf("cut %d bytes off %s at byte %d, kept in %s", torn, name, size, kept))
	return nil
}

// keep stores the cut bytes before they are cut.
func keep(root *os.Root, name string, r io.Reader) error {
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return syncDir(root)
}

// owe has the log write a record of its own before any other.
func (l *Log) owe(note string) {
	p := &pending{json: appendEntry(nil, moothall.AuditKeeper, &moothall.AuditEntry{
		Time: time.Now(), Action: moothall.ActionRecovered, Status: moothall.StatusOK, Note: note,
	}, "")}
	p.leaf = tlog.RecordHash(p.json)
	l.owed = append(l.owed, p)
}

// begin starts the goroutines and seals what a crash left unsigned. On a full
// disk that waits: the notes stay first in line, and appends are refused.
func (l *Log) begin() {
	whole := len(l.owed) == 0 && l.stats.Entries == l.seals.signed
	l.place = l.stats.Entries + uint64(len(l.owed))
	go l.run()
	go l.seals.run()
	if whole {
		return
	}
	if err := l.Seal(context.Background()); err != nil {
		l.logger.Warn("audit log not sealed at start", "err", err)
	}
}
