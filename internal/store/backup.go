package store

import (
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Backup writes a consistent copy of the store to a new file at path, flushes
// it to the disk and checks it; reads and writes go on meanwhile. The copy is
// of one moment not before the call. A file that is there already is never
// touched: the error is then CodeConflict. When Backup fails, nothing is left
// at path; a kill may leave an empty file there and a path.partial beside it.
//
// It uses VACUUM INTO, not SQLite's page-wise backup: that one starts again
// whenever somebody writes, cannot be given up in the middle of a step, and
// copies free pages, in which deleted memories would live on.
func (db *DB) Backup(ctx context.Context, path string) error {
	const op = "back up store"
	path, err := filepath.Abs(path)
	if err != nil {
		return wrap(op, path, err)
	}
	// The empty file reserves the name; only its maker may replace it.
	if err := reserve(path); err != nil {
		return wrap(op, path, err)
	}
	if err := db.backup(ctx, path); err != nil {
		return wrap(op, path, errors.Join(err, os.Remove(path)))
	}
	return nil
}

// backup fills the reserved name.
func (db *DB) backup(ctx context.Context, path string) (err error) {
	part := path + ".partial"
	if err := reserve(part); err != nil {
		return wrap("reserve copy", part, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(part))
		}
	}()
	// VACUUM INTO takes an empty file, and so keeps its mode.
	if err := db.vacuumInto(ctx, part); err != nil {
		return err
	}
	if err := flush(part); err != nil {
		return err
	}
	if err := Check(ctx, part); err != nil {
		return err
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	return flush(filepath.Dir(path))
}

// vacuumInto copies on a connection of its own: those of the pool may not
// write anywhere, and a long copy should not keep a reader from its turn.
func (db *DB) vacuumInto(ctx context.Context, path string) error {
	src := source(dsn(db.path, url.Values{"mode": {"ro"}}))
	c, err := dial(ctx, src)
	if err != nil {
		return errors.Join(wrap("open store", db.path, err), src.Close())
	}
	// SQLite does not say which of the two files an error is about; the one
	// being written is by far the likelier.
	err = wrap("copy store", path, c.run(ctx, "VACUUM INTO ?", path))
	return errors.Join(err, c.close(), src.Close())
}

// flush has the disk keep a file or folder.
func flush(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// maxFaults bounds how much of a damaged file's troubles an error lists.
const maxFaults = 5

// Check reads the whole store at path and returns nil if it is sound: every
// page and index as it should be, no reference to a missing row, and a file
// of ours. Where migrations are given it is also one that [Open] takes with them:
// not of a newer program. It changes nothing and may run on a store that is open.
//
// Errors: CodeNotFound, CodeCorrupt, CodeInvalid for a file of another
// program, CodeUnsupported for one of a newer program, CodeDenied.
func Check(ctx context.Context, path string, migrations ...Set) (err error) {
	const op = "check store"
	path, err = filepath.Abs(path)
	if err != nil {
		return wrap(op, path, err)
	}
	plans, err := loadPlans(migrations)
	if err != nil {
		return err
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return wrap(op, path, err)
	}
	ownLocks()
	src := source(readerName(path))
	defer func() { err = errors.Join(err, src.Close()) }()
	c, err := dial(ctx, src)
	if err != nil {
		return wrap(op, path, err)
	}
	defer func() { err = errors.Join(err, c.close()) }()
	return wrap(op, path, inspect(ctx, c, path, plans))
}

func inspect(ctx context.Context, c *conn, path string, plans []plan) error {
	h, err := readHeader(ctx, c)
	if err != nil {
		return err
	}
	if err := h.check(path); err != nil {
		return err
	}
	const pages = `SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'`
	if err := faults(ctx, c, path, pages); err != nil {
		return err
	}
	const references = `SELECT format('%s row %d refers to a missing row of %s', "table", rowid, parent)
		FROM pragma_foreign_key_check`
	if err := faults(ctx, c, path, references); err != nil {
		return err
	}
	m := &migrator{conn: c, path: path, opts: (*Options)(nil).withDefaults()}
	for _, p := range plans {
		if _, err := m.applied(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// faults runs a query whose rows are each a fault.
func faults(ctx context.Context, c *conn, path, query string) error {
	rows, err := c.sql.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	var found []string
	for rows.Next() && len(found) < maxFaults {
		var fault string
		if err := rows.Scan(&fault); err != nil {
			return err
		}
		found = append(found, fault)
	}
	if err := rows.Err(); err != nil || len(found) == 0 {
		return err
	}
	e := damaged(path, "is damaged: "+strings.Join(found, "; "))
	e.Op = "check store"
	return e
}
