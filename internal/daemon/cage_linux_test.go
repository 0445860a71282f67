package daemon_test

import (
	"os"
	"path/filepath"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
)

// TestTheCageIsTriedAgain after a self-test that the machine cut off, and then
// stays as it is.
func TestTheCageIsTriedAgain(t *testing.T) {
	t.Parallel()
	killed := filepath.Join(t.TempDir(), "killed")
	if err := os.WriteFile(killed, []byte("#!/bin/sh\nkill -9 $$\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	errs := daemon.TryCage(t.Context(), []string{killed}, []string{self, daemon.HelperCommand}, []string{killed})
	if moothall.ErrorCode(errs[1]) == moothall.CodeUnsupported {
		moottest.Cannot(t, "code is not run on this machine: "+errs[1].Error())
	}
	if moothall.ErrorCode(errs[0]) != moothall.CodeUnavailable || errs[1] != nil || errs[2] != nil {
		t.Errorf("%v", errs)
	}
}
