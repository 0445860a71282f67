//go:build unix

package fs

import (
	"os"
	"syscall"
)

// openFlags make opening harmless: a FIFO does not block, a terminal does not
// become ours.
const openFlags = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY

// links counts the names of a file.
func links(info os.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink)
	}
	return 1
}

// owner returns the account that a file belongs to.
func owner(info os.FileInfo) (uid int, known bool) {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(st.Uid), true
	}
	return 0, false
}
