package daemon_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/store"
)

// TestDiskFull runs a hall on a small disk of its own, in namespaces of its
// own: full, everything is refused with a reason and reading goes on; with
// room again, everything goes on; read-only, a start says so.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	apartFromAll(t, child(t, "shortage", t.TempDir()))
}

// apartFromAll runs a child that mounts a disk of its own.
func apartFromAll(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
	if os.Getuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.Output()
	if noDisk := cmd.ProcessState == nil || cmd.ProcessState.ExitCode() == exitNoDisk; err != nil && noDisk && os.Getenv("CI") == "" {
		t.Skipf("NOT TESTED: this system allows no disk of one's own (%v); internal/audit and internal/store test full disks without one", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", out)
}

// exitNoDisk says that the system allows no disk of one's own.
const exitNoDisk = 3

// ownDisk gives this process a small disk that nobody else sees.
func ownDisk(dir, size string) {
	if err := errors.Join(
		syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""),
		syscall.Mount("tmpfs", dir, "tmpfs", 0, size),
	); err != nil {
		fmt.Fprintln(os.Stderr, "mount:", err)
		os.Exit(exitNoDisk)
	}
}

// TestNoRoomForABackup: a backup that there is no room to unpack is not said to
// be damaged, neither when it was just made nor when it is to be restored.
func TestNoRoomForABackup(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	serve(t, h, config())
	lays(t, map[string]string{filepath.Join(h.Workspace(), "large"): strings.Repeat("x", 8<<20)})
	file, _ := backedUp(t, h)
	apartFromAll(t, child(t, "cramped", t.TempDir(), file, h.Data))
}

// TestNoRoomForTheEvents: there is room to unpack a backup, and none for the bus
// that is made from it.
func TestNoRoomForTheEvents(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, config())
	noise := make([]byte, 400<<10)
	for range 8 {
		if _, err := rand.Read(noise); err != nil {
			t.Fatal(err)
		}
		publishes(t, hall, moothall.Hall, moothall.SubjectHallState, map[string][]byte{"noise": noise}, nil)
	}
	file, _ := backedUp(t, h)
	apartFromAll(t, child(t, "eventless", t.TempDir(), file))
}

// eventless plays TestNoRoomForTheEvents.
func eventless(args []string) error {
	ownDisk(args[0], "size=6m")
	_, err := daemon.Restore(context.Background(), home(args[0]), args[1], false)
	if err == nil || moothall.ErrorCode(err) == moothall.CodeCorrupt || !strings.Contains(moothall.ErrorRemedy(err), "the disk has room") {
		return fmt.Errorf("%q, %w", moothall.ErrorRemedy(err), err)
	}
	return nil
}

// cramped plays TestNoRoomForABackup.
func cramped(args []string) error {
	dir, file := args[0], args[1]
	ownDisk(dir, "size=4m")
	ctx := context.Background()
	again := home(filepath.Join(dir, "again"))
	_, restored := daemon.Restore(ctx, again, file, false)
	if left, err := filepath.Glob(filepath.Join(again.Data, ".restore-*")); err != nil || len(left) > 0 {
		return fmt.Errorf("left behind: %v, %w", left, err)
	}
	client, err := daemon.Connect(ctx, home(args[2]), config(), "test", nil)
	if err != nil {
		return err
	}
	defer client.Close()
	_, made := daemon.BackupTo(ctx, client, filepath.Join(dir, "b.tar.gz"), nil)
	for what, err := range map[string]error{"restore": restored, "backup": made} {
		if moothall.ErrorCode(err) != moothall.CodeExhausted || !strings.Contains(moothall.ErrorRemedy(err), "space") {
			return fmt.Errorf("%s without room: %q, %w", what, moothall.ErrorRemedy(err), err)
		}
	}
	return nil
}

// shortage plays TestDiskFull.
func shortage(args []string) error {
	dir := args[0]
	ownDisk(dir, "size=8m")
	hall, err := openChild(dir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*patience)
	defer cancel()
	if err := hall.Serve(ctx); err != nil {
		return err
	}
	ballast := filepath.Join(dir, "ballast")
	for round := range 2 {
		if err := fillUp(ballast); err != nil {
			return err
		}
		if err := refusesAll(ctx, hall); err != nil {
			return fmt.Errorf("round %d, full: %w", round, err)
		}
		if err := os.Remove(ballast); err != nil {
			return err
		}
		if err := worksAgain(ctx, hall); err != nil {
			return fmt.Errorf("round %d, with room again: %w", round, err)
		}
	}
	if err := hall.Shutdown(); err != nil {
		return err
	}
	if report, err := daemon.VerifyAudit(ctx, home(dir), nil, ""); err != nil || !report.OK {
		return fmt.Errorf("the record: %+v, %w", report.Findings, err)
	}
	return refusesReadOnly(dir)
}

func fillUp(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	for block := make([]byte, 64<<10); len(block) > 0; {
		if _, err := f.Write(block); errors.Is(err, syscall.ENOSPC) {
			block = block[:len(block)/2] // down to the last byte
		} else if err != nil {
			return err
		}
	}
	return nil
}

// tries are the three ways in which the hall makes something durable.
func tries(ctx context.Context, hall *daemon.Hall) map[string]func() error {
	return map[string]func() error{
		"record": func() error {
			a, err := hall.Audit(moothall.ToolBroker)
			if err != nil {
				return err
			}
			_, err = a.Append(ctx, moothall.AuditEntry{Action: moothall.ActionToolCall, Status: moothall.StatusOK})
			return err
		},
		"bus": func() error {
			e, err := moothall.NewEvent(moothall.SubjectHallState, map[string]string{"state": "full?"})
			if err != nil {
				return err
			}
			_, err = hall.Publish(ctx, moothall.Hall, e)
			return err
		},
		"database": func() error {
			return hall.DB().Write(ctx, func(tx *store.Tx) error {
				_, err := tx.Once(ctx, "shortage", moothall.NewID())
				return err
			})
		},
	}
}

// refusesAll waits until each way refuses for want of space: pages that were
// already taken may still be filled first.
func refusesAll(ctx context.Context, hall *daemon.Hall) error {
	for name, try := range tries(ctx, hall) {
		var err error
		for n := 0; err == nil && n < 100_000; n++ {
			err = try()
		}
		if err == nil {
			return fmt.Errorf("the %s never noticed", name)
		}
		if moothall.ErrorCode(err) != moothall.CodeExhausted || moothall.ErrorRemedy(err) == "" {
			return fmt.Errorf("the %s refuses with %q and remedy %q: %w", name, moothall.ErrorCode(err), moothall.ErrorRemedy(err), err)
		}
	}
	client, err := daemon.Connect(ctx, hall.Home(), config(), "test", nil)
	if err != nil {
		return err
	}
	h, err := client.Health(ctx)
	if err == nil && h.Version == "" {
		err = errors.New("health says nothing")
	}
	return errors.Join(err, client.Close())
}

func worksAgain(ctx context.Context, hall *daemon.Hall) error {
	for name, try := range tries(ctx, hall) {
		if err := try(); err != nil {
			return fmt.Errorf("the %s: %w", name, err)
		}
	}
	return nil
}

func refusesReadOnly(dir string) error {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("remount: %w", err)
	}
	_, err := openChild(dir)
	if moothall.ErrorCode(err) != moothall.CodeDenied || moothall.ErrorRemedy(err) == "" {
		return fmt.Errorf("a read-only home gives %w", err)
	}
	fmt.Println(err)
	return nil
}
