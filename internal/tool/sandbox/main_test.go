package sandbox_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"go.uber.org/goleak"

	"moothall/internal/tool/sandbox"
)

// helperWord makes the test program its own helper.
const helperWord = "sandbox-helper"

// hallWord makes it a hall of a level that does one thing.
const hallWord = "hall"

// halls are what a hall can do, with the argument that follows.
var halls = map[string]func(ctx context.Context, s *sandbox.Sandbox, arg string) error{
	"long": runLong, "many": runMany, "attacked": runAttacked, "swept": runSwept,
}

// runLong runs one long command, to be killed. It has children of every kind:
// one whose parent has ended, one in the background and one in the foreground.
func runLong(ctx context.Context, s *sandbox.Sandbox, seconds string) error {
	_, err := s.Run(ctx, script(fmt.Sprintf("trap '' HUP INT TERM; (sleep %[1]s &); sleep %[1]s & sleep %[1]s", seconds)))
	return err
}

func hall(l sandbox.Level, does, arg string) int {
	ctx := context.Background()
	s, err := sandbox.Open(ctx, options(l))
	if err == nil {
		err = halls[does](ctx, s, arg)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// foeWord makes it a command that is after a process outside its cage.
const foeWord = "foe"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == foeWord {
		os.Exit(attack(os.Args[2]))
	}
	if len(os.Args) > 1 && os.Args[1] == helperWord {
		os.Exit(sandbox.Main(os.Args[2:]))
	}
	if len(os.Args) == 5 && os.Args[1] == hallWord {
		os.Exit(hall(sandbox.Level(os.Args[2]), os.Args[3], os.Args[4]))
	}
	goleak.VerifyTestMain(m)
}
