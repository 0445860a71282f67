package rpc

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func shorten(path string) (short string, release func(), err error) { return onlyShort(path) }

// peerUID asks the kernel whose process is at the other end.
func peerUID(fd int) (int, error) {
	cred, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return 0, fmt.Errorf("peer credentials: %w", err)
	}
	return int(cred.Uid), nil
}
