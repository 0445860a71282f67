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

// A file that a run wrote after it had seen a page is from outside for
// whoever reads it, in another session and after a restart; its neighbours are
// not, the folder around it is.
func TestSavedPagesStayUntrusted(t *testing.T) {
	t.Parallel()
	h := open(t, fileTools(), filesOnly)
	labels := func(session moothall.SessionID, before []string, tool moothall.ToolName, args string) moothall.Label {
		t.Helper()
		a, err := h.chat.Spawn(t.Context(), moothall.SpawnRequest{Scope: moothall.Scope{Session: session}, Type: "worker"})
		if err != nil {
			t.Fatal(err)
		}
		do := func(tool moothall.ToolName, args string) moothall.ToolResult {
			var out moothall.ToolResult
			for p, err := range h.chat.Execute(t.Context(), moothall.CallRequest{
				Scope: moothall.Scope{Session: session}, Agent: a.Handle,
				Call: moothall.ToolCall{ID: moothall.CallID(moothall.NewID()), Name: tool, Arguments: json.RawMessage(args)},
			}) {
				if err != nil {
					t.Fatal(err)
				}
				if p.Result != nil {
					out = *p.Result
				}
			}
			if out.Status != moothall.CallOK {
				t.Fatalf("%s(%s): %+v", tool, args, out)
			}
			return out
		}
		for _, b := range before {
			do(moothall.ToolName(b), `{}`)
		}
		return do(tool, args).Labels
	}
	labels("one", nil, "fs_write", `{"path":"/w/own.txt"}`)
	labels("two", []string{"page"}, "fs_write", `{"path":"/w/saved/page.txt"}`)
	check := func(when string) {
		t.Helper()
		for path, want := range map[string]moothall.Label{
			"/w/own.txt": moothall.Private, "/w/saved/page.txt": moothall.Private | moothall.Untrusted,
			"/w/saved/other.txt": moothall.Private, "/w/saved": moothall.Private | moothall.Untrusted,
		} {
			if got := labels(moothall.SessionID("read"+moothall.NewID()), nil, "fs_read", `{"path":"`+path+`"}`); got != want {
				t.Errorf("%s: %s has %s, want %s", when, path, got, want)
			}
		}
	}
	check("at once")
	h = reopen(t, h, fileTools(), filesOnly)
	check("after a restart")
}
