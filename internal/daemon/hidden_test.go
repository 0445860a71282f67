package daemon_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
)

// lodging is a person's home with the hall's folders in their usual places.
func lodging(t *testing.T) daemon.Home {
	t.Helper()
	user, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	h, err := daemon.FindHome("", func(name string) string { return map[string]string{"HOME": user}[name] })
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".ssh/id": "SECRET", ".netrc": "SECRET", ".config/gh/hosts.yml": "SECRET", ".local/share/moothall/workspace/f": "work", "notes/f": "plain",
		"vault/f": "SECRET", ".config/moothall/moothall.yaml": "# SECRET\n",
	} {
		p := filepath.Join(user, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(h.Database(), filepath.Join(user, "notes", "db")); err != nil {
		t.Fatal(err)
	}
	return h
}

// sysadmin calls a tool as the agent type that may read the whole home.
func sysadmin(t *testing.T, b moothall.Broker, scope moothall.Scope, tool moothall.ToolName, args map[string]any) moothall.ToolResult {
	t.Helper()
	return callAs(t, b, scope, "sysadmin", tool, args)
}

// callAs calls a tool once, as an agent of a type.
func callAs(t *testing.T, b moothall.Broker, scope moothall.Scope, as moothall.AgentType, tool moothall.ToolName, args map[string]any) moothall.ToolResult {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	agent, err := b.Spawn(t.Context(), moothall.SpawnRequest{Scope: scope, Type: as, Query: moothall.QueryID(moothall.NewID()), Unattended: true})
	if err != nil {
		t.Fatal(err)
	}
	r := moothall.CallRequest{Scope: scope, Agent: agent.Handle, Call: moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: tool, Arguments: raw}}
	for p, err := range b.Execute(t.Context(), r) {
		if err != nil {
			t.Fatalf("%s %s: %v", tool, raw, err)
		}
		if p.Result != nil {
			return *p.Result
		}
	}
	t.Fatalf("%s %s: no result", tool, raw)
	return moothall.ToolResult{}
}

// TestHallIsHidden has an agent that may read ~/ ask for what is not its
// business: the hall's own files and the person's credentials.
func TestHallIsHidden(t *testing.T) {
	t.Parallel()
	h := lodging(t)
	c := config()
	c.Tools.Hidden = append(c.Tools.Hidden, "~/vault")
	client, err := daemon.Connect(t.Context(), h, c, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	audit, err := filepath.Glob(filepath.Join(h.Audit(), "*"))
	if err != nil || len(audit) == 0 {
		t.Fatalf("no audit files: %v", err)
	}
	paths := append(audit, h.Audit(), h.Database(), h.Database()+"-wal", h.Data, h.ConfigFile(), h.Manifest(), h.Token(), h.PeerKey(), h.Config, h.State,
		filepath.Join(h.Cache, "new"), "~/notes/db", "~/.ssh/id", "~/.netrc", "~/.config/gh/hosts.yml", "~/.aws/new", "~/vault/f", "~/notes/../.ssh/id")
	for _, override := range []string{"", "all"} {
		scope := moothall.Scope{Session: moothall.SessionID("s" + override)}
		if override != "" {
			if _, err := client.Broker().Override(t.Context(), scope, moothall.Overrides{Level: override}); err != nil {
				t.Fatal(err)
			}
		}
		for _, tool := range []moothall.ToolName{"fs_read", "fs_list"} {
			for _, p := range paths {
				r := sysadmin(t, client.Broker(), scope, tool, map[string]any{"path": p})
				if override == "" && (r.Status != moothall.CallDenied || r.Decision.Layer != "paths") || r.Status == moothall.CallOK {
					t.Errorf("override %q: %s %s: %s %+v %s", override, tool, p, r.Status, r.Decision, r.Text)
				}
			}
		}
	}
	scope := moothall.Scope{Session: "search"}
	for _, p := range []string{"~/notes/f", filepath.Join(h.Workspace(), "f")} {
		if r := sysadmin(t, client.Broker(), scope, "fs_read", map[string]any{"path": p}); r.Status != moothall.CallOK {
			t.Errorf("%s: %s %s", p, r.Status, r.Text)
		}
	}
	r := sysadmin(t, client.Broker(), scope, "fs_search", map[string]any{"path": "~/", "pattern": "SECRET", "hidden": true, "ignored": true})
	if r.Status != moothall.CallOK || strings.Contains(string(r.Data), "SECRET") {
		t.Errorf("fs_search: %s %s", r.Status, r.Text)
	}
}

// TestHallIsHiddenFromCommands does the same in the sandbox.
func TestHallIsHiddenFromCommands(t *testing.T) {
	t.Parallel()
	h := lodging(t)
	c := config()
	c.Tools.Hidden = append(c.Tools.Hidden, "~/vault")
	client, err := daemon.Connect(t.Context(), h, c, "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	scope := moothall.Scope{Session: "shell"}
	if _, err := client.Broker().Override(t.Context(), scope, moothall.Overrides{Level: "relax"}); err != nil {
		t.Fatal(err)
	}
	r := sysadmin(t, client.Broker(), scope, "run_shell", map[string]any{"command": "cd " + h.User +
		"; cat notes/f; grep -rs SECRET .; cat .ssh/id .netrc notes/db; ls -A " + h.Data + " " + h.Config + "; true"})
	if strings.Contains(r.Text+string(r.Data), "SECRET") || strings.Contains(r.Text, "moothall.db") {
		t.Fatalf("a command sees hidden places: %s", r.Text)
	}
	if r.Status != moothall.CallOK && strings.Contains(r.Text, "kept from agents") {
		return // Landlock: the whole folder is refused
	}
	if r.Status != moothall.CallOK && strings.Contains(r.Text, "safely") {
		moottest.Cannot(t, "code is not run on this machine: "+r.Text)
	}
	if r.Status != moothall.CallOK || !strings.Contains(r.Text, "plain") {
		t.Errorf("%s: %s", r.Status, r.Text)
	}
}
