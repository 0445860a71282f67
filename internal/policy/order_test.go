package policy_test

import (
	"testing"

	"moothall"
	"moothall/internal/policy"
)

// A call that every layer objects to is denied by the first; with that mended
// by the second, and so on to the last. Questions come after denials.
func TestLayersAreAskedInOrder(t *testing.T) {
	t.Parallel()
	m := policy.Manifest{Types: map[moothall.AgentType]policy.Type{
		"top":    {Spawns: []moothall.AgentType{"bottom"}},
		"bottom": {Paths: map[moothall.ToolName][]string{policy.ReadPaths: {"/a"}}},
	}}
	x := &moothall.ToolSpec{Name: "x", Risk: moothall.RiskHigh, Origin: "built-in"}
	r := policy.Compile(m, []moothall.ToolSpec{*x})
	out := &moothall.ToolSpec{Name: "x", Risk: moothall.RiskSend, Origin: "mcp:x"}
	c := policy.Call{
		Agent: chain(t, r, "top", "bottom"), Tool: out, Name: "x", Labels: moothall.Untrusted | moothall.Private,
		Overrides: moothall.Overrides{Disabled: []moothall.ToolName{"x"}},
		Paths:     []policy.PathFact{{Argument: "p", Access: moothall.PathRead, Asked: "/b"}},
		Sends:     []policy.SendFact{{Argument: "q"}}, Problems: []string{"p: odd"}, Repeats: 99, Unattended: true,
	}
	grant := func(types ...moothall.AgentType) (g []moothall.ToolGrant) {
		for _, ty := range types {
			g = append(g, moothall.ToolGrant{Type: ty, Tool: "x"})
		}
		return g
	}
	for _, step := range []struct {
		layer string
		mend  func()
	}{
		{policy.LayerIdentity, func() { c.Lineage = true }},
		{policy.LayerOverride, func() { c.Overrides.Disabled = nil }},
		{policy.LayerManifest, func() { c.Overrides.Grants = grant("bottom") }},
		{policy.LayerLineage, func() { c.Overrides.Grants = grant("bottom", "top") }},
		{policy.LayerPaths, func() { c.Paths[0].Inside = true }},
		{policy.LayerEgress, func() { c.Tool = x }},
		{policy.LayerLabels, func() { c.Labels = 0 }},
		{policy.LayerArguments, func() { c.Problems = nil }},
		{policy.LayerLimits, func() { c.Repeats = 0 }},
		{policy.LayerApproval, func() { c.Unattended, c.Approved = false, true }},
	} {
		if d := r.Decide(&c); d.Verdict != moothall.Deny || d.Layer != step.layer {
			t.Errorf("want a denial by %s, got %+v", step.layer, d)
		}
		step.mend()
	}
	if d := r.Decide(&c); d.Verdict != moothall.Allow {
		t.Errorf("with everything mended: %+v", d)
	}
}

// A person is not asked for what a later layer denies.
func TestALaterDenialBeatsAQuestion(t *testing.T) {
	t.Parallel()
	r := defaults()
	a := chain(t, r, policy.Generator)
	wrong := func(c *policy.Call) { c.Problems = []string{"text: missing"} }
	loop := func(c *policy.Call) { c.Repeats = 3 }
	expect(t, r, try(t, a, "memory_write", both, wrong), deny(policy.LayerArguments, "schema"))
	expect(t, r, try(t, a, "memory_write", both, loop), deny(policy.LayerLimits, "same_call"))
	expect(t, r, try(t, a, "run_code", loop), deny(policy.LayerLimits, "same_call"))
	expect(t, r, try(t, a, "run_code", both), ask(policy.LayerLabels, "changes"))
}
