package store

import "database/sql"

// Rows is the result of [Tx.Query], used as [sql.Rows] is.
type Rows struct {
	rows *sql.Rows
	tx   *Tx
	stmt *stmt // nil when closed
}

// Next goes to the next row. After the last one, or an error, it closes the
// rows and returns false.
func (r *Rows) Next() bool {
	if r.rows.Next() {
		return true
	}
	_ = r.Close() // what went wrong is told by Err
	return false
}

// Scan copies the columns of the row into dest; see [sql.Rows.Scan].
func (r *Rows) Scan(dest ...any) error {
	if err := r.rows.Scan(dest...); err != nil {
		return r.tx.fail(err)
	}
	return nil
}

// Err returns the error that ended the rows, if one did.
func (r *Rows) Err() error {
	if err := r.rows.Err(); err != nil {
		return r.tx.fail(err)
	}
	return nil
}

// Columns returns the names of the columns.
func (r *Rows) Columns() ([]string, error) {
	names, err := r.rows.Columns()
	if err != nil {
		return nil, r.tx.fail(err)
	}
	return names, nil
}

// Close ends the reading. Calls after the first do nothing.
func (r *Rows) Close() error {
	if r.stmt == nil {
		return nil
	}
	err := r.rows.Close()
	if e := r.tx.conn.release(r.stmt); err == nil {
		err = e
	}
	r.stmt = nil
	delete(r.tx.rows, r)
	if err != nil {
		return r.tx.fail(err)
	}
	return nil
}

// Row is the result of [Tx.QueryRow].
type Row struct {
	rows *Rows
	err  error
}

// Scan copies the columns of the row into dest and closes it. Without a row
// the error is CodeNotFound and wraps [sql.ErrNoRows].
func (r *Row) Scan(dest ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if !r.rows.Next() {
		if err := r.rows.Err(); err != nil {
			return err
		}
		return r.rows.tx.fail(sql.ErrNoRows)
	}
	if err := r.rows.Scan(dest...); err != nil {
		return err
	}
	return r.rows.Close()
}
