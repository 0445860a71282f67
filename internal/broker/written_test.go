package broker_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/broker"
	"moothall/internal/moottest"
	"moothall/internal/policy"
)

// fileTools are a page, and files that are read and written.
func fileTools() []moothall.Tool {
	tool := func(name moothall.ToolName, risk moothall.Risk, taints moothall.Label, paths ...moothall.PathArgument) moothall.Tool {
		return &moottest.FakeTool{
			About: moothall.ToolSpec{
				Name: name, Description: "x", Parameters: json.RawMessage(`{"type":"object"}`), Risk: risk, Taints: taints, Paths: paths,
				ReadOnly: risk == moothall.RiskRead, Idempotent: risk == moothall.RiskRead, Origin: "built-in",
			},
			Do: func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
				return moothall.ToolResult{Status: moothall.CallOK, Text: "text"}, nil
			},
		}
	}
	return []moothall.Tool{
		tool("page", moothall.RiskRead, moothall.Untrusted),
		tool("fs_read", moothall.RiskRead, moothall.Private, moothall.PathArgument{Name: "path", Access: moothall.PathRead}),
		tool("fs_write", moothall.RiskWrite, 0, moothall.PathArgument{Name: "path", Access: moothall.PathWrite}),
		tool("run_code", moothall.RiskHigh, moothall.Private),
	}
}

func filesOnly(o *broker.Options) {
	o.Manifest = policy.Manifest{Types: map[moothall.AgentType]policy.Type{"worker": {
		Allowed: []moothall.ToolName{"page", "fs_read", "fs_write", "run_code"},
		Paths:   map[moothall.ToolName][]string{"fs_read": {"/w"}, "fs_write": {"/w"}},
	}}}
}

// labelsOf makes calls without arguments and then one, in a session of which
// an agent of the type is the first, and returns the last one's labels.
func (h *hall) labelsOf(session moothall.SessionID, kind moothall.AgentType, before []string, tool moothall.ToolName, args string) moothall.Label {
	h.t.Helper()
	if _, err := h.person.Override(h.t.Context(), moothall.Scope{Session: session}, moothall.Overrides{Level: "relax"}); err != nil {
		h.t.Fatal(err)
	}
	a := h.spawn(moothall.SpawnRequest{Scope: moothall.Scope{Session: session}, Type: kind})
	do := func(tool moothall.ToolName, args string) moothall.ToolResult {
		out := h.call(request(a, tool, args))
		if out.Status != moothall.CallOK && tool != "break_off" {
			h.t.Fatalf("%s(%s): %+v", tool, args, out)
		}
		return out
	}
	for _, b := range before {
		do(moothall.ToolName(b), `{}`)
	}
	return do(tool, args).Labels
}

// readLabels reads files, each in a session of its own.
func (h *hall) readLabels(when string, want map[string]moothall.Label) {
	h.t.Helper()
	for path, want := range want {
		if got := h.labelsOf(moothall.SessionID("read"+moothall.NewID()), "worker", nil, "fs_read", `{"path":"`+path+`"}`); got != want {
			h.t.Errorf("%s: %s has %s, want %s", when, path, got, want)
		}
	}
}

// A file that a run wrote after it had seen a page is from outside for
// whoever reads it, in another session and after a restart; its neighbours are
// not, the folder around it is.
func TestSavedPagesStayUntrusted(t *testing.T) {
	t.Parallel()
	h := open(t, fileTools(), filesOnly)
	h.labelsOf("one", "worker", nil, "fs_write", `{"path":"/w/own.txt"}`)
	h.labelsOf("two", "worker", []string{"page"}, "fs_write", `{"path":"/w/saved/page.txt"}`)
	want := map[string]moothall.Label{
		"/w/own.txt": moothall.Private, "/w/saved/page.txt": moothall.Private | moothall.Untrusted,
		"/w/saved/other.txt": moothall.Private, "/w/saved": moothall.Private | moothall.Untrusted,
	}
	h.readLabels("at once", want)
	h = reopen(t, h, fileTools(), filesOnly)
	h.readLabels("after a restart", want)
}

