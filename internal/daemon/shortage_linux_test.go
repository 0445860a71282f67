package daemon_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/store"
)

// TestDiskFull runs a hall on a small disk of its own, in namespaces of its
// own: full, everything is refused with a reason and reading goes on; with
// room again, everything goes on; read-only, a start says so.
func TestDiskFull(t *testing.T) {
	t.Parallel()
	cmd := child(t, "shortage", t.TempDir())
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

// shortage plays TestDiskFull.
func shortage(args []string) error {
	dir := args[0]
	if err := errors.Join(
		syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""),
		syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8m"),
	); err != nil {
		fmt.Fprintln(os.Stderr, "mount:", err)
		os.Exit(exitNoDisk)
	}
	hall, err := openChild(dir)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
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
