package store

import (
	"context"

	"moothall"
)

// applicationID marks a file as ours: "MOOT" as SQLite writes it into the
// header, where file(1) and other programs look.
const applicationID = 0x4d4f4f54

// format is the version of the store's own bookkeeping, kept in the header.
const format = 1

// bookkeeping is what the first start writes in one transaction. All else is
// in migrations, which need this table.
const bookkeeping = `
CREATE TABLE store_migration (
	suite      TEXT    NOT NULL,
	version    INTEGER NOT NULL,
	name       TEXT    NOT NULL,
	sha256     TEXT    NOT NULL,
	applied_at INTEGER NOT NULL, -- milliseconds since 1970
	program    TEXT    NOT NULL,
	PRIMARY KEY (suite, version)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = 1297043284; -- MOOT
PRAGMA user_version = 1;
`

// header is what tells whose file it is.
type header struct{ application, format, objects int64 }

func readHeader(ctx context.Context, c *conn) (header, error) {
	var h header
	const query = `SELECT a.application_id, u.user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id AS a, pragma_user_version AS u`
	err := c.sql.QueryRowContext(ctx, query).Scan(&h.application, &h.format, &h.objects)
	return h, err
}

// empty reports whether nobody has written anything yet.
func (h header) empty() bool { return h == header{} }

// check refuses what is not ours or too new for us.
func (h header) check(path string) error {
	switch {
	case h.application != applicationID:
		return &moothall.Error{
			Code: moothall.CodeInvalid, Op: "identify store", Message: path + " is a database of another program; it was not changed",
			Remedy: "name another file",
		}
	case h.format > format:
		return &moothall.Error{
			Code: moothall.CodeUnsupported, Op: "identify store", Message: path + " was written by a newer program",
			Remedy: "use that program, or restore a backup made by this one",
		}
	}
	return nil
}

// claim makes sure that the file is ours, taking an empty one, and that it
// uses a write-ahead log. Nothing is written before the file is known.
func claim(ctx context.Context, c *conn, path string) error {
	h, err := readHeader(ctx, c)
	if err != nil {
		return err
	}
	fresh := h.empty()
	if !fresh {
		if err := h.check(path); err != nil {
			return err
		}
	}
	if err := useLog(ctx, c, path); err != nil || !fresh {
		return err
	}
	return atomically(c, func() error {
		// Another process may have taken the file in the meantime.
		h, err := readHeader(ctx, c)
		if err != nil {
			return err
		}
		if !h.empty() {
			return h.check(path)
		}
		return c.run(ctx, bookkeeping)
	})
}

func useLog(ctx context.Context, c *conn, path string) error {
	var mode string
	if err := c.sql.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return &moothall.Error{
			Code: moothall.CodeUnsupported, Op: "open log", Message: "the disk of " + path + " cannot hold a write-ahead log",
			Remedy: "put the file on a local disk",
		}
	}
	return nil
}

// atomically runs f in a write transaction of c.
func atomically(c *conn, f func() error) error {
	if err := c.control("BEGIN IMMEDIATE"); err != nil {
		c.rollback()
		return err
	}
	err := f()
	if err == nil {
		err = c.control("COMMIT")
	}
	if err != nil {
		c.rollback()
	}
	return err
}
