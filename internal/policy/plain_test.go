package policy_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"moothall"
	"moothall/internal/policy"
)

// plainJudge is the policy said a second time: slowly, from the manifest's
// words, each layer on its own, without sets, numbers or early ends.
type plainJudge struct {
	m     policy.Manifest
	chain []moothall.AgentType
	c     *policy.Call
}

// objection is what one layer has against a call when nothing is lifted.
type objection struct {
	layer   string
	verdict moothall.Verdict
}

func (p plainJudge) objections() (out []objection) {
	object := func(layer string, v moothall.Verdict, when bool) {
		if v == moothall.Ask && p.c.Unattended {
			v = moothall.Deny
		}
		if when {
			out = append(out, objection{layer, v})
		}
	}
	tool, c := p.c.Tool, p.c
	own, above := p.chain[len(p.chain)-1], p.chain[:len(p.chain)-1]
	high := !slices.Contains([]moothall.Risk{moothall.RiskNone, moothall.RiskRead, moothall.RiskSend, moothall.RiskWrite}, tool.Risk)
	changes := high || tool.Risk == moothall.RiskWrite
	mentions := len(tool.Sends)+len(c.Sends) > 0
	unknown := slices.ContainsFunc(c.Sends, func(s policy.SendFact) bool { return !s.Known }) || len(c.Sends) == 0
	leaks := (tool.Risk == moothall.RiskSend || mentions) && unknown
	excused := c.Approved || c.SessionApproved && !leaks
	limits := p.m.Limits

	object(policy.LayerIdentity, moothall.Deny, !bool(c.Lineage))
	object(policy.LayerOverride, moothall.Deny, slices.Contains(c.Overrides.Disabled, tool.Name))
	object(policy.LayerManifest, moothall.Deny, !p.granted(own) && !slices.Contains(p.m.Types[own].Allowed, tool.Name))
	object(policy.LayerLineage, moothall.Deny, slices.ContainsFunc(above, func(t moothall.AgentType) bool {
		row := p.m.Types[t]
		return !p.granted(t) && !slices.Contains(slices.Concat(row.Allowed, row.Delegates), tool.Name)
	}))
	object(policy.LayerPaths, moothall.Deny, slices.ContainsFunc(c.Paths, func(f policy.PathFact) bool {
		return !f.Inside || !p.anyFolder(f.Access)
	}))
	server := strings.HasPrefix(tool.Origin, "mcp:")
	object(policy.LayerEgress, moothall.Ask, tool.Risk == moothall.RiskSend && server && !c.Approved && !c.SessionApproved)
	object(policy.LayerEgress, moothall.Deny, tool.Risk == moothall.RiskSend && tool.Origin != "built-in" && !server ||
		(tool.Risk == moothall.RiskNone || tool.Risk == moothall.RiskRead) && mentions)
	object(policy.LayerLabels, moothall.Ask, c.Labels == moothall.Untrusted|moothall.Private && (changes || leaks) && !excused)
	object(policy.LayerLabels, moothall.Ask, p.alone())
	object(policy.LayerArguments, moothall.Deny, c.Oversize || len(c.Problems) > 0)
	object(policy.LayerLimits, moothall.Deny, c.Repeats >= limits.Repeats || c.Calls >= limits.Calls)
	object(policy.LayerApproval, moothall.Ask, high && !c.Approved && !c.SessionApproved)
	return out
}

// alone is what one of the labels has against a call by itself, and what
// private data has against a foreign tool in any company.
func (p plainJudge) alone() bool {
	c, foreign := p.c, p.c.Tool.Origin != "built-in"
	private, outside := c.Labels&moothall.Private != 0, c.Labels&moothall.Untrusted != 0
	silent := slices.Contains([]moothall.Risk{moothall.RiskNone, moothall.RiskRead}, c.Tool.Risk) && len(c.Tool.Sends)+len(c.Sends) == 0
	writes := !slices.Contains([]moothall.Risk{moothall.RiskNone, moothall.RiskRead, moothall.RiskSend}, c.Tool.Risk)
	told := private && foreign && !c.Told && !c.SessionApproved
	carried := private && !outside && !foreign && !silent && (!writes || len(c.Tool.Sends)+len(c.Sends) > 0) &&
		(len(c.Sends) == 0 || slices.ContainsFunc(c.Sends, func(s policy.SendFact) bool { return !s.Known && !s.Plain }))
	lost := outside && !private && writes && !c.SessionApproved &&
		slices.ContainsFunc(c.Paths, func(f policy.PathFact) bool { return f.Access != moothall.PathRead && !f.Free })
	return !c.Approved && (told || carried || lost)
}

func (p plainJudge) granted(t moothall.AgentType) bool {
	return slices.Contains(p.c.Overrides.Grants, moothall.ToolGrant{Type: t, Tool: p.c.Tool.Name})
}

// anyFolder reports whether some folder lies in the agent's own list and in
// that of each type above which has one.
func (p plainJudge) anyFolder(a moothall.PathAccess) bool {
	list := func(t moothall.AgentType) ([]string, bool) {
		if l, ok := p.m.Types[t].Paths[p.c.Tool.Name]; ok {
			return l, true
		}
		l, ok := p.m.Types[t].Paths["fs_"+moothall.ToolName(a)]
		return l, ok
	}
	if _, ok := list(p.chain[len(p.chain)-1]); !ok {
		return false
	}
	return slices.ContainsFunc(someFolders, func(f string) bool {
		return !slices.ContainsFunc(p.chain, func(t moothall.AgentType) bool {
			l, ok := list(t)
			return ok && !slices.ContainsFunc(l, func(outer string) bool { return policy.Inside(f, outer) })
		})
	})
}

