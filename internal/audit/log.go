package audit

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"moothall"
)

// Options adjust a [Log]. The zero value, like nil, means the defaults.
type Options struct {
	// Origin is the first part of the log's name, which stands in every head.
	// Default "moothall/audit". It matters at creation only.
	Origin string
	// HeadEvery is the number of entries after which a head is signed.
	// Default 256.
	HeadEvery int
	// Window is how long relaxed entries may wait for company. Default 2 ms;
	// negative means not at all.
	Window time.Duration
	// Logger hears of recoveries and failures. Nil discards.
	Logger *slog.Logger

	wrap func(name string, f file) file // replaces files in tests
}

// file is what the log needs of an open file.
type file interface {
	Write(p []byte) (int, error)
	Sync() error
	Truncate(size int64) error
	Stat() (os.FileInfo, error)
	Close() error
}

// Log is an open audit log, the directory's only writer.
type Log struct {
	file   file
	locked *os.File // the same file, for its lock
	keys   *keys
	seals  *sealer
	logger *slog.Logger
	every  uint64
	window time.Duration
	pool   sync.Pool // of *pending
	wake   chan struct{}
	done   chan struct{} // the committer has ended
	once   sync.Once
	closed error // result of Close; set in once

	// The committer's own; no lock.
	tree   frontier
	owed   []*pending // the log's own records, written before all others
	buf    []byte
	headed uint64 // size of the last head asked for
	lost   error  // why entries could not be written, the last time

	mu      sync.Mutex
	queue   []*pending
	place   uint64 // the index of what is queued next, if all before it is written
	urgent  bool   // somebody in the queue must not wait
	closing bool
	err     error // why nothing is written any more
	stats   Stats
}

// Stats are figures of an open log.
type Stats struct {
	Entries   uint64 // durable entries, genesis included
	Signed    uint64 // entries covered by the last head
	Heads     uint64 // heads in the file
	Bytes     int64  // length of the log
	Commits   uint64 // batches written since Open
	Denied    uint64 // entries refused since Open because writing failed
	Recovered int64  // bytes cut off by Open
	LastError string // the last failure to write, "" if none
}

// Open opens the log in dir, creating both at need, and checks all of it.
// CodeTampered means that log, heads and keys do not agree, CodeConflict that
// another writer has it open, CodeExhausted that the disk is full.
func Open(dir string, o *Options) (*Log, error) {
	opts, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	root, err := openDir(dir)
	if err != nil {
		return nil, ioFailure("open audit directory", err)
	}
	defer root.Close()
	f, err := openLocked(root)
	if err != nil {
		return nil, err
	}
	l, err := open(root, f, opts)
	if err != nil {
		unlock(f)
		f.Close()
		return nil, err
	}
	l.locked = f
	l.begin()
	return l, nil
}

func (o *Options) withDefaults() (Options, error) {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Origin == "" {
		out.Origin = "moothall/audit"
	}
	if out.HeadEvery <= 0 {
		out.HeadEvery = 256
	}
	if out.Window == 0 {
		out.Window = 2 * time.Millisecond
	}
	if out.Logger == nil {
		out.Logger = slog.New(slog.DiscardHandler)
	}
	if out.wrap == nil {
		out.wrap = func(_ string, f file) file { return f }
	}
	return out, checkOrigin(out.Origin)
}

// openDir opens the directory and closes it to others.
func openDir(dir string) (*os.Root, error) {
	info, err := os.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		parent, err := os.Open(filepath.Dir(dir))
		if err != nil {
			return nil, err
		}
		if err := errors.Join(parent.Sync(), parent.Close()); err != nil {
			return nil, err
		}
		return os.OpenRoot(dir)
	}
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		if err := os.Chmod(dir, 0o700); err != nil {
			return nil, err
		}
	}
	return os.OpenRoot(dir)
}

// openLocked opens the log file as its only writer. The lock ends with the
// file's last descriptor, so a killed process leaves none behind. The file is
// made only where no signing key says that there was one.
func openLocked(root *os.Root) (*os.File, error) {
	flags := os.O_RDWR | os.O_APPEND
	if _, err := root.Lstat(fileKey); errors.Is(err, fs.ErrNotExist) {
		flags |= os.O_CREATE
	}
	f, err := root.OpenFile(fileLog, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, tampered(opOpen, "the log file is missing")
	}
	if err != nil {
		return nil, ioFailure(opOpen, err)
	}
	err = unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == nil {
		return f, nil
	}
	f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, &moothall.Error{
			Code: moothall.CodeConflict, Op: opOpen, Message: "another process writes this audit log",
			Remedy: "stop the hall that is running on this directory",
		}
	}
	return nil, ioFailure(opOpen, err)
}

// unlock gives the lock up before the file is closed: a program that this
// process is just starting may hold a copy of the descriptor for a moment,
// and the lock with it.
func unlock(f *os.File) { _ = unix.Flock(int(f.Fd()), unix.LOCK_UN) }

// For returns the append-only face of the log for one caller. The caller's
// name stands in every entry that comes through it.
func (l *Log) For(caller moothall.Identity) moothall.Audit { return face{log: l, by: caller} }

// Err returns why the log refuses all writing, or nil.
func (l *Log) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Stats returns the current figures.
func (l *Log) Stats() Stats {
	l.mu.Lock()
	s := l.stats
	l.mu.Unlock()
	l.seals.addStats(&s)
	return s
}

// Seal signs a head over all entries appended so far and returns when it is
// durable. It does nothing when such a head exists.
func (l *Log) Seal(ctx context.Context) error {
	p := &pending{sealed: make(chan error, 1)}
	if _, err := l.enqueue(p); err != nil {
		return err
	}
	select {
	case err := <-p.sealed:
		return err
	case <-ctx.Done():
		return gaveUp(ctx, "seal audit log")
	}
}

// Close writes what is waiting, seals the log and closes it. Later calls
// return the same result; a later Append fails.
func (l *Log) Close() error {
	l.once.Do(func() {
		l.mu.Lock()
		l.closing = true
		l.mu.Unlock()
		l.nudge()
		<-l.done
		sealed := l.seals.close()
		unlock(l.locked)
		l.closed = errors.Join(sealed, l.Err(), l.file.Close())
	})
	return l.closed
}
