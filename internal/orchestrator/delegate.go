package orchestrator

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/prompt"
	"moothall/internal/orchestrator/report"
)

// delegate is the one tool that is the orchestrator's own: an agent hands a
// piece of its work to another, below it. It has no effect but the spawn,
// which the broker decides on and records.
const delegate moothall.ToolName = "delegate"

// deputies is which types an agent may hand work to, where Options name no
// others. The broker has the last word.
func deputies() map[moothall.AgentType][]moothall.AgentType {
	return map[moothall.AgentType][]moothall.AgentType{
		assistant: {researcher}, coder: {researcher}, sysadmin: {coder},
	}
}

// delegateSpec describes the tool to an agent.
func delegateSpec(to []moothall.AgentType) moothall.ToolSpec {
	params := marshal(map[string]any{
		"type": "object", "additionalProperties": false, "required": []string{"agent_type", "task"},
		"properties": map[string]any{
			"agent_type": map[string]any{"type": "string", "enum": to},
			"task":       map[string]any{"type": "string", "minLength": 1, "maxLength": 4000, "description": "all that the other agent needs to know"},
		},
	})
	return moothall.ToolSpec{
		Name: delegate, Parameters: params, Risk: moothall.RiskNone, Origin: "built-in",
		Description: "Hands a piece of your work to another agent and returns its report. It sees nothing but the task that you write.",
	}
}

// deputy is the broker as an agent sees it that may hand work on.
type deputy struct {
	moothall.Broker
	s     *shift
	agent moothall.Agent
	under moothall.CallID // the call by which this agent was itself called
	above *deputy         // who handed the work on; nil when that is the subtask's own agent
	good  int             // calls that ended well, of this agent and all below it
	web   bool            // one of them looked at the web
}

// Execute runs a call; delegate runs an agent.
func (d *deputy) Execute(ctx context.Context, r moothall.CallRequest) iter.Seq2[moothall.CallProgress, error] {
	if r.Call.Name != delegate {
		return d.Broker.Execute(ctx, r)
	}
	return func(yield func(moothall.CallProgress, error) bool) {
		res, err := d.hand(ctx, r.Call)
		if err != nil {
			yield(moothall.CallProgress{}, err)
			return
		}
		res.Call, res.Name = r.Call.ID, delegate
		yield(moothall.CallProgress{Result: &res}, nil)
	}
}

// hand gives a task to a new agent below this one. What it may do is the
// intersection of all above it: the broker sees to that.
func (d *deputy) hand(ctx context.Context, c moothall.ToolCall) (moothall.ToolResult, error) {
	var a struct {
		Type moothall.AgentType `json:"agent_type"`
		Task string             `json:"task"`
	}
	if err := json.Unmarshal(c.Arguments, &a); err != nil || a.Task == "" {
		return moothall.ToolResult{Status: moothall.CallFailed, Text: "agent_type and task are needed"}, nil
	}
	t := d.s.t
	child, err := t.o.opt.Broker.Spawn(ctx, moothall.SpawnRequest{
		Scope: moothall.Scope{Session: t.session, Lineage: d.agent.Lineage}, Parent: d.agent.Handle, Type: a.Type,
		Query: t.row.Query, Task: t.id, Unattended: t.row.Unattended,
	})
	switch {
	case ctx.Err() != nil:
		return moothall.ToolResult{}, ctx.Err()
	case moothall.ErrorCode(err) == moothall.CodeDenied || moothall.ErrorCode(err) == moothall.CodeNotFound:
		return moothall.ToolResult{Status: moothall.CallDenied, Text: safe(err)}, nil
	case err != nil:
		return moothall.ToolResult{Status: moothall.CallUnavailable, Text: safe(err)}, nil
	}
	defer t.release(ctx, child)
	under := d.under
	if under == "" {
		under = c.ID
	}
	next := &deputy{Broker: t.o.opt.Broker, s: d.s, agent: child, under: under}
	if d.under != "" {
		next.above = d
	}
	return next.work(ctx, a.Type, a.Task)
}

// work runs the agent and returns its report, and nothing else of it.
func (d *deputy) work(ctx context.Context, kind moothall.AgentType, task string) (moothall.ToolResult, error) {
	req, err := d.request(ctx, kind, task)
	if err != nil {
		return moothall.ToolResult{Status: moothall.CallUnavailable, Text: safe(err)}, nil
	}
	var out moothall.ToolResult
	begun := map[moothall.CallID]moothall.ToolCall{}
	for e, err := range engine.Run(ctx, req) {
		if err != nil {
			return out, err
		}
		if err := d.hear(ctx, e, kind, begun, &out); err != nil {
			return out, err
		}
		if e.Kind == engine.KindFinal {
			return d.finish(ctx, e.Final, out)
		}
	}
	return out, moothall.Fail(moothall.CodeInternal, "delegate", "the run ended without a result")
}

