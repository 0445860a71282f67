package daemon

import (
	"context"
	"io"

	"moothall"
	"moothall/internal/tool/mcp"
)

// StartServer lets tests start a program as an MCP server is started.
func (h *Hall) StartServer(ctx context.Context, s mcp.Server) (io.ReadWriteCloser, error) {
	return h.foreign.startServer(ctx, s)
}

// ExchangeForeign lets tests offer tools as servers and guests do.
func (h *Hall) ExchangeForeign(offered ...moothall.Tool) {
	h.foreign.mu.Lock()
	defer h.foreign.mu.Unlock()
	h.foreign.exchange(offered)
}

// Tools lists what the broker has.
func (h *Hall) Tools(ctx context.Context) ([]moothall.ToolSpec, error) {
	return h.broker.For(moothall.Person).Tools(ctx, moothall.Scope{})
}
