package orchestrator

import (
	"context"
	"iter"
	"slices"
	"sync"

	"moothall"
	"moothall/internal/orchestrator/journal"
)

// maxWaiting is how many steps wait for somebody who watches slowly; beyond
// it those that only entertain are dropped.
const maxWaiting = 1024

// listener is somebody who watches a task.
type listener struct {
	mu    sync.Mutex
	steps []moothall.Step
	over  bool
	err   error
	news  chan struct{} // holds one token
}

// hear takes a step in, and makes room where there is none.
func (l *listener) hear(s moothall.Step) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.steps) >= maxWaiting {
		l.steps = slices.DeleteFunc(l.steps, func(s moothall.Step) bool { return s.Kind == "status" || s.Kind == "thinking" })
		if len(l.steps) >= 8*maxWaiting { // nobody is there
			l.steps = slices.Delete(l.steps, 0, maxWaiting)
		}
	}
	l.steps = append(l.steps, s)
	l.ring()
}

func (l *listener) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over, l.err = true, err
	l.ring()
}

func (l *listener) ring() {
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// next waits for steps.
func (l *listener) next(ctx context.Context) (steps []moothall.Step, over bool, err error) {
	for {
		l.mu.Lock()
		steps, over, err = l.steps, l.over, l.err
		l.steps = nil
		l.mu.Unlock()
		if len(steps) > 0 || over {
			return steps, over, err
		}
		select {
		case <-l.news:
		case <-ctx.Done():
			return nil, true, ctx.Err()
		}
	}
}

// Watch streams what happens in a task: first the whole task, then each
// change, and what its agents do under their subtask's name. The last step of
// a task that ends is the whole task again. CodeNotFound when there is none;
// CodeUnavailable when the hall goes down meanwhile.
func (o *Orchestrator) Watch(ctx context.Context, id moothall.TaskID) iter.Seq2[moothall.Step, error] {
	return func(yield func(moothall.Step, error) bool) {
		t := o.find(id)
		if t == nil {
			list, err := o.Tasks(ctx, id)
			if err != nil {
				yield(moothall.Step{}, err)
				return
			}
			yield(moothall.Step{Kind: "task", Task: &list[0]}, nil)
			return
		}
		l := t.listen()
		defer t.leave(l)
		for {
			steps, over, err := l.next(ctx)
			for _, s := range steps {
				if !yield(s, nil) {
					return
				}
			}
			if err != nil {
				yield(moothall.Step{}, err)
			}
			if over {
				return
			}
		}
	}
}

// listen begins with the task as it is.
func (t *task) listen() *listener {
	l := &listener{news: make(chan struct{}, 1)}
	t.mu.Lock()
	defer t.mu.Unlock()
	whole := t.view(nil)
	l.hear(moothall.Step{Kind: "task", Text: whole.State, Task: &whole})
	if journal.Ended(t.row.State) || t.quiet {
		l.over, l.err = true, t.quietErr
		return l
	}
	t.listeners[l] = true
	return l
}

func (t *task) leave(l *listener) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.listeners, l)
}

// show passes a step to who watches.
func (t *task) show(s moothall.Step) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for l := range t.listeners {
		l.hear(s)
	}
}

// silence ends the watching.
func (t *task) silence(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if journal.Ended(t.row.State) {
		err = nil
	}
	t.quiet, t.quietErr = true, err
	for l := range t.listeners {
		l.end(err)
	}
	clear(t.listeners)
}

// tellPlan shows a plan before it runs; the lock is held.
func (t *task) tellPlan() {
	whole := t.view(nil)
	for l := range t.listeners {
		l.hear(moothall.Step{Kind: "task", Text: "planned", Task: &whole})
	}
	t.publish(moothall.SubjectTaskPlanned, "plan."+itoa(t.row.Revision), whole)
}

// stepEvent is the payload of task.step.
type stepEvent struct {
	Task    moothall.TaskID `json:"task_id"`
	State   string          `json:"state"`
	Subtask SubtaskView     `json:"subtask"`
	Tokens  TokenView       `json:"tokens"`
}

// tellNode shows a change of a node; the lock is held.
func (t *task) tellNode(n *node) {
	if len(t.listeners) > 0 {
		part := t.view([]*node{n})
		for l := range t.listeners {
			l.hear(moothall.Step{Kind: "task", From: n.ID, Text: n.State, Task: &part})
		}
	}
	t.publish(moothall.SubjectTaskStep, n.ID+"."+itoa(n.Attempt)+"."+n.State, stepEvent{
		Task: t.id, State: t.stateWord(), Subtask: n.view(), Tokens: TokenView{Used: t.row.Tokens, Budget: shownBudget(t.budget())},
	})
}

// tellState shows that the task itself has changed; the lock is held.
func (t *task) tellState() {
	whole := t.view(nil)
	for l := range t.listeners {
		l.hear(moothall.Step{Kind: "task", Text: whole.State, Task: &whole})
	}
}

// tellEnd shows the end; the lock is held.
func (t *task) tellEnd(ctx context.Context) {
	whole := t.view(nil)
	for l := range t.listeners {
		l.hear(moothall.Step{Kind: "task", Text: whole.State, Task: &whole})
	}
	t.publish(moothall.SubjectTaskFinished, "end", whole)
	status := moothall.StatusOK
	if t.row.State == journal.Failed || t.row.State == journal.Stopped {
		status = moothall.StatusFailed
	}
	t.record(ctx, moothall.ActionModelCall, status)
	t.record(ctx, moothall.ActionRunEnd, status)
}

// record puts the task's end on record. The intent is there already.
func (t *task) record(ctx context.Context, action moothall.AuditAction, status moothall.AuditStatus) {
	e := moothall.AuditEntry{
		Scope: t.scope(), Action: action, Status: status, Query: t.row.Query, Run: moothall.RunID(t.id), AgentType: chief, Agent: t.root.ID,
	}
	if action == moothall.ActionModelCall {
		e.Call = moothall.CallID(t.id)
	}
	if _, err := t.o.opt.Audit.Append(context.WithoutCancel(ctx), e); err != nil {
		t.o.opt.Logger.Error("a task's end is not on record", "task", t.id, "err", err)
	}
}

// publish says what happened. Its id is the same when it is said again after
// a crash. The bus is not the record: a task goes on when it cannot be heard.
func (t *task) publish(s moothall.Subject, key string, payload any) {
	if t.o.events == nil {
		return
	}
	e, err := moothall.NewEvent(s, payload)
	if err == nil {
		e.ID = moothall.EventID(string(t.id) + "." + key)
		e.Time = t.o.opt.Now().UTC()
		e.Session, e.Query, e.Correlation, e.Lineage, e.Sender = t.session, t.row.Query, string(t.id), t.root.Lineage, moothall.Orchestrator
		t.o.events.Push(e)
	}
	if err != nil {
		t.o.opt.Logger.Warn("an event could not be made", "subject", s, "err", err)
	}
}