func (d *deputy) request(ctx context.Context, kind moothall.AgentType, task string) (engine.Request, error) {
	s, t := d.s, d.s.t
	role, complexity := roleOf(kind)
	card := t.card(ctx, role, t.row.Model)
	window := card.Window
	if window <= 0 {
		window = defaultWindow
	}
	scope := moothall.Scope{Session: t.session, Lineage: d.agent.Lineage}
	tools, err := t.o.opt.Broker.Discover(ctx, moothall.DiscoverRequest{Scope: scope, Agent: d.agent.Handle, Task: task, Window: window, Limit: card.Offer})
	if err != nil {
		return engine.Request{}, err
	}
	if to := t.o.opt.Deputies[kind]; len(to) > 0 {
		tools = append(tools, delegateSpec(to))
	}
	for _, spec := range tools {
		if _, known := s.specs[spec.Name]; !known {
			s.specs[spec.Name] = spec
		}
	}
	return engine.Request{
		Model: s.voice, Broker: d, Handle: d.agent.Handle, Scope: scope, Query: t.row.Query,
		Role: role, Complexity: complexity, ModelName: t.row.Model, Priority: moothall.PriorityTask, Window: window,
		System: prompt.Agent(kind), Input: []moothall.Message{{Role: moothall.RoleUser, Content: prompt.Assignment(prompt.Work{Task: task})}},
		Tools: tools, Abilities: engine.AbilitiesOf(card), Schema: report.Schema(),
		Limits: engine.Limits{Rounds: t.settings.Rounds, Tokens: s.tokensBelow(), Time: time.Duration(t.settings.Minutes) * time.Minute},
		Meter:  t.o.meter, Now: s.voice.now,
	}, nil
}

// hear takes an event of the run below. Its calls are written down as those
// of the call that it stands for.
func (d *deputy) hear(ctx context.Context, e engine.Event, kind moothall.AgentType, begun map[moothall.CallID]moothall.ToolCall, out *moothall.ToolResult) error {
	s := d.s
	switch e.Kind {
	case engine.KindCall:
		begun[e.Call.ID] = *e.Call
		if harmless(s.spec(e.Call.Name)) || e.Call.Name == delegate {
			break
		}
		if err := s.t.o.journal.Append(context.WithoutCancel(ctx), s.t.id, s.n.ID, journal.Work{Begun: e.Call, Under: d.under}); err != nil {
			s.t.mu.Lock()
			defer s.t.mu.Unlock()
			return s.t.broken(err)
		}
	case engine.KindResult:
		s.gather(begun[e.Result.Call], e.Result)
		d.weigh(begun[e.Result.Call], e.Result)
		out.Labels |= e.Result.Labels
		out.Sent = moothall.SumEgress(out.Sent, e.Result.Sent...)
		if begun[e.Result.Call].Name != delegate {
			s.round.Sent = moothall.SumEgress(s.round.Sent, e.Result.Sent...)
		}
	case engine.KindRound:
		s.round.Usage = s.round.Usage.Plus(e.Usage)
		return nil
	case engine.KindDelta, engine.KindRethink, engine.KindInterim, engine.KindFinal:
		return nil
	}
	s.t.show(moothall.Step{
		Kind: shown(e.Kind), From: s.n.ID + "/" + string(kind), Text: e.Text, Call: e.Call, Asked: e.Asked, Result: e.Result, Recall: e.Recall,
	})
	return nil
}

// weigh counts a call as evidence for what this agent and all above it claim.
// Handing work on is none: what counts is what was done below.
func (d *deputy) weigh(c moothall.ToolCall, r *moothall.ToolResult) {
	if r.Status != moothall.CallOK || c.Name == delegate {
		return
	}
	for web := looksOut(d.s.spec(c.Name)); d != nil; d = d.above {
		d.good++
		d.web = d.web || web
	}
}

// finish gives the report of the agent below to the one above.
func (d *deputy) finish(ctx context.Context, res *engine.Result, out moothall.ToolResult) (moothall.ToolResult, error) {
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	r, err := report.Parse(res.Answer)
	switch {
	case res.Err != nil:
		r = report.Failure("the model could not answer: " + safe(res.Err))
	case err != nil:
		r = report.Failure("the agent gave no report in the form that is asked for")
	}
	r.Candidates = []string{} // only who answers to the orchestrator proposes
	r, _ = r.Against(report.Evidence{Tools: d.good, Web: d.web, Early: res.Stop != moothall.StopDone})
	out.Status, out.Text, out.Data = moothall.CallOK, string(marshal(r)), marshal(r)
	if r.Status == report.Failed {
		out.Status = moothall.CallFailed
	}
	return out, nil
}
