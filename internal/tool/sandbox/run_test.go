package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/tool/sandbox"
)

func TestRun(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		dir := t.TempDir()
		for _, tc := range []struct {
			name, text, out string
			exit            int
		}{
			{"output", "echo hello", "hello\n", 0},
			{"exit status", "exit 7", "", 7},
			{"signal", "kill -TERM $$", "", 143},
			{"works in the first writable folder", "pwd; echo x > made; cat made", dir + "\nx\n", 0},
			{"pipes and children", "echo a b c | wc -w", "3\n", 0},
			{"private scratch", "echo t > $TMPDIR/t && cat $TMPDIR/t", "t\n", 0},
			{"no capabilities", "grep CapBnd /proc/self/status 2>/dev/null | grep -v 0000000000000000", "", 1},
			{"nothing of the hall's environment", "env | cut -d= -f1 | sort | tr '\\n' ' '", "HOME LANG LOGNAME PATH PWD TMPDIR USER ", 0},
			{"no open files", "for f in 3 4 5 6 7 8 9; do if (eval \"true >&$f\") 2>/dev/null; then echo $f; fi; done", "", 0},
			{"first process has an empty environment", "cat /proc/1/environ 2>/dev/null | wc -c", "0\n", 0},
		} {
			t.Run(tc.name, func(t *testing.T) {
				res := run(t, s, script(tc.text, dir))
				if string(res.Stdout) != tc.out || res.Exit != tc.exit {
					t.Errorf("exit %d, out %q, err %q; want %d, %q", res.Exit, res.Stdout, res.Stderr, tc.exit, tc.out)
				}
			})
		}
	})
}

func TestFolders(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		base := t.TempDir()
		read, write, other := filepath.Join(base, "read"), filepath.Join(base, "write"), filepath.Join(base, "other")
		for _, d := range []string{read, write, other} {
			if err := os.Mkdir(d, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(d, "f"), []byte(filepath.Base(d)), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		text := fmt.Sprintf("cat %[1]s/f; cat %[2]s/f; cat %[3]s/f; echo x > %[1]s/g; echo x > %[2]s/g; echo x > %[3]s/g; rm -f %[1]s/f; ls -A %[2]s | wc -l",
			read, write, other)
		c := script(text, write)
		c.Reads = []string{read, filepath.Join(base, "missing")}
		res := run(t, s, c)
		if want := "readwrite2\n"; string(res.Stdout) != want {
			t.Errorf("out %q, want %q; err %s", res.Stdout, want, res.Stderr)
		}
		for p, there := range map[string]bool{read + "/f": true, read + "/g": false, write + "/g": true, other + "/g": false} {
			if _, err := os.Stat(p); (err == nil) != there {
				t.Errorf("%s: there %v, want %v", filepath.Base(filepath.Dir(p))+"/"+filepath.Base(p), err == nil, there)
			}
		}
	})
}

func TestTimeLimit(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		res, wall, err := cutOff(t.Context(), s, "sleep 1000 & sleep 1000", sandbox.Limits{Wall: 300 * time.Millisecond})
		if err != nil || !res.TimedOut || string(res.Stdout) != "begun\n" || res.Took > wall+10*time.Second {
			t.Errorf("%+v, %v", res, err)
		}
	})
}

func TestCPULimit(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		c := script("while :; do :; done")
		c.Limits.CPU, c.Limits.Wall = time.Second, patience
		if res := run(t, s, c); res.TimedOut || res.Signal != "SIGXCPU" {
			t.Errorf("%+v", res)
		}
	})
}

func TestOutputLimit(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		c := script("yes | head -c 3000; exit 3")
		c.Limits.Output = 1000
		if res := run(t, s, c); !res.Cut || len(res.Stdout) != 1000 || res.Exit != 3 {
			t.Errorf("a little too much: cut %v, %d bytes, exit %d", res.Cut, len(res.Stdout), res.Exit)
		}
		c = script("yes")
		c.Limits.Output = 1000
		if res := run(t, s, c); !res.Cut || len(res.Stdout) != 1000 || res.TimedOut {
			t.Errorf("without end: cut %v, %d bytes, timed out %v", res.Cut, len(res.Stdout), res.TimedOut)
		}
	})
}

