package rpc

import (
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"

	"moothall"
)

// shorten returns a path of the same socket that fits a socket address: the
// folder is opened and named through /proc. The path holds until release.
func shorten(path string) (short string, release func(), err error) {
	if len(path) <= shortPath {
		return path, func() {}, nil
	}
	dir, name := filepath.Split(path)
	fd, err := unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", nil, fmt.Errorf("open %s: %w", dir, err)
	}
	short = fmt.Sprintf("/proc/self/fd/%d/%s", fd, name)
	if len(short) > shortPath {
		unix.Close(fd)
		return "", nil, moothall.Fail(moothall.CodeInvalid, "socket", "the name "+name+" is too long for a socket")
	}
	return short, func() { unix.Close(fd) }, nil
}

// peerUID asks the kernel whose process is at the other end.
func peerUID(fd int) (int, error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, fmt.Errorf("peer credentials: %w", err)
	}
	return int(cred.Uid), nil
}
