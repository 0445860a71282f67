package store

import (
	"context"
	"time"
)

const (
	maxBatch  = 64                   // writes that share a flush
	impatient = 2 * time.Millisecond // after which a write whose flush was left to others does it itself
)

// batch is a transaction that several writes share, so that their number is
// not bound by how often the disk can flush.
type batch struct {
	writes int
	done   chan struct{} // closed when it is over
	err    error         // why it was not committed; set before done
}

// Write runs f in a transaction and returns when its changes are durable.
// Writes of one DB run one after the other; those that wait while another
// runs join its transaction and share its flush. An error or a panic of f
// takes back what f did and nothing else. The error is f's own unless it came
// from the store: see the codes in [Open], and CodeConflict when another
// process holds the file or a row is there already.
func (db *DB) Write(ctx context.Context, f func(*Tx) error) error {
	tx := &Tx{db: db, op: "write store"}
	db.queued.Add(1)
	c, err := db.writers.get(ctx)
	db.queued.Add(-1)
	if err != nil {
		return wrap(tx.op, db.path, err)
	}
	b, err := db.join(ctx, c, tx, f)
	if err == nil {
		err = tx.fail(db.await(b))
	}
	if err == nil {
		db.writes.Add(1)
	}
	return err
}

// join does the work of one write in the open batch, or begins one, and gives
// the connection back.
func (db *DB) join(ctx context.Context, c *conn, tx *Tx, f func(*Tx) error) (_ *batch, err error) {
	defer db.writers.put(c)
	if db.batch == nil {
		if err := c.control("BEGIN IMMEDIATE"); err != nil {
			c.rollback() // whatever state it is in
			return nil, wrap(tx.op, db.path, err)
		}
		db.batch = &batch{done: make(chan struct{})}
	}
	b := db.batch
	tx.conn, tx.shared = c, b.writes > 0
	kept := false
	defer func() { // also on a panic of f
		tx.end()
		if kept {
			b.writes++
		} else {
			db.takeBack(c, tx.shared)
		}
		if c.dead || b.writes == 0 || b.writes >= maxBatch || db.queued.Load() == 0 {
			db.finish(c)
		}
	}()
	if tx.shared {
		if err := c.control("SAVEPOINT own"); err != nil {
			return b, tx.fail(err)
		}
	}
	if err := f(tx); err != nil {
		return b, tx.fail(err)
	}
	if err := ctx.Err(); err != nil {
		return b, tx.fail(err)
	}
	// From here on the caller can no longer give up: it must learn whether
	// the rows are there.
	tx.end()
	if tx.shared {
		if err := c.control("RELEASE own"); err != nil {
			return b, tx.fail(err)
		}
	}
	kept = true
	return b, nil
}

// takeBack undoes one write. Of a batch that others are in only their own
// part stays; when even that cannot be had, the connection is not used again
// and the batch ends with it.
func (db *DB) takeBack(c *conn, shared bool) {
	if !shared {
		c.rollback()
		return
	}
	if c.control("ROLLBACK TO own") != nil || c.control("RELEASE own") != nil {
		c.rollback()
		c.dead = true
	}
}

// finish commits the open batch; the connection is held.
func (db *DB) finish(c *conn) {
	b := db.batch
	db.batch = nil
	switch {
	case c.dead:
		b.err = errLost
	case b.writes > 0:
		if b.err = c.control("COMMIT"); b.err != nil {
			c.rollback()
		}
	}
	close(b.done)
}

// await waits for the end of a batch. Whoever was to commit it may have given
// up waiting for its turn; then this write does it.
func (db *DB) await(b *batch) error {
	late := time.NewTimer(impatient)
	defer late.Stop()
	for {
		select {
		case <-b.done:
			return b.err
		case <-late.C:
		}
		c, err := db.writers.get(context.Background())
		if err != nil { // closed: nobody holds it, and nobody will
			select {
			case <-b.done:
				return b.err
			default:
				return err
			}
		}
		if db.batch == b {
			db.finish(c)
		}
		db.writers.put(c)
	}
}
