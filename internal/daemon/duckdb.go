//go:build duckdb

package daemon

import (
	"context"
	"io"
	"log/slog"

	"moothall/internal/memory"
	"moothall/internal/memory/duckdb"
)

func openDuckDB(ctx context.Context, path string, log *slog.Logger) (memory.Engine, io.Closer, error) {
	e, err := duckdb.Open(ctx, path, &duckdb.Options{Logger: log})
	if err != nil {
		return nil, nil, err
	}
	log.Info("memories are in DuckDB", "search", e.Doctor())
	return e, closer(func() error { return e.Close() }), nil
}
