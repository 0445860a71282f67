package shell_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/moottest"
	"moothall/internal/tool/shell"
)

func TestSpecs(t *testing.T) {
	t.Parallel()
	s := shell.New(&fake{programs: []string{"python3", "sh"}}, shell.Options{Wall: time.Second})
	if len(s.Tools()) != 3 {
		t.Fatalf("%d tools", len(s.Tools()))
	}
	for _, tool := range s.Tools() {
		spec := tool.Spec()
		if spec.Risk != moothall.RiskHigh || spec.ReadOnly || spec.Idempotent || !spec.Taints.Has(moothall.Private) ||
			spec.Timeout <= time.Second || spec.MaxResult == 0 || !json.Valid(spec.Parameters) {
			t.Errorf("%+v", spec)
		}
	}
	contains(t, tool(t, s, "run_code").Spec().Description, "python, shell")
	if d := tool(t, s, "run_code").Spec().Description; strings.Contains(d, "javascript") {
		t.Errorf("an absent language is offered: %s", d)
	}
}

func TestCodeNeverInArguments(t *testing.T) {
	t.Parallel()
	const secret = "print('very private')"
	for _, language := range []string{"python", "JavaScript", "bash", "go"} {
		f := &fake{programs: []string{"python3", "node", "bash", "go"}}
		s := shell.New(f, shell.Options{})
		res := call(t, s, "run_code", map[string]string{"language": language, "code": secret})
		if res.Status != moothall.CallOK || len(f.jobs) != 1 {
			t.Fatalf("%s: %+v", language, res)
		}
		if j := f.jobs[0]; strings.Contains(strings.Join(j.Argv, " "), "private") {
			t.Errorf("%s: code in the arguments", language)
		}
		text := f.files[0]
		if in := f.jobs[0].Stdin; in != nil {
			b, err := io.ReadAll(in)
			if err != nil {
				t.Fatal(err)
			}
			text = string(b)
		}
		if text != secret {
			t.Errorf("%s: the program got %q", language, text)
		}
	}
}

func TestAbsentLanguage(t *testing.T) {
	t.Parallel()
	f := &fake{programs: []string{"python3"}}
	res := call(t, shell.New(f, shell.Options{}), "run_code", map[string]string{"language": "cobol", "code": "x"})
	if res.Status != moothall.CallFailed || len(f.jobs) != 0 {
		t.Errorf("%+v", res)
	}
	contains(t, res.Text, "cobol", "python")
	res = call(t, shell.New(f, shell.Options{}), "run_shell", map[string]string{"command": "ls"})
	if res.Status != moothall.CallFailed {
		t.Errorf("%+v", res)
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		outcome shell.Outcome
		status  moothall.CallStatus
		says    []string
	}{
		"fine":    {shell.Outcome{Stdout: []byte("42\n"), Took: 12 * time.Millisecond}, moothall.CallOK, []string{"Exit status 0 after 12ms", "--- stdout\n42"}},
		"fails":   {shell.Outcome{Exit: 2, Stderr: []byte("oh")}, moothall.CallFailed, []string{"Exit status 2", "--- stderr\noh"}},
		"silent":  {shell.Outcome{}, moothall.CallOK, []string{"no output"}},
		"time":    {shell.Outcome{Exit: 137, Signal: "SIGKILL", TimedOut: true}, moothall.CallFailed, []string{"time limit"}},
		"signal":  {shell.Outcome{Exit: 139, Signal: "SIGSEGV"}, moothall.CallFailed, []string{"SIGSEGV"}},
		"used up": {shell.Outcome{Exit: 152, Signal: "SIGXCPU"}, moothall.CallFailed, []string{"processor time"}},
		"cut":     {shell.Outcome{Stdout: []byte("y"), Cut: true}, moothall.CallOK, []string{"[output cut"}},
		"no text": {shell.Outcome{Stdout: []byte("a\x00\xffb")}, moothall.CallOK, []string{"a\uFFFD\uFFFDb"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := &fake{programs: []string{"sh"}, outcome: tc.outcome}
			res := call(t, shell.New(f, shell.Options{}), "run_shell", map[string]string{"command": "x"})
			if res.Status != tc.status || !res.Labels.Has(moothall.Private) || (res.Cut != "") != tc.outcome.Cut || !json.Valid(res.Data) {
				t.Errorf("%+v", res)
			}
			contains(t, res.Text, tc.says...)
		})
	}
}

func TestSandboxRefuses(t *testing.T) {
	t.Parallel()
	want := moothall.Fail(moothall.CodeUnsupported, "sandbox", "does not hold")
	f := &fake{programs: []string{"sh"}, err: want}
	s := shell.New(f, shell.Options{})
	_, err := tool(t, s, "run_shell").Run(t.Context(), moothall.ToolRun{Call: moothall.ToolCall{Arguments: json.RawMessage(`{"command":"x"}`)}})
	if !errors.Is(err, want) {
		t.Errorf("got %v", err)
	}
	_, err = tool(t, s, "run_shell").Run(t.Context(), moothall.ToolRun{Call: moothall.ToolCall{Arguments: json.RawMessage(`[]`)}})
	if moothall.ErrorCode(err) != moothall.CodeInvalid {
		t.Errorf("got %v", err)
	}
}

// TestLanguages runs each language that is here, in each real sandbox.
func TestLanguages(t *testing.T) {
	eachLevel(t, func(t *testing.T, r shell.Runner) {
		s := shell.New(r, shell.Options{Wall: 2 * time.Minute})
		for _, tc := range []struct{ language, code, out string }{
			{"python", "import os,subprocess,json\nopen('py','w').write('x')\nprint(sum(range(10)), subprocess.check_output(['echo','hi']).decode())", "45 hi"},
			{"javascript", "const cp=require('child_process');console.log([1,2,3].map(x=>x*2).join(), cp.execSync('echo hi').toString());require('fs').writeFileSync('js','x')", "2,4,6 hi"},
			{"shell", "read line; echo \"got:$line\"; echo $((6*7))", "got:\n42"},
			{"go", "package main\nfunc main() { println(6 * 7) }", "42"},
		} {
			t.Run(tc.language, func(t *testing.T) {
				if _, err := r.Look(map[string]string{"python": "python3", "javascript": "node", "shell": "sh", "go": "go"}[tc.language]); err != nil {
					moottest.Cannot(t, "the sandbox has no "+tc.language)
				}
				res := call(t, s, "run_code", map[string]string{"language": tc.language, "code": tc.code}, t.TempDir())
				if res.Status != moothall.CallOK {
					t.Fatal(res.Text)
				}
				contains(t, res.Text, tc.out)
			})
		}
		res := call(t, s, "run_code", map[string]string{"language": "python", "code": "import socket\nsocket.create_connection(('127.0.0.1',1))"})
		if res.Status != moothall.CallFailed || !strings.Contains(res.Text, "PermissionError") {
			t.Errorf("a socket in the sandbox: %s", res.Text)
		}
	})
}
