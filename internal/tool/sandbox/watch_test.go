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
	"strconv"
	"strings"
	"testing"
	"time"

	"moothall/internal/tool/sandbox"
)

// TestNothingIsLeft looks at a hall's children, dead ones included, after
// commands that ended in every way.
func TestNothingIsLeft(t *testing.T) {
	eachLevel(t, func(t *testing.T, s *sandbox.Sandbox) {
		mark := fmt.Sprintf("%d", 500000+os.Getpid()*7+len(s.Level()))
		out, err := exec.Command(options().Helper[0], hallWord, string(s.Level()), "many", mark).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		nobodySleeps(t, mark)
	})
}

func runMany(ctx context.Context, s *sandbox.Sandbox, mark string) error {
	if _, _, err := cutOff(ctx, s, "sleep "+mark+" & sleep "+mark, sandbox.Limits{Wall: 200 * time.Millisecond}); err != nil {
		return fmt.Errorf("command without end: %w", err)
	}
	for i, c := range []sandbox.Command{script("sleep " + mark + " & exit 3"), {Argv: []string{"true"}}, {Argv: []string{"true"}, Dir: "/no/such"}} {
		if _, err := s.Run(ctx, c); (err != nil) != (i == 2) {
			return fmt.Errorf("command %d: %v", i, err)
		}
	}
	p, err := s.Start(ctx, sandbox.Command{Argv: []string{"sleep", mark}})
	if err != nil {
		return err
	}
	if err := p.Close(); err != nil {
		return err
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.Run(over, sandbox.Command{Argv: []string{"true"}}); err == nil {
		return errors.New("a command ran in a context that was over")
	}
	if err := runGivenUp(ctx, s); err != nil {
		return err
	}
	for pid, status := range children() {
		name, _, _ := strings.Cut(status, "\n")
		return fmt.Errorf("a child is left: %d, %s", pid, name)
	}
	return nil
}

// runGivenUp gives up a command at many moments of its beginning.
func runGivenUp(ctx context.Context, s *sandbox.Sandbox) error {
	whole, err := s.Run(ctx, sandbox.Command{Argv: []string{"true"}})
	if err != nil {
		return err
	}
	const moments = 50
	for i := range moments {
		short, cancel := context.WithTimeout(ctx, whole.Took*time.Duration(i)/moments)
		_, _ = s.Run(short, sandbox.Command{Argv: []string{"true"}})
		cancel()
	}
	return nil
}

// lastTry is what the foe says before it sends the signal that ends it as well.
const lastTry = "and now its own group\n"

// TestWatcherIsOutOfReach lets a command try everything against the process
// that watches it.
func TestWatcherIsOutOfReach(t *testing.T) {
	t.Parallel()
	cage(t, sandbox.Landlock)
	out, err := exec.Command(options().Helper[0], hallWord, string(sandbox.Landlock), "attacked", "").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

func runAttacked(ctx context.Context, s *sandbox.Sandbox, _ string) error {
	self := options().Helper[0]
	p, err := s.Start(ctx, sandbox.Command{Argv: []string{"sh"}, Reads: []string{self}})
	if err != nil {
		return err
	}
	defer p.Close()
	watcher := 0
	for pid, status := range children() {
		if strings.Contains(status, "Name:\tcage-watcher\n") {
			watcher = pid
		}
	}
	if watcher == 0 {
		return errors.New("there is no watcher")
	}
	fmt.Fprintf(p, "'%s' %s %d; echo the foe is gone, the command is not\n", self, foeWord, watcher)
	said, err := io.ReadAll(p)
	if err != nil || string(said) != lastTry {
		return fmt.Errorf("said before the last try: %q, %v", said, err)
	}
	// The foe's signals are sent: it has died of the last one. What woke the
	// watcher may still be under way; what a signal did to it stays.
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if err = unreached(watcher); err == nil || time.Now().After(end) {
			return err
		}
	}
}

// unreached says what shows that a signal came to the watcher.
func unreached(watcher int) error {
	status := children()[watcher]
	for _, want := range []string{"State:\tS", "SigPnd:\t0000000000000000\n", "ShdPnd:\t0000000000000000\n"} {
		if !strings.Contains(status, want) {
			return fmt.Errorf("the watcher was reached: it has no %q in %s", want, status)
		}
	}
	return nil
}

// children returns what the kernel says about each child of this process.
func children() map[int]string {
	out := map[int]string{}
	files, _ := filepath.Glob("/proc/[0-9]*/status")
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil || !bytes.Contains(b, fmt.Appendf(nil, "\nPPid:\t%d\n", os.Getpid())) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil {
			out[pid] = string(b)
		}
	}
	return out
}