// Who changes a saved page is shown a part of it; who makes a new file is
// shown nothing.
func TestChangingASavedPageShowsIt(t *testing.T) {
	t.Parallel()
	tools := fileTools()
	for _, f := range tools {
		if f := f.(*moottest.FakeTool); f.About.Name == "fs_write" {
			f.Do = func(_ context.Context, r moothall.ToolRun) (moothall.ToolResult, error) {
				out := moothall.ToolResult{Status: moothall.CallOK, Text: "Created."}
				if strings.Contains(string(r.Call.Arguments), "changed") {
					out.Text, out.Labels = " lines around\n+the new one", moothall.Private
				}
				return out, nil
			}
		}
	}
	h := open(t, tools, filesOnly)
	h.labelsOf("one", "worker", nil, "fs_write", `{"path":"/w/own.txt"}`)
	h.labelsOf("two", "worker", []string{"page"}, "fs_write", `{"path":"/w/saved/page.txt"}`)
	for args, want := range map[string]moothall.Label{
		`{"path":"/w/own.txt","how":"changed"}`:        moothall.Private,
		`{"path":"/w/saved/page.txt","how":"changed"}`: moothall.Private | moothall.Untrusted,
		`{"path":"/w/saved/new.txt"}`:                  0,
	} {
		if got := h.labelsOf(moothall.SessionID("change"+moothall.NewID()), "worker", nil, "fs_write", args); got != want {
			t.Errorf("%s has %s, want %s", args, got, want)
		}
	}
}

// A tool that has folders of its own and takes no path finds what was saved in
// them; one with other folders does not.
func TestSavedPagesAreFoundAsUntrusted(t *testing.T) {
	t.Parallel()
	folders := func(o *broker.Options) {
		filesOnly(o)
		w := o.Manifest.Types["worker"]
		w.Allowed = append(w.Allowed, "notes_search", "diary_search", "recall")
		w.Paths["notes_search"], w.Paths["diary_search"] = []string{"/w/notes"}, []string{"/w/diary"}
		o.Manifest.Types["worker"] = w
	}
	tools := fileTools()
	for _, name := range []moothall.ToolName{"notes_search", "diary_search", "recall"} {
		tools = append(tools, tool(moothall.ToolSpec{
			Name: name, Risk: moothall.RiskRead, ReadOnly: true, Idempotent: true, Taints: moothall.Private,
		}, nil))
	}
	h := open(t, tools, folders)
	search := func(when string, notes moothall.Label) {
		t.Helper()
		for name, want := range map[moothall.ToolName]moothall.Label{"notes_search": notes, "diary_search": moothall.Private, "recall": moothall.Private} {
			if got := h.labelsOf(moothall.SessionID("find"+moothall.NewID()), "worker", nil, name, `{}`); got != want {
				t.Errorf("%s: %s has %s, want %s", when, name, got, want)
			}
		}
	}
	h.labelsOf("one", "worker", nil, "fs_write", `{"path":"/w/notes/own.md"}`)
	search("before", moothall.Private)
	h.labelsOf("two", "worker", []string{"page"}, "fs_write", `{"path":"/w/notes/trips/page.md"}`)
	search("at once", moothall.Private|moothall.Untrusted)
	h = reopen(t, h, tools, folders)
	search("after a restart", moothall.Private|moothall.Untrusted)
}

