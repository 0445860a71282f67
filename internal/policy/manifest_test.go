package policy_test

import (
	"slices"
	"testing"

	"moothall"
	"moothall/internal/policy"

	"github.com/google/go-cmp/cmp"
)

func TestDefaultManifestHasNoProblem(t *testing.T) {
	t.Parallel()
	m := policy.DefaultManifest().Expand("/home/ada", "/home/ada/hall")
	there := func(string) bool { return true }
	if got := m.Check(builtIn(), there); len(got) != 0 {
		t.Errorf("problems: %+v", got)
	}
	missing := m.Check(builtIn(), func(string) bool { return false })
	if len(missing) == 0 {
		t.Error("missing folders are not noticed")
	}
	for _, p := range missing {
		if !p.Warning {
			t.Errorf("a missing folder keeps the hall from starting: %+v", p)
		}
	}
}

// The orchestrator hands down exactly what its types use, and calls memory
// alone.
func TestOrchestratorDelegatesWhatItsTypesUse(t *testing.T) {
	t.Parallel()
	m := policy.DefaultManifest()
	chief := m.Types[policy.Orchestrator]
	if !slices.Equal(chief.Allowed, []moothall.ToolName{"memory_read", "memory_write"}) {
		t.Error("calls", chief.Allowed)
	}
	want := map[moothall.ToolName]bool{}
	for _, s := range chief.Spawns {
		for _, n := range m.Types[s].Allowed {
			want[n] = true
		}
	}
	for _, n := range chief.Allowed {
		delete(want, n)
	}
	if diff := cmp.Diff(sorted(want), slices.Sorted(slices.Values(chief.Delegates))); diff != "" {
		t.Error(diff)
	}
	r := defaults()
	for _, s := range chief.Spawns {
		if diff := cmp.Diff(chain(t, r, s).Tools(), chain(t, r, policy.Orchestrator, s).Tools()); diff != "" {
			t.Errorf("%s loses tools below the orchestrator: %s", s, diff)
		}
	}
}

