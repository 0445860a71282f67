package orchestrator

import (
	"context"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/report"
)

// Actions of a [moothall.TaskControl], beside [Retry], [Accept] and [Skip],
// which answer the question about the subtask that its words name; without
// words all questions are meant.
const (
	Pause   = "pause"   // model calls wait from the next round on
	Resume  = "resume"  // and go on
	Stop    = "stop"    // for good; what is done stays
	Approve = "approve" // the plan may run
	Edit    = "edit"    // its words are another plan, as JSON; it waits for approval as well
	Steer   = "steer"   // its words reach the next round of every agent; also the empty action
)

const (
	maxWords  = 50   // that a person says to one task
	maxWord   = 4000 // bytes of each
	opControl = "control task"
)

// Control steers a task and returns it as it is then. CodeNotFound when there
// is no such task, CodeConflict when it has ended or is not where the action
// makes sense, CodeInvalid for words that make none. A task that rests, since
// its journal could not be written, can only be stopped.
func (o *Orchestrator) Control(ctx context.Context, c moothall.TaskControl) (moothall.Task, error) {
	if c.Action == "" {
		c.Action = Steer
	}
	if t := o.find(c.ID); t != nil {
		return o.direct(ctx, t, c)
	}
	o.births.Lock()
	defer o.births.Unlock()
	if t := o.find(c.ID); t != nil { // it was being begun
		return o.direct(ctx, t, c)
	}
	row, list, err := o.journal.Load(ctx, c.ID)
	switch {
	case err != nil:
		return moothall.Task{}, err
	case journal.Ended(row.State):
		return moothall.Task{}, errEnded()
	case c.Action != Stop:
		return moothall.Task{}, &moothall.Error{Code: moothall.CodeConflict, Op: opControl, Message: "the task rests until the hall is restarted",
			Remedy: "restart the hall, or stop the task"}
	}
	return o.dismiss(ctx, c, row, list)
}

func errEnded() error { return moothall.Fail(moothall.CodeConflict, opControl, "the task has ended") }

// direct steers a task that lives.
func (o *Orchestrator) direct(ctx context.Context, t *task, c moothall.TaskControl) (moothall.Task, error) {
	if err := o.recordControl(ctx, t.session, c); err != nil {
		return moothall.Task{}, err
	}
	return t.control(ctx, c)
}

// dismiss stops a task that rests: it lives once more, for its end.
func (o *Orchestrator) dismiss(ctx context.Context, c moothall.TaskControl, row journal.Task, list []journal.Subtask) (moothall.Task, error) {
	if err := o.recordControl(ctx, row.Session, c); err != nil {
		return moothall.Task{}, err
	}
	row.Stopping, row.Updated = true, o.opt.Now().UTC()
	if err := o.journal.Apply(ctx, journal.Change{ID: row.ID, Task: &row}); err != nil {
		return moothall.Task{}, err
	}
	t := o.revive(row, list)
	if err := o.launch(t); err != nil {
		return moothall.Task{}, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.view(nil), nil
}

// recordControl puts what a person wants of a task on record.
func (o *Orchestrator) recordControl(ctx context.Context, session moothall.SessionID, c moothall.TaskControl) error {
	_, err := o.opt.Audit.Append(ctx, moothall.AuditEntry{
		Scope: moothall.Scope{Session: session}, Action: moothall.ActionSessionChange, Status: moothall.StatusOK,
		Run: moothall.RunID(c.ID), Note: report.Clip("task: "+c.Action, 100), Params: []byte(c.Words),
	})
	return err
}

func (t *task) control(ctx context.Context, c moothall.TaskControl) (moothall.Task, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case journal.Ended(t.row.State):
		return moothall.Task{}, errEnded()
	case t.halted != nil:
		return moothall.Task{}, t.halted
	}
	do := map[string]func(context.Context, string) error{
		Pause: t.pause, Resume: t.resume, Approve: t.approve, Edit: t.edit, Steer: t.steer,
		Retry: t.answerer(Retry), Accept: t.answerer(Accept), Skip: t.answerer(Skip),
		Stop: func(ctx context.Context, _ string) error { return t.ended(ctx) },
	}[c.Action]
	if do == nil {
		return moothall.Task{}, &moothall.Error{Code: moothall.CodeInvalid, Op: opControl, Message: "there is no action " + report.Clip(c.Action, 40),
			Remedy: "use pause, resume, stop, approve, edit, steer, retry, accept or skip"}
	}
	if err := do(ctx, c.Words); err != nil {
		return moothall.Task{}, err
	}
	t.rouse()
	t.tellState()
	return t.view(nil), nil
}

