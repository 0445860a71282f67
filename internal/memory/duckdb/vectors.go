//go:build duckdb

package duckdb

import (
	"context"
	"database/sql/driver"
	"iter"
	"slices"

	"moothall/internal/memory"
	"moothall/internal/memory/row"
)

// vectors adds to records that are still there: one may have been forgotten
// while it was being embedded.
func (c *changer) vectors(ch *memory.Change) error {
	if len(ch.Vectors) == 0 {
		return nil
	}
	ns := make([]uint64, len(ch.Vectors))
	for i, v := range ch.Vectors {
		ns[i] = v.N
	}
	there, err := c.there(ns)
	if err != nil {
		return err
	}
	var list []memory.Vectors
	for _, v := range ch.Vectors {
		if there[v.N] {
			list = append(list, v)
		}
	}
	return c.keep(list)
}

// keep stores vectors in place of those of the same embedder.
func (c *changer) keep(list []memory.Vectors) error {
	type spot struct {
		slot int64
		n    uint64
	}
	rows := map[spot][]driver.Value{}
	places := map[int64][]uint64{}
	for _, v := range list {
		slot, err := c.slotOf(v.Embedder)
		if err != nil {
			return err
		}
		b, err := row.Pack(v)
		if err != nil {
			return err
		}
		rows[spot{slot, v.N}] = []driver.Value{slot, int64(v.N), b}
		places[slot] = append(places[slot], v.N)
		c.moved = append(c.moved, v.N)
		c.touched = true
	}
	for slot, ns := range places {
		for part := range slices.Chunk(ns, chunk) {
			if err := c.exec(`DELETE FROM memory_vectors WHERE slot = ? AND n IN `+numbers(part), slot); err != nil {
				return err
			}
		}
	}
	var out [][]driver.Value
	for _, row := range rows {
		out = append(out, row)
	}
	slices.SortFunc(out, func(a, b []driver.Value) int { return int(a[1].(int64) - b[1].(int64)) })
	return c.append("memory_vectors", out)
}

// slotOf finds an embedder's number, or gives it one.
func (c *changer) slotOf(name string) (slot int64, err error) {
	if err := c.conn.QueryRowContext(c.ctx, `SELECT coalesce(max(slot), 0) FROM memory_embedders WHERE name = ?`, name).Scan(&slot); err != nil || slot > 0 {
		return slot, err
	}
	c.slot++
	return c.slot, c.exec(`INSERT INTO memory_embedders VALUES (?, ?)`, c.slot, name)
}

const ofEmbedder = ` WHERE slot = (SELECT slot FROM memory_embedders WHERE name = ?)`

func scanVectors(embedder string) func(row.Scanner) (memory.Vectors, error) {
	return func(s row.Scanner) (memory.Vectors, error) {
		var n int64
		var b []byte
		if err := s.Scan(&n, &b); err != nil {
			return memory.Vectors{}, err
		}
		return row.Unpack(uint64(n), embedder, b)
	}
}

// Vectors streams all of an embedder.
func (e *Engine) Vectors(ctx context.Context, embedder string) iter.Seq2[memory.Vectors, error] {
	return stream(ctx, e, scanVectors(embedder), `SELECT n, v FROM memory_vectors`+ofEmbedder+` ORDER BY n`, embedder)
}

// VectorsAt returns those of some places.
func (e *Engine) VectorsAt(ctx context.Context, embedder string, ns []uint64) ([]memory.Vectors, error) {
	var all []memory.Vectors
	for part := range slices.Chunk(ns, chunk) {
		list, err := collect(stream(ctx, e, scanVectors(embedder), `SELECT n, v FROM memory_vectors`+ofEmbedder+` AND n IN `+numbers(part), embedder))
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return ordered(ns, all, func(v *memory.Vectors) uint64 { return v.N }), nil
}

// Lacking returns places without vectors of an embedder.
func (e *Engine) Lacking(ctx context.Context, embedder string, after uint64, limit int) ([]uint64, error) {
	return collect(stream(ctx, e, scanOne[uint64], `SELECT n FROM memory_entries WHERE n > ? AND NOT proposed
		AND n NOT IN (SELECT n FROM memory_vectors`+ofEmbedder+`) ORDER BY n LIMIT ?`, int64(after), embedder, int64(limit)))
}

// Drop deletes an embedder's vectors and its name.
func (e *Engine) Drop(ctx context.Context, embedder string) error {
	return e.write(ctx, func(w *writer) error {
		var there bool
		if err := w.conn.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM memory_embedders WHERE name = ?)`, embedder).Scan(&there); err != nil || !there {
			return err
		}
		if err := w.exec(`DELETE FROM memory_vectors`+ofEmbedder, embedder); err != nil {
			return err
		}
		if err := w.exec(`DELETE FROM memory_embedders WHERE name = ?`, embedder); err != nil {
			return err
		}
		e.near.forget(embedder)
		return w.exec(`UPDATE memory_counters SET version = version + 1`)
	})
}

// Embedders names those that have a slot.
func (e *Engine) Embedders(ctx context.Context) ([]string, error) {
	return collect(stream(ctx, e, scanOne[string], `SELECT name FROM memory_embedders ORDER BY slot`))
}
