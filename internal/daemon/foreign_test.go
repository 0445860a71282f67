package daemon_test

import (
	"bufio"
	"context"
	"io"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/tool/mcp"
)

// TestServerOutlivesItsStart: the program of an MCP server lives until its
// stream is closed, not until the time for connecting to it is over.
func TestServerOutlivesItsStart(t *testing.T) {
	t.Parallel()
	hall := open(t, home(t.TempDir()), config())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s, err := hall.StartServer(ctx, mcp.Server{Name: "cat", Command: "cat"})
	if moothall.ErrorCode(err) == moothall.CodeUnsupported || moothall.ErrorCode(err) == moothall.CodeUnavailable {
		moottest.Cannot(t, "nothing can be started in a sandbox here: "+err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.WriteString(s, "still there\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(s).ReadString('\n'); err != nil || line != "still there\n" {
		t.Errorf("got %q, %v", line, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
