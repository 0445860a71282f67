//go:build linux || darwin || freebsd

package bus

import "golang.org/x/sys/unix"

// freeSpace is what an ordinary user may still write where dir lies.
func freeSpace(dir string) (bytes int64, known bool) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
