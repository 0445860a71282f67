package policy

import (
	"fmt"

	"moothall"
	"moothall/internal/policy"
)

var risks = []moothall.Risk{moothall.RiskNone, moothall.RiskRead, moothall.RiskSend, moothall.RiskWrite, moothall.RiskHigh}

func newOurs(t table) (engine, error) {
	m := policy.Manifest{Types: map[moothall.AgentType]policy.Type{}}
	for _, name := range t.types {
		row := policy.Type{Paths: map[moothall.ToolName][]string{policy.ReadPaths: {"/"}}}
		for _, tool := range t.tools {
			if t.allowed[name][tool] {
				row.Allowed = append(row.Allowed, moothall.ToolName(tool))
			}
			if t.ceiling[name][tool] {
				row.Delegates = append(row.Delegates, moothall.ToolName(tool))
			}
		}
		m.Types[moothall.AgentType(name)] = row
	}
	rules := policy.Compile(m, nil)
	return engine{"moothall", func(f facts) (func() (string, error), error) {
		c, err := call(rules, f)
		return func() (string, error) { return string(rules.Decide(&c).Verdict), nil }, err
	}}, nil
}

func call(rules *policy.Rules, f facts) (policy.Call, error) {
	var chain []moothall.AgentType
	for _, t := range f.chain {
		chain = append(chain, moothall.AgentType(t))
	}
	agent, d := rules.Restore(chain)
	if d.Verdict != moothall.Allow {
		return policy.Call{}, fmt.Errorf("chain %v: %s", chain, d.Reason)
	}
	spec := &moothall.ToolSpec{Name: moothall.ToolName(f.tool), Risk: risks[f.risk], Origin: "mcp:x"}
	if f.builtIn {
		spec.Origin = "built-in"
	}
	c := policy.Call{
		Agent: agent, Tool: spec, Name: spec.Name, Overrides: moothall.Overrides{Level: f.level}, Labels: moothall.Label(f.labels),
		Problems: make([]string, f.problems), Repeats: f.repeats, Calls: f.calls, Unattended: f.unattended, Approved: f.approved,
		Lineage: policy.LineageFact(f.lineage),
	}
	for _, n := range f.disabled {
		c.Overrides.Disabled = append(c.Overrides.Disabled, moothall.ToolName(n))
	}
	for _, in := range f.inside {
		c.Paths = append(c.Paths, policy.PathFact{Argument: "path", Access: moothall.PathRead, Inside: in})
	}
	if f.sends {
		spec.Sends = []string{"url"}
		c.Sends = []policy.SendFact{{Argument: "url", Known: f.known}}
	}
	return c, nil
}
