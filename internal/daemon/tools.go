package daemon

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall"
	"moothall/internal/daemon/conf"
	"moothall/internal/policy"
	"moothall/internal/tool/basic"
	"moothall/internal/tool/calendar"
	"moothall/internal/tool/fs"
	"moothall/internal/tool/notes"
	"moothall/internal/tool/recall"
	"moothall/internal/tool/sandbox"
	"moothall/internal/tool/shell"
	"moothall/internal/tool/web"
)

// ToolsConfig says what tools find on this machine.
type ToolsConfig struct {
	Own       []string      `yaml:"own" doc:"Folders that are your own. Files elsewhere count as written by somebody else."`
	Hidden    []string      `yaml:"hidden" doc:"Folders and files that no agent reaches, whatever the manifest allows around them. The hall's own are hidden in any case."`
	Notes     []string      `yaml:"notes" doc:"Folders of Markdown notes that notes_search looks through." example:"~/notes"`
	Calendars []string      `yaml:"calendars" doc:"iCalendar files, or folders of them, that calendar_read reads." example:"~/.calendars"`
	Packages  string        `yaml:"packages" doc:"A folder of packages that package_install installs from; it has no network."`
	Wall      conf.Duration `yaml:"wall" doc:"How long a program that an agent runs may take." min:"1s" max:"1h"`
	Approvals conf.Duration `yaml:"approvals" doc:"How long a question to you stays open." min:"5s" max:"24h"`
	Offer     string        `yaml:"offer" doc:"Offer a model all its tools when they fit in a tenth of its window, or always only the few that seem to matter." enum:"all,few"`
	Rank      string        `yaml:"rank" doc:"How the few are found: by words, by meaning with the embedder as well, or by asking the selector model." enum:"words,meaning,model"`
}

func defaultTools() ToolsConfig {
	return ToolsConfig{
		Own: []string{"~/", "{workspace}/"}, Hidden: slices.Clone(credentials), Wall: conf.Duration(time.Minute), Approvals: conf.Duration(10 * time.Minute),
		Offer: "all", Rank: "words",
	}
}

// credentials are where people's programs keep keys, passwords and what was
// typed, as far as these places are the same for everybody.
var credentials = []string{
	"~/.ssh", "~/.gnupg", "~/.aws", "~/.azure", "~/.kube", "~/.docker", "~/.netrc", "~/.git-credentials", "~/.password-store",
	"~/.local/share/keyrings", "~/.config/gcloud", "~/.config/gh", "~/.mozilla", "~/.config/google-chrome", "~/.config/chromium",
	"~/.thunderbird", "~/.bash_history", "~/.zsh_history",
}

// hidden are the places kept from agents: the hall's own folders and keys,
// then what the configuration names. Only the workspace inside is shown.
func (h *Hall) hidden() (hidden, shown []string) {
	own := []string{h.home.Config, h.home.Data, h.home.State, h.home.Cache, h.conf.Peers.Key, h.conf.Peers.TLS.Key}
	for _, file := range h.conf.Bus.Credentials {
		own = append(own, file)
	}
	for _, p := range slices.Concat(own, h.conf.Tools.Hidden) {
		if p == "" || strings.HasPrefix(p, "~") && h.home.User == "" {
			continue // a service without a home has nothing there
		}
		p, err := filepath.Abs(h.place(p))
		if err == nil && !slices.Contains(hidden, p) {
			hidden = append(hidden, p)
		}
	}
	return hidden, []string{h.home.Workspace()}
}

// summarised are the agents that get summaries of the web and no pages.
var summarised = []moothall.AgentType{
	policy.Orchestrator, policy.Assistant, policy.Researcher, policy.Coder, policy.Sysadmin,
}

// toolset is what the hall's own tools share.
type toolset struct {
	tools []moothall.Tool
	roots *fs.Roots
	cage  *cage
}

// openTools makes the tools that the program brings.
func (h *Hall) openTools() (*toolset, error) {
	p := h.peer(moothall.ToolBroker)
	search, err := p.Search()
	if err != nil {
		return nil, err
	}
	memory, err := p.Memory()
	if err != nil {
		return nil, err
	}
	model, err := p.Gateway()
	if err != nil {
		return nil, err
	}
	sandbox.Sweep()
	return h.makeTools(search, memory, model), nil
}

