package shell_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"moothall/internal/tool/sandbox"
)

const helperWord = "sandbox-helper"

// TestMain makes the test program the sandbox's helper as well.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == helperWord {
		os.Exit(sandbox.Main(os.Args[2:]))
	}
	goleak.VerifyTestMain(m)
}
