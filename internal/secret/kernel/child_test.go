//go:build linux

package kernel_test

import (
	"context"
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"

	"moothall"
	"moothall/internal/secret/kernel"
)

func background() context.Context { return context.Background() }

// child is what a helper process does; it returns its exit status.
func child(what, name string) int {
	s := kernel.New()
	switch what {
	case "quota":
		return say(fillQuota(s))
	case "own session":
		runtime.LockOSThread() // credentials, and so the session, are a thread's
		if _, err := unix.KeyctlInt(unix.KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0); err != nil {
			return say(err)
		}
		// First the proof that the situation is the one meant: by itself the
		// thread finds the key and may not read it.
		id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, "user", "moothall:"+name, 0)
		if err != nil {
			return say(err)
		}
		if _, err := unix.KeyctlBuffer(unix.KEYCTL_READ, id, make([]byte, 64), 0); err != unix.EACCES {
			return say(fmt.Errorf("read without possession gave %v", err))
		}
	}
	v, err := s.Get(background(), name)
	if err == nil && string(v) != canary {
		err = fmt.Errorf("another value came")
	}
	return say(err)
}

// fillQuota sets secrets until the kernel has enough, and then makes room.
func fillQuota(s *kernel.Store) error {
	var set []string
	defer func() {
		for _, name := range set {
			_ = s.Delete(background(), name)
		}
	}()
	for i := range 2000 {
		name := fmt.Sprintf("quota.%d", i)
		err := s.Set(background(), name, make([]byte, 4000))
		if err == nil {
			set = append(set, name)
			continue
		}
		if moothall.ErrorCode(err) != moothall.CodeExhausted || moothall.ErrorRemedy(err) == "" {
			return fmt.Errorf("a used-up quota gives %w", err)
		}
		return afterwards(s, set)
	}
	return fmt.Errorf("%d secrets of 4,000 bytes and no end", len(set))
}

// afterwards checks that what was set before is intact.
func afterwards(s *kernel.Store, set []string) error {
	for _, name := range set {
		if v, err := s.Get(background(), name); err != nil || len(v) != 4000 {
			return fmt.Errorf("%s: %d bytes, %w", name, len(v), err)
		}
	}
	return nil
}

func say(err error) int {
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}
