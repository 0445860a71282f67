//go:build amd64 || arm64

package sandbox_test

import (
	"testing"

	"golang.org/x/sys/unix"

	"moothall/internal/tool/sandbox"
)

func TestFilter(t *testing.T) {
	t.Parallel()
	const (
		ok      = unix.SECCOMP_RET_ALLOW
		eperm   = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
		enosys  = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
		nothing = unix.SECCOMP_RET_ERRNO
		dead    = unix.SECCOMP_RET_KILL_PROCESS
		foreign = unix.AUDIT_ARCH_ARM
		both    = sandbox.Level("")
	)
	for name, tc := range map[string]struct {
		level  sandbox.Level
		arch   uint32
		number uint32
		args   []uint64
		want   uint32
	}{
		"read":                     {both, sandbox.Arch, unix.SYS_READ, nil, ok},
		"another architecture":     {both, foreign, unix.SYS_READ, nil, dead},
		"internet socket":          {both, sandbox.Arch, unix.SYS_SOCKET, []uint64{unix.AF_INET, unix.SOCK_STREAM}, eperm},
		"unix socket":              {both, sandbox.Arch, unix.SYS_SOCKET, []uint64{unix.AF_UNIX, unix.SOCK_STREAM}, eperm},
		"netlink socket":           {both, sandbox.Arch, unix.SYS_SOCKET, []uint64{unix.AF_NETLINK, unix.SOCK_RAW}, eperm},
		"stream pair":              {both, sandbox.Arch, unix.SYS_SOCKETPAIR, []uint64{unix.AF_UNIX, unix.SOCK_STREAM | unix.SOCK_CLOEXEC}, ok},
		"datagram pair":            {both, sandbox.Arch, unix.SYS_SOCKETPAIR, []uint64{unix.AF_UNIX, unix.SOCK_DGRAM}, eperm},
		"pair of another family":   {both, sandbox.Arch, unix.SYS_SOCKETPAIR, []uint64{unix.AF_TIPC, unix.SOCK_STREAM}, eperm},
		"thread":                   {both, sandbox.Arch, unix.SYS_CLONE, []uint64{unix.CLONE_VM | unix.CLONE_THREAD}, ok},
		"user namespace":           {both, sandbox.Arch, unix.SYS_CLONE, []uint64{unix.CLONE_NEWUSER | uint64(unix.SIGCHLD)}, eperm},
		"clone3":                   {both, sandbox.Arch, unix.SYS_CLONE3, nil, enosys},
		"io_uring":                 {both, sandbox.Arch, unix.SYS_IO_URING_SETUP, nil, enosys},
		"typing for the terminal":  {both, sandbox.Arch, unix.SYS_IOCTL, []uint64{0, unix.TIOCSTI}, eperm},
		"and with high bits":       {both, sandbox.Arch, unix.SYS_IOCTL, []uint64{0, 1<<32 | unix.TIOCSTI}, eperm},
		"window size":              {both, sandbox.Arch, unix.SYS_IOCTL, []uint64{0, unix.TIOCGWINSZ}, ok},
		"session":                  {sandbox.Landlock, sandbox.Arch, unix.SYS_SETSID, nil, eperm},
		"session in a namespace":   {sandbox.Bubblewrap, sandbox.Arch, unix.SYS_SETSID, nil, ok},
		"own limit":                {sandbox.Landlock, sandbox.Arch, unix.SYS_PRLIMIT64, []uint64{0}, ok},
		"another's limit":          {sandbox.Landlock, sandbox.Arch, unix.SYS_PRLIMIT64, []uint64{4711}, eperm},
		"mode by name":             {sandbox.Landlock, sandbox.Arch, unix.SYS_FCHMODAT, nil, nothing},
		"mode by descriptor":       {sandbox.Landlock, sandbox.Arch, unix.SYS_FCHMOD, nil, ok},
		"times by name":            {sandbox.Landlock, sandbox.Arch, unix.SYS_UTIMENSAT, []uint64{0, 0x7f0012345678}, nothing},
		"times by an even address": {sandbox.Landlock, sandbox.Arch, unix.SYS_UTIMENSAT, []uint64{0, 0x7f00_0000_0000}, nothing},
		"times by descriptor":      {sandbox.Landlock, sandbox.Arch, unix.SYS_UTIMENSAT, []uint64{3, 0}, ok},
		"attribute by name":        {sandbox.Landlock, sandbox.Arch, unix.SYS_SETXATTR, nil, eperm},
		"and from a folder":        {sandbox.Landlock, sandbox.Arch, unix.SYS_SETXATTRAT, nil, eperm},
		"taken from there":         {sandbox.Landlock, sandbox.Arch, unix.SYS_REMOVEXATTRAT, nil, eperm},
		"file flags by name":       {sandbox.Landlock, sandbox.Arch, unix.SYS_FILE_SETATTR, nil, eperm},
		"shared memory":            {sandbox.Landlock, sandbox.Arch, unix.SYS_SHMGET, nil, eperm},
	} {
		levels := []sandbox.Level{tc.level}
		if tc.level == both {
			levels = []sandbox.Level{sandbox.Bubblewrap, sandbox.Landlock}
		}
		for _, l := range levels {
			got, err := sandbox.Decide(l, tc.arch, tc.number, tc.args...)
			if err != nil || got != tc.want {
				t.Errorf("%s at %s: %#x, %v; want %#x", name, l, got, err, tc.want)
			}
		}
	}
}
