package sqlite

import (
	"context"
	"iter"
	"slices"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/row"
	"moothall/internal/store"
)

// slotShift leaves 2^40 places for each embedder.
const slotShift = 40

func key(slot int64, n uint64) int64 { return slot<<slotShift | int64(n) }

// vectors adds to records that are still there: one may have been forgotten
// while it was being embedded.
func (c *changer) vectors(ch *memory.Change) error {
	for _, v := range ch.Vectors {
		var there bool
		if err := c.tx.QueryRow(c.ctx, `SELECT EXISTS (SELECT 1 FROM memory_entries WHERE n = ?)`, int64(v.N)).Scan(&there); err != nil {
			return err
		}
		if !there {
			continue
		}
		if err := c.vector(v); err != nil {
			return err
		}
	}
	return nil
}

func (c *changer) vector(v memory.Vectors) error {
	c.touched = true
	slot, err := c.slot(v.Embedder)
	if err != nil {
		return err
	}
	b, err := row.Pack(v)
	if err != nil {
		return err
	}
	return c.exec(`INSERT INTO memory_vectors (k, v) VALUES (?, ?) ON CONFLICT (k) DO UPDATE SET v = excluded.v`, key(slot, v.N), b)
}

// slot finds an embedder's number, or gives it one.
func (c *changer) slot(name string) (int64, error) {
	if slot := c.fresh[name]; slot != 0 {
		return slot, nil
	}
	slot := c.engine.known(name)
	if slot != 0 {
		return slot, nil
	}
	err := c.tx.QueryRow(c.ctx, `SELECT slot FROM memory_embedders WHERE name = ?`, name).Scan(&slot)
	if err == nil {
		c.engine.learn(name, slot) // committed by an earlier change
		return slot, nil
	}
	if moothall.ErrorCode(err) != moothall.CodeNotFound {
		return 0, err
	}
	res, err := c.tx.Exec(c.ctx, `INSERT INTO memory_embedders (name) VALUES (?)`, name)
	if err != nil {
		return 0, err
	}
	slot, err = res.LastInsertId()
	c.fresh = map[string]int64{name: slot}
	return slot, err
}

func (e *Engine) known(name string) int64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.slots[name]
}

// learn remembers a slot. One that the running transaction made is not
// learnt: it may still be taken back.
func (e *Engine) learn(name string, slot int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.slots[name] = slot
}

// find returns the slot of an embedder, 0 when it has none.
func find(ctx context.Context, tx *store.Tx, embedder string) (slot int64, err error) {
	err = tx.QueryRow(ctx, `SELECT coalesce((SELECT slot FROM memory_embedders WHERE name = ?), 0)`, embedder).Scan(&slot)
	return slot, err
}

// Vectors streams all of an embedder.
func (e *Engine) Vectors(ctx context.Context, embedder string) iter.Seq2[memory.Vectors, error] {
	return func(yield func(memory.Vectors, error) bool) {
		var slot int64
		if err := e.db.Read(ctx, func(tx *store.Tx) (err error) { slot, err = find(ctx, tx, embedder); return err }); err != nil {
			yield(memory.Vectors{}, err)
			return
		}
		scan := func(s row.Scanner) (memory.Vectors, error) { return scanVectors(s, embedder) }
		stream(ctx, e.db, scan, `SELECT k, v FROM memory_vectors WHERE k > ? AND k < ? ORDER BY k`, key(slot, 0), key(slot+1, 0))(yield)
	}
}

func scanVectors(s row.Scanner, embedder string) (memory.Vectors, error) {
	var k int64
	var b []byte
	if err := s.Scan(&k, &b); err != nil {
		return memory.Vectors{}, err
	}
	return row.Unpack(uint64(k)&(1<<slotShift-1), embedder, b)
}

// VectorsAt returns those of some places.
func (e *Engine) VectorsAt(ctx context.Context, embedder string, ns []uint64) ([]memory.Vectors, error) {
	found := make(map[uint64]memory.Vectors, len(ns))
	err := e.db.Read(ctx, func(tx *store.Tx) error {
		slot, err := find(ctx, tx, embedder)
		if err != nil || slot == 0 {
			return err
		}
		for part := range slices.Chunk(ns, chunk) {
			keys := make([]int64, len(part))
			for i, n := range part {
				keys[i] = key(slot, n)
			}
			if err := e.vectorsOf(ctx, tx, embedder, keys, found); err != nil {
				return err
			}
		}
		return nil
	})
	var out []memory.Vectors
	for _, n := range ns {
		if v, ok := found[n]; ok && err == nil {
			out = append(out, v)
		}
	}
	return out, err
}

func (e *Engine) vectorsOf(ctx context.Context, tx *store.Tx, embedder string, keys []int64, into map[uint64]memory.Vectors) error {
	args := padded(keys)
	rows, err := tx.Query(ctx, `SELECT k, v FROM memory_vectors WHERE k IN (`+marks(len(args))+`)`, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		v, err := scanVectors(rows, embedder)
		if err != nil {
			return err
		}
		into[v.N] = v
	}
	return rows.Err()
}

// Lacking returns places without vectors of an embedder.
func (e *Engine) Lacking(ctx context.Context, embedder string, after uint64, limit int) (out []uint64, err error) {
	err = e.db.Read(ctx, func(tx *store.Tx) error {
		slot, err := find(ctx, tx, embedder)
		if err != nil {
			return err
		}
		list, err := column[int64](ctx, tx, `SELECT n FROM memory_entries e WHERE n > ? AND proposed = 0
			AND NOT EXISTS (SELECT 1 FROM memory_vectors v WHERE v.k = ? + e.n) ORDER BY n LIMIT ?`, int64(after), key(slot, 0), limit)
		for _, n := range list {
			out = append(out, uint64(n))
		}
		return err
	})
	return out, err
}

// Drop deletes an embedder's vectors, a few thousand at a time so that other
// writes are not held up, and then its name.
func (e *Engine) Drop(ctx context.Context, embedder string) error {
	for {
		var left bool
		err := e.db.Write(ctx, func(tx *store.Tx) error {
			slot, err := find(ctx, tx, embedder)
			if err != nil || slot == 0 {
				return err
			}
			res, err := tx.Exec(ctx, `DELETE FROM memory_vectors WHERE k IN (SELECT k FROM memory_vectors WHERE k > ? AND k < ? LIMIT 2000)`,
				key(slot, 0), key(slot+1, 0))
			if err != nil {
				return err
			}
			n, err := res.RowsAffected()
			if err != nil || n > 0 {
				left = true
				return err
			}
			e.learn(embedder, 0)
			if _, err := tx.Exec(ctx, `DELETE FROM memory_embedders WHERE slot = ?`, slot); err != nil {
				return err
			}
			_, err = tx.Exec(ctx, `UPDATE memory_version SET version = version + 1`)
			return err
		})
		if err != nil || !left {
			return err
		}
	}
}
