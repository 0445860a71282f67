package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"moothall"
	"moothall/internal/daemon"
)

// has answers conditions of scripts: [has:PROGRAM] and [has:kernel-keyring].
// Where everything must be there a missing thing is an error, so that no
// script skips itself.
func has(condition string) (bool, error) {
	name, ok := strings.CutPrefix(condition, "has:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", condition)
	}
	there := false
	if name == "kernel-keyring" {
		there = kernelKeyring() == nil
	} else {
		_, err := exec.LookPath(name)
		there = err == nil
	}
	if !there && os.Getenv("CI") != "" {
		return false, fmt.Errorf("%s is needed for this test and is not there", name)
	}
	return there, nil
}

// kernelKeyring reports whether this machine lets programs use it.
func kernelKeyring() error {
	c := daemon.DefaultConfig()
	c.Secrets.Keyring = "kernel"
	k, err := daemon.OpenKeyring(context.Background(), c)
	if err != nil {
		return err
	}
	defer k.Close()
	if _, err = k.Test(context.Background(), "test.nothing"); moothall.ErrorCode(err) == moothall.CodeNotFound {
		return nil
	}
	return err
}

// retry runs a command until its output matches: retry PATTERN COMMAND...
// What other processes do shows in no other way.
func retry(ts *testscript.TestScript, _ bool, args []string) {
	want := regexp.MustCompile(args[0])
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		err := ts.Exec(args[1], args[2:]...)
		if err == nil && want.MatchString(ts.ReadFile("stdout")) {
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("%q does not come: %v", args[0], err)
		}
	}
}

// mcpServers installs the MCP servers of a package registry that the client's
// own tests use, at the versions and hashes of their lock file: mcp FOLDER.
func mcpServers(ts *testscript.TestScript, _ bool, args []string) {
	dir := ts.MkAbs(args[0])
	ts.Check(os.CopyFS(dir, os.DirFS(filepath.Join(ts.Getenv("ROOT"), "internal", "tool", "mcp", "testdata", "servers"))))
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		ts.Logf("npm: %v\n%s", err, out) // the script looks for what should be there now
	}
}

// busConfig is a session bus that starts no services by itself.
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:dir=%s</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

// keyring starts a real, unlocked GNOME Keyring on a bus of its own, and
// points the script's programs at it.
func keyring(ts *testscript.TestScript, _ bool, _ []string) {
	dir := ts.MkAbs("keyring")
	ts.Check(os.MkdirAll(dir, 0o700))
	sockets, err := os.MkdirTemp("", "moot") // a socket's path must be short
	ts.Check(err)
	config := filepath.Join(dir, "bus.conf")
	ts.Check(os.WriteFile(config, fmt.Appendf(nil, busConfig, sockets), 0o600))
	cmd := exec.Command("dbus-run-session", "--config-file="+config, "--", "sh", "-c",
		`echo "$DBUS_SESSION_BUS_ADDRESS"; exec gnome-keyring-daemon --unlock --components=secrets --foreground`)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Stdin = strings.NewReader("password of the test's own")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir,
		"XDG_CACHE_HOME=" + dir, "XDG_RUNTIME_DIR=" + sockets}
	out, err := cmd.StdoutPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	lines := bufio.NewReader(out)
	address, err := lines.ReadString('\n')
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, lines) // until its end, so that nobody blocks on a full pipe
		_ = cmd.Wait()
	}()
	ts.Defer(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		<-ended
		os.RemoveAll(sockets)
	})
	ts.Check(err)
	ts.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(address))
}
