package sqlite

import (
	"context"
	"embed"
	"encoding/json"
	"io/fs"

	"moothall"
	"moothall/internal/graph"
	"moothall/internal/store"
)

//go:embed migrations
var migrations embed.FS

// Migrations are the tables that a graph is kept in.
func Migrations() store.Set {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic(err) // the folder is embedded above
	}
	return store.Set{Name: "graph", Files: files}
}

// Engine keeps a graph in a store. Make one with [New].
type Engine struct{ db *store.DB }

var _ graph.Engine = (*Engine)(nil)

// New returns an engine over a store with the tables of [Migrations].
func New(db *store.DB) *Engine { return &Engine{db: db} }

// Read runs f on one unchanging state of the graph.
func (e *Engine) Read(ctx context.Context, f func(graph.View) error) error {
	return e.db.Read(ctx, func(tx *store.Tx) error { return f(view{tx}) })
}

// Write runs f in a transaction, once.
func (e *Engine) Write(ctx context.Context, f func(graph.Tx) error) error {
	return e.db.Write(ctx, func(tx *store.Tx) error { return f(change{view{tx}}) })
}

// view reads.
type view struct{ tx *store.Tx }

// change reads and writes.
type change struct{ view }

// scanner is a row or the current one of several.
type scanner interface{ Scan(...any) error }

// all reads every row of a query.
func all[T any](ctx context.Context, tx *store.Tx, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := tx.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// list writes a list for json_each.
func list[S ~string](items []S) string {
	if items == nil {
		items = []S{}
	}
	text, err := json.Marshal(items)
	if err != nil {
		panic(err) // a list of strings can be written
	}
	return string(text)
}

func corrupt(what string, err error) error {
	return &moothall.Error{Code: moothall.CodeCorrupt, Op: "read graph", Message: what + " of the graph cannot be read", Err: err}
}
