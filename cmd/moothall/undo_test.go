package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestUndoHint: the command that is told for taking an undo back is one, also
// where an agent named the file so that a shell would do more.
func TestUndoHint(t *testing.T) {
	t.Parallel()
	p := newProgram(t, map[string]string{"moothall.yaml": "models: {builtin: rules}\n"})
	const name = `it's a $(touch pwned).txt`
	p.must("", "tools", "call", "fs_write", `{"path":"`+name+`","content":"x"}`, "--override", "all")
	file := filepath.Join(p.home, "workspace", name)
	out := p.must("", "undo", file)
	_, hint, ok := strings.Cut(out, "To have it back: moothall ")
	if !ok {
		t.Fatal(out)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", "moothall --home "+p.home+" "+hint)
	cmd.Dir, cmd.Env = t.TempDir(), p.env
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", hint, err, said)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(cmd.Dir, "pwned")); err == nil {
		t.Error("the shell did what the file's name says")
	}
}
