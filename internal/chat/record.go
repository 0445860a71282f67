package chat

import "moothall"

// entry is a line of the record about this turn.
func (t *turn) entry(action moothall.AuditAction, status moothall.AuditStatus) moothall.AuditEntry {
	e := moothall.AuditEntry{
		Scope: moothall.Scope{Session: t.session}, Action: action, Status: status, Query: t.query, Run: t.run, AgentType: "generator",
	}
	if action == moothall.ActionModelCall {
		e.Call = moothall.CallID(t.run) // ties the outcome to the intent
	}
	return e
}
