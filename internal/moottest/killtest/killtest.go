// Package killtest kills a process in the middle of its work, as a crash
// would, and tells the test what the process had said until then. The process
// is the test's own program, started again. Only tests import it.
//
//	func TestMain(m *testing.M) { killtest.Main(m, beKilled) }
//
//	// beKilled works, says "done <what>" after each piece, and never ends by itself.
//	func beKilled(args []string) error { … }
//
//	func TestKill(t *testing.T) {
//		done := killtest.Child{Args: []string{dir}, After: rand.IntN(20)}.Run(t)
//		… everything in done must be there …
//	}
//
// Tests may run several children at once.
package killtest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// mark is the first argument of a child.
const mark = "be-killed"

// Main runs the tests of a package and looks for goroutines left behind, or,
// in a child, does its work.
func Main(m *testing.M, work func(args []string) error) {
	if len(os.Args) < 2 || os.Args[1] != mark {
		goleak.VerifyTestMain(m)
		return
	}
	if err := work(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Child is a process to be killed.
type Child struct {
	Args  []string // for its work
	After int      // how many lines it says before the one that ends it
	Pause func()   // called before the kill; nil: at once
}

// Run lets the child work, kills it, and returns what it said was done, up to
// its end. A child that ends by itself fails the test.
func (c Child) Run(t *testing.T) (done []string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, append([]string{mark}, c.Args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	n := 0
	for lines.Scan() {
		if what, ok := strings.CutPrefix(lines.Text(), "done "); ok {
			done = append(done, what)
		}
		if n++; n == c.After+1 {
			if c.Pause != nil {
				c.Pause()
			}
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || n <= c.After {
		t.Fatalf("the process ended by itself after %d lines: %v", n, err)
	}
	return done
}
