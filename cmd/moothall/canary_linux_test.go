package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
	"moothall/internal/moottest/ollamatest"
)

// canary is a value that nobody else has, and the ways in which it could be
// written.
type canary struct{ name, value string }

// find names the forms of the canary that stand in data.
func (c canary) find(data []byte) (found []string) {
	for form, text := range map[string]string{
		"plain": c.value, "base64": base64.RawStdEncoding.EncodeToString([]byte(c.value)), "hex": hex.EncodeToString([]byte(c.value)),
	} {
		if bytes.Contains(data, []byte(text)) {
			found = append(found, form)
		}
	}
	return found
}

// newCanary puts a canary into the kernel's keyring with the command that
// people use.
func newCanary(t *testing.T, p program) canary {
	t.Helper()
	c := canary{"test." + moothall.NewID(), "canary" + strings.ReplaceAll(moothall.NewID(), "-", "")}
	if _, errs, code := p.run(c.value, "secrets", "set", c.name); code != 0 {
		cannot(t, "the kernel's keyring cannot be used here: "+errs)
	}
	t.Cleanup(func() {
		conf := daemon.DefaultConfig()
		conf.Secrets.Keyring = "kernel"
		k, err := daemon.OpenKeyring(context.Background(), conf) // the test's own context is over by now
		if err == nil {
			err = k.Delete(context.Background(), c.name)
		}
		if err != nil {
			t.Error(err)
		}
	})
	return c
}

// outside are the servers that are given the canary, and whether they were.
type outside struct {
	engine, server *httptest.Server

	mu   sync.Mutex
	seen map[string]bool
}

func newOutside(t *testing.T) *outside {
	o := &outside{seen: map[string]bool{}}
	got := func(secret string) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.seen[secret] = true
	}
	o.engine = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := r.Header.Get("X-Subscription-Token")
		got(key)
		json.NewEncoder(w).Encode(map[string]any{"web": map[string]any{"results": []any{
			map[string]string{"title": "Ferry bridge", "url": "https://gazette.example/bridge", "description": "The ferry bridge is open."},
		}}})
	}))
	t.Cleanup(o.engine.Close)
	o.server = httptest.NewServer(leakyHTTP(func(s string) { got(strings.TrimPrefix(s, "Bearer ")) }))
	t.Cleanup(o.server.Close)
	return o
}

func (o *outside) saw(secret string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.seen[secret]
}

// TestCanary: a credential that tools have used is found nowhere afterwards,
// though the tools do their best to spread it.
func TestCanary(t *testing.T) {
	t.Parallel()
	model := ollamatest.New(t, ollamatest.Options{})
	out := newOutside(t)
	p := newProgram(t, map[string]string{"moothall.yaml": "secrets: {keyring: kernel}\n"})
	keys := map[string]canary{"brave": newCanary(t, p), "program": newCanary(t, p), "address": newCanary(t, p)}
	leaky, err := exec.LookPath("leaky-mcp")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, format string, args ...any) {
		if err := os.WriteFile(filepath.Join(p.home, name), fmt.Appendf(nil, format, args...), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("moothall.yaml", "secrets: {keyring: kernel}\nfront: {port: 0}\nlog: {level: debug}\nmodels: {ollama: {url: %q}}\nsearch: {brave: {key: %s, url: %q}}\n",
		model.URL, keys["brave"].name, out.engine.URL)
	write("manifest.yaml", "agent_types:\n  generator:\n    allowed_tools: [web_search, mcp_prog_leak, mcp_addr_leak]\n")
	write("mcp.json", `{"mcpServers": {
		"prog": {"command": %q, "env": {"TOKEN": "${secret:%s}"}, "reads": [%q]},
		"addr": {"url": %q, "headers": {"Authorization": "Bearer ${secret:%s}"}}}}`,
		leaky, keys["program"].name, filepath.Dir(leaky), out.server.URL, keys["address"].name)

	h := startHall(t, p)
	said := useCanaries(t, p, model)
	for name, key := range keys {
		if name != "program" && !out.saw(key.value) {
			t.Errorf("the key of %s was never used: the test tests nothing", name)
		}
		inProcesses(t, h.Process.Pid, key, name == "program")
		t.Logf("memory of the hall: the key of %s stands there %d times", name, inMemory(t, h.Process.Pid, key.value))
	}
	crash(t, h)
	for name, key := range keys {
		nowhere(t, name, key, "what commands said", said)
		nowhere(t, name, key, "log", h.log.Bytes())
		for _, r := range model.Requests("") {
			nowhere(t, name, key, "prompt", r.Body)
		}
		inFolder(t, name, key, p.home)
	}
}

func nowhere(t *testing.T, name string, c canary, place string, data []byte) {
	t.Helper()
	if found := c.find(data); found != nil {
		t.Errorf("the key of %s is in the %s (%v)", name, place, found)
	}
}

// running is a hall in a process of its own.
type running struct {
	*exec.Cmd
	log *bytes.Buffer // to be read after its end
	dir string        // where it runs
}

// startHall runs the hall where a core file would be written, if it let that
// happen.
func startHall(t *testing.T, p program) running {
	t.Helper()
	up := p.command("up", "--headless")
	sh := exec.CommandContext(t.Context(), "sh", "-c", `ulimit -c unlimited; exec "$@"`, "sh")
	sh.Args = append(sh.Args, up.Args...)
	sh.Env = append(p.env, "GOTRACEBACK=crash")
	sh.Dir = t.TempDir()
	r := running{sh, &bytes.Buffer{}, sh.Dir}
	sh.Stderr, sh.Stdout = r.log, io.Discard
	if err := sh.Start(); err != nil {
		t.Fatal(err)
	}
	until(t, "the hall is up", func() bool { _, err := os.Stat(filepath.Join(p.home, "hall.sock")); return err == nil })
	return r
}

// useCanaries lets every tool that has a secret use it, and returns all that
// the commands and the bus said.
func useCanaries(t *testing.T, p program, model *ollamatest.Server) []byte {
	t.Helper()
	var said string
	until(t, "both servers offer their tool", func() bool {
		said = p.must("", "tools", "pending", "--json")
		return strings.Contains(said, "mcp_prog_leak") && strings.Contains(said, "mcp_addr_leak")
	})
	said += p.must("", "tools", "approve", "mcp_prog_leak", "mcp_addr_leak")
	model.Script(
		calls("web_search", `{"query":"ferry bridge"}`), ollamatest.Reply{Text: "found"},
		calls("mcp_prog_leak", `{}`), ollamatest.Reply{Text: "called"},
		calls("mcp_addr_leak", `{}`), ollamatest.Reply{Text: "called"},
	)
	for _, question := range []string{"search for the ferry bridge", "what does the program know?", "what does the address know?"} {
		said += p.must("", "ask", "--json", question)
	}
	if n := strings.Count(said, "The secret is"); n < 2 {
		t.Errorf("the tools were called %d times:\n%s", n, said)
	}
	said += p.must("", "tools", "list", "--json") + p.must("", "sessions", "--json") + p.must("", "audit", "show", "--json")
	client, err := daemon.Connect(t.Context(), daemonHome(t, p.home), daemon.DefaultConfig(), "test", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	for e, err := range client.Events(t.Context(), moothall.EventQuery{Replay: true, Mark: true}) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Subject == "" {
			break
		}
		said += string(e.Subject) + string(e.Payload)
	}
	if !strings.Contains(said, "tool.result.mcp_prog_leak") {
		t.Error("the events were not looked at")
	}
	return []byte(said)
}

func daemonHome(t *testing.T, dir string) daemon.Home {
	t.Helper()
	h, err := daemon.FindHome(dir, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// inProcesses looks at the command lines and environments of all processes.
// The program that the person gave the secret has it in its own environment,
// as long as it runs; nobody else has.
func inProcesses(t *testing.T, hall int, c canary, given bool) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	holders := 0
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		if c.find(line) != nil {
			t.Errorf("the secret is on a command line: %q", line)
		}
		environ, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "environ")) // what is not ours cannot be read
		if c.find(environ) == nil {
			continue
		}
		if holders++; !given || !bytes.Contains(line, []byte("leaky-mcp")) || filepath.Dir(file) == fmt.Sprint("/proc/", hall) {
			t.Errorf("the secret is in the environment of %q", line)
		}
	}
	if given && holders != 1 {
		t.Errorf("%d processes have the secret that one was given", holders)
	}
}

