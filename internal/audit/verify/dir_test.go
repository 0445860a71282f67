package verify_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/audit/verify"
)

func TestReport(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	l := open(t, dir)
	write(t, l,
		act(moothall.ActionHallStart, moothall.StatusOK, ""),               // 1: never stopped
		act(moothall.ActionToolCall, moothall.StatusIntent, "a"),           // 2: ends
		act(moothall.ActionToolCall, moothall.StatusOK, "a"),               // 3
		act(moothall.ActionToolCall, moothall.StatusIntent, "b"),           // 4: asked is no outcome
		act(moothall.ActionToolCall, moothall.StatusAsked, "b"),            // 5
		act(moothall.ActionToolCall, moothall.StatusDenied, "c"),           // 6: an outcome alone
		act(moothall.ActionHallStart, moothall.StatusOK, ""),               // 7: still running
		act(moothall.ActionToolCall, moothall.StatusIntent, "d"),           // 8: nested; the outer one
		act(moothall.ActionMemoryWrite, moothall.StatusIntent, "d"),        // 9  has no outcome
		act(moothall.ActionMemoryWrite, moothall.StatusOK, "d"),            // 10
		act(moothall.ActionToolCall, moothall.StatusIntent, "e"),           // 11: known to be unknown
		act(moothall.ActionToolCall, moothall.StatusUnknown, "e"),          // 12
		act(moothall.ActionToolCall, moothall.StatusIntent, "f"),           // 13: beyond the limit
		act(moothall.ActionModelCall, moothall.StatusIntent, ""),           // 14: no call id, not followed
		moothall.AuditEntry{Action: "x", Status: "y", Agent: "\u202e\x00"}, // 15
	)
	r := check(t, dir, &verify.Options{Limit: 2})
	if !r.OK || r.Entries != 16 || r.Signed != 1 || r.Heads != 1 {
		t.Errorf("%+v", r)
	}
	const noOutcome = " has no outcome: it is under way, or a crash came between"
	want := []verify.Finding{
		{Severity: verify.Info, Where: "log", What: "15 entries after the last head are not signed yet"},
		{Severity: verify.Info, Where: "entry 1", What: "the hall that started here did not stop in order"},
		{Severity: verify.Info, Where: "entry 7", What: "the hall that started here has not stopped"},
		{Severity: verify.Warning, Where: "entry 4", What: "the intent tool.call of call b" + noOutcome},
		{Severity: verify.Warning, Where: "entry 8", What: "the intent tool.call of call d" + noOutcome},
		{Severity: verify.Warning, Where: "log", What: "1 more intents have no outcome"},
	}
	if d := cmp.Diff(want, r.Findings); d != "" {
		t.Error(d)
	}
	write(t, l, act(moothall.ActionHallStop, moothall.StatusOK, ""))
	l.Close()
	r = check(t, dir, nil)
	if r.Signed != 17 || r.Heads != 2 || !strings.Contains(r.LastHead, "\n17\n"+r.Root+"\n") {
		t.Errorf("after Close: %+v", r)
	}
	b, err := json.Marshal(r)
	if err != nil || !strings.HasPrefix(string(b), `{"ok":true,"entries":17,"heads":2,"signed":17,"last_head":"`) {
		t.Errorf("%s %v", b, err)
	}
}

func TestKeyGiven(t *testing.T) {
	t.Parallel()
	dir, other := numbered(t, 3), numbered(t, 3)
	key, otherKey := check(t, dir, nil).Key, check(t, other, nil).Key
	if r := check(t, dir, &verify.Options{Key: key}); !r.OK {
		t.Errorf("right key: %+v", r.Findings)
	}
	if r := check(t, dir, &verify.Options{Key: otherKey}); r.OK {
		t.Error("wrong key accepted")
	}
	if _, err := verify.Dir(t.Context(), dir, &verify.Options{Key: "nonsense"}); moothall.ErrorCode(err) != moothall.CodeInvalid || moothall.ErrorRemedy(err) == "" {
		t.Error("nonsense accepted")
	}
	for _, name := range []string{"key", "hash.key", "key.pub"} { // a copy for somebody else
		remove(t, dir, name)
	}
	if r := check(t, dir, nil); r.OK {
		t.Error("without any key")
	}
	if r := check(t, dir, &verify.Options{Key: key}); !r.OK || r.Signed != 4 {
		t.Errorf("copy: %+v", r)
	}
}

func TestWarnings(t *testing.T) {
	t.Parallel()
	dir := numbered(t, 3)
	if err := os.Chmod(filepath.Join(dir, "key"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "torn-1"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := check(t, dir, nil)
	var where []string
	for _, f := range r.Findings {
		where = append(where, string(f.Severity)+" "+f.Where)
	}
	if d := cmp.Diff([]string{"warning key", "warning torn-1"}, where); d != "" || !r.OK {
		t.Error(d)
	}
}

func TestDirErrors(t *testing.T) {
	t.Parallel()
	if _, err := verify.Dir(t.Context(), t.TempDir(), nil); moothall.ErrorCode(err) != moothall.CodeNotFound {
		t.Errorf("empty directory: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := verify.Dir(ctx, numbered(t, 1), nil); moothall.ErrorCode(err) != moothall.CodeCanceled {
		t.Errorf("cancelled: %v", err)
	}
}

// A log may be checked while it grows.
func TestVerifyWhileWriting(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	l := open(t, dir)
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for i := range 150 {
				e := act(moothall.ActionToolCall, moothall.StatusOK, "c")
				if i%5 == 0 {
					e.Action = moothall.ActionRunEnd
				}
				if _, err := l.For(moothall.ToolBroker).Append(t.Context(), e); err != nil {
					t.Error(err)
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		writers.Wait()
		close(done)
	}()
	var last uint64
	for busy := true; busy; {
		select {
		case <-done:
			busy = false
		default:
		}
		r := check(t, dir, nil)
		if !r.OK || r.Entries < last {
			t.Errorf("%+v", r)
		}
		last = r.Entries
	}
	if last != 601 {
		t.Errorf("%d entries at the end", last)
	}
}
