package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/row"
	"moothall/internal/store"
)

const (
	selectEntry = `SELECT n, ` + row.Columns + ` FROM memory_entries`
	chunk       = 200 // how many values stand in one IN
)

var selectLight = `SELECT n, ` + row.Light + ` FROM memory_entries`

// marks returns n question marks for an IN. There are only a few lengths, so
// that statements can be kept.
func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }

// padded returns values for an IN, the last repeated up to a power of two.
func padded[T any](list []T) []any {
	n := 1
	for n < len(list) {
		n *= 2
	}
	out := make([]any, n)
	for i := range out {
		out[i] = list[min(i, len(list)-1)]
	}
	return out
}

// records reads all rows of a query.
func records(ctx context.Context, tx *store.Tx, query string, args ...any) ([]memory.Record, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []memory.Record
	for rows.Next() {
		r, err := row.Record(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, rows.Err()
}

// Get returns records by id.
func (e *Engine) Get(ctx context.Context, ids []moothall.MemoryID) ([]memory.Record, error) {
	return pick(ctx, e.db, ids, selectEntry, "id", func(r *memory.Record) moothall.MemoryID { return r.Entry.ID },
		func(id moothall.MemoryID) any { return string(id) })
}

// At returns records by place.
func (e *Engine) At(ctx context.Context, ns []uint64, whole bool) ([]memory.Record, error) {
	from := selectLight
	if whole {
		from = selectEntry
	}
	return pick(ctx, e.db, ns, from, "n", func(r *memory.Record) uint64 { return r.N }, func(n uint64) any { return int64(n) })
}

// pick reads the records of some keys, in the order of the keys.
func pick[K comparable](ctx context.Context, db *store.DB, keys []K, from, name string, keyOf func(*memory.Record) K, arg func(K) any) ([]memory.Record, error) {
	found := make(map[K]memory.Record, len(keys))
	err := db.Read(ctx, func(tx *store.Tx) error {
		for part := range slices.Chunk(keys, chunk) {
			args := make([]any, len(part))
			for i, k := range part {
				args[i] = arg(k)
			}
			args = padded(args)
			list, err := records(ctx, tx, from+` WHERE `+name+` IN (`+marks(len(args))+`)`, args...)
			if err != nil {
				return err
			}
			for _, r := range list {
				found[keyOf(&r)] = r
			}
		}
		return nil
	})
	var out []memory.Record
	for _, k := range keys {
		if r, ok := found[k]; ok && err == nil {
			out = append(out, r)
		}
	}
	return out, err
}

// Scan streams all records by place.
func (e *Engine) Scan(ctx context.Context, after uint64) iter.Seq2[memory.Record, error] {
	return stream(ctx, e.db, row.Record, selectEntry+` WHERE n > ? ORDER BY n`, int64(after))
}

// errStopped ends a read whose reader has enough.
var errStopped = errors.New("stopped")

// stream yields the rows of a query as they are read.
func stream[T any](ctx context.Context, db *store.DB, scan func(row.Scanner) (T, error), query string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		err := db.Read(ctx, func(tx *store.Tx) error {
			rows, err := tx.Query(ctx, query, args...)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
				v, err := scan(rows)
				if err != nil {
					return err
				}
				if !yield(v, nil) {
					return errStopped
				}
			}
			return rows.Err()
		})
		if err != nil && !errors.Is(err, errStopped) {
			var none T
			yield(none, err)
		}
	}
}

// List streams records by property, newest first.
func (e *Engine) List(ctx context.Context, l moothall.MemoryList) iter.Seq2[memory.Record, error] {
	where, args := []string{"e.proposed = ?"}, []any{l.Proposed}
	in := func(column string, values []any) {
		where, args = append(where, column+" IN ("+marks(len(values))+")"), append(args, values...)
	}
	if len(l.IDs) > 0 {
		in("e.id", padded(plain(l.IDs)))
	}
	if len(l.Kinds) > 0 {
		in("e.kind", padded(plain(l.Kinds)))
	}
	for _, tag := range l.Tags {
		where, args = append(where, "EXISTS (SELECT 1 FROM memory_tags t WHERE t.tag = ? AND t.n = e.n)"), append(args, tag)
	}
	if l.Session != "" {
		where, args = append(where, "e.session = ?"), append(args, string(l.Session))
	}
	if l.Before != "" {
		where = append(where, "(e.created, e.n) < (SELECT created, n FROM memory_entries WHERE id = ?)")
		args = append(args, string(l.Before))
	}
	limit := int64(-1)
	if l.Limit > 0 {
		limit = int64(l.Limit)
	}
	columns := "e." + strings.ReplaceAll(strings.Join(strings.Fields(row.Columns), " "), ", ", ", e.")
	return stream(ctx, e.db, row.Record, `SELECT e.n, `+columns+` FROM memory_entries e WHERE `+strings.Join(where, " AND ")+
		` ORDER BY e.created DESC, e.n DESC LIMIT ?`, append(args, limit)...)
}

func plain[S ~string](list []S) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// Heads streams what the memory of the service holds of each record.
func (e *Engine) Heads(ctx context.Context) iter.Seq2[memory.Head, error] {
	return stream(ctx, e.db, row.Head, `SELECT `+row.HeadColumns+`
		FROM memory_entries WHERE +proposed = 0 ORDER BY n`) // nearly all are wanted: by place, not by an index and a sort
}

// Turn returns the engrams of a turn.
func (e *Engine) Turn(ctx context.Context, q moothall.QueryID, r moothall.RespondentID) (out []memory.Record, err error) {
	err = e.db.Read(ctx, func(tx *store.Tx) error {
		out, err = records(ctx, tx, selectEntry+` WHERE query = ? AND query <> '' AND (? = '' OR respondent = ?) AND proposed = 0 ORDER BY n`,
			string(q), string(r), string(r))
		return err
	})
	return out, err
}

// Derived returns ids and everything below them.
func (e *Engine) Derived(ctx context.Context, ids []moothall.MemoryID) (out []moothall.MemoryID, err error) {
	roots, err := json.Marshal(ids)
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInternal, Op: "derived entries", Err: err}
	}
	err = e.db.Read(ctx, func(tx *store.Tx) error {
		list, err := column[string](ctx, tx, `WITH RECURSIVE gone (id) AS (
				SELECT id FROM memory_entries WHERE id IN (SELECT value FROM json_each(?))
				UNION SELECT e.id FROM gone g JOIN memory_sources s ON s.source = g.id JOIN memory_entries e ON e.n = s.n
				UNION SELECT e.id FROM gone g JOIN memory_entries e ON e.whole = g.id AND e.whole <> '')
			SELECT id FROM gone`, string(roots))
		for _, id := range list {
			out = append(out, moothall.MemoryID(id))
		}
		return err
	})
	return out, err
}

// Held returns what waits for a turn, or for any.
func (e *Engine) Held(ctx context.Context, q moothall.QueryID) ([]memory.Held, error) {
	var out []memory.Held
	where, args := ``, []any(nil)
	if q != "" {
		where, args = ` WHERE query = ?`, []any{string(q)}
	}
	for h, err := range stream(ctx, e.db, row.Held, `SELECT `+row.HeldColumns+` FROM memory_held`+where+` ORDER BY rowid`, args...) {
		if err != nil {
			return nil, err
		}
		out = append(out, h)
	}
	return out, nil
}
