package daemon_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
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

// TestServerSaysWhy: what the program of an MCP server complained of can be
// had when it has ended.
func TestServerSaysWhy(t *testing.T) {
	t.Parallel()
	hall := open(t, home(t.TempDir()), config())
	s, err := hall.StartServer(t.Context(), mcp.Server{Name: "sh", Command: "sh", Args: []string{"-c", "echo no key >&2; exit 1"}})
	if moothall.ErrorCode(err) == moothall.CodeUnsupported || moothall.ErrorCode(err) == moothall.CodeUnavailable {
		moottest.Cannot(t, "nothing can be started in a sandbox here: "+err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(s); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if l, ok := s.(mcp.LastWords); !ok || l.LastWords() != "no key\n" {
		t.Errorf("%T said nothing, or something else", s)
	}
}

// TestServerInHomeFolder: a server's program may be named from the home folder,
// as what it reads is.
func TestServerInHomeFolder(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	h.User = t.TempDir()
	hall := open(t, h, config())
	if err := os.Mkdir(filepath.Join(h.User, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(h.User, "bin", "server"), []byte("#!/bin/sh\necho hello\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := hall.StartServer(t.Context(), mcp.Server{Name: "s", Command: "~/bin/server", Reads: []string{"~/bin"}})
	if moothall.ErrorCode(err) == moothall.CodeUnsupported || moothall.ErrorCode(err) == moothall.CodeUnavailable {
		moottest.Cannot(t, "nothing can be started in a sandbox here: "+err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	if said, err := io.ReadAll(s); string(said) != "hello\n" || err != nil {
		t.Errorf("%q, %v", said, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestForeignToolsStay: while servers say what they have, a tool that they had
// before is there at every moment.
func TestForeignToolsStay(t *testing.T) {
	t.Parallel()
	hall := open(t, home(t.TempDir()), config())
	var tools []moothall.Tool
	for i := range 20 {
		tools = append(tools, &moottest.FakeTool{About: moothall.ToolSpec{
			Name: moothall.ToolName(fmt.Sprintf("mcp_s_%d", i)), Origin: "mcp:s", Risk: moothall.RiskRead, Parameters: json.RawMessage(`{"type":"object"}`),
		}})
	}
	taken := &moottest.FakeTool{About: moothall.ToolSpec{Name: "fs_read", Origin: "mcp:s", Parameters: json.RawMessage(`{"type":"object"}`)}}
	hall.ExchangeForeign(tools...)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 50 {
			hall.ExchangeForeign(append(tools, taken)...)
		}
	}()
	defer func() { <-done }()
	count := func() (n int) {
		t.Helper()
		list, err := hall.Tools(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			if s.Origin == "mcp:s" {
				n++
			}
		}
		return n
	}
	for open := true; open; {
		select {
		case <-done:
			open = false
		default:
		}
		if n := count(); n != len(tools) {
			t.Fatalf("%d of %d tools are there", n, len(tools))
		}
	}
	hall.ExchangeForeign()
	if n := count(); n != 0 {
		t.Errorf("%d tools are left", n)
	}
}
