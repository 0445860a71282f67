package store

import (
	"context"
	"database/sql"
	"errors"

	"moothall"
)

// Tx is a transaction: the view that the function handed to [DB.Read] or
// [DB.Write] has of the store. It is for one goroutine and ends with that
// function. Errors of its methods are [*moothall.Error] values.
type Tx struct {
	db     *DB
	conn   *conn
	op     string
	reader bool
	over   bool
	rows   map[*Rows]struct{} // those not closed yet
}

// Write runs f in a transaction of its own and commits when f returns nil and
// ctx is still alive. Writes of one DB run one after the other. An error or a
// panic of f takes everything back. The error is f's own unless it came from
// the store: see the codes in [Open], and CodeConflict when another process
// holds the file or a row is there already.
func (db *DB) Write(ctx context.Context, f func(*Tx) error) error {
	err := db.transact(ctx, db.writers, &Tx{db: db, op: "write store"}, "BEGIN IMMEDIATE", f)
	if err == nil {
		db.writes.Add(1)
	}
	return err
}

// Read runs f on one unchanging state of the store, beside other reads and
// writes. Writing in it is refused with CodeInvalid.
func (db *DB) Read(ctx context.Context, f func(*Tx) error) error {
	err := db.transact(ctx, db.readers, &Tx{db: db, op: "read store", reader: true}, "BEGIN", f)
	if err == nil {
		db.reads.Add(1)
	}
	return err
}

func (db *DB) transact(ctx context.Context, p *pool, tx *Tx, begin string, f func(*Tx) error) error {
	c, err := p.get(ctx)
	if err != nil {
		return wrap(tx.op, db.path, err)
	}
	defer p.put(c)
	if err := c.control(ctx, begin); err != nil {
		c.rollback() // it may have begun before ctx ended
		return wrap(tx.op, db.path, err)
	}
	tx.conn = c
	committed := false
	defer func() { // also on a panic of f
		tx.end()
		if !committed {
			c.rollback()
		}
	}()
	if err := f(tx); err != nil {
		return tx.fail(err)
	}
	if err := ctx.Err(); err != nil {
		return tx.fail(err)
	}
	tx.end()
	// From here on the caller can no longer give up: it must learn whether
	// the rows are there.
	if err := c.control(context.WithoutCancel(ctx), "COMMIT"); err != nil {
		return tx.fail(err)
	}
	committed = true
	return nil
}

// end closes what f left open.
func (tx *Tx) end() {
	tx.over = true
	for r := range tx.rows {
		_ = r.Close() // its error belonged to f, which did not ask
	}
}

// fail gives an error its code.
func (tx *Tx) fail(err error) error {
	if tx.reader && isReadOnly(err) {
		return &moothall.Error{Code: moothall.CodeInvalid, Op: tx.op, Message: "a read cannot change the store", Err: err}
	}
	return wrap(tx.op, tx.db.path, err)
}

func (tx *Tx) statement(ctx context.Context, query string) (*stmt, error) {
	if tx.over {
		return nil, moothall.Fail(moothall.CodeInvalid, tx.op, "the transaction is over")
	}
	return tx.conn.prepare(ctx, query)
}

// Exec runs a statement that returns no rows, or a script of several.
func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	st, err := tx.statement(ctx, query)
	if err != nil {
		return nil, tx.fail(err)
	}
	res, err := st.sql.ExecContext(ctx, args...)
	if err := errors.Join(err, tx.conn.release(st)); err != nil {
		return nil, tx.fail(err)
	}
	return res, nil
}

// Query runs a statement that returns rows. Close them, or read to their end;
// the end of the transaction closes the rest.
func (tx *Tx) Query(ctx context.Context, query string, args ...any) (*Rows, error) {
	st, err := tx.statement(ctx, query)
	if err != nil {
		return nil, tx.fail(err)
	}
	rows, err := st.sql.QueryContext(ctx, args...)
	if err != nil {
		return nil, tx.fail(errors.Join(err, tx.conn.release(st)))
	}
	r := &Rows{rows: rows, tx: tx, stmt: st}
	if tx.rows == nil {
		tx.rows = make(map[*Rows]struct{})
	}
	tx.rows[r] = struct{}{}
	return r, nil
}

// QueryRow runs a statement that returns at most one row. Errors wait for
// [Row.Scan].
func (tx *Tx) QueryRow(ctx context.Context, query string, args ...any) *Row {
	rows, err := tx.Query(ctx, query, args...)
	return &Row{rows: rows, err: err}
}
