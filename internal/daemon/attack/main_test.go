package attack_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"moothall/internal/daemon"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == daemon.HelperCommand {
		os.Exit(daemon.SandboxHelper(os.Args[2:]))
	}
	goleak.VerifyTestMain(m)
}
