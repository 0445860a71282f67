package moottest

import (
	"bytes"
	"context"
	"iter"
	"slices"
	"time"

	"moothall"
)

func (f brokerFace) Validate(ctx context.Context, r moothall.CallRequest) (moothall.Decision, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Decision{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	a, err := f.agent(r.Agent)
	if err != nil {
		return moothall.Decision{}, err
	}
	return f.decide(a, r), nil
}

// decide is the fake's whole policy; the lock is held.
func (b *FakeBroker) decide(a *fakeAgent, r moothall.CallRequest) moothall.Decision {
	deny := func(rule, reason string) moothall.Decision {
		return moothall.Decision{Verdict: moothall.Deny, Layer: "fake", Rule: rule, Reason: reason}
	}
	tool, ok := b.tools[r.Call.Name]
	over := b.overrides[r.Session]
	switch {
	case !ok:
		return deny("known", "there is no such tool")
	case !slices.Contains(a.Tools, r.Call.Name) && !slices.Contains(over.Grants, moothall.ToolGrant{Type: a.Type, Tool: r.Call.Name}):
		return deny("manifest", "this type of agent may not use it")
	case slices.Contains(over.Disabled, r.Call.Name):
		return deny("override", "the person switched it off")
	}
	risk := tool.Spec().Risk
	if risk != moothall.RiskWrite && risk != moothall.RiskHigh || over.Level == "all" {
		return moothall.Decision{Verdict: moothall.Allow, Layer: "fake", Rule: "manifest", Reason: "the type may use it"}
	}
	if a.unattended {
		return deny("unattended", "nobody is there to ask")
	}
	return moothall.Decision{Verdict: moothall.Ask, Layer: "fake", Rule: "risk", Reason: "it changes something", Allows: "an approval"}
}

func (f brokerFace) Execute(ctx context.Context, r moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	return func(yield func(moothall.CallProgress, error) bool) {
		d, err := f.Validate(ctx, r)
		if err != nil {
			yield(moothall.CallProgress{}, err)
			return
		}
		if d.Verdict == moothall.Ask {
			asked := f.ask(r, d)
			if !yield(moothall.CallProgress{Note: "waiting for an answer", Asked: f.shown(asked)}, nil) {
				f.settle(asked, moothall.ApproveExpired)
				return
			}
			if d, r.Call.Arguments, err = f.await(ctx, asked); err != nil {
				yield(moothall.CallProgress{}, err)
				return
			}
		}
		res, err := f.run(ctx, r, d)
		if err != nil {
			yield(moothall.CallProgress{}, err)
			return
		}
		yield(moothall.CallProgress{Result: &res}, nil)
	}
}

func (b *FakeBroker) run(ctx context.Context, r moothall.CallRequest, d moothall.Decision) (moothall.ToolResult, error) {
	if d.Verdict != moothall.Allow {
		return moothall.ToolResult{Call: r.Call.ID, Name: r.Call.Name, Status: moothall.CallDenied, Text: "denied: " + d.Reason, Decision: d}, nil
	}
	b.mu.Lock()
	tool := b.tools[r.Call.Name]
	b.mu.Unlock()
	res, err := tool.Run(ctx, moothall.ToolRun{Scope: r.Scope, Query: r.Query, Call: r.Call, Note: func(string) {}})
	res.Decision = d
	return res, err
}

func (b *FakeBroker) ask(r moothall.CallRequest, d moothall.Decision) *fakeApproval {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now().UTC()
	a := &fakeApproval{decided: make(chan struct{}), Approval: moothall.Approval{
		ID: moothall.ApprovalID(moothall.NewID()), Session: r.Session, Query: r.Query, Tool: r.Call.Name,
		Arguments: bytes.Clone(r.Call.Arguments), Reason: d, Asked: now, Expires: now.Add(time.Minute),
	}}
	if agent, ok := b.agents[r.Agent]; ok {
		a.Agent, a.Type, a.Labels = agent.ID, agent.Type, agent.Labels
	}
	b.approvals = append(b.approvals, a)
	return a
}

// shown is the question as a caller may keep it.
func (b *FakeBroker) shown(a *fakeApproval) *moothall.Approval {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := a.Approval
	c.Arguments = bytes.Clone(c.Arguments)
	return &c
}

// await waits for an answer and returns the final decision and arguments.
func (b *FakeBroker) await(ctx context.Context, a *fakeApproval) (moothall.Decision, []byte, error) {
	select {
	case <-ctx.Done():
		b.settle(a, moothall.ApproveExpired)
		return moothall.Decision{}, nil, ctx.Err()
	case <-a.decided:
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	d := a.Reason
	d.Verdict, d.Layer = moothall.Allow, "approval"
	if a.Answer == moothall.ApproveDenied {
		d.Verdict, d.Reason = moothall.Deny, "the person said no"
	}
	return d, bytes.Clone(a.Arguments), nil
}

func (b *FakeBroker) settle(a *fakeApproval, answer moothall.ApprovalAnswer) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if a.Answer == "" {
		a.Answer, a.Answered = answer, time.Now().UTC()
	}
}

func (f brokerFace) Approvals(ctx context.Context, s moothall.Scope, all bool) ([]moothall.Approval, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []moothall.Approval
	for _, a := range f.approvals {
		if (all || a.Answer == "") && (s.Session == "" || s.Session == a.Session) {
			c := a.Approval
			c.Arguments = bytes.Clone(c.Arguments)
			out = append(out, c)
		}
	}
	return out, ctx.Err()
}

func (f brokerFace) Decide(ctx context.Context, d moothall.ApprovalDecision) (moothall.Approval, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Approval{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.approvals, func(a *fakeApproval) bool { return a.ID == d.ID })
	switch {
	case i < 0:
		return moothall.Approval{}, moothall.Fail(moothall.CodeNotFound, "approval", "there is no such question")
	case f.approvals[i].Answer != "":
		return f.approvals[i].Approval, moothall.Fail(moothall.CodeConflict, "approval", "it is answered already")
	case !slices.Contains([]moothall.ApprovalAnswer{moothall.ApproveOnce, moothall.ApproveSession, moothall.ApproveDenied}, d.Answer):
		return f.approvals[i].Approval, moothall.Fail(moothall.CodeInvalid, "approval", "the answer is once, session or deny")
	}
	a := f.approvals[i]
	a.Answer, a.Answered = d.Answer, time.Now().UTC()
	if d.Arguments != nil {
		a.Arguments = bytes.Clone(d.Arguments)
	}
	close(a.decided)
	return a.Approval, nil
}
