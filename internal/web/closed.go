package web

import (
	"reflect"

	"moothall"
)

// closedTypes are the types whose values are known.
func closedTypes() map[reflect.Type][]string {
	out := map[reflect.Type][]string{}
	closed(out, "", moothall.Codes()...)
	closed(out, "", roles...)
	closed(out, "", moothall.ServiceOK, moothall.ServiceNotConfigured, moothall.ServiceDown)
	closed(out, "also empty", moothall.ModeChat, moothall.ModeCommittee, moothall.ModeTask)
	closed(out, "", moothall.CallOK, moothall.CallFailed, moothall.CallDenied, moothall.CallUnavailable, moothall.CallUnknown)
	closed(out, "", moothall.RiskNone, moothall.RiskRead, moothall.RiskSend, moothall.RiskWrite, moothall.RiskHigh)
	closed(out, "", moothall.PathRead, moothall.PathWrite)
	closed(out, "also empty", moothall.Allow, moothall.Deny, moothall.Ask)
	closed(out, "", moothall.RoleSystem, moothall.RoleUser, moothall.RoleAssistant, moothall.RoleTool)
	closed(out, "", moothall.StopDone, moothall.StopLength, moothall.StopTools, moothall.StopCap, moothall.StopRepetition,
		moothall.StopBudget, moothall.StopCanceled, moothall.StopInterrupted, moothall.StopError)
	closed(out, "", moothall.Engram, moothall.Fact, moothall.Document)
	closed(out, "", moothall.TrustExternal, moothall.TrustModel, moothall.TrustPerson)
	closed(out, "", moothall.ApproveOnce, moothall.ApproveSession, moothall.ApproveDenied, moothall.ApproveExpired)
	return out
}

// closed adds a set; "also empty" lets nothing stand for a value that was not
// given or not decided.
func closed[T ~string](out map[reflect.Type][]string, empty string, values ...T) {
	var texts []string
	for _, v := range values {
		texts = append(texts, string(v))
	}
	if empty != "" {
		texts = append(texts, "")
	}
	out[of[T]()] = texts
}

// closedFields are fields of type string whose values are known.
func closedFields() map[string][]string {
	return map[string][]string{
		"Health.status":      {"ok", "degraded"},
		"Critique.outcome":   {moothall.Graded, moothall.Unknown, moothall.Skipped},
		"Pairing.outcome":    {moothall.Graded, moothall.Tied, moothall.Unknown, moothall.Skipped},
		"Rewarded.sentiment": {"positive", "neutral", "negative"},
		"Overrides.level":    {"none", "relax", "all", ""},
		"TaskOrder.action":   {"pause", "resume", "stop", "approve", "edit", "steer", "retry", "accept", "skip"},
		"Finding.status":     {"ok", "info", "warn", "fail"},
		"Key.status":         {moothall.KeyThere, moothall.KeyMissing, moothall.KeyUnknown},
		"Step.kind":          stepKinds(),
		"Turn.state":         {"waiting", "running", "done", "interrupted"},
	}
}

// stepKinds are the kinds of steps, which a stream names its events after.
func stepKinds() []string {
	return []string{"status", "thinking", "delta", "rethink", "void", "interim", "tool_call", "approval", "tool_result", "recall", "persona", "task", "final"}
}