// TestWhatProgramsWriteIsUntrusted has programs that change files after their
// run has seen a page, or where they can copy a saved one: what they changed,
// moved or made is from outside, also when they come to no end. The person's
// other files are not.
func TestWhatProgramsWriteIsUntrusted(t *testing.T) {
	t.Parallel()
	for _, name := range []moothall.ToolName{"run_code", "break_off"} {
		t.Run(string(name), func(t *testing.T) {
			t.Parallel()
			p := newPrograms(t, name)
			own, both := moothall.Private, moothall.Private|moothall.Untrusted
			p.do = func() { p.put("code/before.txt", "the person's run") }
			p.labelsOf("one", "coder", nil, name, `{}`)
			p.labels("nothing was seen", map[string]moothall.Label{"code/before.txt": own})
			p.do = func() {
				p.put("code/changed.txt", "longer than before")
				p.put("code/deep/er/made.txt", "new")
				p.move("code/folder", "code/moved")
			}
			p.labelsOf("two", "coder", []string{"page"}, name, `{}`)
			want := map[string]moothall.Label{
				"code/before.txt": own, "code/kept.txt": own, "code/changed.txt": both, "code/deep/er/made.txt": both, "code/moved/inside.txt": both,
				"code/moved": both, "code": both, "copies/a.txt": own,
			}
			p.labels("at once", want)
			p.link("code", "projects")
			p.link(".", "code/d")
			want["projects/changed.txt"], want["code/d/changed.txt"], want["projects/kept.txt"] = both, both, own
			p.hall = reopen(t, p.hall, p.tools, p.folders)
			p.labels("after a restart, and by other ways", want)
			p.do = func() { p.put("copies/b.txt", "a copy") }
			p.labelsOf("three", "copier", nil, name, `{}`)
			want["copies/b.txt"] = both
			p.labels("copied", want)
		})
	}
}

// TestWhatCannotBeToldIsUntrusted: where nobody looked before, since only what a
// program gave back shows that it had to do with the outside, all that it could
// write is from there.
func TestWhatCannotBeToldIsUntrusted(t *testing.T) {
	t.Parallel()
	p := newPrograms(t, "run_code")
	p.do, p.back = func() {}, moothall.Untrusted
	p.labelsOf("one", "coder", nil, "run_code", `{}`)
	both := moothall.Private | moothall.Untrusted
	want := map[string]moothall.Label{"code/kept.txt": both, "code/later.txt": both, "copies/a.txt": moothall.Private}
	p.labels("at once", want)
	p.hall = reopen(t, p.hall, p.tools, p.folders)
	p.labels("after a restart", want)
}

// programs are a hall in which programs change real files.
type programs struct {
	*hall
	t       *testing.T
	dir     string
	do      func()
	back    moothall.Label // of what a program gives back
	tools   []moothall.Tool
	folders func(*broker.Options)
}

func newPrograms(t *testing.T, name moothall.ToolName) *programs {
	p := &programs{t: t, dir: t.TempDir()}
	for _, f := range []string{"code/kept.txt", "code/changed.txt", "code/folder/inside.txt", "copies/a.txt"} {
		p.put(f, "own")
	}
	p.tools = append(fileTools()[:3], tool(moothall.ToolSpec{Name: name, Risk: moothall.RiskHigh, Taints: moothall.Private},
		func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) {
			p.do()
			if name == "break_off" {
				panic("on purpose")
			}
			return moothall.ToolResult{Status: moothall.CallOK, Text: "text", Labels: p.back}, nil
		}))
	p.folders = func(o *broker.Options) {
		kind := func(writes string) policy.Type {
			return policy.Type{Allowed: []moothall.ToolName{"page", name, "fs_read"}, Paths: map[moothall.ToolName][]string{"fs_read": {p.dir}, "fs_write": {filepath.Join(p.dir, writes)}}}
		}
		o.Manifest = policy.Manifest{Types: map[moothall.AgentType]policy.Type{"worker": kind(""), "coder": kind("code"), "copier": kind("copies")}}
	}
	p.hall = open(t, p.tools, p.folders)
	return p
}

func (p *programs) put(path, text string) {
	path = filepath.Join(p.dir, path)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		p.t.Error(err)
	}
}

func (p *programs) move(from, to string) {
	if err := os.Rename(filepath.Join(p.dir, from), filepath.Join(p.dir, to)); err != nil {
		p.t.Error(err)
	}
}

func (p *programs) link(to, name string) {
	if err := os.Symlink(to, filepath.Join(p.dir, name)); err != nil {
		p.t.Error(err)
	}
}

// labels reads files; see readLabels.
func (p *programs) labels(when string, want map[string]moothall.Label) {
	p.t.Helper()
	inside := map[string]moothall.Label{}
	for path, l := range want {
		inside[filepath.Join(p.dir, path)] = l
	}
	p.readLabels(when, inside)
}