// halt stops the task.
func (t *task) halt() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !journal.Ended(t.row.State) {
		_ = t.ended(context.Background()) // a failure has halted the task
	}
}

// ended makes the task's work end; the lock is held. That it is to end is
// written first: a restart must not go on with it.
func (t *task) ended(ctx context.Context) error {
	t.row.Stopping = true
	if err := t.save(ctx, nil); err != nil {
		return err
	}
	t.stopping = true
	t.stop(errStopped)
	t.rouse()
	return nil
}

func (t *task) pause(ctx context.Context, _ string) error {
	if t.row.Paused {
		return nil
	}
	t.row.Paused, t.gate = true, make(chan struct{})
	return t.save(ctx, nil)
}

func (t *task) resume(ctx context.Context, _ string) error {
	if !t.row.Paused {
		return nil
	}
	t.row.Paused = false
	if err := t.save(ctx, nil); err != nil {
		return err
	}
	close(t.gate)
	return nil
}

func (t *task) approve(ctx context.Context, _ string) error {
	if t.row.State != journal.Planned {
		return moothall.Fail(moothall.CodeConflict, opControl, "no plan waits for approval")
	}
	t.row.State = journal.Running
	return t.save(ctx, nil)
}

// edit puts another plan in the place of one that waits for approval.
func (t *task) edit(ctx context.Context, words string) error {
	if t.row.State != journal.Planned {
		return moothall.Fail(moothall.CodeConflict, opControl, "no plan waits for approval")
	}
	p, problems := plan.Parse(words, plan.Rules{Types: t.o.opt.Types, Max: plan.MaxGiven})
	if len(problems) == 0 && len(p.Subtasks) == 0 {
		problems = []string{"it has no subtask"}
	}
	if len(problems) > 0 {
		return moothall.Fail(moothall.CodeInvalid, opControl, "the plan makes no sense: "+strings.Join(problems, "; "))
	}
	if err := t.take(ctx, p, true); err != nil {
		return err
	}
	t.tellPlan()
	return nil
}

func (t *task) steer(ctx context.Context, words string) error {
	words = strings.TrimSpace(words)
	switch {
	case words == "" || len(words) > maxWord:
		return moothall.Fail(moothall.CodeInvalid, opControl, "one to 4000 bytes of words are needed")
	case len(t.row.Words) >= maxWords:
		return moothall.Fail(moothall.CodeExhausted, opControl, "the task has been told enough")
	}
	t.row.Words = append(slices.Clone(t.row.Words), journal.Word{Text: strings.ToValidUTF8(words, ""), Time: t.o.opt.Now().UTC()})
	return t.save(ctx, nil)
}

// answerer answers the questions about calls of unknown outcome.
func (t *task) answerer(said string) func(context.Context, string) error {
	return func(ctx context.Context, id string) error {
		var changed []*node
		var cleared []string
		for _, n := range t.nodes {
			if n.State != journal.SubUnknown || id != "" && n.ID != id {
				continue
			}
			t.asking--
			changed = append(changed, n)
			if said != Skip {
				n.State, n.Said, n.resume = journal.SubReady, said, true
				t.enqueue(n)
				continue
			}
			n.State, n.Report, n.Ended = journal.SubFailed, report.Failure("a restart cut it off, and the person gave it up"), t.o.opt.Now().UTC()
			changed = append(changed, t.advance(n)...)
			cleared = append(cleared, n.ID)
		}
		if len(changed) == 0 {
			return moothall.Fail(moothall.CodeNotFound, opControl, "no such subtask waits for an answer")
		}
		if err := t.save(ctx, changed, cleared...); err != nil {
			return err
		}
		for _, n := range changed {
			t.tellNode(n)
		}
		return nil
	}
}
