package daemon_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
	"moothall/internal/moottest/ollamatest"
)

// until polls: another process has no other way to tell.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// commands lists the processes whose command line holds a text.
func commands(text string) (pids []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		if line, err := os.ReadFile(f); err == nil && bytes.Contains(line, []byte(text)) {
			pids = append(pids, filepath.Base(filepath.Dir(f)))
		}
	}
	return pids
}

// relaxed lets a session's high-risk tools run without asking.
func relaxed(t *testing.T, h daemon.Home, session moothall.SessionID) {
	t.Helper()
	client, err := daemon.Connect(t.Context(), h, config(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Broker().Override(t.Context(), moothall.Scope{Session: session}, moothall.Overrides{Level: "relax"}); err != nil {
		t.Error(err)
	}
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestKillInMidCall kills the hall while a tool runs in the sandbox. Nobody
// knows what the tool has done: the record says exactly that, once, the
// session opens, and nothing of the sandbox is left.
func TestKillInMidCall(t *testing.T) {
	t.Parallel()
	model := ollamatest.New(t, ollamatest.Options{})
	dir := t.TempDir()
	h := home(dir)
	relaxed(t, h, "long")
	// A number that no other process on this machine sleeps for.
	sleep := fmt.Sprintf("6%09d", time.Now().UnixNano()%1e9)
	model.Script(shell("touch started; sleep " + sleep))
	cmd := child(t, "answering", dir, model.URL, "sleep")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	until(t, "the tool started", func() bool {
		if len(model.Chats()) > 1 {
			last := model.Chats()[1].Messages
			if said := last[len(last)-1].Content; strings.Contains(said, "sandbox") {
				moottest.Cannot(t, "code is not run on this machine: "+said)
			}
		}
		_, err := os.Stat(filepath.Join(h.Workspace(), "started"))
		return err == nil && len(commands("sleep\x00"+sleep)) > 0
	})
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	until(t, "the sandbox ended", func() bool { return len(commands("sleep\x00"+sleep)) == 0 })

	c := config()
	c.Models.Ollama.URL = model.URL
	for range 2 { // the second start has nothing more to recover
		hall, err := daemon.Open(context.WithoutCancel(t.Context()), daemon.Options{Home: h, Config: c})
		if err != nil {
			t.Fatal(err)
		}
		if err := hall.Shutdown(); err != nil {
			t.Fatal(err)
		}
	}
	checkUnknown(t, h)
	client, err := daemon.Connect(t.Context(), h, c, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if d, err := client.Session(t.Context(), "long"); err != nil || d.State != "interrupted" {
		t.Errorf("the session is %+v, %v", d.Session, err)
	}
	model.Script(says("The next answer."))
	for s, err := range client.Query(t.Context(), moothall.QueryRequest{Session: "long", Query: "go on"}) {
		if err != nil || s.Answer != nil && s.Answer.Text != "The next answer." {
			t.Errorf("going on: %+v, %v", s.Answer, err)
		}
	}
}

// checkUnknown wants one intent, with one outcome, which nobody knows.
func checkUnknown(t *testing.T, h daemon.Home) {
	t.Helper()
	var got []string
	var call moothall.CallID
	for e, err := range daemon.ShowAudit(t.Context(), h, daemon.AuditFilter{Action: moothall.ActionToolCall}, false) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(e.Status))
		if call != "" && e.Call != call {
			t.Errorf("the outcome is of %s, the intent of %s", e.Call, call)
		}
		call = e.Call
	}
	if strings.Join(got, " ") != "intent unknown_after_crash" {
		t.Errorf("the record says %v of the call", got)
	}
	report, err := daemon.VerifyAudit(t.Context(), h, nil, "")
	if err != nil || !report.OK {
		t.Errorf("the record: %+v, %v", report.Findings, err)
	}
}
