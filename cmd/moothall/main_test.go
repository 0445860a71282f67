package main

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"moothall"
	"moothall/internal/moottest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"moothall": main, "leaky-mcp": leakyMCP})
}

// TestScripts are commands as a person types them, in testdata/script.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("MOOTHALL_MODELS_BUILTIN", "rules") // they always answer alike
			e.Setenv("UNIQUE", moothall.NewID())         // for what scripts share with the machine
			e.Setenv("GORACE", os.Getenv("GORACE"))
			root, err := filepath.Abs(filepath.Join("..", ".."))
			e.Setenv("ROOT", root)
			return err
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"answers":  answers,
			"freeport": freePort,
			"flip":     flip,
			"fill":     fill,
			"retry":    retry,
			"take":     take,
			"keyring":  keyring,
			"mcp":      mcpServers,
		},
		Condition:           has,
		RequireExplicitExec: true,
	})
}

// TestUsage: a command line that makes no sense ends with 2 and says how it is
// meant.
func TestUsage(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	for _, args := range [][]string{
		{"tools", "approve"}, {"tools", "call"}, {"tools", "call", "a", "b", "c"}, {"certs"}, {"memory", "add"}, {"memory", "show"},
		{"tasks", "retry"}, {"tasks", "retry", "a", "b", "c"}, {"tasks", "steer", "a"}, {"config", "schema", "nosuch"}, {"config", "schema", "task", "config"},
		{"config", "validate", ""},
	} {
		h.wants(t, 2, "usage: moothall "+args[0], args...)
	}
}

// TestNumbersOutOfRange: a number that makes no sense is not taken for none.
func TestNumbersOutOfRange(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	h.wants(t, 2, "--k is at least 1, not -3", "memory", "search", "--k", "-3", "boat")
	h.wants(t, 2, "--top is at least 0, not -1", "memory", "search", "--top", "-1", "boat")
	h.wants(t, 2, "--limit is at least 1, not -1", "memory", "list", "--limit", "-1")
	h.wants(t, 2, "--depth is at least 0, not -1", "graph", "show", "--depth", "-1")
	h.wants(t, 2, "--rounds is at least 0, not -1", "committee", "--rounds", "-1", "what now?")
	h.wants(t, 2, "--to is at least 1, not 0", "audit", "show", "--to", "0")
	h.wants(t, 2, "--to is at least 1, not 0", "audit", "export", "--to", "0")
	h.wants(t, 2, `"-5m" is no time`, "memory", "search", "--since", "-5m", "tea")
}

// TestMisnamed: a command line that names what is not there ends with 2 too, and
// still says what to do.
func TestMisnamed(t *testing.T) {
	t.Parallel()
	p := newProgram(t, nil)
	for says, args := range map[string][]string{
		"try: create the file, or name another one": {"config", "validate", "nofile"},
		"there is no nofile":                        {"story", "run", "nofile"},
		"There is no agent type zz.\n  try: ":       {"tools", "call", "--as", "zz", "now"},
		"name one of these, or add it":              {"committee", "--personas", "zz", "What now?"},
		"there is no session zz\n  try: ":           {"ask", "--session", "zz", "What now?"},
	} {
		if _, errs, code := p.run("", args...); code != 2 || !strings.Contains(errs, says) {
			t.Errorf("moothall %s: exit code %d, want 2 and %q\n%s", strings.Join(args, " "), code, says, errs)
		}
	}
	h := newFakeHall()
	h.wants(t, 2, "open nofile", "memory", "import", "nofile")
	h.wants(t, 2, `"nosuch" is no command of moothall completion`, "completion", "nosuch")
	h.wants(t, 0, "bash completion", "completion", "bash")
	if _, errs, code := p.run("", "restore", "nofile"); code != 2 || !strings.Contains(errs, "there is no file nofile") {
		t.Errorf("a backup that is not there, and a home that is: exit code %d\n%s", code, errs)
	}
}