// inMemory counts the canary in the memory of a process; -1 when it may not be
// read. Nothing is claimed of this: Go copies strings and clears none, and
// servers are given their secret again when they are started anew. That is
// why nobody gets a copy of the memory: see crash. The race detector's own
// memory, many times the hall's, is not gone through.
func inMemory(t *testing.T, pid int, value string) int {
	t.Helper()
	if moottest.Race {
		return -1
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return -1
	}
	mem, err := os.Open(fmt.Sprintf("/proc/%d/mem", pid))
	if err != nil {
		return -1
	}
	defer mem.Close()
	n := 0
	for line := range strings.Lines(string(maps)) {
		span, rest, _ := strings.Cut(line, " ")
		from, to, _ := strings.Cut(span, "-")
		a, errA := strconv.ParseInt(from, 16, 64)
		b, errB := strconv.ParseInt(to, 16, 64)
		if errA != nil || errB != nil || !strings.HasPrefix(rest, "rw") {
			continue
		}
		data, _ := io.ReadAll(io.NewSectionReader(mem, a, b-a)) // what is not mapped ends the reading
		n += bytes.Count(data, []byte(value))
	}
	return n
}

// crash makes the hall fall over as hard as it can. No core file may be there
// afterwards: neither where the kernel writes them, nor wanted by its limits,
// which is what handlers of core files go by.
func crash(t *testing.T, h running) {
	t.Helper()
	limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", h.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(limits)) {
		if rest, ok := strings.CutPrefix(line, "Max core file size"); ok && strings.Fields(rest)[0] != "0" {
			t.Errorf("the hall may write a core file of %s bytes", strings.Fields(rest)[0])
		}
	}
	if err := h.Process.Signal(unix.SIGABRT); err != nil {
		t.Fatal(err)
	}
	h.Wait()
	status, ok := h.ProcessState.Sys().(interface{ CoreDump() bool })
	if !ok || status.CoreDump() || h.ProcessState.Exited() {
		t.Errorf("the hall ended as %v", h.ProcessState)
	}
	if left, err := os.ReadDir(h.dir); err != nil || len(left) != 0 {
		t.Errorf("the crash left %v, %v", left, err)
	}
}

// inFolder looks into every file of the home: database and its log, record,
// bus, cache, pins, whatever there is.
func inFolder(t *testing.T, name string, c canary, dir string) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		n++
		nowhere(t, name, c, "file "+strings.TrimPrefix(path, dir), data)
		return err
	})
	if err != nil || n < 5 {
		t.Errorf("%d files were looked at: %v", n, err)
	}
}
