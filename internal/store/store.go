package store

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"moothall"
)

// Options of [Open]. The zero value is a store without any service's tables.
type Options struct {
	// Migrations are applied in the order given, after the store's own.
	Migrations []Set
	// Program is what the file is told to have been changed by, for the
	// message that an older program gives; "moothall" by default.
	Program string
	// Readers is how many reads may run at once; 4 by default.
	Readers int
	// Now is the clock of records and the ledger; time.Now by default.
	Now func() time.Time
	// Logger hears of migrations; nil discards.
	Logger *slog.Logger
}

func (o *Options) withDefaults() Options {
	var v Options
	if o != nil {
		v = *o
	}
	if v.Program == "" {
		v.Program = "moothall"
	}
	if v.Readers <= 0 {
		v.Readers = 4
	}
	if v.Now == nil {
		v.Now = time.Now
	}
	if v.Logger == nil {
		v.Logger = slog.New(slog.DiscardHandler)
	}
	return v
}

// DB is an open store. Make one with [Open].
type DB struct {
	path    string
	opts    Options
	writers *pool        // of one
	queued  atomic.Int64 // writes that wait for its connection
	batch   *batch       // what is open on it; whoever holds the connection may look
	readers *pool

	writes, reads atomic.Uint64
}

// Open opens the file at path, makes it if there is none (readable by its
// owner alone; the folder must be there), and applies what migrations are
// missing. A nil opts means the defaults.
//
// Errors: CodeInvalid for a file of another program or for migrations that
// make no sense, CodeUnsupported for a schema newer than this program knows or
// a disk that cannot hold a write-ahead log, CodeCorrupt, CodeDenied,
// CodeExhausted, CodeNotFound for a missing folder.
func Open(ctx context.Context, path string, opts *Options) (*DB, error) {
	const op = "open store"
	o := opts.withDefaults()
	plans, err := loadPlans(o.Migrations)
	if err != nil {
		return nil, err
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, wrap(op, path, err)
	}
	if err := reserve(path); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, wrap(op, path, err)
	}
	ownLocks()
	db := &DB{
		path:    path,
		opts:    o,
		writers: newPool(writerName(path), 1),
		readers: newPool(readerName(path), o.Readers),
	}
	if err := db.prepare(ctx, plans); err != nil {
		_ = db.Close() // the first failure is the one to tell
		return nil, wrap(op, path, err)
	}
	return db, nil
}

// reserve makes an empty file that only its owner can read, and fails if
// there is one. SQLite would make it readable by all; it gives the log beside
// it the same mode. The descriptor is closed before SQLite opens the file.
func reserve(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// prepare makes sure that the file is ours and has the schema of plans.
func (db *DB) prepare(ctx context.Context, plans []plan) error {
	c, err := db.writers.get(ctx)
	if err != nil {
		return err
	}
	defer db.writers.put(c)
	if err := claim(ctx, c, db.path); err != nil {
		return err
	}
	m := &migrator{conn: c, path: db.path, opts: db.opts}
	for _, p := range plans {
		if err := m.apply(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// Close waits for running reads and writes, then closes the file. Calls after
// the first do nothing.
func (db *DB) Close() error {
	// Readers first: the last connection to close folds the log into the
	// file, which a read-only one cannot do.
	if c, err := db.writers.get(context.Background()); err == nil {
		if db.batch != nil {
			db.finish(c) // who was to do it may not come any more
		}
		db.writers.put(c)
	}
	err := errors.Join(db.readers.close(), db.writers.close())
	return wrap("close store", db.path, err)
}

// Stats are plain figures about a store.
type Stats struct {
	Path    string
	Size    int64  // bytes of the database file
	WALSize int64  // bytes of the write-ahead log beside it
	Writes  uint64 // transactions committed by this DB
	Reads   uint64 // reads ended without error by this DB
	Readers int    // read connections open now
}

// Stats returns figures of the moment. A size that cannot be told is zero.
func (db *DB) Stats() Stats {
	return Stats{
		Path:    db.path,
		Size:    size(db.path),
		WALSize: size(db.path + "-wal"),
		Writes:  db.writes.Load(),
		Reads:   db.reads.Load(),
		Readers: db.readers.open(),
	}
}

func size(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// errClosed is what every call on a closed store gets.
func errClosed() error {
	return &moothall.Error{Code: moothall.CodeUnavailable, Op: "use store", Message: "the store is closed"}
}
