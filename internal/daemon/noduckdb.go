//go:build !duckdb

package daemon

import (
	"context"
	"io"
	"log/slog"

	"moothall"
	"moothall/internal/memory"
)

func openDuckDB(context.Context, string, *slog.Logger) (memory.Engine, io.Closer, error) {
	return nil, nil, &moothall.Error{
		Code: moothall.CodeUnsupported, Op: "open memory", Message: "this build has no DuckDB",
		Remedy: "build it with: CGO_ENABLED=1 go build -tags duckdb ./cmd/moothall",
	}
}
