package orchestrator

import (
	"context"
	"strings"

	"moothall"
	"moothall/internal/engine"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/prompt"
)

// makePlan asks the orchestrator's model for a plan. A plan that makes no
// sense is sent back once with the reasons.
func (t *task) makePlan(ctx context.Context, desk prompt.Desk, rules plan.Rules) (plan.Plan, error) {
	rules.Types, rules.Max = t.o.opt.Types, t.settings.Subtasks
	repaired := false
	req := t.own(ctx, prompt.Planner(), prompt.Turn(desk))
	req.Schema = plan.Schema(rules.Types)
	req.Limits.Retries = 1
	req.Check = func(_ context.Context, answer string) (engine.Verdict, error) {
		if repaired { // one repair is what there is
			return engine.Verdict{}, nil
		}
		repaired = true
		_, problems := plan.Parse(answer, rules)
		return engine.Verdict{Failed: problems}, nil
	}
	res, err := t.consult(ctx, req, "planner", func(e engine.Event) error {
		if e.Kind != engine.KindRound || e.Void != engine.VoidSchema {
			return nil
		}
		if repaired {
			return unusable("it does not have the form that was asked for")
		}
		repaired = true
		return nil
	})
	if err != nil {
		return plan.Plan{}, err
	}
	p, problems := plan.Parse(res.Answer, rules)
	if len(problems) > 0 {
		return plan.Plan{}, unusable(strings.Join(problems, "; "))
	}
	return p, nil
}

func unusable(why string) error {
	return &moothall.Error{Code: moothall.CodeUnavailable, Op: "plan",
		Message: "the model gave no usable plan: " + why, Remedy: "say it in other words, or use a larger model for the orchestrator"}
}

// own is a run of the orchestrator itself: without tools.
func (t *task) own(ctx context.Context, system, input string) engine.Request {
	t.mu.Lock()
	row := t.row
	t.mu.Unlock()
	role, complexity := roleOf(chief)
	card := t.card(ctx, role, row.Model)
	window := card.Window
	if window <= 0 {
		window = defaultWindow
	}
	return engine.Request{
		Model: &voice{t: t, heard: len(row.Words)}, Scope: t.scope(), Query: row.Query,
		Role: role, Complexity: complexity, ModelName: row.Model, Priority: moothall.PriorityTask, Window: window,
		System: system, Input: []moothall.Message{{Role: moothall.RoleUser, Content: input}},
		Abilities: engine.AbilitiesOf(card), Meter: t.o.meter, Now: t.o.opt.Now,
	}
}

// consult runs a request of the orchestrator itself and accounts for it.
func (t *task) consult(ctx context.Context, req engine.Request, who string, hear func(engine.Event) error) (*engine.Result, error) {
	var res *engine.Result
	for e, err := range engine.Run(ctx, req) {
		if err != nil {
			return nil, err
		}
		if hear != nil {
			if err := hear(e); err != nil {
				t.mu.Lock()
				defer t.mu.Unlock()
				t.spend(req.Role, req.Model.(*voice).used)
				return nil, err
			}
		}
		switch e.Kind {
		case engine.KindFinal:
			res = e.Final
		case engine.KindStatus, engine.KindThinking:
			t.show(moothall.Step{Kind: string(e.Kind), From: who, Text: e.Text})
		}
	}
	if res == nil {
		return nil, moothall.Fail(moothall.CodeInternal, who, "the run ended without a result")
	}
	t.mu.Lock()
	t.spend(req.Role, res.Usage)
	if g := req.Model.(*voice).gauge; g.Tokens > t.row.Gauge.Tokens {
		t.row.Gauge.Tokens, t.row.Gauge.Window = g.Tokens, req.Window
	}
	if res.Thinking != "" {
		t.row.Thinking = joined(t.row.Thinking, res.Thinking)
	}
	t.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case res.Err != nil:
		return nil, res.Err
	}
	return res, nil
}

func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n\n" + b
}
