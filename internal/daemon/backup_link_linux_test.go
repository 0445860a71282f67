package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"moothall"
	"moothall/internal/daemon"
)

// TestBackupWhereThereAreNoLinks: a stick that other systems read as well (FAT,
// exFAT) knows no second names of files, and takes a backup all the same.
func TestBackupWhereThereAreNoLinks(t *testing.T) {
	t.Parallel()
	out, err := child(t, "unlinked", t.TempDir()).Output()
	if err != nil {
		t.Fatalf("%s, %v", out, err)
	}
}

// unlinked plays TestBackupWhereThereAreNoLinks.
func unlinked(args []string) error {
	if err := withoutLinks(); err != nil {
		return err
	}
	ctx, dir := context.Background(), args[0]
	file := filepath.Join(dir, "a")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return err
	}
	if err := os.Link(file, filepath.Join(dir, "b")); !errors.Is(err, syscall.EPERM) {
		return fmt.Errorf("a link can be made: %w", err)
	}
	client, err := daemon.Connect(ctx, home(filepath.Join(dir, "home")), config(), "test", nil)
	if err != nil {
		return err
	}
	defer client.Close()
	backup := filepath.Join(dir, "b.tar.gz")
	if _, err := daemon.BackupTo(ctx, client, backup, nil); err != nil {
		return err
	}
	if _, err := daemon.BackupTo(ctx, client, backup, nil); moothall.ErrorCode(err) != moothall.CodeConflict {
		return fmt.Errorf("a backup was replaced: %w", err)
	}
	_, err = daemon.CheckBackup(ctx, backup)
	return err
}

// withoutLinks has the system refuse hard links to this process, as such a disk does.
func withoutLinks() error {
	const word = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	const same = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	filter := []unix.SockFilter{
		{Code: word}, // the number of the call
		{Code: same, K: unix.SYS_LINKAT, Jf: 1},
		{Code: unix.BPF_RET, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: unix.BPF_RET, K: unix.SECCOMP_RET_ALLOW},
	}
	runtime.LockOSThread() // the first of the two is for one thread
	defer runtime.UnlockOSThread()
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program))); errno != 0 {
		return errno
	}
	return nil
}
