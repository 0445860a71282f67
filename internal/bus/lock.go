package bus

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"moothall"
)

// dirLock keeps a second server off the same files. The lock goes with the
// process, however that ends; the file stays.
type dirLock struct{ f *os.File }

// lockDir makes the folder where needed and takes its lock.
func lockDir(dir string) (*dirLock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, unwritable(dir, err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, unwritable(dir, err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		defer f.Close()
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, unwritable(dir, err)
		}
		return nil, &moothall.Error{
			Code: moothall.CodeConflict, Op: "lock bus",
			Message: fmt.Sprintf("%s is in use by another process%s", dir, holder(f)),
			Remedy:  "stop that process, or connect to it instead",
			Err:     err,
		}
	}
	// Who holds it is for the person who finds it held; a failure to say so
	// takes nothing from the lock.
	if f.Truncate(0) == nil {
		fmt.Fprintf(f, "%d\n", os.Getpid())
	}
	return &dirLock{f}, nil
}

func holder(f *os.File) string {
	b := make([]byte, 32)
	n, _ := f.ReadAt(b, 0)
	if pid := strings.TrimSpace(string(b[:n])); pid != "" {
		return " (" + pid + ")"
	}
	return ""
}

func unwritable(dir string, err error) error {
	code := moothall.CodeUnavailable
	if errors.Is(err, os.ErrPermission) {
		code = moothall.CodeDenied
	}
	return &moothall.Error{
		Code: code, Op: "open bus", Message: dir + " cannot be written",
		Remedy: "check that it is a folder, who owns it, and that the disk has room", Err: err,
	}
}

// release gives the folder free. The lock is given up before the file is closed:
// a program that this process is just starting may hold a copy of the descriptor
// for a moment, and the lock with it.
func (l *dirLock) release() error {
	_ = unix.Flock(int(l.f.Fd()), unix.LOCK_UN)
	return l.f.Close()
}
