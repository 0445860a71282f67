package audit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
)

// faults are what goes wrong with one file. Nil functions change nothing.
type faults struct {
	file
	write    func(p []byte) ([]byte, error) // what to write really, then fail
	sync     func() error
	truncate func() error
	syncs    atomic.Int64
}

func (f *faults) Write(p []byte) (int, error) {
	if f.write == nil {
		return f.file.Write(p)
	}
	q, err := f.write(p)
	n, werr := f.file.Write(q)
	return n, errors.Join(err, werr)
}

func (f *faults) Sync() error {
	f.syncs.Add(1)
	if f.sync != nil {
		if err := f.sync(); err != nil {
			return err
		}
	}
	return f.file.Sync()
}

func (f *faults) Truncate(n int64) error {
	if f.truncate != nil {
		return f.truncate()
	}
	return f.file.Truncate(n)
}

// openFaulty opens a log whose files can be made to fail. The functions may
// be set while no call is under way.
func openFaulty(t *testing.T, dir string, o Options) (l *Log, log, heads *faults) {
	t.Helper()
	log, heads = &faults{}, &faults{}
	o.wrap = func(name string, f file) file {
		w := log
		if name == fileHeads {
			w = heads
		}
		w.file = f
		return w
	}
	l, err := Open(dir, &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l, log, heads
}

func try(t *testing.T, l *Log) (uint64, error) {
	return l.For(moothall.Hall).Append(t.Context(), moothall.AuditEntry{Action: "a", Status: moothall.StatusOK})
}

func wantCode(t *testing.T, err error, code moothall.Code) {
	t.Helper()
	if moothall.ErrorCode(err) != code {
		t.Errorf("%v (%s), want %s", err, moothall.ErrorCode(err), code)
	}
}

// TestPlacedBehindWhatFailed refuses a batch on a full disk. What was placed
// behind it fails with it, rather than standing where it did not say; what
// only waited there is written.
func TestPlacedBehindWhatFailed(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	synctest.Test(t, func(t *testing.T) {
		l, log, _ := openFaulty(t, dir, Options{})
		let := make(chan struct{})
		log.write = func([]byte) ([]byte, error) {
			<-let
			log.write = nil // once
			return nil, syscall.ENOSPC
		}
		e := moothall.AuditEntry{Action: "a", Status: moothall.StatusOK}
		place := func() (uint64, func() error) {
			last, wait, err := face{l, moothall.Hall}.Enqueue(t.Context(), e, e)
			if err != nil {
				t.Fatal(err)
			}
			return last, wait
		}
		size := l.Stats().Entries
		last, refused := place()
		if last != size+1 {
			t.Errorf("placed at %d in a log of %d", last, size)
		}
		synctest.Wait() // it is being written
		behind, lost := place()
		plain := make(chan uint64, 1)
		go func() {
			index, err := try(t, l)
			if err != nil {
				t.Error(err)
			}
			plain <- index
		}()
		synctest.Wait()
		if behind != size+3 {
			t.Errorf("placed at %d behind two in a log of %d", behind, size)
		}
		close(let)
		wantCode(t, refused(), moothall.CodeExhausted)
		wantCode(t, lost(), moothall.CodeExhausted)
		if index := <-plain; index != size {
			t.Errorf("what waited stands at %d, want %d", index, size)
		}
		last, wait := place()
		if err := wait(); err != nil || last != size+2 {
			t.Errorf("placed afterwards at %d: %v", last, err)
		}
		if s := l.Stats(); s.Entries != size+3 {
			t.Errorf("%d entries, want %d", s.Entries, size+3)
		}
		l.Close()
	})
}

func TestFailedFlushEndsWriting(t *testing.T) {
	t.Parallel()
	for cause, code := range map[error]moothall.Code{
		syscall.EIO: moothall.CodeInternal, syscall.ENOSPC: moothall.CodeExhausted,
	} {
		dir := filepath.Join(t.TempDir(), "audit")
		l, log, _ := openFaulty(t, dir, Options{})
		if _, err := try(t, l); err != nil {
			t.Fatal(err)
		}
		log.sync = func() error { return cause }
		_, first := try(t, l)
		wantCode(t, first, code)
		log.sync = nil
		syncs := log.syncs.Load()
		if _, err := try(t, l); err == nil || err.Error() != first.Error() {
			t.Errorf("later: %v, want %v", err, first)
		}
		wantCode(t, l.Seal(t.Context()), code)
		wantCode(t, l.Err(), code)
		wantCode(t, l.Close(), code)
		if log.syncs.Load() != syncs {
			t.Error("a flush was tried again")
		}
		again, err := Open(dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := again.Stats().Entries; n != 2 {
			t.Errorf("%d entries, want 2: a refused entry came back", n)
		}
		again.Close()
	}
}

func TestFailedWriteIsTakenBack(t *testing.T) {
	t.Parallel()
	l, log, _ := openFaulty(t, filepath.Join(t.TempDir(), "audit"), Options{})
	log.write = func(p []byte) ([]byte, error) { return p[:len(p)/2], syscall.ENOSPC }
	for range 3 {
		_, err := try(t, l)
		wantCode(t, err, moothall.CodeExhausted)
	}
	log.write = nil
	if n, err := try(t, l); n != 1 || err != nil {
		t.Errorf("with space again: %d, %v", n, err)
	}
	if s := l.Stats(); s.Denied != 3 || s.Entries != 2 || s.LastError == "" {
		t.Errorf("%+v", s)
	}
}

func TestFailedRollBackEndsWriting(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	l, log, _ := openFaulty(t, dir, Options{})
	log.write = func(p []byte) ([]byte, error) { return p[:len(p)/2], syscall.ENOSPC }
	log.truncate = func() error { return syscall.EIO }
	_, err := try(t, l)
	wantCode(t, err, moothall.CodeExhausted)
	log.write, log.truncate = nil, nil
	_, err = try(t, l)
	wantCode(t, err, moothall.CodeExhausted)
	wantCode(t, l.Err(), moothall.CodeExhausted)
	l.Close()
	again, err := Open(dir, nil) // half a record was left: a torn tail
	if err != nil {
		t.Fatal(err)
	}
	if s := again.Stats(); s.Recovered == 0 || s.Entries != 2 {
		t.Errorf("%+v", s)
	}
	again.Close()
}

func TestFileChangedWhileOpen(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(path string) error{
		"cut":     func(path string) error { return os.Truncate(path, 10) },
		"removed": os.Remove,
		"longer": func(path string) error {
			f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			_, err = f.WriteString("x")
			return errors.Join(err, f.Close())
		},
	} {
		dir := filepath.Join(t.TempDir(), "audit")
		l, _, _ := openFaulty(t, dir, Options{})
		if err := change(filepath.Join(dir, fileLog)); err != nil {
			t.Fatal(err)
		}
		_, err := try(t, l)
		if moothall.ErrorCode(err) != moothall.CodeTampered || l.Err() == nil {
			t.Errorf("%s: %v", name, err)
		}
		l.Close()
	}
}

func TestHeadsFail(t *testing.T) {
	t.Parallel()
	l, _, heads := openFaulty(t, filepath.Join(t.TempDir(), "audit"), Options{})
	heads.write = func(p []byte) ([]byte, error) { return p[:20], syscall.ENOSPC }
	if _, err := try(t, l); err != nil {
		t.Fatal(err)
	}
	wantCode(t, l.Seal(t.Context()), moothall.CodeExhausted)
	if _, err := try(t, l); err != nil {
		t.Errorf("entries do not depend on heads: %v", err)
	}
	heads.write = nil
	if err := l.Seal(t.Context()); err != nil {
		t.Errorf("with space again: %v", err)
	}
	heads.sync = func() error { return syscall.EIO }
	if _, err := try(t, l); err != nil {
		t.Fatal(err)
	}
	wantCode(t, l.Seal(t.Context()), moothall.CodeInternal)
	_, err := try(t, l)
	wantCode(t, err, moothall.CodeInternal)
}

// A recovery on a full disk: Open succeeds, appends are refused, and the note
// comes first when there is space.
func TestRecoveryNoteWaitsForSpace(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	l, err := Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	f, err := os.OpenFile(filepath.Join(dir, fileLog), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString("1 1 20")
	f.Close()

	log := &faults{write: func([]byte) ([]byte, error) { return nil, syscall.ENOSPC }}
	l, err = Open(dir, &Options{wrap: func(name string, f file) file {
		if name != fileLog {
			return f
		}
		log.file = f
		return log
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = try(t, l)
	wantCode(t, err, moothall.CodeExhausted)
	log.write = nil
	if n, err := try(t, l); n != 2 || err != nil {
		t.Errorf("index %d, %v; want 2, after the note", n, err)
	}
	l.Close()
}

// What queues up while a flush runs becomes one batch.
func TestGroupCommit(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	synctest.Test(t, func(t *testing.T) {
		l, log, _ := openFaulty(t, dir, Options{})
		gate := make(chan struct{})
		log.sync = func() error {
			<-gate
			return nil
		}
		var wg sync.WaitGroup
		for range 21 {
			wg.Go(func() {
				if _, err := try(t, l); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		close(gate)
		wg.Wait()
		if s := l.Stats(); s.Entries != 22 || s.Commits != 2 {
			t.Errorf("%+v, want 22 entries in 2 commits", s)
		}
		l.Close()
	})
}

func TestRelaxedWindow(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	synctest.Test(t, func(t *testing.T) {
		l, _, _ := openFaulty(t, dir, Options{Window: 2 * time.Millisecond})
		relaxed := func() time.Duration {
			start := time.Now()
			_, err := l.For(moothall.Hall).Append(t.Context(), moothall.AuditEntry{
				Action: "a", Status: moothall.StatusOK, Relaxed: true,
			})
			if err != nil {
				t.Error(err)
			}
			return time.Since(start)
		}
		if took := relaxed(); took != 2*time.Millisecond {
			t.Errorf("alone it took %v", took)
		}
		start := time.Now()
		if _, err := try(t, l); err != nil || time.Since(start) != 0 {
			t.Errorf("an urgent one took %v, %v", time.Since(start), err)
		}
		before := l.Stats().Commits
		var wg sync.WaitGroup
		wg.Go(func() {
			if took := relaxed(); took != time.Millisecond {
				t.Errorf("with company after 1 ms it took %v", took)
			}
		})
		time.Sleep(time.Millisecond)
		try(t, l)
		wg.Wait()
		if got := l.Stats().Commits - before; got != 1 {
			t.Errorf("%d commits, want 1", got)
		}
		l.Close()
	})
}

func TestCancelWhileWaiting(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	synctest.Test(t, func(t *testing.T) {
		l, log, _ := openFaulty(t, dir, Options{})
		gate := make(chan struct{})
		log.sync = func() error {
			<-gate
			return nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		e := moothall.AuditEntry{Action: "a", Status: moothall.StatusOK}
		_, err := l.For(moothall.Hall).Append(ctx, e)
		wantCode(t, err, moothall.CodeTimeout)
		wantCode(t, l.Seal(ctx), moothall.CodeTimeout)
		close(gate)
		if n, err := try(t, l); err != nil || n != 2 {
			t.Errorf("the next one: %d, %v", n, err)
		}
		l.Close()
	})
}
