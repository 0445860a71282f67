package audit_test

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// namespaces lets a child mount without being root.
func namespaces() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
}

// childFullTmpfs runs in its own user and mount namespace.
func childFullTmpfs() {
	dir := os.Getenv("AUDIT_TEST_DIR")
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k"); err != nil {
		fmt.Println("cannot mount:", err)
		os.Exit(0)
	}
	filler := filepath.Join(dir, "filler")
	fill := func() error {
		err := os.WriteFile(filler, make([]byte, 200<<10), 0o600)
		if errors.Is(err, syscall.ENOSPC) {
			return nil
		}
		return err
	}
	endChild(fullScenario(filepath.Join(dir, "audit"), fill, func() error { return os.Remove(filler) }))
}

// childFullRlimit limits the length of files.
func childFullRlimit() {
	dir := os.Getenv("AUDIT_TEST_DIR")
	signal.Ignore(syscall.SIGXFSZ)
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
		endChild(err)
	}
	set := func(n uint64) error {
		return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: old.Max})
	}
	limit := uint64(0)
	fill := func() error {
		limit += 20_001
		return set(limit)
	}
	endChild(fullScenario(filepath.Join(dir, "audit"), fill, func() error { return set(old.Cur) }))
}
