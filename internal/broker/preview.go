package broker

import (
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
	if q == nil {
		return moothall.Preview{}, moothall.Fail(moothall.CodeNotFound, op, "no such question is open")
	}
	q.mu.Lock() // an answer may change the arguments
	args := append([]byte(nil), q.Arguments...)
	q.mu.Unlock()
	c := q.call
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
