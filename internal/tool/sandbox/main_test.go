package sandbox_test

import (
	"context"
	"os"
	"testing"

	"go.uber.org/goleak"

	"moothall/internal/tool/sandbox"
)

// helperWord makes the test program its own helper.
const helperWord = "sandbox-helper"

// hallWord makes it a hall that runs one long command, to be killed.
const hallWord = "hall"

func hall(l sandbox.Level, seconds string) int {
	ctx := context.Background()
	s, err := sandbox.Open(ctx, options(l))
	if err != nil {
		return 1
	}
	if _, err := s.Run(ctx, sandbox.Command{Argv: []string{"sleep", seconds}}); err != nil {
		return 1
	}
	return 0
}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == helperWord {
		os.Exit(sandbox.Main(os.Args[2:]))
	}
	if len(os.Args) > 3 && os.Args[1] == hallWord {
		os.Exit(hall(sandbox.Level(os.Args[2]), os.Args[3]))
	}
	goleak.VerifyTestMain(m)
}
