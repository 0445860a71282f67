package policy

import (
	"strconv"
	"strings"

	"moothall"
)

func allowed(layer, rule, reason string) moothall.Decision {
	return moothall.Decision{Verdict: moothall.Allow, Layer: layer, Rule: rule, Reason: reason}
}

func denied(layer, rule, reason, allows string) moothall.Decision {
	return moothall.Decision{Verdict: moothall.Deny, Layer: layer, Rule: rule, Reason: reason, Allows: allows}
}

// deny ends the judgement.
func (j *judge) deny(layer, rule, reason, allows string) bool {
	j.out = denied(layer, rule, reason, allows)
	return false
}

// ask notes that a person is needed; later layers may still deny. Where
// nobody can be asked the question is the denial.
func (j *judge) ask(layer, rule, reason, allows string) bool {
	if j.call.Unattended {
		return j.deny(layer, "unattended", reason+" Nobody is there to be asked.",
			strings.Replace(allows, "a person's approval", "running it with a person present, who approves it", 1))
	}
	if j.out.Verdict == "" {
		j.out = moothall.Decision{Verdict: moothall.Ask, Layer: layer, Rule: rule, Reason: reason, Allows: allows}
	}
	return true
}

// lift notes what let the call pass; the first one names the decision.
func (j *judge) lift(rule string) {
	if j.lifted == "" {
		j.lifted = rule
	}
}

// allow names what the permission rests on, for the record.
func (j *judge) allow() moothall.Decision {
	switch {
	case j.level == levelAll:
		return allowed(LayerOverride, "all", "The person has switched the checks off.")
	case j.lifted == "approved":
		return allowed(LayerApproval, "approved", "A person approved this call.")
	case j.lifted == "approved_session":
		return allowed(LayerApproval, "approved_session", "A person approved this tool for the session.")
	case j.lifted == "relax":
		return allowed(LayerOverride, "relax", "The person lets high-risk tools run without asking.")
	case j.lifted == "grant":
		return allowed(LayerOverride, "grant", "The person granted this tool to the agent's type.")
	}
	return allowed(LayerManifest, "allowed", "The agent and all above it may use this tool, and no other layer objects.")
}

// name is the tool's own, or what was asked for when there is none such.
func (j *judge) name() string {
	if j.call.Tool != nil {
		return clip(string(j.call.Tool.Name))
	}
	return clip(string(j.call.Name))
}

// risk orders what a tool can do to the world.
type risk uint8

const (
	riskNone risk = iota
	riskRead
	riskSend
	riskWrite
	riskHigh
)

// riskOf takes the worst for what it does not know.
func riskOf(t *moothall.ToolSpec) risk {
	switch t.Risk {
	case moothall.RiskNone:
		return riskNone
	case moothall.RiskRead:
		return riskRead
	case moothall.RiskSend:
		return riskSend
	case moothall.RiskWrite:
		return riskWrite
	}
	return riskHigh
}

func verb(a moothall.PathAccess) string {
	if a == moothall.PathRead {
		return "read"
	}
	return "write"
}

func accessKey(a moothall.PathAccess) string {
	if a == moothall.PathRead {
		return string(ReadPaths)
	}
	return string(WritePaths)
}

// What a model wrote may be of any length; a reason is a sentence.
const maxQuoted, maxProblems = 160, 3

func clip(s string) string {
	if len(s) <= maxQuoted {
		return strings.ToValidUTF8(s, "�")
	}
	return strings.ToValidUTF8(s[:maxQuoted], "") + "…"
}

func quote(s string) string { return strconv.Quote(clip(s)) }

func join(problems []string) string {
	shown := make([]string, 0, maxProblems+1)
	for _, p := range problems[:min(len(problems), maxProblems)] {
		shown = append(shown, strings.TrimSuffix(clip(p), "."))
	}
	if more := len(problems) - maxProblems; more > 0 {
		shown = append(shown, "and "+strconv.Itoa(more)+" more")
	}
	return strings.Join(shown, "; ")
}
