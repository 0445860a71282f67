package policy_test

import (
	"maps"
	"slices"
	"testing"

	"moothall"
	"moothall/internal/policy"
)

// builtIn are the hall's tools as far as policy looks at them.
func builtIn() []moothall.ToolSpec {
	read := []moothall.PathArgument{{Name: "path", Access: moothall.PathRead}}
	write := []moothall.PathArgument{{Name: "path", Access: moothall.PathWrite}}
	specs := []moothall.ToolSpec{
		{Name: "web_search", Risk: moothall.RiskSend, Sends: []string{"query"}},
		{Name: "web_fetch", Risk: moothall.RiskSend, Sends: []string{"url"}},
		{Name: "memory_read", Risk: moothall.RiskRead, Aliases: []moothall.ToolName{"recall_memory", "search_memory"}},
		{Name: "memory_write", Risk: moothall.RiskWrite, Aliases: []moothall.ToolName{"save_memory"}},
		{Name: "graph_search", Risk: moothall.RiskRead},
		{Name: "fs_read", Risk: moothall.RiskRead, Paths: read, Aliases: []moothall.ToolName{"read_file"}},
		{Name: "fs_list", Risk: moothall.RiskRead, Paths: read},
		{Name: "fs_search", Risk: moothall.RiskRead, Paths: read},
		{Name: "fs_write", Risk: moothall.RiskWrite, Paths: write},
		{Name: "run_code", Risk: moothall.RiskHigh},
		{Name: "run_shell", Risk: moothall.RiskHigh},
		{Name: "package_install", Risk: moothall.RiskHigh},
		{Name: "calculate", Risk: moothall.RiskNone},
		{Name: "now", Risk: moothall.RiskNone},
		{Name: "compare_answers", Risk: moothall.RiskNone},
		{Name: "calendar_read", Risk: moothall.RiskRead},
		{Name: "notes_search", Risk: moothall.RiskRead},
	}
	for i := range specs {
		specs[i].Origin = "built-in"
	}
	return specs
}

// tool returns one of them by name.
func tool(t testing.TB, name moothall.ToolName) *moothall.ToolSpec {
	t.Helper()
	specs := builtIn()
	i := slices.IndexFunc(specs, func(s moothall.ToolSpec) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no tool %s in the fixture", name)
	}
	return &specs[i]
}

// defaults are the compiled default manifest.
func defaults() *policy.Rules {
	return policy.Compile(policy.DefaultManifest().Expand("/home/ada", "/home/ada/hall"), builtIn())
}

// chain derives an authority the way agents come about.
func chain(t testing.TB, r *policy.Rules, types ...moothall.AgentType) policy.Authority {
	t.Helper()
	a, d := r.Root(types[0])
	for _, c := range types[1:] {
		if d.Verdict != moothall.Allow {
			break
		}
		a, d = r.Spawn(a, c, 0, moothall.Overrides{})
	}
	if d.Verdict != moothall.Allow {
		t.Fatalf("chain %v: %+v", types, d)
	}
	return a
}

// try is a call of a tool by an agent, with nothing against it; changes make
// it another.
func try(t testing.TB, a policy.Authority, name moothall.ToolName, changes ...func(*policy.Call)) policy.Call {
	t.Helper()
	c := policy.Call{Agent: a, Tool: tool(t, name), Name: name, Lineage: true}
	for _, change := range changes {
		change(&c)
	}
	return c
}

// outcome is what tables compare.
type outcome struct {
	verdict moothall.Verdict
	layer   string
	rule    string
}

func outcomeOf(d moothall.Decision) outcome { return outcome{d.Verdict, d.Layer, d.Rule} }

// expect decides a call and compares, and holds every decision to its form.
func expect(t *testing.T, r *policy.Rules, c policy.Call, want outcome) moothall.Decision {
	t.Helper()
	d := r.Decide(&c)
	if outcomeOf(d) != want {
		t.Errorf("got %+v, want %+v", d, want)
	}
	wellFormed(t, d)
	return d
}

func wellFormed(t testing.TB, d moothall.Decision) {
	t.Helper()
	if !slices.Contains([]moothall.Verdict{moothall.Allow, moothall.Deny, moothall.Ask}, d.Verdict) ||
		!slices.Contains(policy.Layers(), d.Layer) || d.Rule == "" || d.Reason == "" || len(d.Reason) > 1500 {
		t.Errorf("malformed decision %+v", d)
	}
	if d.Verdict == moothall.Ask && d.Allows == "" {
		t.Errorf("a question that does not say what would allow it: %+v", d)
	}
}

func overrides(o moothall.Overrides) func(*policy.Call) {
	return func(c *policy.Call) { c.Overrides = o }
}

func level(l string) func(*policy.Call) { return overrides(moothall.Overrides{Level: l}) }

func both(c *policy.Call) { c.Labels = moothall.Untrusted | moothall.Private }

func unattended(c *policy.Call) { c.Unattended = true }

func approved(c *policy.Call) { c.Approved = true }

func sessionApproved(c *policy.Call) { c.SessionApproved = true }

func at(access moothall.PathAccess, asked string, inside bool) func(*policy.Call) {
	return func(c *policy.Call) {
		c.Paths = append(c.Paths, policy.PathFact{Argument: "path", Access: access, Asked: asked, Inside: inside})
	}
}

func sends(known ...bool) func(*policy.Call) {
	return func(c *policy.Call) {
		for _, k := range known {
			c.Sends = append(c.Sends, policy.SendFact{Argument: "url", Known: k})
		}
	}
}

func sorted[K ~string, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