func TestForkBomb(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		mark := fmt.Sprintf("%d", 100000+os.Getpid()*7+len(s.Level()))
		limits := sandbox.Limits{Wall: time.Second, Processes: 40, CPU: 2 * time.Second}
		res, _, err := cutOff(t.Context(), s, "f() { sleep "+mark+" & f & f & }; f; sleep "+mark, limits)
		if err != nil || string(res.Stdout) != "begun\n" {
			t.Fatalf("%+v, %v", res, err)
		}
		nobodySleeps(t, mark)
	})
}

// nobodySleeps looks for processes of a command by the number that only it
// slept for.
func nobodySleeps(t *testing.T, mark string) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		n := sleepers(mark)
		if n == 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d processes are left", n)
		}
	}
}

// begun waits until so many processes of a command sleep.
func begun(t *testing.T, mark string, n int) {
	t.Helper()
	for end := time.Now().Add(patience); sleepers(mark) < n; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the command did not begin")
		}
	}
}

func sleepers(mark string) int {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	n := 0
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && bytes.Contains(b, []byte("sleep\x00"+mark)) {
			n++
		}
	}
	return n
}

func TestCancelLeavesNothing(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		mark := fmt.Sprintf("%d", 200000+os.Getpid()*7+len(s.Level()))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		// The command says that its children run by writing a file.
		dir := t.TempDir()
		failed := make(chan error, 1)
		go func() {
			_, err := s.Run(ctx, script("(sleep "+mark+" & sleep "+mark+") & sleep "+mark+" & echo > begun; wait", dir))
			failed <- err
		}()
		begun(t, mark, 2)
		cancel()
		if err := <-failed; moothall.ErrorCode(err) != moothall.CodeCanceled {
			t.Errorf("got %v", err)
		}
		nobodySleeps(t, mark)
	})
}

func TestLargeFile(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		dir := t.TempDir()
		c := script("trap '' XFSZ; dd if=/dev/zero of=big bs=1M count=1 seek=1023 2>/dev/null && echo made", dir)
		if res := run(t, s, c); strings.Contains(string(res.Stdout), "made") {
			t.Error("a file of 1 GiB was made")
		}
	})
}

func TestStart(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		p, err := s.Start(t.Context(), sandbox.Command{Argv: []string{"cat"}})
		if err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 5)
		for _, word := range []string{"first", "later"} {
			if _, err := io.WriteString(p, word); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadFull(p, buf); err != nil || string(buf) != word {
				t.Fatalf("%q, %v", buf, err)
			}
		}
		if err := p.CloseWrite(); err != nil {
			t.Fatal(err)
		}
		if rest, err := io.ReadAll(p); err != nil || len(rest) != 0 {
			t.Errorf("%q, %v", rest, err)
		}
		if res, err := p.Wait(); err != nil || res.Exit != 0 {
			t.Errorf("%+v, %v", res, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestStartClose(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		mark := fmt.Sprintf("%d", 300000+os.Getpid()*7+len(s.Level()))
		p, err := s.Start(t.Context(), sandbox.Command{Argv: []string{"sleep", mark}})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		nobodySleeps(t, mark)
		if _, err := p.Read(make([]byte, 1)); !errors.Is(err, os.ErrClosed) {
			t.Errorf("reading after Close gives %v", err)
		}
	})
}

