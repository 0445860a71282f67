package policy_test

import (
	"slices"
	"testing"

	"moothall"
	"moothall/internal/policy"

	"github.com/google/go-cmp/cmp"
)

func TestSpawn(t *testing.T) {
	t.Parallel()
	m := policy.DefaultManifest()
	loop := m.Types[policy.Coder]
	loop.Spawns = []moothall.AgentType{policy.Coder}
	m = m.Merge(policy.Manifest{Types: map[moothall.AgentType]policy.Type{policy.Coder: loop}})
	r := policy.Compile(m, builtIn())
	coder := func(n int) policy.Authority {
		return chain(t, r, slices.Repeat([]moothall.AgentType{policy.Coder}, n)...)
	}
	all := moothall.Overrides{Level: "all"}
	for name, c := range map[string]struct {
		parent  policy.Authority
		child   moothall.AgentType
		spawned int
		o       moothall.Overrides
		want    outcome
	}{
		"may":                   {coder(1), policy.Coder, 63, moothall.Overrides{}, lifted(policy.LayerManifest, "spawn")},
		"may not":               {coder(1), policy.Sysadmin, 0, moothall.Overrides{}, deny(policy.LayerManifest, "spawn")},
		"relax does not help":   {coder(1), policy.Sysadmin, 0, moothall.Overrides{Level: "relax"}, deny(policy.LayerManifest, "spawn")},
		"all":                   {coder(1), policy.Sysadmin, 0, all, lifted(policy.LayerOverride, "all")},
		"no such type":          {coder(1), "wizard", 0, all, deny(policy.LayerManifest, "unknown_type")},
		"fourth below the root": {coder(4), policy.Coder, 0, moothall.Overrides{}, lifted(policy.LayerManifest, "spawn")},
		"fifth below the root":  {coder(5), policy.Coder, 0, moothall.Overrides{}, deny(policy.LayerLimits, "depth")},
		"fifth, all":            {coder(5), policy.Coder, 0, all, deny(policy.LayerLimits, "depth")},
		"too many":              {coder(1), policy.Coder, 200, all, deny(policy.LayerLimits, "spawns")},
		"of nobody":             {policy.Authority{}, policy.Coder, 0, all, deny(policy.LayerIdentity, "unknown_agent")},
	} {
		t.Run(name, func(t *testing.T) {
			a, d := r.Spawn(c.parent, c.child, c.spawned, c.o)
			if outcomeOf(d) != c.want {
				t.Errorf("got %+v, want %+v", d, c.want)
			}
			wellFormed(t, d)
			if d.Verdict == moothall.Allow && a.Type() != c.child || d.Verdict != moothall.Allow && a.Type() != "" {
				t.Errorf("%s, and the agent is of type %q", d.Verdict, a.Type())
			}
		})
	}
	if _, d := r.Root("wizard"); d.Rule != "unknown_type" {
		t.Errorf("a root of no type: %+v", d)
	}
}

func TestWhatAnAgentHas(t *testing.T) {
	t.Parallel()
	r := defaults()
	for name, c := range map[string]struct {
		chain         []moothall.AgentType
		tools         []moothall.ToolName
		reads, writes []string
	}{
		"the orchestrator itself": {
			chain: []moothall.AgentType{policy.Orchestrator}, tools: []moothall.ToolName{"memory_read", "memory_write"},
		},
		"its coder": {
			chain:  []moothall.AgentType{policy.Orchestrator, policy.Coder},
			tools:  []moothall.ToolName{"calculate", "fs_list", "fs_read", "fs_search", "fs_write", "memory_read", "memory_write", "now", "run_code", "web_search"},
			reads:  []string{"/home/ada/hall", "/home/ada/projects", "/tmp/agent-sandbox"},
			writes: []string{"/home/ada/hall", "/home/ada/projects", "/tmp/agent-sandbox"},
		},
		"a sysadmin's coder": {
			chain:  []moothall.AgentType{policy.Orchestrator, policy.Sysadmin, policy.Coder},
			tools:  []moothall.ToolName{"calculate", "fs_list", "fs_read", "fs_search", "fs_write", "memory_read", "now"},
			reads:  []string{"/home/ada/hall", "/home/ada/projects"},
			writes: []string{"/home/ada/projects", "/tmp/agent-sandbox"},
		},
		"an assistant's researcher": {
			chain: []moothall.AgentType{policy.Assistant, policy.Researcher},
			tools: []moothall.ToolName{"calculate", "memory_read", "memory_write", "now", "web_search"},
			reads: []string{"/home/ada/hall", "/home/ada/projects", "/tmp/agent-sandbox"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := chain(t, r, c.chain...)
			if diff := cmp.Diff(c.tools, a.Tools()); diff != "" {
				t.Error("tools", diff)
			}
			reads, writes := r.Roots(a, tool(t, "fs_list"), moothall.Overrides{Level: "relax"})
			if diff := cmp.Diff([][]string{c.reads, c.writes}, [][]string{reads, writes}); diff != "" {
				t.Error("roots", diff)
			}
			if a.Depth() != len(c.chain)-1 || !slices.Equal(a.Chain(), c.chain) {
				t.Errorf("depth %d, chain %v", a.Depth(), a.Chain())
			}
		})
	}
}

