package daemon

import (
	"context"
	"io"

	"moothall/internal/tool/mcp"
)

// StartServer lets tests start a program as an MCP server is started.
func (h *Hall) StartServer(ctx context.Context, s mcp.Server) (io.ReadWriteCloser, error) {
	return h.foreign.startServer(ctx, s)
}
