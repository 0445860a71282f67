package remote

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"

	"moothall"
)

// Broker is the broker as far as a person meets it: tools, questions,
// switches. Agents are none of a guest's business.
func (c *Client) Broker() moothall.Broker { return broker{c} }

type broker struct{ c *Client }

func (b broker) Tools(ctx context.Context, _ moothall.Scope) ([]moothall.ToolSpec, error) {
	return call[[]moothall.ToolSpec](ctx, b.c, "GET", "/tools", nil)
}

func (b broker) Approvals(ctx context.Context, s moothall.Scope, all bool) ([]moothall.Approval, error) {
	return call[[]moothall.Approval](ctx, b.c, "GET", with("/approvals", url.Values{"session_id": {string(s.Session)}, "all": {flag(all)}}), nil)
}

func (b broker) Decide(ctx context.Context, d moothall.ApprovalDecision) (moothall.Approval, error) {
	body := map[string]any{"answer": d.Answer}
	if len(d.Arguments) > 0 {
		body["arguments"] = json.RawMessage(d.Arguments)
	}
	return call[moothall.Approval](ctx, b.c, "POST", at("approvals", string(d.ID)), body)
}

func (b broker) Override(ctx context.Context, s moothall.Scope, o moothall.Overrides) (moothall.Overrides, error) {
	return call[moothall.Overrides](ctx, b.c, "PUT", at("sessions", string(s.Session), "overrides"), o)
}

func (broker) Spawn(context.Context, moothall.SpawnRequest) (moothall.Agent, error) {
	return moothall.Agent{}, notOffered("spawn")
}

func (broker) Finish(context.Context, moothall.Scope, moothall.Handle) error {
	return notOffered("finish")
}

func (broker) Discover(context.Context, moothall.DiscoverRequest) ([]moothall.ToolSpec, error) {
	return nil, notOffered("discover")
}

func (broker) Validate(context.Context, moothall.CallRequest) (moothall.Decision, error) {
	return moothall.Decision{}, notOffered("validate")
}

func (broker) Execute(context.Context, moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return refuse[moothall.CallProgress]("execute")
}

func (broker) ProviderKey(context.Context, moothall.KeyRequest) (moothall.Secret, error) {
	return moothall.Secret{}, notOffered("provider key")
}