func TestRefused(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		for name, tc := range map[string]struct {
			c    sandbox.Command
			code moothall.Code
		}{
			"no program":      {sandbox.Command{}, moothall.CodeInvalid},
			"missing program": {sandbox.Command{Argv: []string{"no-such-program"}}, moothall.CodeNotFound},
			"everything":      {sandbox.Command{Argv: []string{"true"}, Reads: []string{"/"}}, moothall.CodeDenied},
			"processes":       {sandbox.Command{Argv: []string{"true"}, Reads: []string{"/proc/self"}}, moothall.CodeDenied},
			"relative path":   {sandbox.Command{Argv: []string{"true"}, Writes: []string{"here"}}, moothall.CodeInvalid},
			"zero byte":       {sandbox.Command{Argv: []string{"true", "a\x00b"}}, moothall.CodeInvalid},
			"loader variable": {sandbox.Command{Argv: []string{"true"}, Env: map[string]string{"LD_PRELOAD": "x"}}, moothall.CodeInvalid},
			"missing folder":  {sandbox.Command{Argv: []string{"true"}, Dir: "/no/such"}, moothall.CodeUnsupported},
		} {
			t.Run(name, func(t *testing.T) {
				if _, err := s.Run(t.Context(), tc.c); moothall.ErrorCode(err) != tc.code {
					t.Errorf("got %v, want code %s", err, tc.code)
				}
			})
		}
	})
}

// TestHallKilledInSelfTest: what the self-test of a hall that was killed left
// among the temporary files goes at the next start.
func TestHallKilledInSelfTest(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		self, temporary := options().Helper[0], t.TempDir()
		mark := fmt.Sprintf("%d", 600000+os.Getpid()*7+len(s.Level()))
		hall := exec.Command(self, hallWord, string(s.Level()), "long", mark)
		hall.Env = append(os.Environ(), "TMPDIR="+temporary)
		if err := hall.Start(); err != nil {
			t.Fatal(err)
		}
		for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
			if made, err := os.ReadDir(temporary); err != nil || len(made) > 0 || sleepers(mark) > 0 { // the last: it is over already
				break
			}
			if time.Now().After(end) {
				t.Fatal("the self-test did not begin")
			}
		}
		if err := hall.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = hall.Wait()
		next := exec.Command(self, hallWord, string(s.Level()), "swept", temporary)
		next.Env = hall.Env
		if out, err := next.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// runSwept starts as a hall does, and wants nothing to be left in a folder.
func runSwept(ctx context.Context, s *sandbox.Sandbox, temporary string) error {
	if err := s.Ready(ctx); err != nil {
		return err
	}
	sandbox.Sweep()
	left, err := os.ReadDir(temporary)
	if err != nil || len(left) > 0 {
		return fmt.Errorf("left behind: %v, %v", left, err)
	}
	return nil
}

// TestLongTemporaryFolder: the name of a socket is limited, that of the folder
// for temporary files is not.
func TestLongTemporaryFolder(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		temporary := filepath.Join(t.TempDir(), strings.Repeat("long", 30))
		if err := os.Mkdir(temporary, 0o755); err != nil {
			t.Fatal(err)
		}
		hall := exec.Command(options().Helper[0], hallWord, string(s.Level()), "swept", temporary)
		hall.Env = append(os.Environ(), "TMPDIR="+temporary)
		if out, err := hall.CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
}

// TestHallKilled ends the hall as a crash does: its commands end with it, and
// all that they started.
func TestHallKilled(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		mark := fmt.Sprintf("%d", 400000+os.Getpid()*7+len(s.Level()))
		self := options().Helper[0]
		hall := exec.Command(self, hallWord, string(s.Level()), "long", mark)
		hall.Stderr = os.Stderr
		if err := hall.Start(); err != nil {
			t.Fatal(err)
		}
		begun(t, mark, 3)
		if err := hall.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = hall.Wait()
		nobodySleeps(t, mark)
		sandbox.Sweep() // as the next start does
		pattern := fmt.Sprintf("moothall-cage-%d-*", hall.Process.Pid)
		for _, dir := range []string{os.TempDir(), "/sys/fs/cgroup/pids", "/sys/fs/cgroup"} {
			if left, _ := filepath.Glob(filepath.Join(dir, pattern)); len(left) != 0 {
				t.Errorf("left behind: %q", left)
			}
		}
	})
}
