package daemon_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
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
