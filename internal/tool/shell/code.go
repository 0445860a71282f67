package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"moothall"
)

// language is one that run_code knows.
type language struct {
	name     string
	also     []string // other words for it
	programs []string // the first that is there is used
	path     string
	args     []string
	// file is the name of the code's file. Without one the code is standard
	// input: then it can import what lies in the working folder.
	file string
	env  func(work string) map[string]string
}

// known languages, in the order in which they are described. A shell gets a
// file, since commands of its own would read on from standard input.
var known = []language{
	{name: "python", also: []string{"python3", "py"}, programs: []string{"python3", "python"}, args: []string{"-"}, env: func(work string) map[string]string {
		return map[string]string{"PYTHONPATH": folder(work, "python"), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1"}
	}},
	{name: "javascript", also: []string{"js", "node", "nodejs"}, programs: []string{"node", "nodejs"}, args: []string{"-"}, env: func(work string) map[string]string {
		return map[string]string{"NODE_PATH": filepath.Join(folder(work, "npm"), "node_modules")}
	}},
	{name: "shell", also: []string{"sh", "bash"}, programs: []string{"bash", "sh"}, file: "code.sh"},
	{name: "go", also: []string{"golang"}, programs: []string{"go"}, args: []string{"run"}, file: "main.go", env: func(string) map[string]string {
		return map[string]string{
			"GOTOOLCHAIN": "local", "GOPROXY": "off", "GOFLAGS": "-mod=mod", "CGO_ENABLED": "0", "GO111MODULE": "auto",
			"GOTELEMETRY": "off", "GOMAXPROCS": "4",
		}
	}},
}

// folder is where package_install puts a manager's packages.
func folder(work, manager string) string {
	if work == "" {
		return ""
	}
	return filepath.Join(work, "packages", manager)
}

func (s *Shell) language(name string) (language, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	i := slices.IndexFunc(s.languages, func(l language) bool { return l.name == name || slices.Contains(l.also, name) })
	if i < 0 {
		return language{}, false
	}
	return s.languages[i], true
}

// codeTool is run_code.
type codeTool struct{ s *Shell }

var _ moothall.Tool = (*codeTool)(nil)

// Spec lists the languages that were found.
func (t *codeTool) Spec() moothall.ToolSpec {
	found := "none is installed here"
	if names := t.s.Languages(); len(names) > 0 {
		found = strings.Join(names, ", ")
	}
	return t.s.spec("run_code",
		"Runs a program in a sandbox without network and returns its exit status and output. Languages: "+found+
			". It works in the agent's own folder and can read the folders that the agent can read.",
		`{"type":"object","properties":{"language":{"type":"string","description":"one of: `+found+`"},`+
			`"code":{"type":"string","minLength":1,"maxLength":1000000,"description":"the whole program"}},`+
			`"required":["language","code"],"additionalProperties":false}`)
}

// Run runs the code. A language that is not there is a failed result which
// names those that are.
func (t *codeTool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	a, err := arguments[struct{ Language, Code string }](r)
	if err != nil {
		return moothall.ToolResult{}, err
	}
	l, ok := t.s.language(a.Language)
	if !ok {
		return failed(r, fmt.Sprintf("There is no %q in the sandbox. There is: %s.", a.Language, strings.Join(t.s.Languages(), ", "))), nil
	}
	return t.s.code(ctx, r, l, a.Code)
}

func (s *Shell) code(ctx context.Context, r moothall.ToolRun, l language, code string) (moothall.ToolResult, error) {
	j := Job{Argv: append([]string{l.path}, l.args...)}
	if l.env != nil {
		j.Env = l.env(workFolder(r))
	}
	if l.file == "" {
		j.Stdin = strings.NewReader(code)
		return s.run(ctx, r, j)
	}
	dir, err := os.MkdirTemp("", s.scratch)
	if err != nil {
		return moothall.ToolResult{}, fmt.Errorf("code folder: %w", err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, l.file)
	if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
		return moothall.ToolResult{}, fmt.Errorf("code file: %w", err)
	}
	j.Argv = append(j.Argv, file)
	j.Reads = []string{dir}
	return s.run(ctx, r, j)
}

// workFolder is the first folder that the agent may write.
func workFolder(r moothall.ToolRun) string {
	if len(r.Writes) == 0 {
		return ""
	}
	return r.Writes[0]
}

// commandTool is run_shell.
type commandTool struct{ s *Shell }

var _ moothall.Tool = (*commandTool)(nil)

// Spec of run_shell.
func (t *commandTool) Spec() moothall.ToolSpec {
	return t.s.spec("run_shell",
		"Runs a shell command in a sandbox without network and returns its exit status and output. "+
			"It works in the agent's own folder and can read the folders that the agent can read.",
		`{"type":"object","properties":{"command":{"type":"string","minLength":1,"maxLength":100000,"description":"one or more lines of shell"}},`+
			`"required":["command"],"additionalProperties":false}`)
}

// Run runs the command.
func (t *commandTool) Run(ctx context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
	a, err := arguments[struct{ Command string }](r)
	if err != nil {
		return moothall.ToolResult{}, err
	}
	l, ok := t.s.language("shell")
	if !ok {
		return failed(r, "There is no shell in the sandbox."), nil
	}
	return t.s.code(ctx, r, l, a.Command)
}

// quoted is a JSON string, for schemas put together from parts.
func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(b)
}
