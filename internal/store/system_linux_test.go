package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"moothall"
	"moothall/internal/store"
)

// systemScenarios are those that need Linux.
func systemScenarios() map[string]func([]string) error {
	return map[string]func([]string) error{"full": fillDisk, "readonly": readOnly, "seize": seize}
}

const nobody = 65534

// TestFullDisk runs in a process with a small disk of its own where the
// system allows that, and with a limit on file sizes where it does not.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	cmd := child(t, "full", t.TempDir(), "disk")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.Output()
	if noDisk := exitCode(err) == exitNoDisk; noDisk || errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) {
		t.Logf("no disk of its own (%v); using a limit on file sizes", err)
		out, err = child(t, "full", t.TempDir(), "limit").Output()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s", out)
}

func exitCode(err error) int {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return e.ExitCode()
	}
	return 0
}

// exitNoDisk says that the system does not allow a disk of one's own.
const exitNoDisk = 3

// shortage makes a disk full and gives its space back.
type shortage struct{ begin, end func() error }

func diskShortage(dir string) shortage {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m"); err != nil {
		fmt.Fprintln(os.Stderr, "mount:", err)
		os.Exit(exitNoDisk)
	}
	ballast := filepath.Join(dir, "ballast")
	return shortage{
		begin: func() error { return os.WriteFile(ballast, make([]byte, 2<<20), 0o600) },
		end:   func() error { return os.Remove(ballast) },
	}
}

func limitShortage() shortage {
	signal.Ignore(syscall.SIGXFSZ)
	limit := func(n uint64) error {
		return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: 1 << 40})
	}
	return shortage{begin: func() error { return limit(1 << 20) }, end: func() error { return limit(1 << 40) }}
}

// fillDisk is played by another process: full, still readable, full again,
// then well.
func fillDisk(args []string) error {
	dir, s := args[0], shortage{}
	if args[1] == "disk" {
		s = diskShortage(dir)
	} else {
		s = limitShortage()
	}
	ctx, path := context.Background(), filepath.Join(dir, "hall.db")
	db, err := store.Open(ctx, path, &store.Options{Migrations: set("notes", notesTable)})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := s.begin(); err != nil {
		return err
	}
	kept, err := fill(ctx, db)
	if err != nil {
		return err
	}
	if err := s.end(); err != nil {
		return err
	}
	if err := add(ctx, db, "after"); err != nil {
		return fmt.Errorf("after space came back: %w", err)
	}
	if n, err := number(ctx, db, "SELECT count(*) FROM note"); err != nil || n != kept+1 {
		return fmt.Errorf("%d rows, want %d: %w", n, kept+1, err)
	}
	fmt.Printf("by %s: full after %d rows, well again after space came back", args[1], kept)
	return store.Check(ctx, path)
}

// fill writes until the disk is full, and makes sure that it then refuses
// with a reason and still reads. It returns how many rows were promised.
func fill(ctx context.Context, db *store.DB) (kept int64, err error) {
	body := strings.Repeat("x", 10_000)
	for ; err == nil; kept++ {
		err = add(ctx, db, body)
	}
	kept--
	for range 3 {
		if moothall.ErrorCode(err) != moothall.CodeExhausted || moothall.ErrorRemedy(err) == "" {
			return kept, fmt.Errorf("refused without the right reason: %w", err)
		}
		n, rerr := number(ctx, db, "SELECT count(*) FROM note WHERE length(body) = 10000")
		if rerr != nil || n != kept {
			return kept, fmt.Errorf("reading while full: %d rows, want %d: %w", n, kept, rerr)
		}
		if err = add(ctx, db, body); err == nil {
			return kept, errors.New("a full disk took a row")
		}
	}
	return kept, nil
}

func TestReadOnlyFile(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"file", "folder"} {
		// t.TempDir is closed to other users, and root may write anything.
		dir, err := os.MkdirTemp("", "store")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(dir, 0o700); os.RemoveAll(dir) })
		path := filepath.Join(dir, "hall.db")
		db := open(t, path, &store.Options{Migrations: set("notes", notesTable)})
		if err := cmpErr(add(t.Context(), db, "kept"), db.Close(), os.Chmod(path, 0o444)); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o777)
		if what == "folder" {
			mode = 0o555
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		if out, err := child(t, "readonly", path, what).Output(); err != nil {
			t.Errorf("%s: %v\n%s", what, err, out)
		}
	}
}

// readOnly is played by another process, without root's rights.
func readOnly(args []string) error {
	path, ctx := args[0], context.Background()
	if os.Getuid() == 0 {
		if err := syscall.Setuid(nobody); err != nil {
			return err
		}
	}
	db, err := store.Open(ctx, path, &store.Options{Migrations: set("notes", notesTable)})
	if args[1] == "folder" {
		return wantDenied(err, path)
	}
	if err != nil {
		return fmt.Errorf("a file that can be read does not open: %w", err)
	}
	defer db.Close()
	if n, err := number(ctx, db, "SELECT count(*) FROM note"); err != nil || n != 1 {
		return fmt.Errorf("%d rows, want 1: %w", n, err)
	}
	return wantDenied(add(ctx, db, "refused"), path)
}

func wantDenied(err error, path string) error {
	code := moothall.ErrorCode(err)
	if code != moothall.CodeDenied && code != moothall.CodeUnavailable {
		return fmt.Errorf("code %q: %w", code, err)
	}
	if !strings.Contains(moothall.ErrorRemedy(err), path) {
		return fmt.Errorf("the remedy does not name the file: %q", moothall.ErrorRemedy(err))
	}
	return nil
}

// seize asks for the lock that SQLite takes before it removes a log: on the
// bytes that every reader shares. Older versions of SQLite look no further.
func seize(args []string) error {
	f, err := os.OpenFile(args[0], os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	shared := syscall.Flock_t{Type: syscall.F_WRLCK, Start: 1<<30 + 2, Len: 510}
	err = syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &shared)
	if !errors.Is(err, syscall.EAGAIN) && !errors.Is(err, syscall.EACCES) {
		return fmt.Errorf("the lock of an open store could be taken: %w", err)
	}
	return nil
}

// POSIX drops a process's locks on a file when any descriptor of it is closed.
// Another process that then opened the store and left would remove the log in
// use, and with it what was promised since.
func TestReadingTheFileKeepsItsLocks(t *testing.T) {
	t.Parallel()
	db := notes(t)
	path := db.Stats().Path
	if err := add(t.Context(), db, "kept"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	if err := child(t, "seize", path).Run(); err != nil {
		t.Error(err)
	}
}
