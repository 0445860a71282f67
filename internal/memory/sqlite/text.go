package sqlite

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/store"
)

// weights are those of the columns of memory_text: name, description, corpus,
// who, context and scope.
const weights = `bm25(2.0, 1.0, 1.0, 1.0, 0.5, 0.0)`

// Search asks the full-text index. Each word is a quoted string and holds no
// quote, so that nothing in it can be syntax.
func (e *Engine) Search(ctx context.Context, q memory.TextQuery) ([]memory.Match, error) {
	if len(q.Words) == 0 || q.Limit <= 0 {
		return nil, nil
	}
	for _, w := range append([]string{q.Scope}, q.Words...) {
		if strings.ContainsFunc(w, syntax) {
			return nil, moothall.Fail(moothall.CodeInvalid, "search words", "a word holds more than letters and digits")
		}
	}
	var out []memory.Match
	err := e.db.Read(ctx, func(tx *store.Tx) error {
		rare, err := telling(ctx, tx, q)
		if err != nil {
			return err
		}
		if len(rare) > 0 {
			out, err = matches(ctx, tx, `SELECT rowid, rank FROM memory_text WHERE memory_text MATCH ? AND rank MATCH ? ORDER BY rank LIMIT ?`,
				expression(rare, "OR", q.Scope), weights, q.Limit)
			return err
		}
		// Every word is common. Scoring all that have them would take
		// longer than anybody waits: the newest that have all compete.
		out, err = matches(ctx, tx, `SELECT rowid, rank FROM memory_text WHERE memory_text MATCH ? AND rank MATCH ? ORDER BY rowid DESC LIMIT ?`,
			expression(q.Words, "AND", q.Scope), weights, common)
		slices.SortStableFunc(out, func(a, b memory.Match) int { return cmp.Compare(b.Score, a.Score) })
		out = out[:min(len(out), q.Limit)]
		return err
	})
	return out, err
}

const (
	small  = 10_000 // entries up to which every word may be looked for
	common = 2_000  // entries from which on a word tells nothing
)

// telling returns the words of a query that few entries have. In a small store
// or a scope that is all of them.
func telling(ctx context.Context, tx *store.Tx, q memory.TextQuery) ([]string, error) {
	var last int64
	if err := tx.QueryRow(ctx, `SELECT coalesce(max(n), 0) FROM memory_entries`).Scan(&last); err != nil || last <= small {
		return q.Words, err
	}
	var out []string
	for _, w := range q.Words {
		var n int
		if err := tx.QueryRow(ctx, `SELECT count(*) FROM (SELECT 1 FROM memory_text WHERE memory_text MATCH ? LIMIT ?)`,
			expression([]string{w}, "OR", q.Scope), common).Scan(&n); err != nil {
			return nil, err
		}
		if n < common {
			out = append(out, w)
		}
	}
	return out, nil
}

// expression joins words for FTS5.
func expression(words []string, by, scope string) string {
	match := `{name description corpus who context} : ("` + strings.Join(words, `" `+by+` "`) + `")`
	if scope != "" {
		match = `(` + match + `) AND (scope : "` + scope + `")`
	}
	return match
}

func matches(ctx context.Context, tx *store.Tx, query string, args ...any) ([]memory.Match, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []memory.Match
	for rows.Next() {
		var n int64
		var m memory.Match
		if err := rows.Scan(&n, &m.Score); err != nil {
			return nil, err
		}
		m.N, m.Score = uint64(n), -m.Score
		out = append(out, m)
	}
	return out, rows.Err()
}

// syntax reports whether a rune is no part of a word.
func syntax(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Co) }
