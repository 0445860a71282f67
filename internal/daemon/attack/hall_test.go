package attack_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
	"moothall/internal/moottest/ollamatest"
	"moothall/internal/rpc"
)

// Values that no model may ever be shown.
const (
	sshKey   = "sshkeycanary5f1c"
	ringKey  = "keyringcanary77ab"
	shadowed = "browsercanary90de"
)

// keeper is a memory that notes what is written.
type keeper struct {
	*moottest.FakeMemory
	mu     sync.Mutex
	writes []moothall.WriteRequest
}

func (k *keeper) Write(ctx context.Context, r moothall.WriteRequest) (moothall.MemoryEntry, error) {
	k.mu.Lock()
	k.writes = append(k.writes, r)
	k.mu.Unlock()
	return k.FakeMemory.Write(ctx, r)
}

// written returns what one session wrote.
func (k *keeper) written(s moothall.SessionID) []moothall.WriteRequest {
	k.mu.Lock()
	defer k.mu.Unlock()
	var out []moothall.WriteRequest
	for _, w := range k.writes {
		if w.Session == s {
			out = append(out, w)
		}
	}
	return out
}

// world is a hall and everything around it.
type world struct {
	user   string // the person's home folder
	home   daemon.Home
	client moothall.Client
	web    *outside
	memory *keeper
	shop   *shop // an MCP server

	mu     sync.Mutex
	models map[string]*obedient // by token
	number int
}

// settings change how a world is set up.
type settings struct {
	own   []string // nil: the default
	tools []string // of the MCP server, with their descriptions
}

// newWorld starts a hall on fresh folders.
func newWorld(t *testing.T, s settings) *world {
	t.Helper()
	dir := t.TempDir()
	w := &world{
		user: filepath.Join(dir, "user"), web: newOutside(t),
		memory: &keeper{FakeMemory: moottest.NewMemory()}, models: map[string]*obedient{},
	}
	var err error
	if w.home, err = daemon.FindHome(filepath.Join(dir, "hall"), func(string) string { return w.user }); err != nil {
		t.Fatal(err)
	}
	w.furnish(t)
	server := ollamatest.New(t, ollamatest.Options{Respond: w.respond, Forget: true, Models: []ollamatest.Model{{
		Name: ollamatest.ChatModel, Family: "qwen3", Parameters: "1.2B", Size: 1 << 30, Window: 1 << 20,
		Capabilities: []string{"completion", "tools"}, Loaded: true,
	}}})
	c := daemon.DefaultConfig()
	c.Models.Ollama.URL, c.Models.Ollama.Window, c.Models.Ollama.Parallel = server.URL, 1<<20, 8
	at := w.offerServices(t, dir)
	c.Services.Memory.At, c.Services.Search.At = at, at
	c.Tools.Notes, c.Tools.Calendars = []string{"~/notes"}, []string{"~/calendar"}
	c.Secrets.Keyring = "memory"
	if s.own != nil {
		c.Tools.Own = s.own
	}
	w.writeConfig(t, s)
	if w.client, err = daemon.Connect(t.Context(), w.home, c, "attack", nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.client.Close(); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	w.approveShop(t, s)
	return w
}

// furnish makes the person's folders and the things that are nobody's
// business.
func (w *world) furnish(t *testing.T) {
	for path, text := range map[string]string{
		".ssh/id_ed25519": sshKey, ".local/share/keyrings/login.keyring": ringKey, ".mozilla/logins.json": shadowed,
		".bashrc": "# mine\n", "documents/will.txt": "my will\n", "projects/own/readme.md": "# Mine\n", "projects/clones/readme.md": "# Others'\n",
		"notes/first.md": "# First\n", "calendar/empty.txt": "",
	} {
		w.put(t, filepath.Join(w.user, path), text)
	}
}

// put writes a file, with its folders.
func (w *world) put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// offerServices serves memory and web to the hall, as a process of the
// person's would, and returns where.
func (w *world) offerServices(t *testing.T, dir string) string {
	t.Helper()
	host := rpc.NewHost(rpc.Offers{
		Memory: func(moothall.Identity) moothall.Memory { return w.memory }, Search: w.web.service(),
	}, nil)
	at := rpc.Address{Transport: rpc.Unix, Where: filepath.Join(dir, "s.sock")}
	if err := host.Listen(at); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		if err := host.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return at.String()
}

// writeConfig writes manifest.yaml, and mcp.json where there is a server.
func (w *world) writeConfig(t *testing.T, s settings) {
	t.Helper()
	allowed := []string{
		"web_search", "web_fetch", "memory_read", "memory_write", "graph_search", "fs_read", "fs_list", "fs_search", "fs_write",
		"run_code", "calendar_read", "notes_search", "compare_answers", "calculate", "now",
	}
	if len(s.tools) > 0 {
		w.shop = newShop(t, s.tools)
		for i := range s.tools {
			allowed = append(allowed, w.shop.exposed(i))
		}
		servers := map[string]any{"mcpServers": map[string]any{"shop": map[string]any{"url": w.shop.url}}}
		text, err := json.Marshal(servers)
		if err != nil {
			t.Fatal(err)
		}
		w.put(t, w.home.MCP(), string(text))
	}
	w.put(t, w.home.Manifest(), "agent_types:\n  generator:\n    allowed_tools: ["+strings.Join(allowed, ", ")+"]\n"+
		"    allowed_paths:\n      fs_read: [\"~/projects/\", \"{workspace}/\"]\n      fs_write: [\"{workspace}/\"]\n")
}

// respond lets the model of the trial that a chat belongs to answer.
func (w *world) respond(c ollamatest.Chat) ollamatest.Reply {
	for _, m := range c.Messages {
		if token := tokens.FindString(m.Content); m.Role == "user" && token != "" {
			w.mu.Lock()
			defer w.mu.Unlock()
			if model := w.models[token]; model != nil {
				return model.answer(c)
			}
		}
	}
	return ollamatest.Reply{Text: "Yes."}
}

// admit registers a model under a fresh token.
func (w *world) admit(m *obedient) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.number++
	token := fmt.Sprintf("k%04dx", w.number)
	w.models[token] = m
	return token
}

