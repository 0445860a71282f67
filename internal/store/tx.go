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
	shared bool               // others' writes are in the same transaction
	rows   map[*Rows]struct{} // those not closed yet
}

// Read runs f on one unchanging state of the store, beside other reads and
// writes. Writing in it is refused with CodeInvalid.
func (db *DB) Read(ctx context.Context, f func(*Tx) error) error {
	err := db.look(ctx, &Tx{db: db, op: "read store", reader: true}, f)
	if err == nil {
		db.reads.Add(1)
	}
	return err
}

// look runs f on a reader's connection. Nothing is to be kept, so that its
// transaction is always taken back.
func (db *DB) look(ctx context.Context, tx *Tx, f func(*Tx) error) error {
	c, err := db.readers.get(ctx)
	if err != nil {
		return wrap(tx.op, db.path, err)
	}
	defer db.readers.put(c)
	defer c.rollback()
	if err := c.control("BEGIN"); err != nil {
		return wrap(tx.op, db.path, err)
	}
	tx.conn = c
	defer tx.end() // also on a panic of f
	if err := f(tx); err != nil {
		return tx.fail(err)
	}
	return tx.fail(ctx.Err())
}

// steady is the context that a statement runs under. One that writes is not
// interrupted: SQLite would end the whole transaction, and with it others'
// writes. That also spares it the two goroutines that watch a context which
// can end, and which cost more than a row does.
func (tx *Tx) steady(ctx context.Context) (context.Context, error) {
	if tx.reader {
		return ctx, nil // it may be a search through everything
	}
	return context.WithoutCancel(ctx), ctx.Err()
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
	if err == nil {
		return nil
	}
	if tx.reader && isReadOnly(err) {
		return &moothall.Error{Code: moothall.CodeInvalid, Op: tx.op, Message: "a read cannot change the store", Err: err}
	}
	return wrap(tx.op, tx.db.path, err)
}

// statement prepares a query, and returns the context that it runs under.
func (tx *Tx) statement(ctx context.Context, query string) (context.Context, *stmt, error) {
	if tx.over {
		return nil, nil, moothall.Fail(moothall.CodeInvalid, tx.op, "the transaction is over")
	}
	ctx, err := tx.steady(ctx)
	if err != nil {
		return nil, nil, err
	}
	st, err := tx.conn.prepare(ctx, query)
	return ctx, st, err
}

// Exec runs a statement that returns no rows, or a script of several.
func (tx *Tx) Exec(ctx context.Context, query string, args ...any) (sql.Result, error) {
	ctx, st, err := tx.statement(ctx, query)
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
	ctx, st, err := tx.statement(ctx, query)
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