// makeTools makes them over services, which none of them asks yet.
func (h *Hall) makeTools(search moothall.Search, memory moothall.Memory, model moothall.Gateway) *toolset {
	c := h.conf.Tools
	hidden, shown := h.hidden()
	t := &toolset{
		roots: fs.NewRoots(&fs.RootsOptions{Home: h.home.User, Hidden: hidden, Shown: shown}),
		cage:  &cage{helper: h.helper, log: h.log, hidden: hidden, shown: shown},
	}
	t.tools = slices.Concat(
		basic.New(model, nil).All(),
		fs.New(t.roots, &fs.Options{Own: h.places(c.Own), Undo: h.keepUndo}).All(),
		[]moothall.Tool{
			notes.New(t.roots, &notes.Options{Folders: h.places(c.Notes)}),
			calendar.New(t.roots, &calendar.Options{Paths: h.places(c.Calendars)}),
		},
		recall.Tools(memory, recall.Options{}),
		web.New(web.Options{Search: search, Summaries: summarised}),
		shell.New(t.cage, shell.Options{Packages: h.place(c.Packages), Wall: time.Duration(c.Wall), Scratch: sandbox.Scratch()}).Tools(),
	)
	return t
}

// inside asks the file system whether a path may be accessed so.
func (t *toolset) inside(access moothall.PathAccess, reads, writes []string, path string) (string, bool) {
	abs, err := t.roots.Path(reads, writes, path)
	if err != nil {
		return "", false
	}
	folders := writes // an access that is not plainly reading counts as writing
	if access == moothall.PathRead {
		folders = reads
	}
	ok, _ := t.roots.Inside(folders, abs)
	return abs, ok
}

// close gives folders and sandbox back.
func (t *toolset) close() error {
	err := t.cage.Close()
	if rootsErr := t.roots.Close(); err == nil {
		err = rootsErr
	}
	return err
}

// place makes a configured path absolute.
func (h *Hall) place(p string) string {
	if rest, ok := strings.CutPrefix(p, "{workspace}"); ok {
		return filepath.Join(h.home.Workspace(), rest)
	}
	if rest, ok := strings.CutPrefix(p, "~"); ok && h.home.User != "" {
		return filepath.Join(h.home.User, rest)
	}
	if p == "" {
		return ""
	}
	if abs, err := filepath.Abs(p); err == nil {
		return abs
	}
	return p
}

func (h *Hall) places(list []string) []string {
	out := make([]string, 0, len(list))
	for _, p := range list {
		out = append(out, h.place(p))
	}
	return out
}

// cage is the sandbox, opened and tested when something first needs it: most
// commands never run code.
type cage struct {
	helper []string
	log    *slog.Logger
	hidden []string // from whatever runs in it
	shown  []string

	mu     sync.Mutex
	box    *sandbox.Sandbox
	closed bool
}

// open returns the sandbox once its self-test is done.
func (c *cage) open(ctx context.Context) (*sandbox.Sandbox, error) {
	box, err := c.begin()
	if err != nil {
		return nil, err
	}
	return box, box.Ready(ctx)
}

// begin starts the self-test, if it has not run yet, and again if the machine
// was too busy for it.
func (c *cage) begin() (*sandbox.Sandbox, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, moothall.Fail(moothall.CodeUnavailable, "sandbox", "the hall is stopping")
	}
	if c.box != nil && c.box.Hasty() {
		_ = c.box.Close()
		c.box = nil
	}
	if c.box == nil {
		box, err := sandbox.Open(context.Background(), sandbox.Options{Helper: c.helper, Hidden: c.hidden, Shown: c.shown, Logger: c.log})
		if err != nil {
			return nil, err
		}
		c.box = box
	}
	return c.box, nil
}

// Look finds a program inside the sandbox.
func (c *cage) Look(program string) (string, error) { return sandbox.LookPath(program) }

// Run executes a job for the tools that run code.
func (c *cage) Run(ctx context.Context, j shell.Job) (shell.Outcome, error) {
	box, err := c.open(ctx)
	if err != nil {
		return shell.Outcome{}, err
	}
	r, err := box.Run(ctx, sandbox.Command{
		Argv: j.Argv, Stdin: j.Stdin, Env: j.Env, Reads: j.Reads, Writes: j.Writes, Limits: sandbox.Limits{Wall: j.Wall, CPU: j.Wall},
	})
	return shell.Outcome{
		Exit: r.Exit, Stdout: r.Stdout, Stderr: r.Stderr, Cut: r.Cut, TimedOut: r.TimedOut, Signal: r.Signal, Took: r.Took,
	}, err
}

// Close ends the sandbox.
func (c *cage) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	if c.box == nil {
		return nil
	}
	return c.box.Close()
}

// SandboxHelper is the program that runs inside the sandbox; main calls it
// when it is started as such.
func SandboxHelper(args []string) int { return sandbox.Main(args) }

// HelperCommand is the word by which the program starts itself as that helper.
const HelperCommand = "sandbox-helper"