// TestFlagsThatSayNothing: a flag that would be ignored is refused, and a value
// that is none is called so in a person's words.
func TestFlagsThatSayNothing(t *testing.T) {
	t.Parallel()
	h := newFakeHall()
	h.wants(t, 2, "--origins", "config", "show", "--json", "--origins")
	h.wants(t, 2, "json or graphml", "graph", "export", "--format", "memories")
	h.wants(t, 2, "PROVIDER/MODEL", "model", "use", "")
	h.wants(t, 2, `"extra" is no command of moothall completion bash`, "completion", "bash", "extra")
	h.wants(t, 2, `"upp" is no command of moothall`, "help", "upp")
	h.wants(t, 2, `"upp" is no command of moothall audit`, "help", "audit", "upp")
	h.wants(t, 0, "Print entries of the record", "help", "audit", "show")
	for flag, args := range map[string][]string{
		`"--port"`: {"up", "--port", "abc"}, `"--timeout"`: {"story", "run", "--timeout", "abc"}, `"--temperature-b"`: {"up", "--temperature-b", "abc"},
	} {
		_, errs, code := h.command(t, args...)
		if code != 2 || !strings.Contains(errs, `invalid argument "abc" for `+flag) || strings.Contains(errs, "strconv") || strings.Contains(errs, "time:") {
			t.Errorf("%v: exit code %d, %s", args, code, errs)
		}
	}
}

// TestUnknownIDs: whoever names what is not there hears what lists the ids.
func TestUnknownIDs(t *testing.T) {
	t.Parallel()
	p := newProgram(t, nil)
	for says, args := range map[string][]string{
		"there is no such question\n  try: moothall approvals lists":  {"approvals", "approve", "x"},
		"there is no task x\n  try: moothall tasks lists":             {"tasks", "show", "x"},
		"there is no task\n  try: moothall tasks lists":               {"tasks", "show", ""},
		"there is no memory x\n  try: moothall memory list names":     {"memory", "show", "x"},
		"there is no entry x\n  try: moothall memory list names":      {"memory", "forget", "x"},
		"there is no candidate x\n  try: moothall memory review":      {"memory", "review", "--accept", "x"},
		"there is no turn x\n  try: moothall sessions show ID prints": {"feedback", "x", "--thumbs", "up"},
	} {
		if _, errs, code := p.run("", args...); code != 1 || !strings.Contains(errs, says) {
			t.Errorf("moothall %s: exit code %d, want 1 and %q\n%s", strings.Join(args, " "), code, says, errs)
		}
	}
}

// TestCertsForAll: the command lines that are told for a hall whose record is
// elsewhere name everybody who writes there. One that is left out could do
// nothing at all.
func TestCertsForAll(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	for place, text := range map[string]string{"help": newFakeHall().wants(t, 0, "certs hall", "certs", "--help"), "operations.md": string(doc)} {
		_, line, _ := strings.Cut(text, "moothall certs hall")
		line, _, _ = strings.Cut(line, "\n")
		names := strings.Fields(strings.ReplaceAll("hall"+line, "`", " "))
		for _, id := range moothall.Identities() {
			if id != moothall.Person && id != moothall.AuditKeeper && !slices.Contains(names, string(id)) {
				t.Errorf("%s: %s is not in %q", place, id, names)
			}
		}
	}
}

// answers waits until something accepts connections on a unix socket or a
// loopback port: a program started in the background says so in no other way.
func answers(ts *testscript.TestScript, _ bool, args []string) {
	network, address := "unix", ts.MkAbs(args[0])
	if _, err := strconv.Atoi(args[0]); err == nil {
		network, address = "tcp", "127.0.0.1:"+args[0]
	}
	var err error
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		var c net.Conn
		if c, err = net.Dial(network, address); err == nil {
			c.Close()
			return
		}
	}
	ts.Fatalf("%s does not answer: %v", args[0], err)
}

// freePort puts a port that nobody uses now into a variable.
func freePort(ts *testscript.TestScript, _ bool, args []string) {
	ts.Setenv(args[0], strconv.Itoa(moottest.Port(ts)))
}

// flip changes one bit in the middle of a file.
func flip(ts *testscript.TestScript, _ bool, args []string) {
	name := ts.MkAbs(args[0])
	b, err := os.ReadFile(name)
	ts.Check(err)
	b[len(b)/2] ^= 1
	ts.Check(os.WriteFile(name, b, 0o600))
}

// fill replaces $NAME in files by the script's variables.
func fill(ts *testscript.TestScript, _ bool, args []string) {
	for _, name := range args {
		text := os.Expand(ts.ReadFile(name), ts.Getenv)
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}