// The shadow neither changes nor sends.
func TestRespondentBOnlyReads(t *testing.T) {
	t.Parallel()
	for _, n := range policy.DefaultManifest().Types[policy.RespondentB].Allowed {
		if r := tool(t, n).Risk; r != moothall.RiskNone && r != moothall.RiskRead {
			t.Errorf("%s is of risk %s", n, r)
		}
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	base := policy.Manifest{
		Types:  map[moothall.AgentType]policy.Type{"a": {Allowed: []moothall.ToolName{"x"}, Spawns: []moothall.AgentType{"b"}}, "b": {}},
		Limits: policy.Limits{Depth: 2, Calls: 7},
	}
	got := base.Merge(policy.Manifest{
		Types:  map[moothall.AgentType]policy.Type{"a": {Allowed: []moothall.ToolName{"y"}}, "c": {}},
		Limits: policy.Limits{Calls: 9, Repeats: -1},
	})
	want := policy.Manifest{
		Types:  map[moothall.AgentType]policy.Type{"a": {Allowed: []moothall.ToolName{"y"}}, "b": {}, "c": {}},
		Limits: policy.Limits{Depth: 2, Calls: 9},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(base.Types) != 2 || base.Types["a"].Allowed[0] != "x" {
		t.Error("the base was changed", base)
	}
	filled := policy.Compile(got, nil).Limits()
	if want := (policy.Limits{Depth: 2, Repeats: 3, RepeatWindow: 20, Calls: 9, Spawns: 200}); filled != want {
		t.Errorf("limits in force %+v", filled)
	}
}

func TestExpand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, home, workspace, want string }{
		{"~/projects/", "/home/ada", "/w", "/home/ada/projects"},
		{"~", "/home/ada", "/w", "/home/ada"},
		{"~ada/x", "/home/ada", "/w", "~ada/x"},
		{"{workspace}/", "/home/ada", "/w", "/w"},
		{"{workspace}s/", "/home/ada", "/w", "{workspace}s"},
		{"~/../../etc", "/home/ada", "/w", "/etc"},
		{"/a//b/../c/", "", "", "/a/c"},
		{"~/x", "", "/w", "~/x"},
		{"{workspace}/x", "/home/ada", "", "{workspace}/x"},
		{"", "/home/ada", "/w", ""},
	} {
		m := policy.Manifest{Types: map[moothall.AgentType]policy.Type{"a": {Paths: map[moothall.ToolName][]string{"fs_read": {c.path}}}}}
		if got := m.Expand(c.home, c.workspace).Types["a"].Paths["fs_read"][0]; got != c.want {
			t.Errorf("%q became %q, want %q", c.path, got, c.want)
		}
		if m.Types["a"].Paths["fs_read"][0] != c.path {
			t.Error("the manifest was changed")
		}
	}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	m := policy.Manifest{Types: map[moothall.AgentType]policy.Type{
		"coder": {
			Allowed:   []moothall.ToolName{"fs_read", "read_file", "web_serch", "mcp_github_issues"},
			Delegates: []moothall.ToolName{"zzzzzzzzzz"},
			Spawns:    []moothall.AgentType{"resercher", "coder"},
			Paths:     map[moothall.ToolName][]string{"fs_read": {"projects", "/there", "/gone"}, "run_cod": {}},
		},
		"researcher": {Spawns: []moothall.AgentType{"helper"}},
		"helper":     {Allowed: []moothall.ToolName{"fs_write"}, Spawns: []moothall.AgentType{"researcher"}},
	}}
	got := m.Check(builtIn(), func(p string) bool { return p == "/there" })
	want := []policy.Problem{
		{Where: "agent_types.coder.allowed_tools[2]", Message: `there is no tool "web_serch"`, Remedy: `did you mean "web_search"?`},
		{Where: "agent_types.coder.allowed_tools[3]", Message: `there is no tool "mcp_github_issues" at the moment`, Remedy: "start what brings it, or take the name out", Warning: true},
		{Where: "agent_types.coder.delegates[0]", Message: `there is no tool "zzzzzzzzzz"`, Remedy: "correct the name or take it out"},
		{Where: "agent_types.coder.can_spawn[0]", Message: `there is no agent type "resercher"`, Remedy: `did you mean "researcher"?`},
		{Where: "agent_types.coder.can_spawn[1]", Message: "coder can come to spawn itself: coder > coder", Remedy: "take one of them out of the other's can_spawn"},
		{Where: "agent_types.coder.allowed_paths.fs_read[0]", Message: `"projects" is not an absolute path`, Remedy: `begin it with /, "~/" or "{workspace}/"`},
		{Where: "agent_types.coder.allowed_paths.fs_read[2]", Message: `"/gone" does not exist`, Remedy: "make the folder, or take it out", Warning: true},
		{Where: "agent_types.coder.allowed_paths.run_cod", Message: `there is no tool "run_cod"`, Remedy: `did you mean "run_code"?`},
		{Where: "agent_types.helper.can_spawn[0]", Message: "helper can come to spawn itself: helper > researcher > helper", Remedy: "take one of them out of the other's can_spawn"},
		{Where: "agent_types.helper.allowed_tools[0]", Message: "fs_write can touch nothing: there is no list of folders to write", Remedy: "add agent_types.helper.allowed_paths.fs_write", Warning: true},
		{Where: "agent_types.researcher.can_spawn[0]", Message: "researcher can come to spawn itself: researcher > helper > researcher", Remedy: "take one of them out of the other's can_spawn"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCheckWithoutAFileSystem(t *testing.T) {
	t.Parallel()
	m := policy.Manifest{Types: map[moothall.AgentType]policy.Type{"": {Paths: map[moothall.ToolName][]string{"fs_read": {"/gone"}}}}}
	got := m.Check(nil, nil)
	if len(got) != 1 || got[0].Where != "agent_types" || got[0].Warning {
		t.Errorf("got %+v", got)
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"flaw", "lawn", 2}, {"same", "same", 0}} {
		if got := policy.Distance(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
