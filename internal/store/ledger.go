package store

import (
	"context"
	"time"

	"moothall"
)

// Once records, in this transaction, that observer has done id, and reports
// whether that is new. An effect in the same transaction thereby happens once,
// however often its cause arrives: when first is false, it has been done.
func (tx *Tx) Once(ctx context.Context, observer, id string) (first bool, err error) {
	if observer == "" || id == "" {
		return false, moothall.Fail(moothall.CodeInvalid, "record effect", "an observer and an id are needed")
	}
	const record = `INSERT INTO store_done (observer, id, done_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`
	res, err := tx.Exec(ctx, record, observer, id, tx.db.opts.Now().UnixMilli())
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// Ledger answers whether an observer has dealt with an event, for effects
// outside the store. Those that are rows should use [Tx.Once].
type Ledger struct{ db *DB }

// Ledger returns the ledger of the store. It is safe for concurrent use.
func (db *DB) Ledger() *Ledger { return &Ledger{db: db} }

// Done reports whether observer has marked id.
func (l *Ledger) Done(ctx context.Context, observer string, id moothall.EventID) (bool, error) {
	var done bool
	err := l.db.Read(ctx, func(tx *Tx) error {
		const query = `SELECT EXISTS (SELECT 1 FROM store_done WHERE observer = ? AND id = ?)`
		return tx.QueryRow(ctx, query, observer, string(id)).Scan(&done)
	})
	return done, err
}

// Mark records that observer has dealt with id. When it returns nil the
// record is on the disk; marking again changes nothing.
func (l *Ledger) Mark(ctx context.Context, observer string, id moothall.EventID) error {
	return l.db.Write(ctx, func(tx *Tx) error {
		_, err := tx.Once(ctx, observer, string(id))
		return err
	})
}

// pruneBatch bounds how long one step of Prune keeps other writes waiting.
const pruneBatch = 2000

// Prune forgets what was recorded in the ledger before the time given, and
// returns how many records that were. An event older than that could then be
// done again: prune only what can no longer arrive.
func (db *DB) Prune(ctx context.Context, before time.Time) (int64, error) {
	const forget = `DELETE FROM store_done WHERE (observer, id) IN
		(SELECT observer, id FROM store_done WHERE done_at < ? LIMIT ?)`
	var total int64
	for {
		var n int64
		err := db.Write(ctx, func(tx *Tx) error {
			res, err := tx.Exec(ctx, forget, before.UnixMilli(), pruneBatch)
			if err != nil {
				return err
			}
			n, err = res.RowsAffected()
			return err
		})
		if err != nil {
			return total, err
		}
		total += n
		if n < pruneBatch {
			return total, nil
		}
	}
}
