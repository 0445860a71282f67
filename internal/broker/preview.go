package broker

import (
	"bytes"
	"context"

	"moothall"
)

// Preview says what the call of an open question would do to a file. The tool
// is asked with the folders that the call has; nothing is changed, and no
// agent sees what it says. CodeNotFound when no such question is open,
// CodeUnsupported when the tool cannot tell.
func (b *Broker) Preview(ctx context.Context, id moothall.ApprovalID) (moothall.Preview, error) {
	const op = "preview"
	b.mu.Lock()
	q := b.questions[id]
	b.mu.Unlock()
	c, args := q.asked()
	if c == nil {
		return moothall.Preview{}, moothall.Fail(moothall.CodeNotFound, op, "no such question is open")
	}
	p, ok := c.entry.tool.(moothall.Previewer)
	if !ok {
		return moothall.Preview{}, moothall.Fail(moothall.CodeUnsupported, op, string(c.name())+" cannot say what it would change")
	}
	return p.Preview(ctx, moothall.ToolRun{
		Scope: moothall.Scope{Session: c.agent.scope}, Agent: c.agent.id, Type: c.agent.kind, Query: c.about().query,
		Call:  moothall.ToolCall{ID: c.req.Call.ID, Name: c.entry.spec.Name, Arguments: args},
		Reads: c.reads, Writes: c.writes, Note: func(string) {},
	})
}

// asked returns the call of a question as it is while nobody has answered;
// with an answer it goes on, and changes.
func (q *question) asked() (c *call, args []byte) {
	if q == nil {
		return nil, nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.Answer != "" {
		return nil, nil
	}
	as := *q.call
	return &as, bytes.Clone(q.Arguments)
}