// liftedBy is all that an override may change, by level.
var liftedBy = map[string][]string{
	"":      nil,
	"none":  nil,
	"ALL":   nil, // not a level
	"relax": {policy.LayerApproval},
	"all": {
		policy.LayerManifest, policy.LayerLineage, policy.LayerPaths, policy.LayerEgress, policy.LayerLabels, policy.LayerApproval,
	},
}

// decide takes the objections that the level leaves: the first denial, else
// the first question.
func (p plainJudge) decide(objections []objection, level string) (objection, bool) {
	left := slices.DeleteFunc(slices.Clone(objections), func(o objection) bool { return slices.Contains(liftedBy[level], o.layer) })
	if i := slices.IndexFunc(left, func(o objection) bool { return o.verdict == moothall.Deny }); i >= 0 {
		return left[i], true
	}
	if len(left) > 0 {
		return left[0], true
	}
	return objection{}, false
}

// randomCall spreads its facts so that each layer objects now and then.
func randomCall(rng *rand.Rand, a policy.Authority, types []moothall.AgentType) policy.Call {
	oneIn := func(n int) bool { return rng.IntN(n) == 0 }
	risks := []moothall.Risk{moothall.RiskNone, moothall.RiskRead, moothall.RiskSend, moothall.RiskWrite, moothall.RiskHigh, "odd"}
	spec := &moothall.ToolSpec{Name: toolName(rng.IntN(10)), Risk: risks[rng.IntN(len(risks))], Origin: []string{"built-in", "mcp:x"}[rng.IntN(2)]}
	c := policy.Call{
		Agent: a, Tool: spec, Name: spec.Name, Labels: moothall.Label(rng.IntN(4)), Oversize: oneIn(9),
		Repeats: rng.IntN(5), Calls: rng.IntN(220), Unattended: oneIn(4), Approved: oneIn(4), SessionApproved: oneIn(4), Lineage: policy.LineageFact(!oneIn(9)),
		Told: oneIn(2),
	}
	if oneIn(4) {
		spec.Sends = []string{"q"}
	}
	for range rng.IntN(3) {
		c.Sends = append(c.Sends, policy.SendFact{Argument: "q", Known: oneIn(2), Plain: oneIn(2)})
		access := []moothall.PathAccess{moothall.PathRead, moothall.PathWrite}[rng.IntN(2)]
		c.Paths = append(c.Paths, policy.PathFact{Argument: "p", Access: access, Inside: !oneIn(3), Free: oneIn(2)})
	}
	if oneIn(9) {
		c.Problems = []string{"p: odd"}
	}
	if oneIn(5) {
		c.Overrides.Disabled = []moothall.ToolName{toolName(rng.IntN(10))}
	}
	for range rng.IntN(4) {
		c.Overrides.Grants = append(c.Overrides.Grants, moothall.ToolGrant{Type: types[rng.IntN(len(types))], Tool: spec.Name})
	}
	return c
}

// Decide agrees with the plain judge on random calls at every level: so an
// override changes the layers that it may, and no other.
func TestOverridesLiftWhatTheyMayAndNoMore(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 11))
	reached := map[string]int{}
	for range 400 {
		m := randomManifest(rng)
		m.Limits = policy.Limits{Repeats: 3, Calls: 200}
		r, types := policy.Compile(m, randomTools()), sorted(m.Types)
		for range 100 {
			line := []moothall.AgentType{types[rng.IntN(len(types))]}
			for range rng.IntN(5) {
				line = append(line, types[rng.IntN(len(types))])
			}
			a, _ := r.Restore(line)
			c := randomCall(rng, a, types)
			p := plainJudge{m, line, &c}
			against := p.objections()
			for level := range liftedBy {
				c.Overrides.Level = level
				want, objected := p.decide(against, level)
				got := r.Decide(&c)
				reached[string(got.Verdict)+" "+got.Layer]++
				if objected && (got.Verdict != want.verdict || got.Layer != want.layer) || !objected && got.Verdict != moothall.Allow {
					t.Fatalf("level %q: got %+v, want %+v\ncall %+v\nchain %v of %+v", level, got, want, c, line, m)
				}
			}
			offeredAgrees(t, r, &c)
		}
	}
	for _, l := range policy.Layers() {
		if reached["deny "+l] == 0 {
			t.Errorf("no call was denied by %s: nothing was tested", l)
		}
	}
	if reached["ask labels"] == 0 || reached["ask approval"] == 0 || reached["allow manifest"] == 0 {
		t.Errorf("verdicts never reached: %v", reached)
	}
}

// randomTools are the ten of a random manifest, harmless.
func randomTools() []moothall.ToolSpec {
	specs := make([]moothall.ToolSpec, 10)
	for i := range specs {
		specs[i] = moothall.ToolSpec{Name: toolName(i), Risk: moothall.RiskNone}
	}
	return specs
}

// offeredAgrees holds the list of tools to what Decide's own layers say.
func offeredAgrees(t *testing.T, r *policy.Rules, c *policy.Call) {
	t.Helper()
	specs := randomTools()
	for _, level := range []string{"none", "all"} {
		o := c.Overrides
		o.Level = level
		offered := r.Offered(c.Agent, o)
		for i := range specs {
			asked := policy.Call{Agent: c.Agent, Tool: &specs[i], Name: specs[i].Name, Overrides: o, Lineage: true}
			d := r.Decide(&asked)
			if slices.Contains(offered, specs[i].Name) != (d.Verdict == moothall.Allow) {
				t.Fatalf("%v are offered, and %s is %+v", offered, specs[i].Name, d)
			}
		}
	}
}
