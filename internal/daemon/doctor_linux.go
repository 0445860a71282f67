package daemon

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Free space below which the doctor speaks up, and below which the hall could
// soon refuse to work.
const (
	littleSpace = 1 << 30
	noSpace     = 64 << 20
)

func (x Examination) space() Finding {
	dir := x.Home.Data
	for !fileExists(dir) && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
	}
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return failErr("disk", homeError("disk", dir, err), "")
	}
	free := int64(st.Bavail) * st.Bsize
	text := fmt.Sprintf("%.1f GiB free at %s", float64(free)/(1<<30), dir)
	switch {
	case free < noSpace:
		return fail("disk", text, "free some space: without it nothing can be recorded, and so nothing is done")
	case free < littleSpace:
		return warn("disk", text, "free some space")
	}
	return ok("disk", text)
}

// sandbox tries the real thing: a bubblewrap with nothing in it, and whether
// the kernel knows Landlock.
func sandbox(ctx context.Context) []Finding {
	abi := landlockABI()
	landlock := info("landlock", "this kernel has none", "a kernel of 5.13 or later brings it")
	if abi > 0 {
		landlock = ok("landlock", fmt.Sprintf("version %d", abi))
	}
	path, err := exec.LookPath("bwrap")
	if err != nil {
		f := warn("sandbox", "bubblewrap is not installed", "apt install bubblewrap (or your system's way)")
		if abi >= 3 {
			f.Detail += "; Landlock can stand in for it"
		}
		return []Finding{f, landlock}
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "true")
	cmd.Env = []string{}
	if out, err := cmd.CombinedOutput(); err != nil {
		said := strings.TrimSpace(string(out))
		return []Finding{warn("sandbox", "bubblewrap is installed but cannot make a sandbox: "+said,
			"allow unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1, or kernel.apparmor_restrict_unprivileged_userns=0"), landlock}
	}
	return []Finding{ok("sandbox", "bubblewrap works ("+path+")"), landlock}
}

// landlockABI asks the kernel which Landlock it has; 0 for none.
func landlockABI() int {
	const version = 1 << 0
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, version)
	if errno != 0 {
		return 0
	}
	return int(abi)
}

func kernelKeyring() bool {
	_, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_USER_KEYRING, true)
	return err == nil
}
