//go:build linux || darwin

package broker

import (
	"io/fs"
	"syscall"
	"time"
)

// stamp differs when a file has been changed or is another one. Its time is the
// one at which the system last changed anything of the file, which no program
// can set; systems count it in steps of some milliseconds.
type stamp struct {
	number  uint64
	size    int64
	changed time.Time
}

func stampOf(info fs.FileInfo) (stamp, bool) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return stamp{}, false
	}
	return stamp{st.Ino, st.Size, changed(st)}, true
}
