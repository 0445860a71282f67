package audit_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/audit"
	"moothall/internal/audit/verify"
)

func TestAppendStoresEverything(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	l := openLog(t, dir, nil)
	when := time.Date(2026, 3, 4, 5, 6, 7, 890, time.FixedZone("", 3600))
	i := mustAppend(t, l, moothall.AuditEntry{
		Scope: moothall.Scope{Session: "s", Lineage: moothall.Lineage{"a", "b"}}, Time: when,
		Agent: "b", AgentType: "reader", Action: moothall.ActionToolCall, Tool: "fetch",
		Status: moothall.StatusIntent, Call: "c", Query: "q", Run: "r", Rule: "x/y",
		Note: "tab\t \"quoted\" back\\slash <b>&é\u2028 bad\xff\x7f", Params: []byte(`{"k":"hidden"}`),
	})
	mustAppend(t, l, moothall.AuditEntry{Action: moothall.ActionToolCall, Status: moothall.StatusOK, Call: "c"})
	if i != 1 {
		t.Errorf("index %d, want 1 (genesis is 0)", i)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	got := entries(t, dir)[1]
	if !strings.HasPrefix(got.Params, "hmac-sha256:") || len(got.Params) != 12+64 {
		t.Errorf("params %q", got.Params)
	}
	got.Params = ""
	want := verify.Entry{
		Index: 1, Time: when.UTC(), By: moothall.ToolBroker, Agent: "b", Type: "reader",
		Lineage: moothall.Lineage{"a", "b"}, Action: moothall.ActionToolCall, Tool: "fetch",
		Status: moothall.StatusIntent, Session: "s", Query: "q", Run: "r", Call: "c", Rule: "x/y",
		Note: "tab\t \"quoted\" back\\slash <b>&é\u2028 bad\uFFFD\x7f",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if strings.Contains(string(get(t, dir, "log")), "hidden") {
		t.Error("a parameter stands in the log")
	}
	mustBeOK(t, dir)
}

func TestParamsHash(t *testing.T) {
	t.Parallel()
	hashes := map[string]bool{}
	for range 2 {
		dir := filepath.Join(t.TempDir(), "audit")
		l := openLog(t, dir, nil)
		for _, params := range [][]byte{[]byte("x"), []byte("x"), {}, nil} {
			e := call(0)
			e.Params = params
			mustAppend(t, l, e)
		}
		es := entries(t, dir)
		if es[1].Params != es[2].Params || es[2].Params == es[3].Params || es[3].Params == "" || es[4].Params != "" {
			t.Errorf("hashes: %q %q %q %q", es[1].Params, es[2].Params, es[3].Params, es[4].Params)
		}
		hashes[es[1].Params] = true
	}
	if len(hashes) != 2 {
		t.Error("two logs hash alike: the hash has no key")
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	l := openLog(t, filepath.Join(t.TempDir(), "audit"), nil)
	long := call(0)
	long.Rule = strings.Repeat("x", 17<<10)
	late := call(0)
	late.Time = time.Date(10000, 1, 2, 0, 0, 0, 0, time.UTC)
	genesis, recovered := call(0), call(0)
	genesis.Action, recovered.Action = "audit.genesis", moothall.ActionRecovered
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		by   moothall.Identity
		e    moothall.AuditEntry
		want moothall.Code
	}{
		"no action":   {t.Context(), moothall.Hall, moothall.AuditEntry{Status: moothall.StatusOK}, moothall.CodeInvalid},
		"nobody":      {t.Context(), "", call(0), moothall.CodeDenied},
		"too long":    {t.Context(), moothall.Hall, long, moothall.CodeTooLarge},
		"year 10000":  {t.Context(), moothall.Hall, late, moothall.CodeInvalid},
		"genesis":     {t.Context(), moothall.AuditKeeper, genesis, moothall.CodeInvalid},
		"recovered":   {t.Context(), moothall.AuditKeeper, recovered, moothall.CodeInvalid},
		"ctx is over": {cancelled, moothall.Hall, call(0), moothall.CodeCanceled},
	} {
		if _, err := l.For(c.by).Append(c.ctx, c.e); moothall.ErrorCode(err) != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if n := l.Stats().Entries; n != 1 {
		t.Errorf("%d entries, want 1", n)
	}
	l.Close()
	if _, err := l.For(moothall.Hall).Append(t.Context(), call(0)); moothall.ErrorCode(err) != moothall.CodeUnavailable {
		t.Errorf("after Close: %v", err)
	}
	if err := l.Seal(t.Context()); moothall.ErrorCode(err) != moothall.CodeUnavailable {
		t.Errorf("seal after Close: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func TestOpenRefusals(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	openLog(t, dir, nil)
	if err := wantRefused(t, dir, moothall.CodeConflict); moothall.ErrorRemedy(err) == "" {
		t.Error("no remedy")
	}
	for _, origin := range []string{"a b", "a+b", "ä", strings.Repeat("x", 101)} {
		if _, err := audit.Open(filepath.Join(t.TempDir(), "x"), &audit.Options{Origin: origin}); moothall.ErrorCode(err) != moothall.CodeInvalid {
			t.Errorf("origin %q: %v", origin, err)
		}
	}
}

func TestFilesArePrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	openLog(t, dir, &audit.Options{Origin: "example"}).Close()
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("directory: %v %v", info.Mode(), err)
	}
	for _, name := range []string{"log", "heads", "key", "key.pub", "hash.key"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if !strings.HasPrefix(mustBeOK(t, dir).LastHead, "example/") {
		t.Error("the origin is not in the head")
	}
}

func TestHeads(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	l := openLog(t, dir, &audit.Options{HeadEvery: 10})
	for i := range 9 {
		mustAppend(t, l, call(i))
	}
	if s := l.Stats(); s.Signed != 1 || s.Heads != 1 {
		t.Errorf("a head too early: %+v", s)
	}
	if err := l.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := l.Seal(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := l.Stats(); s.Signed != 10 || s.Heads != 2 {
		t.Errorf("after two Seals: %+v", s)
	}
	mustAppend(t, l, moothall.AuditEntry{Action: moothall.ActionRunEnd, Status: moothall.StatusOK})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	r := mustBeOK(t, dir)
	if r.Signed != 11 || r.Heads != 3 || r.Entries != 11 {
		t.Errorf("%+v", r)
	}
}

func TestHeadsComeByThemselves(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	synctest.Test(t, func(t *testing.T) {
		l := openLog(t, dir, &audit.Options{HeadEvery: 3})
		runEnd := moothall.AuditEntry{Action: moothall.ActionRunEnd, Status: moothall.StatusOK}
		for i, step := range []struct {
			e      moothall.AuditEntry
			signed uint64
		}{{call(1), 1}, {runEnd, 3}, {call(2), 3}, {call(3), 3}, {call(4), 6}, {call(5), 6}} {
			mustAppend(t, l, step.e)
			time.Sleep(time.Second) // of the bubble: a head that nobody waits for waits a moment
			synctest.Wait()
			if got := l.Stats().Signed; got != step.signed {
				t.Errorf("after step %d: %d entries signed, want %d", i, got, step.signed)
			}
		}
		l.Close()
	})
}

func TestConcurrentAppends(t *testing.T) {
	t.Parallel()
	const workers, each = 16, 50
	dir := filepath.Join(t.TempDir(), "audit")
	l := openLog(t, dir, &audit.Options{HeadEvery: 7})
	var mu sync.Mutex
	got := map[uint64]moothall.CallID{}
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range each {
				e := call(w*each + i)
				e.Relaxed = i%3 == 0
				n := mustAppend(t, l, e)
				mu.Lock()
				got[n] = e.Call
				mu.Unlock()
				if i%10 == 0 {
					if err := l.Seal(t.Context()); err != nil {
						t.Error(err)
					}
				}
			}
		})
	}
	wg.Wait()
	s := l.Stats()
	if s.Entries != 1+workers*each || s.Commits >= s.Entries || len(got) != workers*each {
		t.Errorf("%+v, %d indices", s, len(got))
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	mustBeOK(t, dir)
	for _, e := range entries(t, dir)[1:] {
		if got[e.Index] != e.Call {
			t.Fatalf("entry %d is of call %s, acknowledged was %s", e.Index, e.Call, got[e.Index])
		}
	}
}

// stepwise is what the log's faces can do beyond [moothall.Audit].
type stepwise interface {
	Enqueue(context.Context, ...moothall.AuditEntry) (last uint64, wait func() error, err error)
}

// TestEnqueue gives entries their place before they are durable.
func TestEnqueue(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "audit")
	l := openLog(t, dir, nil)
	face := l.For(moothall.ChatHall).(stepwise)
	for i := range 20 {
		last, wait, err := face.Enqueue(t.Context(), call(3*i), call(3*i+1))
		if err != nil {
			t.Fatal(err)
		}
		if after := mustAppend(t, l, call(3*i+2)); last != after-1 {
			t.Errorf("placed at %d; what came after stands at %d", last, after)
		}
		if err := wait(); err != nil {
			t.Error(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := face.Enqueue(ctx, call(1)); moothall.ErrorCode(err) != moothall.CodeCanceled {
		t.Errorf("with a context that is over: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if r := mustBeOK(t, dir); r.Entries != 61 {
		t.Errorf("%d entries", r.Entries)
	}
}
