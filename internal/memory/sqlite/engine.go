package sqlite

import (
	"context"
	"embed"
	"io/fs"
	"sync"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/store"
)

//go:embed migrations
var migrations embed.FS

// Migrations are the tables that entries are kept in.
func Migrations() store.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return store.Set{Name: "memory", Files: files}
}

// Engine keeps entries in a store. Make one with [New].
type Engine struct {
	db *store.DB

	mu    sync.Mutex
	slots map[string]int64 // embedders by name, as far as committed
}

var _ memory.Engine = (*Engine)(nil)

// New returns an engine over a store that has the tables of [Migrations].
func New(db *store.DB) *Engine { return &Engine{db: db, slots: map[string]int64{}} }

// observer is the name in the ledger of what is done once.
const observer = "memory"

// Apply makes a change in one transaction.
func (e *Engine) Apply(ctx context.Context, c *memory.Change) (bool, error) {
	first := true
	err := e.db.Write(ctx, func(tx *store.Tx) error {
		if c.Once != "" {
			var err error
			if first, err = tx.Once(ctx, observer, c.Once); err != nil || !first {
				return err
			}
		}
		return (&changer{ctx: ctx, tx: tx, engine: e}).apply(c)
	})
	return first && err == nil, err
}

// Version counts the changes of records and vectors.
func (e *Engine) Version(ctx context.Context) (v uint64, err error) {
	err = e.db.Read(ctx, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `SELECT version FROM memory_version`).Scan(&v)
	})
	return v, err
}

// Count counts records and candidates.
func (e *Engine) Count(ctx context.Context) (records, candidates int64, err error) {
	err = e.db.Read(ctx, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, `SELECT count(*) FILTER (WHERE proposed = 0), count(*) FILTER (WHERE proposed = 1) FROM memory_entries`).Scan(&records, &candidates)
	})
	return records, candidates, err
}

// State returns a stored value.
func (e *Engine) State(ctx context.Context, key string) (value []byte, err error) {
	err = e.db.Read(ctx, func(tx *store.Tx) error {
		err := tx.QueryRow(ctx, `SELECT value FROM memory_state WHERE key = ?`, key).Scan(&value)
		if moothall.ErrorCode(err) == moothall.CodeNotFound {
			return nil
		}
		return err
	})
	return value, err
}

// Embedders names those that have a slot.
func (e *Engine) Embedders(ctx context.Context) (names []string, err error) {
	err = e.db.Read(ctx, func(tx *store.Tx) error {
		names, err = column[string](ctx, tx, `SELECT name FROM memory_embedders ORDER BY slot`)
		return err
	})
	return names, err
}

// column reads a result of one column.
func column[T any](ctx context.Context, tx *store.Tx, query string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		var v T
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}
