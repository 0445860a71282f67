package sandbox_test

import (
	"testing"

	"golang.org/x/sys/unix"

	"moothall/internal/tool/sandbox"
)

// TestFilterOtherNumbers tries the second set of numbers that this
// architecture has for the same calls.
func TestFilterOtherNumbers(t *testing.T) {
	t.Parallel()
	got, err := sandbox.Decide(sandbox.Bubblewrap, sandbox.Arch, 0x40000000|unix.SYS_SOCKET)
	if err != nil || got != unix.SECCOMP_RET_KILL_PROCESS {
		t.Errorf("%#x, %v", got, err)
	}
}
