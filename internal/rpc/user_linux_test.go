package rpc_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/rpc"
)

// TestOtherUser calls from a process of another user, which takes root.
func TestOtherUser(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("NOT TESTED: only root can start a process of another user")
	}
	const uid = 65534
	dir, err := os.MkdirTemp("", "rpc") // t.TempDir is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	audit := moottest.NewAudit()
	host := rpc.NewHost(rpc.Offers{Audit: audit.For}, &rpc.HostOptions{UIDs: map[moothall.Identity][]int{moothall.Critic: {uid}}})
	h := &hall{over: rpc.Unix, host: host}
	if err := host.Listen(rpc.Address{Transport: rpc.Unix, Where: filepath.Join(dir, "s")}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.stop(t) })
	for id, want := range map[moothall.Identity]moothall.Code{
		moothall.Critic: "",                  // mapped to that user
		moothall.Reward: moothall.CodeDenied, // for the host's own user alone
	} {
		cmd := exec.CommandContext(t.Context(), "/proc/self/exe") // the other user cannot see the test's folder
		cmd.Env = []string{childAddress + "=" + host.Addrs()[0].String(), childIdentity + "=" + string(id)}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: uid}}
		out, err := cmd.Output()
		if err != nil || strings.TrimSpace(string(out)) != fmt.Sprintf("code %q", want) {
			t.Errorf("as %s: %s (%v), want code %q", id, out, err, want)
		}
	}
	if rec := audit.Records(); len(rec) != 1 || rec[0].Caller != moothall.Critic {
		t.Errorf("records are %+v", rec)
	}
}
