package daemon

import (
	"fmt"
	"path/filepath"

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
