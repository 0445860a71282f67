//go:build duckdb

package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/row"
	"moothall/internal/memory/terms"
)

// scanAll yields the rows of a result and closes it.
func scanAll[T any](rows *sql.Rows, scan func(row.Scanner) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		defer rows.Close()
		var none T
		for rows.Next() {
			v, err := scan(rows)
			if err != nil {
				yield(none, failure("read memory", err))
				return
			}
			if !yield(v, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(none, failure("read memory", err))
		}
	}
}

func scanOne[T any](s row.Scanner) (v T, err error) { return v, s.Scan(&v) }

func scanMatch(s row.Scanner) (m memory.Match, err error) { return m, s.Scan(&m.N, &m.Score) }

// stream asks and yields the rows.
func stream[T any](ctx context.Context, e *Engine, scan func(row.Scanner) (T, error), query string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		rows, err := e.db.QueryContext(ctx, query, args...)
		if err != nil {
			var none T
			yield(none, failure("read memory", err))
			return
		}
		scanAll(rows, scan)(yield)
	}
}

func collect[T any](list iter.Seq2[T, error]) ([]T, error) {
	var out []T
	for v, err := range list {
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// one asks for a single row.
func (e *Engine) one(ctx context.Context, query string, args []any, into ...any) error {
	return failure("read memory", e.db.QueryRowContext(ctx, query, args...).Scan(into...))
}

func plain[S ~string](list []S) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

// ordered brings values into the order of their keys.
func ordered[K comparable, T any](keys []K, list []T, keyOf func(*T) K) []T {
	found := make(map[K]T, len(list))
	for _, v := range list {
		found[keyOf(&v)] = v
	}
	var out []T
	for _, k := range keys {
		if v, ok := found[k]; ok {
			out = append(out, v)
		}
	}
	return out
}

// Get returns records by id.
func (e *Engine) Get(ctx context.Context, ids []moothall.MemoryID) ([]memory.Record, error) {
	var all []memory.Record
	for part := range slices.Chunk(ids, chunk) {
		list, err := collect(stream(ctx, e, row.Record, `SELECT n, `+row.Columns+` FROM memory_entries WHERE id IN `+marks(len(part)), plain(part)...))
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return ordered(ids, all, func(r *memory.Record) moothall.MemoryID { return r.Entry.ID }), nil
}

// At returns records by place.
func (e *Engine) At(ctx context.Context, ns []uint64, whole bool) ([]memory.Record, error) {
	columns := row.Light
	if whole {
		columns = row.Columns
	}
	var all []memory.Record
	for part := range slices.Chunk(ns, chunk) {
		list, err := collect(stream(ctx, e, row.Record, `SELECT n, `+columns+` FROM memory_entries WHERE n IN `+numbers(part)))
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return ordered(ns, all, func(r *memory.Record) uint64 { return r.N }), nil
}

// Scan streams all records by place.
func (e *Engine) Scan(ctx context.Context, after uint64) iter.Seq2[memory.Record, error] {
	return stream(ctx, e, row.Record, `SELECT n, `+row.Columns+` FROM memory_entries WHERE n > ? ORDER BY n`, int64(after))
}

// List streams records by property, newest first.
func (e *Engine) List(ctx context.Context, l moothall.MemoryList) iter.Seq2[memory.Record, error] {
	where, args := []string{"proposed = ?"}, []any{l.Proposed}
	add := func(condition string, values ...any) {
		where, args = append(where, condition), append(args, values...)
	}
	if len(l.IDs) > 0 {
		add("id IN "+marks(len(l.IDs)), plain(l.IDs)...)
	}
	if len(l.Kinds) > 0 {
		add("kind IN "+marks(len(l.Kinds)), plain(l.Kinds)...)
	}
	for _, tag := range l.Tags {
		add("n IN (SELECT n FROM memory_tags WHERE tag = ?)", tag)
	}
	if l.Session != "" {
		add("session = ?", string(l.Session))
	}
	if l.Before != "" {
		add(`EXISTS (SELECT 1 FROM memory_entries b WHERE b.id = ?
			AND (memory_entries.created < b.created OR memory_entries.created = b.created AND memory_entries.n < b.n))`, string(l.Before))
	}
	query := `SELECT n, ` + row.Columns + ` FROM memory_entries WHERE ` + strings.Join(where, " AND ") + ` ORDER BY created DESC, n DESC`
	if l.Limit > 0 {
		query, args = query+` LIMIT ?`, append(args, int64(l.Limit))
	}
	return stream(ctx, e, row.Record, query, args...)
}

// Heads streams what the memory of the service holds of each record.
func (e *Engine) Heads(ctx context.Context) iter.Seq2[memory.Head, error] {
	return stream(ctx, e, row.Head, `SELECT `+row.HeadColumns+`
		FROM memory_entries WHERE NOT proposed ORDER BY n`)
}

// Turn returns the engrams of a turn.
func (e *Engine) Turn(ctx context.Context, q moothall.QueryID, r moothall.RespondentID) ([]memory.Record, error) {
	return collect(stream(ctx, e, row.Record, `SELECT n, `+row.Columns+` FROM memory_entries
		WHERE query = ? AND query <> '' AND (? = '' OR respondent = ?) AND NOT proposed ORDER BY n`, string(q), string(r), string(r)))
}

// Derived returns ids and everything below them.
func (e *Engine) Derived(ctx context.Context, ids []moothall.MemoryID) ([]moothall.MemoryID, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return collect(stream(ctx, e, scanOne[moothall.MemoryID], `WITH RECURSIVE gone (id) AS (
			SELECT id FROM memory_entries WHERE id IN `+marks(len(ids))+`
			UNION SELECT below.id FROM gone JOIN (
				SELECT s.source AS parent, e.id FROM memory_sources s JOIN memory_entries e ON e.n = s.n
				UNION ALL SELECT whole, id FROM memory_entries WHERE whole <> '') below ON below.parent = gone.id)
		SELECT id FROM gone`, plain(ids)...))
}

// Held returns what waits for a turn, or for any.
func (e *Engine) Held(ctx context.Context, q moothall.QueryID) ([]memory.Held, error) {
	return collect(stream(ctx, e, row.Held, `SELECT `+row.HeldColumns+` FROM memory_held WHERE ? IN ('', query) ORDER BY seq`, string(q)))
}

// Search asks the full-text index. The formula is that of [terms.Score]. Each
// term is a query of its own: only then DuckDB uses the index.
func (e *Engine) Search(ctx context.Context, q memory.TextQuery) ([]memory.Match, error) {
	asked, scope, err := terms.Asked(q)
	if err != nil || len(asked) == 0 || q.Limit <= 0 {
		return nil, err
	}
	each := strings.Join(slices.Repeat([]string{`SELECT term, n, weight FROM memory_terms WHERE term = ?`}, len(asked)), ` UNION ALL `)
	args := append(plain(asked), scope, scope, int64(q.Limit))
	return collect(stream(ctx, e, scanMatch, `
		WITH everything AS (SELECT count(*) AS records, greatest(avg(length), 1) AS average FROM memory_text),
		hits AS (SELECT term, n, weight, count(*) OVER (PARTITION BY term) AS found FROM (`+each+`))
		SELECT n, sum(greatest(ln((records - found + 0.5) / (found + 0.5)), 1e-6) * weight * 2.2 / (weight + 1.2 * (0.25 + 0.75 * length / average))) AS score
		FROM hits JOIN memory_text USING (n), everything WHERE ? = '' OR scope = ?
		GROUP BY n ORDER BY score DESC, n LIMIT ?`, args...))
}

// State returns a stored value.
func (e *Engine) State(ctx context.Context, key string) (value []byte, err error) {
	err = e.one(ctx, `SELECT value FROM memory_state WHERE key = ?`, []any{key}, &value)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return value, err
}

// Version counts the changes of records and vectors.
func (e *Engine) Version(ctx context.Context) (v uint64, err error) {
	return v, e.one(ctx, `SELECT version FROM memory_counters`, nil, &v)
}

// Count counts records and candidates.
func (e *Engine) Count(ctx context.Context) (records, candidates int64, err error) {
	err = e.one(ctx, `SELECT count(*) FILTER (WHERE NOT proposed), count(*) FILTER (WHERE proposed) FROM memory_entries`, nil, &records, &candidates)
	return records, candidates, err
}
