package policy

import (
	"strconv"
	"strings"

	"moothall"
)

// judge goes through the layers for one call. A layer returns false when it
// has denied; out then holds why. Otherwise out holds the first question, if
// any.
type judge struct {
	rules  *Rules
	call   *Call
	agent  *Authority
	level  level
	number int  // of the tool in the rules; -1 when it has none
	risk   risk // of the tool
	out    moothall.Decision
	lifted string // the rule that let the call pass where a layer had objected
}

// Decide says whether a call may happen: allow, deny, or ask a person. The
// same function serves a dry run and the real one.
func (r *Rules) Decide(c *Call) moothall.Decision {
	j := judge{rules: r, call: c, agent: &c.Agent, level: levelOf(c.Overrides), number: -1}
	if c.Agent.rules != r {
		moved := r.Rebase(c.Agent)
		j.agent = &moved
	}
	if c.Tool != nil {
		j.number, j.risk = r.find(c.Tool.Name), riskOf(c.Tool)
	}
	passed := j.identity() && j.override() && j.manifest() && j.lineage() && j.paths() &&
		j.egress() && j.labels() && j.arguments() && j.limits() && j.approval()
	if !passed || j.out.Verdict == moothall.Ask {
		return j.out
	}
	return j.allow()
}

func (j *judge) identity() bool {
	switch {
	case len(j.agent.chain) == 0:
		return j.deny(LayerIdentity, "unknown_agent", "The calling agent is not known, or its type is no longer in the manifest.", "")
	case !bool(j.call.Lineage):
		return j.deny(LayerIdentity, "lineage_mismatch", "The lineage claimed is not the agent's own.", "")
	}
	return true
}

func (j *judge) override() bool {
	if len(j.call.Overrides.Disabled) > 0 && disabled(&j.call.Overrides, j.call.Tool, j.call.Name) {
		return j.deny(LayerOverride, "disabled", "The person has switched "+j.name()+" off.",
			"take "+j.name()+" off the disabled tools of the session")
	}
	return true
}

func (j *judge) manifest() bool {
	switch {
	case j.call.Tool == nil:
		return j.deny(LayerManifest, "unknown_tool", "There is no tool "+j.name()+".", "")
	case j.level == levelAll, j.agent.self().allowed.has(j.number):
		return true
	case granted(&j.call.Overrides, j.agent.self().name, j.call.Tool):
		j.lift("grant")
		return true
	}
	t := string(j.agent.self().name)
	return j.deny(LayerManifest, "not_allowed", "An agent of type "+t+" may not use "+j.name()+".",
		j.name()+" in agent_types."+t+".allowed_tools")
}

// lineage holds for the whole chain: a grant counts for its type's row alone,
// so each ancestor must have the tool by its own row or by a grant.
func (j *judge) lineage() bool {
	if j.level == levelAll || j.agent.callable.has(j.number) {
		return true
	}
	above := j.agent.chain[:len(j.agent.chain)-1]
	for _, w := range above {
		if !j.had(w) {
			return j.deny(LayerLineage, "ancestor", "An agent above this one may not hand "+j.name()+" down.", j.missing(above))
		}
	}
	return true
}

func (j *judge) had(w *row) bool {
	return w.ceiling.has(j.number) || granted(&j.call.Overrides, w.name, j.call.Tool)
}

// missing lists where the ancestors lack the tool.
func (j *judge) missing(above []*row) string {
	var need []string
	for _, w := range above {
		if !j.had(w) {
			need = append(need, "agent_types."+string(w.name)+".delegates")
		}
	}
	return j.name() + " in " + strings.Join(need, " and in ")
}

func (j *judge) paths() bool {
	if j.level == levelAll {
		return true
	}
	for i := range j.call.Paths {
		p := &j.call.Paths[i]
		t, key := string(j.agent.self().name), accessKey(p.Access)
		switch {
		case len(j.agent.list(j.rules.slot(j.call.Tool.Name, p.Access))) == 0:
			return j.deny(LayerPaths, "no_folders", "This agent may not "+verb(p.Access)+" any folder with "+j.name()+".",
				"a folder in agent_types."+t+".allowed_paths."+key+", within those of the agents above")
		case !p.Inside:
			return j.deny(LayerPaths, "outside", quote(p.Asked)+" ("+clip(p.Argument)+") lies outside what this agent may "+verb(p.Access)+".",
				"a folder that holds it in agent_types."+t+".allowed_paths."+key+", within those of the agents above")
		}
	}
	return true
}

// egress keeps the hall's own web tools the only way out. A server that the
// person put into mcp.json is one that they chose: it is asked about, and can
// be approved for a session.
func (j *judge) egress() bool {
	switch {
	case j.level == levelAll:
		return true
	case j.risk == riskSend && strings.HasPrefix(j.call.Tool.Origin, "mcp:"):
		return j.outsideServer()
	case j.risk == riskSend && j.call.Tool.Origin != "built-in",
		j.risk < riskSend && j.declaresSending():
		return j.deny(LayerEgress, "no_network", "Only the hall's own web tools may send anything out, and "+j.name()+" is not one of them.",
			"web_search or web_fetch for the same purpose")
	}
	return true
}

func (j *judge) outsideServer() bool {
	switch {
	case j.call.Approved:
		j.lift("approved")
	case j.call.SessionApproved:
		j.lift("approved_session")
	default:
		return j.ask(LayerEgress, "outside_server", j.name()+" sends what it is given to a server outside this machine.", "a person's approval")
	}
	return true
}

func (j *judge) arguments() bool {
	switch {
	case j.call.Oversize:
		return j.deny(LayerArguments, "too_large", "The arguments of "+j.name()+" are too large.", "a shorter call")
	case len(j.call.Problems) > 0:
		return j.deny(LayerArguments, "schema", "The arguments do not fit "+j.name()+": "+join(j.call.Problems)+".", "arguments that fit the tool's schema")
	}
	return true
}

func (j *judge) limits() bool {
	l := &j.rules.limits
	switch {
	case j.call.Repeats >= l.Repeats:
		return j.deny(LayerLimits, "same_call", "The same call was made "+strconv.Itoa(j.call.Repeats)+
			" times already; its result will not change.", "another call, or a higher limits.repeats in the manifest")
	case j.call.Calls >= l.Calls:
		return j.deny(LayerLimits, "calls", "This task has used up its "+strconv.Itoa(l.Calls)+" tool calls.", "a higher limits.calls in the manifest")
	}
	return true
}

func (j *judge) approval() bool {
	switch {
	case j.risk < riskHigh || j.level == levelAll:
		return true
	case j.level == levelRelax:
		j.lift("relax")
		return true
	case j.call.Approved:
		j.lift("approved")
		return true
	case j.call.SessionApproved:
		j.lift("approved_session")
		return true
	}
	return j.ask(LayerApproval, "high_risk", j.name()+" runs code or changes the system.", "a person's approval")
}
