package audit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/audit"
	"moothall/internal/audit/verify"
	"moothall/internal/moottest"
)

// stride is the step of a sweep over bytes: every one is looked at, and fewer
// where that would only be slow.
func stride() int {
	if testing.Short() || moottest.Race {
		return 23
	}
	return 1
}

func openLog(t testing.TB, dir string, o *audit.Options) *audit.Log {
	t.Helper()
	l, err := audit.Open(dir, o)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// call is an entry that a test can recognise by its call id.
func call(n int) moothall.AuditEntry {
	return moothall.AuditEntry{
		Action: moothall.ActionToolCall, Status: moothall.StatusOK, Call: moothall.CallID(fmt.Sprint("c", n)),
	}
}

func mustAppend(t testing.TB, l *audit.Log, e moothall.AuditEntry) uint64 {
	t.Helper()
	i, err := l.For(moothall.ToolBroker).Append(t.Context(), e)
	if err != nil {
		t.Errorf("append: %v", err) // not Fatal: also called on other goroutines
	}
	return i
}

// appendBatch appends n entries that end up in one batch. It must run in a
// synctest bubble, on a log with a long window.
func appendBatch(t testing.TB, l *audit.Log, first, n int) {
	t.Helper()
	commits := l.Stats().Commits
	var wg sync.WaitGroup
	for i := range n - 1 {
		wg.Go(func() {
			e := call(first + i)
			e.Relaxed = true
			mustAppend(t, l, e)
		})
		synctest.Wait() // it waits for company
	}
	mustAppend(t, l, call(first+n-1))
	wg.Wait()
	if got := l.Stats().Commits - commits; got != 1 {
		t.Fatalf("%d entries took %d commits", n, got)
	}
}

// build makes a closed log of n entries, genesis included, with heads every
// 90 entries. It waits for each: one that nobody waits for may give way to the
// next.
func build(t testing.TB, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "audit")
	l := openLog(t, dir, &audit.Options{HeadEvery: n, Window: -1})
	for i := 1; i < n; i++ {
		mustAppend(t, l, call(i))
		if i%90 == 0 {
			if err := l.Seal(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// unsigned makes a log with a signed part and an unsigned tail: batches of
// the given sizes. It returns the directory as a crash would leave it and the
// bytes at which the tail begins.
func unsigned(t *testing.T, batches ...int) (dir string, tail int64) {
	t.Helper()
	live := filepath.Join(t.TempDir(), "live")
	dir = filepath.Join(t.TempDir(), "audit")
	synctest.Test(t, func(t *testing.T) {
		l := openLog(t, live, &audit.Options{HeadEvery: 1000, Window: time.Hour})
		for i := range 5 {
			mustAppend(t, l, call(i))
		}
		if err := l.Seal(t.Context()); err != nil {
			t.Fatal(err)
		}
		tail = l.Stats().Bytes
		n := 100
		for _, size := range batches {
			appendBatch(t, l, n, size)
			n += size
		}
		copyDir(t, live, dir)
		l.Close()
	})
	return dir, tail
}

func copyDir(t testing.TB, from, to string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		put(t, to, f.Name(), get(t, from, f.Name()))
	}
}

func get(t testing.TB, dir, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func put(t testing.TB, dir, name string, b []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func check(t testing.TB, dir string, o *verify.Options) verify.Report {
	t.Helper()
	r, err := verify.Dir(t.Context(), dir, o)
	if err != nil {
		t.Fatalf("verify: %v", err)
	}
	return r
}

func mustBeOK(t testing.TB, dir string) verify.Report {
	t.Helper()
	r := check(t, dir, nil)
	if !r.OK {
		t.Fatalf("not ok: %+v", r.Findings)
	}
	return r
}

func entries(t testing.TB, dir string) []verify.Entry {
	t.Helper()
	var out []verify.Entry
	for e, err := range verify.Entries(dir, verify.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// wantRefused opens a directory that must not open.
func wantRefused(t testing.TB, dir string, code moothall.Code) error {
	t.Helper()
	l, err := audit.Open(dir, nil)
	if err == nil {
		l.Close()
		t.Fatalf("opened; want %s", code)
	}
	if got := moothall.ErrorCode(err); got != code {
		t.Fatalf("code %s (%v), want %s", got, err, code)
	}
	return err
}
