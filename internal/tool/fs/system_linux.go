package fs

import (
	"errors"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// system tells file systems apart. The device number of a file does not: on
// an overlay it can differ between files of one folder.
type system struct {
	id   unix.Fsid
	made bool // by the kernel: its files are not data at rest
}

// madeUp are the file systems whose files are windows into the kernel.
var madeUp = []int64{
	unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.CGROUP_SUPER_MAGIC, unix.CGROUP2_SUPER_MAGIC,
	unix.DEBUGFS_MAGIC, unix.TRACEFS_MAGIC, unix.SECURITYFS_MAGIC, unix.DEVPTS_SUPER_MAGIC,
	unix.BPF_FS_MAGIC, unix.NSFS_MAGIC, unix.SELINUX_MAGIC, unix.EFIVARFS_MAGIC, unix.PSTOREFS_MAGIC,
}

func systemOf(f *os.File) (system, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return system{}, err
	}
	var st unix.Statfs_t
	var inner error
	err = conn.Control(func(fd uintptr) { inner = unix.Fstatfs(int(fd), &st) })
	if err = errors.Join(err, inner); err != nil {
		return system{}, err
	}
	return system{id: st.Fsid, made: slices.Contains(madeUp, int64(st.Type))}, nil
}

// nameOf asks the kernel what an open file is called. Most names are short.
func nameOf(f *os.File) (string, error) {
	name, err := nameIn(f, make([]byte, 256))
	if errors.Is(err, unix.ENAMETOOLONG) {
		return nameIn(f, make([]byte, unix.PathMax))
	}
	return name, err
}

func nameIn(f *os.File, buf []byte) (string, error) {
	conn, err := f.SyscallConn()
	if err != nil {
		return "", err
	}
	var n int
	var inner error
	err = conn.Control(func(fd uintptr) {
		n, inner = unix.Readlink("/proc/self/fd/"+strconv.FormatUint(uint64(fd), 10), buf)
	})
	if err = errors.Join(err, inner); err != nil {
		return "", err
	}
	if n == len(buf) {
		return "", unix.ENAMETOOLONG // a part of a name says nothing
	}
	return string(buf[:n]), nil
}

// plainly reports whether a folder has something of that name which is no
// symbolic link.
func plainly(dir *os.File, name string) bool {
	conn, err := dir.SyscallConn()
	if err != nil {
		return false
	}
	var st unix.Stat_t
	var inner error
	err = conn.Control(func(fd uintptr) { inner = unix.Fstatat(int(fd), name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	return err == nil && inner == nil && st.Mode&unix.S_IFMT != unix.S_IFLNK
}

// renameNew gives a file its name only if nothing has that name yet.
func renameNew(dir *os.Root, from, to string) error {
	d, err := dir.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	conn, err := d.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	err = conn.Control(func(fd uintptr) {
		inner = unix.Renameat2(int(fd), from, int(fd), to, unix.RENAME_NOREPLACE)
	})
	if errors.Is(inner, unix.EINVAL) || errors.Is(inner, unix.ENOSYS) {
		return linkNew(dir, from, to)
	}
	return errors.Join(err, inner)
}
