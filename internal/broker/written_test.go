package broker_test

import (
	"context"
	"encoding/json"
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

// A program may have changed any file in its folders: after a run that had
// seen a page all of them are from outside, also when the program came to no
// end, and so they are where it could copy a saved page. Folders that it could
// only read stay as they were.
func TestProgramsLeaveUntrustedFolders(t *testing.T) {
	t.Parallel()
	tools := append(fileTools(), tool(moothall.ToolSpec{Name: "break_off", Risk: moothall.RiskHigh, Taints: moothall.Private},
		func(context.Context, moothall.ToolRun) (moothall.ToolResult, error) { panic("on purpose") }))
	for _, name := range []moothall.ToolName{"run_code", "break_off"} {
		t.Run(string(name), func(t *testing.T) {
			t.Parallel()
			folders := func(o *broker.Options) {
				filesOnly(o)
				o.Manifest.Types["coder"] = policy.Type{
					Allowed: []moothall.ToolName{"page", name}, Paths: map[moothall.ToolName][]string{"fs_read": {"/w"}, "fs_write": {"/w/code"}},
				}
				o.Manifest.Types["copier"] = policy.Type{
					Allowed: []moothall.ToolName{name}, Paths: map[moothall.ToolName][]string{"fs_read": {"/w"}, "fs_write": {"/w/copies"}},
				}
			}
			h := open(t, tools, folders)
			both := moothall.Private | moothall.Untrusted
			h.labelsOf("one", "copier", nil, name, `{}`)
			h.readLabels("nothing was seen", map[string]moothall.Label{"/w/copies/a.txt": moothall.Private, "/w/code/a.txt": moothall.Private})
			h.labelsOf("two", "coder", []string{"page"}, name, `{}`)
			want := map[string]moothall.Label{
				"/w/code/a.txt": both, "/w/code/deep/er/b.txt": both, "/w/code": both, "/w": both,
				"/w/codes.txt": moothall.Private, "/w/copies/a.txt": moothall.Private,
			}
			h.readLabels("at once", want)
			h = reopen(t, h, tools, folders)
			h.readLabels("after a restart", want)
			h.labelsOf("three", "copier", nil, name, `{}`)
			want["/w/copies/a.txt"] = both
			h.readLabels("copied", want)
		})
	}
}

// The override "all" gives the root of the file system, which is opened to no
// program; what lies anywhere is not from outside for that.
func TestTheRootIsNotMarkedWhole(t *testing.T) {
	t.Parallel()
	h := open(t, fileTools(), filesOnly)
	h.override(moothall.Overrides{Level: "all"})
	a := h.spawn(moothall.SpawnRequest{Type: "worker"})
	h.call(request(a, "page", `{}`))
	if out := h.call(request(a, "run_code", `{}`)); out.Status != moothall.CallOK {
		t.Fatalf("%+v", out)
	}
	h.readLabels("after all", map[string]moothall.Label{"/w/own.txt": moothall.Private})
}
