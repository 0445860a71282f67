package daemon

import (
	"context"
	"io"
	"os"
	"syscall"

	"moothall"
	"moothall/internal/store"
)

// Peer lets tests act as a participant.
func (h *Hall) Audit(as moothall.Identity) (moothall.Audit, error) { return h.peer(as).Audit() }

// Publish lets tests publish as a participant.
func (h *Hall) Publish(ctx context.Context, as moothall.Identity, e moothall.Event) (uint64, error) {
	p, err := h.bus.As(as)
	if err != nil {
		return 0, err
	}
	return p.Publish(ctx, e)
}

// At lets tests read the bus's record.
func (h *Hall) At(ctx context.Context, seq uint64) (moothall.Event, error) {
	p, err := h.bus.As(moothall.Hall)
	if err != nil {
		return moothall.Event{}, err
	}
	return p.At(ctx, seq)
}

// DB lets tests use the database.
func (h *Hall) DB() *store.DB { return h.db }

// OllamaURL is exported for its table test.
var OllamaURL = ollamaURL

// LockedCopy takes a home and gives it back while a copy of the lock's
// descriptor stays open, as in a program that is just being started.
func LockedCopy(h Home) (closeCopy func() error, err error) {
	l, err := lockHome(h, "test")
	if err != nil {
		return nil, err
	}
	fd, err := syscall.Dup(int(l.f.Fd()))
	if err != nil {
		return nil, err
	}
	return func() error { return syscall.Close(fd) }, l.Close()
}

// Backup lets tests back a hall up that does not serve.
func (h *Hall) Backup(ctx context.Context, w io.Writer) error { return h.backup(ctx, w) }

// InDuckDB has a hall take its memories for DuckDB's, which most builds lack.
func (h *Hall) InDuckDB() { h.conf.Memory.Engine.Kind = "duckdb" }

// Copied has a backup call a function between its copies of the database and of
// the bus.
func (h *Hall) Copied(f func()) { h.copied = f }

// SetRename has a restore move files otherwise, until undo is called.
func SetRename(f func(from, to string) error) (undo func()) {
	rename = f
	return func() { rename = os.Rename }
}