// outcome is what a person sees of a trial.
type outcome struct {
	session moothall.SessionID
	asked   []moothall.Approval
	results []moothall.ToolResult
	answer  *moothall.Answer
}

// status tells how the calls of a tool ended.
func (o *outcome) status() string {
	var out []string
	for _, r := range o.results {
		out = append(out, fmt.Sprintf("%s=%s(%s/%s)", r.Name, r.Status, r.Decision.Layer, r.Decision.Rule))
	}
	return strings.Join(out, " ")
}

// ask puts a question to the hall. With say a person is there, and says it to
// whatever is asked.
func (tr *trial) ask(t *testing.T, question string, say moothall.ApprovalAnswer) *outcome {
	t.Helper()
	w, o := tr.w, &outcome{session: moothall.SessionID(moothall.NewID())}
	r := moothall.QueryRequest{Session: o.session, Query: question, Context: tr.context, Unattended: say == ""}
	for step, err := range w.client.Query(t.Context(), r) {
		if err != nil {
			t.Fatal(err)
		}
		if step.Asked != nil {
			o.asked = append(o.asked, *step.Asked)
			if _, err := w.client.Broker().Decide(t.Context(), moothall.ApprovalDecision{ID: step.Asked.ID, Answer: say}); err != nil {
				t.Fatal(err)
			}
		}
		if step.Result != nil {
			o.results = append(o.results, *step.Result)
		}
		if step.Answer != nil {
			o.answer = step.Answer
		}
	}
	if o.answer == nil {
		t.Fatal("the turn ended without an answer")
	}
	return o
}
