//go:build duckdb

package duckdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	_ "embed"
	"errors"
	"log/slog"
	"net/url"
	"strings"

	driverlib "github.com/duckdb/duckdb-go/v2"

	"moothall"
	"moothall/internal/memory"
)

//go:embed schema.sql
var schema string

// Options of [Open]; the zero value is good.
type Options struct {
	// VSS is the file of the vss extension. Empty: the one installed in
	// DuckDB's own folder, if there is one.
	VSS    string
	Logger *slog.Logger // nil: none
}

// Engine keeps entries in a DuckDB file. Make one with [Open].
type Engine struct {
	db   *sql.DB
	near *near
	lock chan struct{} // held by the one who writes; a channel, so that waiting can be given up
}

var _ memory.Engine = (*Engine)(nil)

// Open opens a file, or makes it. CodeConflict when another process has it
// open, CodeCorrupt when it is no DuckDB file, CodeInvalid when DuckDB could
// not be told its path.
func Open(ctx context.Context, path string, o *Options) (*Engine, error) {
	if o == nil {
		o = &Options{}
	}
	if _, err := url.Parse(path); err != nil || path == "" || strings.ContainsRune(path, '?') {
		return nil, &moothall.Error{
			Code: moothall.CodeInvalid, Op: "open duckdb", Message: "DuckDB cannot open a file with this path",
			Remedy: "choose a path without ? and %",
		}
	}
	// Without these settings a query could make DuckDB fetch an extension.
	connector, err := driverlib.NewConnector(path+"?autoinstall_known_extensions=false&autoload_known_extensions=false", nil)
	if err != nil {
		return nil, failure("open duckdb", err)
	}
	e := &Engine{db: sql.OpenDB(connector), lock: make(chan struct{}, 1)}
	log := o.Logger
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	if err := e.prepare(ctx, o.VSS, log); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// prepare makes the tables and a place in memory for vectors.
func (e *Engine) prepare(ctx context.Context, vss string, log *slog.Logger) error {
	if _, err := e.db.ExecContext(ctx, schema); err != nil {
		return failure("make tables", err)
	}
	// An instance that is still open in this process has it already.
	if _, err := e.db.ExecContext(ctx, `ATTACH IF NOT EXISTS ':memory:' AS near`); err != nil {
		return failure("attach memory", err)
	}
	what := "vss"
	if vss != "" {
		what = "'" + strings.ReplaceAll(vss, "'", "''") + "'"
	}
	_, err := e.db.ExecContext(ctx, `LOAD `+what)
	if err != nil {
		log.InfoContext(ctx, "vectors are compared one by one: the vss extension cannot be loaded", "error", err)
	}
	e.near = &near{hnsw: err == nil, tables: map[string]*nearTable{}}
	return nil
}

// Close lets go of the file.
func (e *Engine) Close() error {
	if err := e.db.Close(); err != nil {
		return failure("close duckdb", err)
	}
	return nil
}

// write runs f in a transaction on one connection, as the only one that does.
func (e *Engine) write(ctx context.Context, f func(*writer) error) (err error) {
	select {
	case e.lock <- struct{}{}:
		defer func() { <-e.lock }()
	case <-ctx.Done():
		return failure("write memory", ctx.Err())
	}
	conn, err := e.db.Conn(ctx)
	if err != nil {
		return failure("write memory", err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `BEGIN TRANSACTION`); err != nil {
		return failure("write memory", err)
	}
	done := false
	defer func() {
		if !done { // also after a panic; the caller may have given up already
			_, back := conn.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
			err = errors.Join(err, back)
		}
	}()
	w := &writer{ctx: ctx, conn: conn}
	if err := f(w); err != nil {
		return failure("write memory", err)
	}
	// From here on it is decided: a commit that is broken off half-way would
	// leave nobody knowing.
	if _, err := conn.ExecContext(context.WithoutCancel(ctx), `COMMIT`); err != nil {
		return failure("commit memory", err)
	}
	done = true
	e.near.stale(w.moved)
	return nil
}

// writer is the open transaction.
type writer struct {
	ctx   context.Context
	conn  *sql.Conn
	moved []uint64 // places whose vectors changed
}

func (w *writer) exec(query string, args ...any) error {
	_, err := w.conn.ExecContext(w.ctx, query, args...)
	return err
}

// append adds rows; it is much quicker than INSERT.
func (w *writer) append(table string, rows [][]driver.Value) error {
	if len(rows) == 0 {
		return nil
	}
	return w.conn.Raw(func(c any) error { return appendRows(c.(driver.Conn), "", table, rows) })
}

func appendRows(c driver.Conn, catalog, table string, rows [][]driver.Value) error {
	a, err := driverlib.NewAppender(c, catalog, "", table)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if err := a.AppendRow(row...); err != nil {
			return errors.Join(err, a.Close())
		}
	}
	return a.Close()
}
