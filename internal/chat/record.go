package chat

import (
	"context"

	"moothall"
)

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

// onRecord asks a model beside the turns, and puts that on the record, before
// and after: it is sent the conversation. Nothing is asked that cannot be there.
func (c *Chat) onRecord(ctx context.Context, e moothall.AuditEntry, ask func() (well bool)) error {
	e.Action = moothall.ActionModelCall
	refused, lost := moothall.OnRecord(ctx, c.opt.Audit, e, finishing, ask)
	if lost != nil {
		c.opt.Logger.Warn("the end of a model call is not on the record", "query", e.Query, "err", lost)
	}
	return refused
}