func TestRootsOfATool(t *testing.T) {
	t.Parallel()
	r := policy.Compile(policy.Manifest{Types: map[moothall.AgentType]policy.Type{
		"top": {Spawns: []moothall.AgentType{"low"}, Paths: map[moothall.ToolName][]string{policy.ReadPaths: {"/a", "/b"}, "run_code": {"/a/x"}}},
		"low": {Paths: map[moothall.ToolName][]string{policy.ReadPaths: {"/a", "/bb", "c"}, policy.WritePaths: {"/"}, "read_file": {"/a/x/y"}}},
	}}, builtIn())
	low := chain(t, r, "top", "low")
	for _, c := range []struct {
		tool          moothall.ToolName
		o             string
		reads, writes []string
	}{
		{"fs_list", "", []string{"/a/x/y"}, []string{"/"}}, // fs_read under both its names
		{"run_code", "", []string{"/a/x/y"}, []string{"/a/x"}},
		{"fs_list", "all", []string{"/a/x/y", "/"}, []string{"/", "/"}},
		{"run_code", "all", []string{"/a/x/y"}, []string{"/a/x"}}, // the sandbox opens no more
	} {
		reads, writes := r.Roots(low, tool(t, c.tool), moothall.Overrides{Level: c.o})
		if diff := cmp.Diff([][]string{c.reads, c.writes}, [][]string{reads, writes}); diff != "" {
			t.Errorf("%s: %s", c.tool, diff)
		}
	}
	all := moothall.Overrides{Level: "all"}
	if reads, writes := r.Roots(chain(t, r, "top"), tool(t, "fs_write"), all); !slices.Equal(reads, []string{"/a", "/b", "/"}) || !slices.Equal(writes, reads) {
		t.Error("who may only read starts elsewhere", reads, writes)
	}
	if reads, writes := r.Roots(policy.Authority{}, tool(t, "fs_write"), all); reads != nil || writes != nil {
		t.Error("nobody has folders", reads, writes)
	}
	if !r.Listed("run_code") || r.Listed("fs_list") || r.Listed(policy.ReadPaths) {
		t.Error("run_code alone has a list of its own")
	}
}

func TestInside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		inner, outer string
		want         bool
	}{
		{"/a", "/a", true}, {"/a/b", "/a", true}, {"/a", "/a/b", false}, {"/ab", "/a", false}, {"/a", "/", true}, {"/", "/", true},
		{"/home/ada/project", "/home/ada/proj", false},
	} {
		if got := policy.Inside(c.inner, c.outer); got != c.want {
			t.Errorf("%s inside %s: %v", c.inner, c.outer, got)
		}
	}
}

// A grant that was there when the agent was spawned and is not any more does
// not help the call; one given later does.
func TestGrantsAreThoseOfTheCall(t *testing.T) {
	t.Parallel()
	r := defaults()
	root, _ := r.Root(policy.Orchestrator)
	o := moothall.Overrides{Grants: []moothall.ToolGrant{{Type: policy.Orchestrator, Tool: "graph_search"}, {Type: policy.Coder, Tool: "graph_search"}}}
	a, _ := r.Spawn(root, policy.Coder, 0, o)
	if !slices.Contains(a.Tools(), "graph_search") || !slices.Contains(r.Offered(a, o), "graph_search") {
		t.Error("the granted tool is not among the agent's")
	}
	expect(t, r, try(t, a, "graph_search", overrides(o)), lifted(policy.LayerOverride, "grant"))
	expect(t, r, try(t, a, "graph_search"), deny(policy.LayerManifest, "not_allowed"))
	if slices.Contains(r.Offered(a, moothall.Overrides{}), "graph_search") {
		t.Error("offered without the grant")
	}
	late := chain(t, r, policy.Orchestrator, policy.Coder)
	expect(t, r, try(t, late, "graph_search", overrides(o)), lifted(policy.LayerOverride, "grant"))
}

// An agent spawned under older rules is judged by the new ones.
func TestNewRulesHoldForOldAgents(t *testing.T) {
	t.Parallel()
	before := defaults()
	old := chain(t, before, policy.Orchestrator, policy.Coder)
	m := policy.DefaultManifest().Merge(policy.Manifest{Types: map[moothall.AgentType]policy.Type{
		policy.Coder: {Allowed: []moothall.ToolName{"now"}},
	}})
	specs := builtIn()
	slices.Reverse(specs) // other numbers for the same tools
	after := policy.Compile(m, specs)
	expect(t, after, try(t, old, "now"), plain)
	expect(t, after, try(t, old, "memory_read"), deny(policy.LayerManifest, "not_allowed"))
	if got := after.Offered(old, moothall.Overrides{}); !slices.Equal(got, []moothall.ToolName{"now"}) {
		t.Error("offered", got)
	}
	delete(m.Types, policy.Coder)
	gone := policy.Compile(m, specs)
	expect(t, gone, try(t, old, "now", level("all")), deny(policy.LayerIdentity, "unknown_agent"))
	if _, d := gone.Spawn(old, policy.Researcher, 0, moothall.Overrides{}); d.Layer != policy.LayerIdentity {
		t.Errorf("a type that is gone spawned: %+v", d)
	}
	if _, d := gone.Restore([]moothall.AgentType{policy.Orchestrator, policy.Coder}); d.Rule != "unknown_type" {
		t.Errorf("restored: %+v", d)
	}
	if _, d := gone.Restore(nil); d.Rule != "unknown_agent" {
		t.Errorf("restored from nothing: %+v", d)
	}
}
