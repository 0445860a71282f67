package daemon_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
)

// fetched reads an answer.
func fetched[T any](t *testing.T, url string) (v T) {
	t.Helper()
	resp, body := get(t, url)
	if err := json.Unmarshal([]byte(body), &v); err != nil || resp.StatusCode != 200 {
		t.Fatalf("%s: %s %s, %v", url, resp.Status, body, err)
	}
	return v
}

// TestExamineOverHTTP: the doctor's findings, the keyring's names and the
// search engines of a hall that runs.
func TestExamineOverHTTP(t *testing.T) {
	t.Parallel()
	h, c := home(t.TempDir()), config()
	c.Secrets.Keyring = "memory"
	c.Search.Brave.Key, c.Search.SearXNG.URL = "brave-key", "http://127.0.0.1:8888/"
	if err := os.MkdirAll(h.Config, 0o700); err != nil {
		t.Fatal(err)
	}
	mcp := `{"mcpServers":{"desk":{"url":"http://127.0.0.1:1/mcp","headers":{"A":"Bearer ${secret:desk-key}"},"disabled":true}}}`
	if err := os.WriteFile(h.MCP(), []byte(mcp), 0o600); err != nil {
		t.Fatal(err)
	}
	hall := serve(t, h, c)
	var checks []string
	bad := func(f moothall.Finding) bool {
		return f.Check == "port" && !strings.Contains(f.Detail, "this hall") || f.Status == "fail" && f.Check != "sandbox"
	}
	for _, f := range settles(func() []moothall.Finding { return fetched[[]moothall.Finding](t, hall.URL()+"/doctor") },
		func(found []moothall.Finding) bool { return !slices.ContainsFunc(found, bad) }) {
		checks = append(checks, f.Check)
		if bad(f) {
			t.Errorf("found %+v", f)
		}
	}
	for _, want := range []string{"home", "record", "database", "port", "model server", "sandbox", "manifest", "keyring", "search"} {
		if !slices.Contains(checks, want) {
			t.Errorf("nobody looked at %s: %v", want, checks)
		}
	}
	ring := fetched[moothall.Keyring](t, hall.URL()+"/keyring")
	var names []string
	for _, k := range ring.Keys {
		names = append(names, k.Name+" "+k.Is+" "+strings.Join(k.For, ","))
	}
	want := []string{"brave-key missing searching with brave", "desk-key missing servers in mcp.json"}
	if !slices.Equal(names, want) || ring.State != moothall.ServiceOK {
		t.Errorf("the keyring is %+v", ring)
	}
	states := map[string]moothall.ServiceState{}
	for _, e := range fetched[[]moothall.SearchEngine](t, hall.URL()+"/search/engines") {
		states[e.Name] = e.State
	}
	if states["searxng"] != moothall.ServiceOK || states["brave"] != moothall.ServiceDown || states["tavily"] != moothall.ServiceNotConfigured {
		t.Errorf("the engines are %v", states)
	}
}

// TestPreviewOverHTTP: who is asked about a write sees the file before and
// after, and only while the question is open.
func TestPreviewOverHTTP(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall, model := scripted(t, h, config())
	if err := os.MkdirAll(h.Workspace(), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(h.Workspace(), "note.txt")
	if err := os.WriteFile(file, []byte("old words"), 0o600); err != nil {
		t.Fatal(err)
	}
	model.Script(calls("fs_write", `{"path":"note.txt","content":"new words"}`), says("finished"))
	turn := follow(t, hall, `{"query":"write it","context":"somebody's words"}`)
	asked := turn.next("approval").Asked
	if asked == nil {
		t.Fatal("nobody is asked")
	}
	url := hall.URL() + "/approvals/" + string(asked.ID) + "/preview"
	if p := fetched[moothall.Preview](t, url); !p.Exists || p.Before != "old words" || p.After != "new words" || p.Problem != "" {
		t.Errorf("the preview is %+v", p)
	}
	reply(t, hall, asked.ID, `{"answer":"deny"}`)
	turn.next("final")
	if resp, _ := get(t, url); resp.StatusCode != 404 {
		t.Errorf("the preview of an answered question: %s", resp.Status)
	}
	model.Script(shell("echo x"), says("finished"))
	turn, other := waiting(t, hall, "echo x")
	if resp, _ := get(t, hall.URL()+"/approvals/"+string(other.ID)+"/preview"); resp.StatusCode != 501 {
		t.Errorf("the preview of run_code: %s", resp.Status)
	}
	reply(t, hall, other.ID, `{"answer":"deny"}`)
	turn.next("final")
}

// TestExportGoesToWhoAsked: an export is the answer, and no file of the
// hall's choosing or the caller's.
func TestExportGoesToWhoAsked(t *testing.T) {
	t.Parallel()
	hall := serve(t, home(t.TempDir()), config())
	resp := post(t, hall.URL()+"/memories/import", `{"id":"m-1","text":"The boat is called Heron.","source":"web:x","trust":"person"}`)
	if resp.StatusCode != 200 {
		t.Fatal(resp.Status)
	}
	_, body := get(t, hall.URL()+"/export/memories")
	if !strings.Contains(body, `"id":"m-1"`) || strings.Count(body, "\n") != 1 {
		t.Errorf("the export is %s", body)
	}
	victim := filepath.Join(t.TempDir(), "mine.txt")
	if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	ask, err := json.Marshal(map[string]string{"export": victim})
	if err != nil {
		t.Fatal(err)
	}
	put(t, hall.URL()+"/participants/memory", string(ask))
	if got, err := os.ReadFile(victim); err != nil || string(got) != "mine" {
		t.Errorf("a file of the person's was written: %q, %v", got, err)
	}
}

// TestConfigurationElsewhere: a hall that was started with another file than
// the home's own says which one is in force, and that no backup has it.
func TestConfigurationElsewhere(t *testing.T) {
	t.Parallel()
	h, file := home(t.TempDir()), filepath.Join(t.TempDir(), "shared.yaml")
	lays(t, map[string]string{file: "front:\n  port: 0\nmodels:\n  builtin: rules\n"})
	loaded, err := daemon.LoadConfig(h, file, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, h, loaded.Config)
	x, err := join(t, h).Examine(t.Context(), moothall.PartAll)
	if err != nil || x.Findings[0].Detail != file {
		t.Errorf("the configuration in force is said to be %+v, %v", x.Findings[0], err)
	}
	if _, leftOut := backedUp(t, h); len(leftOut) != 1 || leftOut[0] != file {
		t.Errorf("left out: %q", leftOut)
	}
}
