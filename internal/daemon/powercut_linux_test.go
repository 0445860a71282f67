package daemon_test

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// systemParts are those that need Linux.
func systemParts() map[string]func([]string) error {
	return map[string]func([]string) error{"shortage": shortage, "unlinked": unlinked, "cramped": cramped, "eventless": eventless, "recheck": recheck, "powercut": powerCut}
}

// The last two are played for scripts/powercut.sh, which gives them a file
// system of their own and takes its power away.

// powerCut makes an ext4 file system forget everything that was not flushed,
// as a lost power supply would. kill -9 cannot show that: the page cache
// survives it.
func powerCut(args []string) error {
	const (
		shutdown = 0x8004587d // EXT4_IOC_SHUTDOWN
		noFlush  = 2          // EXT4_GOING_FLAGS_NOLOGFLUSH
	)
	dir, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer dir.Close()
	return unix.IoctlSetPointerInt(int(dir.Fd()), shutdown, noFlush)
}

// recheck compares a home with what was acknowledged.
func recheck(args []string) error {
	f, err := os.Open(args[1])
	if err != nil {
		return err
	}
	defer f.Close()
	all, err := readAcked(f, func() {})
	if err != nil {
		return err
	}
	events, entries, err := missing(args[0], all)
	fmt.Printf("%d events and %d entries acknowledged\n", events, entries)
	return err
}
