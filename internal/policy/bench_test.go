package policy_test

import (
	"fmt"
	"testing"

	"moothall"
	"moothall/internal/policy"
)

// deep is a manifest of n types with n tools, and an agent four spawns below
// its root that calls with every kind of fact.
func deep(tb testing.TB, n int) (*policy.Rules, policy.Call) {
	m := policy.Manifest{Types: map[moothall.AgentType]policy.Type{}}
	specs := make([]moothall.ToolSpec, n)
	var every []moothall.ToolName
	for i := range specs {
		specs[i] = moothall.ToolSpec{Name: moothall.ToolName(fmt.Sprintf("tool_%d", i)), Risk: moothall.RiskSend, Origin: "built-in", Sends: []string{"url"}}
		every = append(every, specs[i].Name)
	}
	for i := range n {
		m.Types[typeName(i)] = policy.Type{
			Allowed: every, Spawns: []moothall.AgentType{typeName((i + 1) % n)},
			Paths: map[moothall.ToolName][]string{policy.ReadPaths: {"/home/ada", "/etc"}, policy.WritePaths: {"/home/ada/projects"}},
		}
	}
	r := policy.Compile(m, specs)
	a := chain(tb, r, typeName(0), typeName(1), typeName(2), typeName(3), typeName(4))
	return r, policy.Call{
		Agent: a, Tool: &specs[n-1], Name: specs[n-1].Name, Labels: moothall.Untrusted | moothall.Private, Lineage: true,
		Overrides: moothall.Overrides{Level: "none", Disabled: []moothall.ToolName{"tool_1"}, Grants: []moothall.ToolGrant{{Type: typeName(1), Tool: "tool_2"}}},
		Paths: []policy.PathFact{
			{Argument: "from", Access: moothall.PathRead, Asked: "a", Inside: true}, {Argument: "to", Access: moothall.PathWrite, Asked: "b", Inside: true},
		},
		Sends: []policy.SendFact{{Argument: "url", Known: true}}, Repeats: 1, Calls: 17,
	}
}

func TestDecideAllocates(t *testing.T) {
	r, c := deep(t, 80)
	if d := r.Decide(&c); outcomeOf(d) != plain {
		t.Fatalf("%+v", d)
	}
	if got := testing.AllocsPerRun(1000, func() { r.Decide(&c) }); got > 2 {
		t.Errorf("%v allocations for a decision, 2 are allowed", got)
	}
}

func BenchmarkDecide(b *testing.B) {
	for _, n := range []int{8, 80, 800} {
		r, c := deep(b, n)
		b.Run(fmt.Sprintf("allow/types=%d", n), func(b *testing.B) { decide(b, r, c, moothall.Allow) })
		c.Calls = 200
		b.Run(fmt.Sprintf("deny/types=%d", n), func(b *testing.B) { decide(b, r, c, moothall.Deny) })
	}
}

func decide(b *testing.B, r *policy.Rules, c policy.Call, want moothall.Verdict) {
	b.ReportAllocs()
	for b.Loop() {
		if d := r.Decide(&c); d.Verdict != want {
			b.Fatalf("%+v", d)
		}
	}
}

func BenchmarkSpawn(b *testing.B) {
	for _, n := range []int{8, 80, 800} {
		b.Run(fmt.Sprintf("types=%d", n), func(b *testing.B) {
			r, c := deep(b, n)
			parent := chain(b, r, c.Agent.Chain()[:4]...)
			b.ReportAllocs()
			for b.Loop() {
				if _, d := r.Spawn(parent, typeName(4), 3, moothall.Overrides{}); d.Verdict != moothall.Allow {
					b.Fatalf("%+v", d)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	m, specs := policy.DefaultManifest().Expand("/home/ada", "/home/ada/hall"), builtIn()
	b.ReportAllocs()
	for b.Loop() {
		policy.Compile(m, specs)
	}
}
