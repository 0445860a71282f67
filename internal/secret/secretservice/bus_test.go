package secretservice_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(again{m}) }

// busConfig is a session bus that starts no services by itself, so that a
// test meets exactly the keyring that it started.
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

// need returns a program's path. A bare machine skips the test; the build
// machine must have it.
func need(t testing.TB, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err == nil {
		return path
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is needed for this test and is not installed", program)
	}
	t.Skipf("%s is not installed: the desktop's keyring is not tested on this machine", program)
	return ""
}

// session is a session bus, and whatever runs in it.
type session struct {
	address string
	cmd     *exec.Cmd
	done    chan struct{}
	ended   atomic.Bool // by the test
}

// crashes counts the sessions that ended by themselves.
var crashes atomic.Int64

// again runs the tests once more when a program of the session crashed: the
// desktop's keyring stops now and then at an assertion of its own, which says
// nothing about who talks to it.
type again struct{ *testing.M }

func (a again) Run() int {
	code := a.M.Run()
	if code != 0 && crashes.Load() > 0 {
		fmt.Fprintln(os.Stderr, "a keyring ended by itself; all tests once more")
		code = a.M.Run()
	}
	return code
}

// shortDir is a folder for sockets, whose paths must be shorter than those of
// a test's own folder.
func shortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "moot")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// startBus starts a bus and in it a program, which reads input.
func startBus(t testing.TB, input string, program ...string) *session {
	t.Helper()
	run := need(t, "dbus-run-session")
	dir := t.TempDir()
	sockets := shortDir(t)
	config := filepath.Join(dir, "bus.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, busConfig, sockets), 0o600); err != nil {
		t.Fatal(err)
	}
	script := `echo "$DBUS_SESSION_BUS_ADDRESS"; exec ` + strings.Join(program, " ")
	cmd := exec.Command(run, "--config-file="+config, "--", "sh", "-c", script)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// A program without input of its own lives as long as this pipe.
	hold, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir,
		"XDG_CACHE_HOME=" + dir, "XDG_RUNTIME_DIR=" + sockets}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if input != "" {
		if _, err := io.WriteString(hold, input); err != nil {
			t.Fatal(err)
		}
		hold.Close()
	}
	s := &session{cmd: cmd, done: make(chan struct{})}
	t.Cleanup(func() {
		if t.Failed() { // perhaps since a program crashed: it is seen to end by itself
			select {
			case <-s.done:
			case <-time.After(2 * time.Second):
			}
		}
		s.stop()
	})
	lines := bufio.NewScanner(out)
	if lines.Scan() {
		s.address = lines.Text()
	}
	go func() {
		defer close(s.done)
		for lines.Scan() { // until its end, so that nobody blocks on a full pipe
		}
		_ = cmd.Wait()
		if !s.ended.Load() {
			crashes.Add(1)
		}
	}()
	if !strings.HasPrefix(s.address, "unix:") {
		t.Fatalf("no bus: %q", s.address)
	}
	return s
}

// stop ends everything in the session, which has a process group of its own.
func (s *session) stop() {
	s.ended.Store(true)
	_ = syscall.Kill(-s.cmd.Process.Pid, syscall.SIGKILL)
	<-s.done
}

// connect joins the bus as a client of the test's own.
func (s *session) connect(t testing.TB) *dbus.Conn {
	t.Helper()
	c, err := dbus.Connect(s.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// startKeyring starts a real, unlocked GNOME Keyring.
func startKeyring(t testing.TB) *session {
	t.Helper()
	need(t, "gnome-keyring-daemon")
	s := startBus(t, "password of the test's own", "gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground")
	c := s.connect(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	for {
		var there bool
		err := c.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.secrets").Store(&there)
		if err != nil {
			t.Fatalf("the keyring did not come up: %v", err)
		}
		if there && loginThere(ctx, c) {
			return s
		}
		select { // another process has no signal for us
		case <-ctx.Done():
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// loginThere reports whether the keyring has made its login collection.
func loginThere(ctx context.Context, c *dbus.Conn) bool {
	var path dbus.ObjectPath
	err := c.Object("org.freedesktop.secrets", "/org/freedesktop/secrets").
		CallWithContext(ctx, "org.freedesktop.Secret.Service.ReadAlias", 0, "default").Store(&path)
	if err == nil && path != "/" {
		return true
	}
	v, err := c.Object("org.freedesktop.secrets", "/org/freedesktop/secrets").GetProperty("org.freedesktop.Secret.Service.Collections")
	if err != nil {
		return false
	}
	all, _ := v.Value().([]dbus.ObjectPath)
	for _, p := range all {
		if strings.HasSuffix(string(p), "/login") {
			return true
		}
	}
	return false
}
