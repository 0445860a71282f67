package broker

import (
	"bytes"
	"context"

	"moothall"
	"moothall/internal/policy"
)

// Past is a call that was made once, by an agent that has ended.
type Past struct {
	Session moothall.SessionID
	Type    moothall.AgentType
	Call    moothall.ToolCall
	Labels  moothall.Label // of the run, before the call
}

// Reconsider says what another manifest would decide about a call that was
// made once. It changes nothing. Whoever was above the agent, what a person
// had approved and how often the agent had called do not come into it.
func (b *Broker) Reconsider(ctx context.Context, m policy.Manifest, p Past) (moothall.Decision, error) {
	if err := b.enter(); err != nil {
		return moothall.Decision{}, err
	}
	defer b.work.Done()
	cat := b.catalog.Load()
	rules := policy.Compile(m, cat.specs())
	authority, refused := rules.Root(p.Type)
	if refused.Verdict == moothall.Deny {
		return refused, nil
	}
	s, err := b.openSession(ctx, string(p.Session), false)
	if err != nil {
		return moothall.Decision{}, err
	}
	defer b.leaveSession(s)
	c := &call{
		agent: &agent{kind: p.Type, session: s, authority: authority, labels: p.Labels}, rules: rules, entry: cat.names[p.Call.Name],
		req: moothall.CallRequest{Scope: moothall.Scope{Session: p.Session}, Call: p.Call},
	}
	c.req.Call.Arguments = bytes.Clone(p.Call.Arguments)
	c.facts = policy.Call{Agent: authority, Name: p.Call.Name, Labels: p.Labels, Lineage: true}
	if c.entry != nil {
		c.facts.Tool = &c.entry.spec
		c.reads, c.writes = rules.Roots(authority, &c.entry.spec, c.facts.Overrides)
	}
	b.read(c)
	return rules.Decide(&c.facts), nil
}
