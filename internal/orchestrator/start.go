package orchestrator

import (
	"context"
	"strings"
	"unicode/utf8"

	"moothall"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/plan"
)

// maxGoal bounds what a person asks for, in bytes.
const maxGoal = 100_000

// Start begins a task and returns it as it is then. It goes on whatever
// becomes of ctx. CodeInvalid for a goal without words or a plan that makes
// no sense.
func (o *Orchestrator) Start(ctx context.Context, g Goal) (moothall.Task, error) {
	t, err := o.begin(ctx, g)
	if err != nil {
		return moothall.Task{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.view(nil), nil
}

func (o *Orchestrator) begin(ctx context.Context, g Goal) (*task, error) {
	if err := o.refuse(&g); err != nil {
		return nil, err
	}
	if g.Words == "" && g.Labels == 0 {
		g.Words = g.Text
	}
	now := o.opt.Now().UTC()
	s := o.Settings()
	row := journal.Task{
		ID: moothall.TaskID(moothall.NewID()), Session: g.Session, Query: g.Query, Goal: g.Text, Typed: g.Words, Talk: talked(g.History), Model: g.Model,
		Labels: g.Labels, Unattended: g.Unattended, Approve: s.ApprovePlan == ApproveAsk && g.Plan == nil, Given: g.Plan != nil,
		State: journal.Planning, Created: now, Updated: now,
	}
	note := ""
	if g.Override != nil && g.Override.Level != "" {
		note = "override " + g.Override.Level
	}
	if _, err := o.opt.Audit.Append(ctx, moothall.AuditEntry{
		Scope: moothall.Scope{Session: g.Session}, Action: moothall.ActionModelCall, Status: moothall.StatusIntent, Query: g.Query,
		Run: moothall.RunID(row.ID), Call: moothall.CallID(row.ID), AgentType: chief, Note: note,
	}); err != nil {
		return nil, err
	}
	o.births.RLock()
	defer o.births.RUnlock()
	if err := o.journal.Apply(ctx, journal.Change{ID: row.ID, New: true, Task: &row}); err != nil {
		return nil, err
	}
	t := o.revive(row, nil)
	t.stop = func(error) {}
	if g.Plan != nil {
		if err := t.adopt(ctx, *g.Plan); err != nil {
			return nil, err
		}
	}
	return t, o.launch(t)
}

// refuse says why a goal cannot be a task.
func (o *Orchestrator) refuse(g *Goal) error {
	const op = "task"
	switch {
	case strings.TrimSpace(g.Text) == "":
		return moothall.Fail(moothall.CodeInvalid, op, "the goal is empty")
	case len(g.Text) > maxGoal:
		return moothall.Fail(moothall.CodeTooLarge, op, "the goal is longer than 100,000 bytes")
	case !utf8.ValidString(g.Text):
		return moothall.Fail(moothall.CodeInvalid, op, "the goal is not text")
	case g.Session != "" && !moothall.ValidToken(string(g.Session)):
		return moothall.Fail(moothall.CodeInvalid, op, "a session's name has letters, digits, - and _ only, 64 at most")
	case g.Plan == nil:
		return nil
	}
	p := *g.Plan
	if problems := plan.Validate(p, plan.Rules{Types: o.opt.Types, Max: plan.MaxGiven}); len(problems) > 0 {
		return moothall.Fail(moothall.CodeInvalid, op, "the plan makes no sense: "+strings.Join(problems, "; "))
	}
	return nil
}

// Outcome is what came of a task, as whoever answers a person's query needs
// it.
type Outcome struct {
	Answer   string
	Thinking string
	Calls    []moothall.CalledTool // of all agents, in the order of their subtasks
	Labels   moothall.Label
	Sent     []moothall.Egress
	Usage    moothall.Usage
	ByRole   map[moothall.ModelRole]moothall.Usage
	Stop     moothall.StopReason
	Flags    []string
	Task     moothall.Task
	// Err is why nothing was answered.
	Err error
}

// Do starts a task, passes its steps on and returns its outcome. When ctx
// ends the task is stopped, unless the orchestrator is closed: whoever ends
// the hall must close it before ending its callers. The error is for a task
// that could not begin, or did not end.
func (o *Orchestrator) Do(ctx context.Context, g Goal, say func(moothall.Step)) (*Outcome, error) {
	t, err := o.begin(ctx, g)
	if err != nil {
		return nil, err
	}
	for s, err := range o.Watch(ctx, t.id) {
		if err != nil {
			break
		}
		if say != nil {
			say(s)
		}
	}
	if ctx.Err() != nil && o.life.Err() == nil {
		t.halt()
	}
	<-t.done
	return t.sum()
}

// sum is the outcome of a task that lives no longer.
func (t *task) sum() (*Outcome, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !journal.Ended(t.row.State) {
		if t.halted != nil {
			return nil, t.halted
		}
		return nil, &moothall.Error{Code: moothall.CodeInterrupted, Op: "task", Message: "the hall went down; the task goes on when it is up again"}
	}
	out := &Outcome{
		Answer: t.row.Answer, Thinking: t.row.Thinking, Labels: t.row.Labels, Sent: t.row.Sent, ByRole: t.row.ByRole,
		Stop: t.row.Stop, Flags: t.row.Flags, Task: t.view(nil),
	}
	for _, u := range t.row.ByRole {
		out.Usage = out.Usage.Plus(u)
	}
	for _, n := range t.nodes {
		out.Calls = append(out.Calls, n.Calls...)
	}
	if t.row.Problem != "" {
		out.Err = &moothall.Error{Code: t.row.Code, Op: "task", Message: t.row.Problem}
	}
	return out, nil
}

// maxListing is how many tasks a list has.
const maxListing = 100

// Tasks lists tasks, newest first, or the one named. CodeNotFound when there
// is none of that name. A list has no plans and results.
func (o *Orchestrator) Tasks(ctx context.Context, id moothall.TaskID) ([]moothall.Task, error) {
	if id != "" {
		t, err := o.look(ctx, id)
		if err != nil {
			return nil, err
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		return []moothall.Task{t.view(nil)}, nil
	}
	ids, err := o.journal.List(ctx, false, maxListing)
	if err != nil {
		return nil, err
	}
	out := make([]moothall.Task, 0, len(ids))
	for _, id := range ids {
		t, err := o.look(ctx, id)
		if err != nil {
			return nil, err
		}
		t.mu.Lock()
		v := t.view([]*node{})
		t.mu.Unlock()
		v.Plan, v.Result = nil, nil
		out = append(out, v)
	}
	return out, nil
}

// look returns a task that lives, or one as the journal has it.
func (o *Orchestrator) look(ctx context.Context, id moothall.TaskID) (*task, error) {
	if t := o.find(id); t != nil {
		return t, nil
	}
	row, list, err := o.journal.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	return o.revive(row, list), nil
}
