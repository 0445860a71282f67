//go:build amd64 || arm64

package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// tasksOfUser counts processes and threads of this user: the kernel's limit is
// on their sum, so a command's share comes on top.
func tasksOfUser() int {
	names, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	uid, n := uint32(os.Getuid()), 0
	for _, d := range names {
		if _, err := strconv.Atoi(d.Name()); err != nil {
			continue
		}
		var st unix.Stat_t
		if unix.Stat("/proc/"+d.Name()+"/task", &st) == nil && st.Uid == uid {
			n += int(st.Nlink) - 2
		}
	}
	return n
}

func kernelAtLeast(major, minor int) bool {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return false
	}
	var a, b int
	if _, err := fmt.Sscanf(unix.ByteSliceToString(u.Release[:]), "%d.%d", &a, &b); err != nil {
		return false
	}
	return a > major || a == major && b >= minor
}

// group is a control group that counts processes. It is used for root only,
// whom the kernel's ordinary limit does not bind.
type group struct{ dir string }

// newGroup returns nil where there is nothing to use: the self-test will say
// what that means.
func newGroup(tasks int) *group {
	for _, parent := range groupParents() {
		dir, err := os.MkdirTemp(parent, Scratch())
		if err != nil {
			continue
		}
		if os.WriteFile(filepath.Join(dir, "pids.max"), []byte(strconv.Itoa(tasks)), 0) == nil {
			return &group{dir}
		}
		_ = os.Remove(dir)
	}
	return nil
}

// groupParents are where this process may make a group of its own: below or
// beside itself in the one hierarchy, or in the old one for processes.
func groupParents() []string {
	own, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil
	}
	var out []string
	for line := range bytes.Lines(own) {
		f := strings.SplitN(strings.TrimSpace(string(line)), ":", 3)
		if len(f) != 3 {
			continue
		}
		switch f[1] {
		case "pids":
			out = append(out, filepath.Join("/sys/fs/cgroup/pids", f[2]))
		case "":
			here := filepath.Join("/sys/fs/cgroup", f[2])
			out = append(out, here, filepath.Dir(here))
		}
	}
	return out
}

func (g *group) add(pid int) error {
	if g == nil {
		return nil
	}
	return os.WriteFile(filepath.Join(g.dir, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0)
}

// remove waits for the last members to be forgotten: those whose parent was
// killed first belong to the machine's first process, which needs a moment.
func (g *group) remove() {
	if g == nil {
		return
	}
	for range 500 {
		if err := os.Remove(g.dir); !errors.Is(err, unix.EBUSY) {
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// Sweep removes what a hall left that was killed. A group that is still in use
// cannot be removed, and a folder stays while its maker lives.
func Sweep() {
	for _, parent := range append(groupParents(), os.TempDir()) {
		left, _ := filepath.Glob(filepath.Join(parent, prefix+"*"))
		for _, dir := range left {
			pid, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), prefix), "-")
			n, err := strconv.Atoi(pid)
			if err != nil || errors.Is(unix.Kill(n, 0), unix.ESRCH) {
				discard(parent, dir)
			}
		}
	}
}

func discard(parent, dir string) {
	if parent == os.TempDir() {
		_ = os.RemoveAll(dir)
		return
	}
	(&group{dir}).remove() // what was killed with its hall may need a moment too
}
