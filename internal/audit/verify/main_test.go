package verify_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"moothall"
	"moothall/internal/audit"
	"moothall/internal/audit/verify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open opens a log that tests write to. Only tests may use the writer here.
func open(t testing.TB, dir string) *audit.Log {
	t.Helper()
	l, err := audit.Open(dir, &audit.Options{Window: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func write(t testing.TB, l *audit.Log, es ...moothall.AuditEntry) {
	t.Helper()
	for _, e := range es {
		if _, err := l.For(moothall.ToolBroker).Append(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
}

func act(a moothall.AuditAction, s moothall.AuditStatus, call moothall.CallID) moothall.AuditEntry {
	return moothall.AuditEntry{Action: a, Status: s, Call: call}
}

// numbered makes a closed log of n entries after genesis, of calls c1 to cn.
func numbered(t testing.TB, n int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "audit")
	l := open(t, dir)
	for i := range n {
		write(t, l, act(moothall.ActionToolCall, moothall.StatusOK, moothall.CallID(fmt.Sprint("c", i+1))))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func check(t testing.TB, dir string, o *verify.Options) verify.Report {
	t.Helper()
	r, err := verify.Dir(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func remove(t testing.TB, dir, name string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, name)); err != nil {
		t.Fatal(err)
	}
}
