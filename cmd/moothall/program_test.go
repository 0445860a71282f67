package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall/internal/moottest/ollamatest"
)

// cannot ends a test that lacks what it needs: quietly on a bare machine,
// loudly where everything must be there.
func cannot(t testing.TB, why string) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// program is moothall on one home, as a person starts it.
type program struct {
	t    *testing.T
	home string
	env  []string
}

// newProgram makes a home with files in it.
func newProgram(t *testing.T, files map[string]string) program {
	t.Helper()
	p := program{t: t, home: t.TempDir(), env: append(os.Environ(), "OLLAMA_HOST=127.0.0.1:1", "MOOTHALL_MEMORY_MODEL=false", "MOOTHALL_CRITIC_ENABLED=false")}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(p.home, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// command is one command line.
func (p program) command(args ...string) *exec.Cmd {
	cmd := exec.CommandContext(p.t.Context(), "moothall", append(args, "--home", p.home)...)
	cmd.Env = p.env
	return cmd
}

// run executes a command and returns what it said and its exit code.
func (p program) run(input string, args ...string) (out, errs string, code int) {
	p.t.Helper()
	cmd := p.command(args...)
	var o, e bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(input), &o, &e
	err := cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		p.t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// must is run for a command that has to end well.
func (p program) must(input string, args ...string) string {
	p.t.Helper()
	out, errs, code := p.run(input, args...)
	if code != 0 {
		p.t.Fatalf("moothall %s: exit code %d\n%s%s", strings.Join(args, " "), code, out, errs)
	}
	return out
}

// patience is how long anything may take on a machine that is busy with
// something else. Nothing waits that long when all is well.
const patience = 2 * time.Minute

// until polls: another process has no other way to tell.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// calls is a model's reply that calls one tool.
func calls(tool, arguments string) ollamatest.Reply {
	return ollamatest.Reply{Calls: []ollamatest.Call{
		{ID: "c-" + tool, Function: ollamatest.Function{Name: tool, Arguments: json.RawMessage(arguments)}},
	}}
}
