package mcp_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/tool/mcp"
)

// patience is how long a server may take to come up on a busy machine.
const patience = 2 * time.Minute

// installed puts the servers of testdata/servers into a folder, at the
// versions and hashes of the lock file, and runs none of their scripts.
func installed(t *testing.T) string {
	t.Helper()
	for _, need := range []string{"node", "npm"} {
		if _, err := exec.LookPath(need); err != nil {
			moottest.Cannot(t, "real MCP servers are not tested: there is no "+need)
		}
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "servers"))); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		moottest.Cannot(t, fmt.Sprintf("real MCP servers are not tested: npm could not install them: %v\n%s", err, out))
	}
	return filepath.Join(dir, "node_modules", "@modelcontextprotocol")
}

// child is a program and its standard streams.
type child struct {
	io.Reader
	io.WriteCloser
	cmd   *exec.Cmd
	alive *atomic.Int32
}

// Close ends the program: politely by the end of its input, then by force.
func (c *child) Close() error {
	c.WriteCloser.Close()
	kill := time.AfterFunc(5*time.Second, func() { c.cmd.Process.Kill() })
	defer kill.Stop()
	err := c.cmd.Wait()
	c.alive.Add(-1)
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		return nil
	}
	return err
}

// plainly starts programs without a sandbox, with nothing but a search path.
func plainly(alive *atomic.Int32) func(context.Context, mcp.Server) (io.ReadWriteCloser, error) {
	return func(_ context.Context, s mcp.Server) (io.ReadWriteCloser, error) {
		cmd := exec.Command(s.Command, s.Args...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
		for name, value := range s.Env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		in, err := cmd.StdinPipe()
		if err != nil {
			return nil, err
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			return nil, err
		}
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		alive.Add(1)
		return &child{out, in, cmd, alive}, nil
	}
}

func TestRealServers(t *testing.T) {
	t.Parallel()
	dir := installed(t)
	t.Run("everything over stdio", func(t *testing.T) { everything(t, dir) })
	t.Run("everything over HTTP", func(t *testing.T) { everythingRemote(t, dir) })
	t.Run("filesystem over stdio", func(t *testing.T) { filesystem(t, dir) })
}

func everything(t *testing.T, dir string) {
	const canary = "canary-51c9e2"
	var alive atomic.Int32
	o := mcp.Options{Connect: patience, Start: plainly(&alive), Secret: func(context.Context, moothall.SecretRef) (moothall.Secret, error) {
		return moothall.NewSecret([]byte(canary)), nil
	}}
	c := open(t, nil, o, mcp.Server{
		Name: "every", Command: "node", Args: []string{filepath.Join(dir, "server-everything", "dist", "index.js"), "stdio"},
		Env: map[string]string{"TOKEN": "${secret:every}"},
	})
	tryEverything(t, c)
	if got := call(t, named(t, c, "mcp_every_get-env"), `{}`, moothall.CallOK); strings.Contains(got.Text, canary) || !strings.Contains(got.Text, `"TOKEN": "[secret]"`) {
		t.Errorf("the environment: %s", got.Text)
	}
	closeClient(t, c)
	if n := alive.Load(); n != 0 {
		t.Errorf("%d programs outlive the client", n)
	}
}

// tryEverything approves and calls what the server shows off.
func tryEverything(t *testing.T, c *mcp.Client) {
	t.Helper()
	if n := len(c.Pending()); n < 10 || len(c.Tools()) != 0 {
		t.Fatalf("%d definitions wait, %d are offered: %+v", n, len(c.Tools()), c.Status())
	}
	approveAll(t, c)
	if got := call(t, named(t, c, "mcp_every_echo"), `{"message":"hello"}`, moothall.CallOK); got.Text != "Echo: hello" {
		t.Errorf("echo: %q", got.Text)
	}
	if got := call(t, named(t, c, "mcp_every_get-sum"), `{"a":2,"b":3}`, moothall.CallOK); !strings.Contains(got.Text, "5") {
		t.Errorf("sum: %q", got.Text)
	}
	if got := call(t, named(t, c, "mcp_every_get-tiny-image"), `{}`, moothall.CallOK); !strings.Contains(got.Cut, "an image (image/png") {
		t.Errorf("image: %q, cut %q", got.Text, got.Cut)
	}
	if got := call(t, named(t, c, "mcp_every_get-structured-content"), `{"location":"Chicago"}`, moothall.CallOK); !strings.Contains(string(got.Data), "temperature") {
		t.Errorf("structured: %s", got.Data)
	}
	call(t, named(t, c, "mcp_every_echo"), `{"message":7}`, moothall.CallFailed)
}

func everythingRemote(t *testing.T, dir string) {
	port := moottest.Port(t)
	cmd := exec.Command("node", filepath.Join(dir, "server-everything", "dist", "index.js"), "streamableHttp")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), fmt.Sprint("PORT=", port)}
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	lines := bufio.NewScanner(said)
	for lines.Scan() && !strings.Contains(lines.Text(), "listening") {
	}
	o := httpOptions(t)
	o.Connect = patience
	c := open(t, nil, o, mcp.Server{Name: "every", URL: fmt.Sprintf("http://127.0.0.1:%d/mcp", port)})
	tryEverything(t, c)
	echo := named(t, c, "mcp_every_echo")
	if echo.Spec().Risk != moothall.RiskWrite {
		t.Errorf("risk %s", echo.Spec().Risk)
	}
	cmd.Process.Kill()
	cmd.Wait()
	call(t, echo, `{"message":"hello"}`, moothall.CallUnavailable)
}

func filesystem(t *testing.T, dir string) {
	var alive atomic.Int32
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "a.txt"), []byte("forty-two"), 0o600); err != nil {
		t.Fatal(err)
	}
	c := open(t, nil, mcp.Options{Connect: patience, Start: plainly(&alive)}, mcp.Server{
		Name: "files", Command: "node", Args: []string{filepath.Join(dir, "server-filesystem", "dist", "index.js"), root},
		ReadOnly: []string{"read_text_file"},
	})
	approveAll(t, c)
	read := named(t, c, "mcp_files_read_text_file")
	if read.Spec().Risk != moothall.RiskRead || named(t, c, "mcp_files_write_file").Spec().Risk != moothall.RiskWrite {
		t.Error("the risks are not those of the person's file")
	}
	if got := call(t, read, fmt.Sprintf(`{"path":%q}`, filepath.Join(root, "a.txt")), moothall.CallOK); got.Text != "forty-two" {
		t.Errorf("read: %q", got.Text)
	}
	call(t, read, `{"path":"/etc/hostname"}`, moothall.CallFailed)
	call(t, named(t, c, "mcp_files_write_file"), fmt.Sprintf(`{"path":%q,"content":"new"}`, filepath.Join(root, "b.txt")), moothall.CallOK)
	if b, err := os.ReadFile(filepath.Join(root, "b.txt")); err != nil || string(b) != "new" {
		t.Errorf("written: %q, %v", b, err)
	}
	closeClient(t, c)
	if n := alive.Load(); n != 0 {
		t.Errorf("%d programs outlive the client", n)
	}
}
