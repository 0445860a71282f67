package shell

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"time"

	"moothall"
)

// Job is one program to run in the sandbox.
type Job struct {
	Argv   []string
	Stdin  io.Reader
	Env    map[string]string // added to a clean environment
	Reads  []string
	Writes []string
	Wall   time.Duration
}

// Outcome of a program that ran.
type Outcome struct {
	Exit     int
	Stdout   []byte
	Stderr   []byte
	Cut      bool // output beyond the sandbox's limit was left out
	TimedOut bool
	Signal   string
	Took     time.Duration
}

// Runner is the sandbox, as these tools need it.
type Runner interface {
	// Look returns where a program is inside the sandbox, or CodeNotFound.
	Look(program string) (string, error)
	// Run executes a job. An error means that it did not run: CodeUnsupported
	// where the sandbox does not hold on this machine.
	Run(ctx context.Context, j Job) (Outcome, error)
}

// Options of [New].
type Options struct {
	// Packages is the folder that package_install takes wheels, npm tarballs,
	// Debian packages and a Go module proxy ("go/") from; "" is none.
	Packages string
	// Wall is how long one program may run; 0 is a minute.
	Wall time.Duration
	// Scratch begins the names of the folders, among the temporary files, that
	// code lies in while it runs, so that the sandbox can remove what a hall
	// left that was killed; "" is "moothall-code-".
	Scratch string
}

// Shell makes the three tools.
type Shell struct {
	runner    Runner
	packages  string
	wall      time.Duration
	scratch   string
	languages []language
}

// New looks for languages in the sandbox.
func New(r Runner, o Options) *Shell {
	if o.Wall <= 0 {
		o.Wall = time.Minute
	}
	s := &Shell{runner: r, packages: o.Packages, wall: o.Wall, scratch: cmp.Or(o.Scratch, "moothall-code-")}
	for _, l := range known {
		for _, p := range l.programs {
			if path, err := r.Look(p); err == nil {
				l.path = path
				s.languages = append(s.languages, l)
				break
			}
		}
	}
	return s
}

// Tools returns run_code, run_shell and package_install.
func (s *Shell) Tools() []moothall.Tool {
	return []moothall.Tool{&codeTool{s}, &commandTool{s}, &packageTool{s}}
}

// Languages names those found in the sandbox.
func (s *Shell) Languages() []string {
	var out []string
	for _, l := range s.languages {
		out = append(out, l.name)
	}
	return out
}

// spec is what the three have in common. They read the person's files, change
// what they like in the agent's folders, and repeating one is never harmless.
func (s *Shell) spec(name moothall.ToolName, description, parameters string) moothall.ToolSpec {
	return moothall.ToolSpec{
		Name: name, Description: description, Parameters: json.RawMessage(parameters),
		Risk: moothall.RiskHigh, Taints: moothall.Private,
		Timeout: s.wall + 15*time.Second, MaxResult: 32 << 10, Origin: "built-in",
	}
}

// run executes a job for a call and turns its outcome into a result.
func (s *Shell) run(ctx context.Context, r moothall.ToolRun, j Job) (moothall.ToolResult, error) {
	j.Wall = s.wall
	j.Reads, j.Writes = append(j.Reads, r.Reads...), r.Writes
	out, err := s.runner.Run(ctx, j)
	if err != nil {
		return moothall.ToolResult{}, err
	}
	return result(r, out)
}

// arguments reads a call's arguments.
func arguments[T any](r moothall.ToolRun) (T, error) {
	var v T
	if err := json.Unmarshal(r.Call.Arguments, &v); err != nil {
		return v, &moothall.Error{Code: moothall.CodeInvalid, Op: "tool arguments", Message: "the arguments are no JSON object of the expected kind", Err: err}
	}
	return v, nil
}
