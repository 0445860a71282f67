package daemon_test

import (
	"context"
	"fmt"
	"net/http"
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

// put changes something over HTTP.
func put(t *testing.T, url, body string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	return resp
}

// statusOf is how the one call of an unattended message ended.
func statusOf(t *testing.T, hall *daemon.Hall, session, more string) moothall.CallStatus {
	t.Helper()
	return only(t, query(t, hall, fmt.Sprintf(`{"query":"run it","unattended":true,"session_id":%q%s}`, session, more))).Status
}

// TestOverrideOfAMessage is gone with the next message.
func TestOverrideOfAMessage(t *testing.T) {
	t.Parallel()
	hall, model := scripted(t, home(t.TempDir()), config())
	for range 3 {
		model.Script(shell("echo ran"), says("finished"))
	}
	for i, c := range []struct {
		override string
		want     moothall.CallStatus
	}{
		{"", moothall.CallDenied},
		{`,"override":{"level":"relax"}`, moothall.CallOK},
		{"", moothall.CallDenied},
	} {
		if got := statusOf(t, hall, "s", c.override); got != c.want {
			t.Errorf("message %d: %s, want %s", i, got, c.want)
		}
	}
}

// TestOverrideOfAMessageThatWaits is that message's alone: one that was asked
// before it does not have it, nor one that is asked when it was given up.
func TestOverrideOfAMessageThatWaits(t *testing.T) {
	t.Parallel()
	relaxed := moothall.QueryRequest{Session: "s", Query: "Run it relaxed.", Unattended: true, Override: &moothall.Overrides{Level: "relax"}}
	plain := moothall.QueryRequest{Session: "s", Query: "Run it.", Unattended: true}
	t.Run("behind another", func(t *testing.T) {
		t.Parallel()
		client, h := occupied(t)
		first := queued(t, t.Context(), client, plain, 1)
		second := queued(t, t.Context(), client, relaxed, 2)
		close(h.answer)
		if got := only(t, <-first).Status; got != moothall.CallDenied {
			t.Errorf("the one before: %s", got)
		}
		if got := only(t, <-second).Status; got != moothall.CallOK {
			t.Errorf("the message: %s", got)
		}
	})
	t.Run("given up", func(t *testing.T) {
		t.Parallel()
		client, h := occupied(t)
		ctx, cancel := context.WithCancel(t.Context())
		given := queued(t, ctx, client, relaxed, 1)
		cancel()
		<-given
		next := queued(t, t.Context(), client, plain, 1)
		close(h.answer)
		if got := only(t, <-next).Status; got != moothall.CallDenied {
			t.Errorf("the next: %s", got)
		}
	})
}

// occupied is a hall whose session s is at a question until its reply is let
// go. Other questions run a command.
func occupied(t *testing.T) (moothall.Client, *hold) {
	t.Helper()
	h := newHold()
	model := ollamatest.New(t, ollamatest.Options{Respond: func(c ollamatest.Chat) ollamatest.Reply {
		switch last := c.Messages[len(c.Messages)-1]; {
		case last.Role == "tool":
			return says("finished")
		case strings.Contains(last.Content, "Wait."):
			return h.back(says("waited"))
		}
		return shell("echo ran")
	}})
	dir, c := home(t.TempDir()), config()
	c.Models.Ollama.URL = model.URL
	serve(t, dir, c)
	client := join(t, dir)
	queued(t, t.Context(), client, moothall.QueryRequest{Session: "s", Query: "Wait."}, 0)
	<-h.asked
	return client, h
}

// queued asks beside, and returns when so many wait in the session. The answer
// is empty when there is none.
func queued(t *testing.T, ctx context.Context, client moothall.Client, r moothall.QueryRequest, n int) <-chan moothall.Answer {
	t.Helper()
	out := make(chan moothall.Answer, 1)
	go func() {
		var a moothall.Answer
		for s, err := range client.Query(ctx, r) {
			if err == nil && s.Answer != nil {
				a = *s.Answer
			}
		}
		out <- a
	}()
	for end := time.Now().Add(patience); n > 0; time.Sleep(time.Millisecond) {
		if d, err := client.Session(t.Context(), r.Session); err == nil && len(d.Queue) == n {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d questions do not wait", n)
		}
	}
	return out
}

// TestOverrideOfASession lasts until it is taken back, holds for no other
// session, and brings no disabled tool back.
func TestOverrideOfASession(t *testing.T) {
	t.Parallel()
	hall, model := scripted(t, home(t.TempDir()), config())
	set := func(body string) {
		if resp := put(t, hall.URL()+"/sessions/s/overrides", body); resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s", body, resp.Status)
		}
	}
	for i, c := range []struct {
		set, session string
		want         moothall.CallStatus
	}{
		{`{"level":"relax"}`, "s", moothall.CallOK},
		{"", "s", moothall.CallOK},
		{"", "other", moothall.CallDenied},
		{`{"level":"none"}`, "s", moothall.CallDenied},
	} {
		model.Script(shell(fmt.Sprintf("echo %d", i)), says("finished"))
		if c.set != "" {
			set(c.set)
		}
		if got := statusOf(t, hall, c.session, ""); got != c.want {
			t.Errorf("message %d: %s, want %s", i, got, c.want)
		}
	}
	// A tool that the person switched off stays off under every level. The
	// model is not even offered it, and a call of it comes to nothing.
	set(`{"level":"all","disabled":["run_code"]}`)
	client, err := daemon.Connect(t.Context(), hall.Home(), config(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	agent, err := client.Broker().Spawn(t.Context(), moothall.SpawnRequest{Scope: moothall.Scope{Session: "s"}, Type: "generator", Query: "q"})
	if err != nil {
		t.Fatal(err)
	}
	d, err := client.Broker().Validate(t.Context(), moothall.CallRequest{
		Scope: moothall.Scope{Session: "s"}, Agent: agent.Handle,
		Call: moothall.ToolCall{ID: "c", Name: "run_code", Arguments: []byte(shellArguments("echo no"))},
	})
	if err != nil || d.Verdict != moothall.Deny || d.Layer != "override" {
		t.Errorf("a disabled tool: %+v, %v", d, err)
	}
	model.Script(shell("echo no"), says("finished"), says("finished"))
	a := query(t, hall, `{"query":"run it","session_id":"s"}`)
	for _, c := range a.Tools {
		if c.Status == moothall.CallOK {
			t.Errorf("a disabled tool ran: %+v", c)
		}
	}
	last := model.Chats()[len(model.Chats())-1]
	for _, offered := range last.Tools {
		if offered.Function.Name == "run_code" {
			t.Error("a disabled tool is offered")
		}
	}
}

// TestAllStartsInTheAgentsFolders has agents whose checks are off use relative
// paths and run code: both happen where they do with the checks on, and any
// other path can be used besides.
func TestAllStartsInTheAgentsFolders(t *testing.T) {
	t.Parallel()
	h := lodging(t)
	client, err := daemon.Connect(t.Context(), h, config(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	scope := moothall.Scope{Session: "s"}
	if _, err := client.Broker().Override(t.Context(), scope, moothall.Overrides{Level: "all"}); err != nil {
		t.Fatal(err)
	}
	call := func(as moothall.AgentType, tool moothall.ToolName, args map[string]any) moothall.ToolResult {
		t.Helper()
		return callAs(t, client.Broker(), scope, as, tool, args)
	}
	for as, path := range map[moothall.AgentType]string{"generator": "f", "respondent_b": "f", "sysadmin": "~/notes/f"} {
		if r := call(as, "fs_read", map[string]any{"path": path}); r.Status != moothall.CallOK {
			t.Fatalf("%s reads %s: %s %s", as, path, r.Status, r.Text) // nothing may be written now
		}
	}
	outside := filepath.Join(h.User, "notes", "new")
	for path, at := range map[string]string{"new": filepath.Join(h.Workspace(), "new"), outside: outside} {
		if r := call("generator", "fs_write", map[string]any{"path": path, "content": "hi"}); r.Status != moothall.CallOK {
			t.Errorf("write %s: %s %s", path, r.Status, r.Text)
		}
		if b, err := os.ReadFile(at); err != nil || string(b) != "hi" {
			t.Errorf("%s: %q, %v", at, b, err)
		}
	}
	r := call("generator", "run_code", map[string]any{"language": "shell", "code": "pwd; cat f; ls " + outside + " || echo kept out"})
	if r.Status != moothall.CallOK && strings.Contains(r.Text, "safely") {
		moottest.Cannot(t, "code is not run on this machine: "+r.Text)
	}
	if r.Status != moothall.CallOK || !strings.Contains(r.Text, h.Workspace()+"\nwork") || !strings.Contains(r.Text, "kept out") {
		t.Errorf("run_code: %s %s", r.Status, r.Text)
	}
	if r := call("critic", "run_shell", map[string]any{"command": "echo ran"}); r.Status != moothall.CallOK || !strings.Contains(r.Text, "ran") {
		t.Errorf("run_shell of a type without folders: %s %s", r.Status, r.Text)
	}
}
