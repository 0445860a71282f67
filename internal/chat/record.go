package chat

import (
	"context"

	"moothall"
)

// enqueuer is a record whose entries have their place before they are durable.
type enqueuer interface {
	Enqueue(ctx context.Context, entries ...moothall.AuditEntry) (last uint64, wait func() error, err error)
}

// enqueue begins to append entries. They are durable when recorded returns
// nil, and last is then the index of the last of them. A record that cannot do
// one without the other is waited for here.
func (c *Chat) enqueue(ctx context.Context, entries ...moothall.AuditEntry) (last uint64, recorded func() error) {
	var err error
	if q, ok := c.opt.Audit.(enqueuer); ok {
		last, recorded, err = q.Enqueue(ctx, entries...)
	} else {
		last, err = c.opt.Audit.Append(ctx, entries...)
	}
	if err != nil || recorded == nil {
		recorded = func() error { return err }
	}
	return last, recorded
}

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
