package shell_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/tool/sandbox"
	"moothall/internal/tool/shell"
)

// fake is a sandbox that runs nothing and remembers what it was asked.
type fake struct {
	programs []string
	outcome  shell.Outcome
	err      error
	jobs     []shell.Job
	files    []string // what stood in the last argument's file
}

func (f *fake) Look(program string) (string, error) {
	for _, p := range f.programs {
		if p == program {
			return "/usr/bin/" + p, nil
		}
	}
	return "", moothall.Fail(moothall.CodeNotFound, "look", "no "+program)
}

func (f *fake) Run(_ context.Context, j shell.Job) (shell.Outcome, error) {
	f.jobs = append(f.jobs, j)
	text, _ := os.ReadFile(j.Argv[len(j.Argv)-1])
	f.files = append(f.files, string(text))
	return f.outcome, f.err
}

// real is the sandbox of this machine, wired as the daemon does it.
type real struct{ cage *sandbox.Sandbox }

func (r real) Look(program string) (string, error) { return sandbox.LookPath(program) }

func (r real) Run(ctx context.Context, j shell.Job) (shell.Outcome, error) {
	res, err := r.cage.Run(ctx, sandbox.Command{
		Argv: j.Argv, Stdin: j.Stdin, Env: j.Env, Reads: j.Reads, Writes: j.Writes,
		Limits: sandbox.Limits{Wall: j.Wall, CPU: j.Wall},
	})
	return shell.Outcome(res), err
}

// eachLevel runs a test in every real sandbox that this machine has.
func eachLevel(t *testing.T, test func(t *testing.T, r shell.Runner)) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range []sandbox.Level{sandbox.Bubblewrap, sandbox.Landlock} {
		t.Run(string(l), func(t *testing.T) {
			t.Parallel()
			cage, err := sandbox.Open(t.Context(), sandbox.Options{Helper: []string{self, helperWord}, Levels: []sandbox.Level{l}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = cage.Close() })
			if err := cage.Ready(t.Context()); err != nil {
				moottest.Cannot(t, "this machine has no such sandbox: "+cage.Why())
			}
			test(t, real{cage})
		})
	}
}

// tool picks one of the three.
func tool(t *testing.T, s *shell.Shell, name moothall.ToolName) moothall.Tool {
	t.Helper()
	for _, tool := range s.Tools() {
		if spec := tool.Spec(); spec.Name == name {
			return tool
		}
	}
	t.Fatalf("no tool %s", name)
	return nil
}

func call(t *testing.T, s *shell.Shell, name moothall.ToolName, args map[string]string, writes ...string) moothall.ToolResult {
	t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		t.Fatal(err)
	}
	res, err := tool(t, s, name).Run(t.Context(), moothall.ToolRun{
		Call: moothall.ToolCall{ID: "c1", Name: name, Arguments: raw}, Writes: writes, Note: func(string) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	if res.Call != "c1" || res.Name != name {
		t.Errorf("result of %s %s", res.Call, res.Name)
	}
	return res
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q does not say %q", text, p)
		}
	}
}
