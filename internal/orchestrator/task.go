package orchestrator

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"moothall"
	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/prompt"
)

// task is one living task.
type task struct {
	o        *Orchestrator
	id       moothall.TaskID
	session  moothall.SessionID
	settings Settings // of when it began to live
	stop     context.CancelCauseFunc
	wake     chan struct{} // holds one token
	done     chan struct{} // closed when it lives no longer
	cards    cards

	mu         sync.Mutex // held while a change is written
	row        journal.Task
	nodes      []*node
	byID       map[string]*node
	queue      []*node // ready, in the plan's order
	claims     []*node // running by the journal, and not begun yet
	finished   []*node // in the order of their ends
	running    int
	asking     int           // open questions
	gate       chan struct{} // closed while the task is not paused
	stopping   bool
	halted     error // its journal cannot be written
	quiet      bool  // nobody is told anything any more
	quietErr   error
	root       moothall.Agent
	listeners  map[*listener]bool
	unnoted    int // bytes of results that are not in the notes
	compacting chan struct{}
	purse      *atomic.Int64 // tokens of all tasks of the session
	told       int           // of them, by this one

	sending moothall.Sending // what left this machine, other than by tools
}

// node is a subtask in a living task.
type node struct {
	journal.Subtask
	after  []*node // those that wait for it
	waits  int     // for so many
	resume bool    // it was running when the hall went down
	live   int     // tokens that are not in its usage yet
	// claimed: that it runs was written together with another's end.
	claimed bool
}

// used is how many tokens the subtask has taken; the task's lock is held.
func (n *node) used() int { return n.Usage.PromptTokens + n.Usage.OutputTokens + n.live }

// errStopped is why the work of a task ends that a person stopped.
var errStopped = moothall.Fail(moothall.CodeCanceled, "task", "it was stopped")

// revive makes a living task of what the journal has.
func (o *Orchestrator) revive(row journal.Task, list []journal.Subtask) *task {
	t := &task{
		o: o, id: row.ID, session: row.Session, settings: o.Settings(), row: row,
		wake: make(chan struct{}, 1), done: make(chan struct{}), byID: make(map[string]*node, len(list)),
		listeners: map[*listener]bool{}, gate: make(chan struct{}),
	}
	if !row.Paused {
		close(t.gate)
	}
	t.stopping = row.Stopping
	for i := range list {
		t.add(&node{Subtask: list[i]})
	}
	t.recall()
	t.connect(t.nodes)
	return t
}

// add takes a node in; connect must follow.
func (t *task) add(n *node) {
	n.Place = len(t.nodes)
	t.nodes = append(t.nodes, n)
	t.byID[n.ID] = n
}

// recall puts the nodes that have ended into the order of their ends.
func (t *task) recall() {
	for _, n := range t.nodes {
		if journal.SubEnded(n.State) {
			t.finished = append(t.finished, n)
		}
	}
	slices.SortFunc(t.finished, func(a, b *node) int { return a.End - b.End })
	for _, n := range t.finished[min(t.row.Noted, len(t.finished)):] {
		t.unnoted += n.size()
	}
}

// connect ties new nodes to what they wait for, and puts those that wait for
// nothing into the queue.
func (t *task) connect(fresh []*node) {
	for _, n := range fresh {
		if journal.SubEnded(n.State) {
			continue
		}
		for _, d := range n.DependsOn {
			if before := t.byID[d]; before != nil && !t.met(before) {
				n.waits++
				before.after = append(before.after, n)
			}
		}
		switch n.State {
		case journal.SubUnknown:
			t.asking++
		case journal.SubRunning:
			n.resume = true
			t.queue = append(t.queue, n)
		default:
			if n.waits == 0 {
				n.State = journal.SubReady
				t.queue = append(t.queue, n)
			}
		}
	}
}

// met reports whether nobody needs to wait for a node: it is done, and who
// was to look at it has.
func (t *task) met(n *node) bool {
	if n.State != journal.SubDone {
		return false
	}
	v := t.byID[n.Verifier]
	return v == nil || journal.SubEnded(v.State)
}

// rouse makes the task look at its state.
func (t *task) rouse() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// rest waits until there is something to look at. It returns false when the
// task is to end.
func (t *task) rest(ctx context.Context) bool {
	select {
	case <-t.wake:
		return true
	case <-ctx.Done():
		return false
	}
}

// save writes the task and some of its nodes as they are now, in one
// transaction; the lock is held. When it cannot, the task goes no further:
// what is in memory would be ahead of the record.
func (t *task) save(ctx context.Context, nodes []*node, clear ...string) error {
	return t.write(ctx, journal.Change{Clear: clear}, nodes)
}

func (t *task) write(ctx context.Context, c journal.Change, nodes []*node) error {
	if t.halted != nil {
		return t.halted
	}
	t.row.Updated = t.o.opt.Now().UTC()
	t.row.Sent = moothall.SumEgress(t.row.Sent, t.sending.Take()...)
	row := t.row
	c.ID, c.Task = t.id, &row
	for _, n := range nodes {
		c.Subtasks = append(c.Subtasks, n.Subtask)
	}
	if err := t.o.journal.Apply(context.WithoutCancel(ctx), c); err != nil {
		return t.broken(err)
	}
	return nil
}

// broken ends the task's work; the lock is held.
func (t *task) broken(err error) error {
	if t.halted == nil {
		t.halted = &moothall.Error{Code: moothall.ErrorCode(err), Op: "task", Message: "the task cannot go on: its journal cannot be written",
			Remedy: "it goes on after a restart", Err: err}
		t.stop(t.halted)
	}
	t.rouse()
	return t.halted
}

// live is the life of a task, until it has ended or the hall does.
func (t *task) live(ctx context.Context) {
	err := t.work(ctx)
	t.mu.Lock()
	if err == nil && !journal.Ended(t.row.State) {
		err = errClosed()
	}
	if t.halted != nil {
		err = t.halted
	}
	root := t.root
	t.mu.Unlock()
	if err != nil && t.o.life.Err() == nil {
		t.o.opt.Logger.Error("a task does not go on", "task", t.id, "err", err)
	}
	t.release(ctx, root)
	t.o.retire(t) // whoever sees its end does not find it among the living
	close(t.done)
	t.silence(err)
}

// finishing is how long clean-up at a peer may take.
const finishing = 10 * time.Second

// release ends an agent, whatever became of the caller.
func (t *task) release(ctx context.Context, a moothall.Agent) {
	if a.Handle == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishing)
	defer cancel()
	err := t.o.opt.Broker.Finish(ctx, moothall.Scope{Session: t.session, Lineage: a.Lineage}, a.Handle)
	if err != nil && t.o.life.Err() == nil {
		t.o.opt.Logger.Warn("an agent could not be ended", "agent", a.ID, "err", err)
	}
}

// work takes the task from where it is to its end. An error means that it
// stays where it is.
func (t *task) work(ctx context.Context) error {
	if err := t.arrive(ctx); err != nil {
		return t.over(ctx, err)
	}
	for _, step := range []func(context.Context) error{t.decompose, t.await, t.perform, t.conclude} {
		if err := step(ctx); err != nil {
			return t.over(ctx, err)
		}
	}
	return nil
}

// over ends a task that a person stopped, or that cannot be done. Where the
// hall itself goes down, or nothing can be written, it stays as it is.
func (t *task) over(ctx context.Context, err error) error {
	t.mu.Lock()
	stopped, halted := t.stopping, t.halted
	t.mu.Unlock()
	switch {
	case halted != nil:
		return halted
	case stopped:
		return t.fail(ctx, journal.Stopped, errStopped)
	case t.o.life.Err() != nil:
		return errClosed()
	}
	return t.fail(ctx, journal.Failed, err)
}

// arrive gets the orchestrator's own agent at the broker. All subagents are
// below it.
func (t *task) arrive(ctx context.Context) error {
	t.mu.Lock()
	row := t.row
	t.mu.Unlock()
	words := row.Typed
	for _, w := range row.Words {
		words += "\n" + w.Text
	}
	purse, err := t.o.purse(ctx, row.Session)
	if err != nil {
		return err
	}
	a, err := t.o.opt.Broker.Spawn(ctx, moothall.SpawnRequest{
		Scope: moothall.Scope{Session: row.Session}, Type: chief, Query: row.Query, Task: row.ID,
		Words: words, Labels: row.Labels, Unattended: row.Unattended,
	})
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.root, t.purse, t.told = a, purse, row.Tokens
	t.tell()
	return nil
}

// scope is on whose behalf the orchestrator itself speaks.
func (t *task) scope() moothall.Scope {
	return moothall.Scope{Session: t.session, Lineage: t.root.Lineage}
}

// decompose makes the plan, unless there is one.
func (t *task) decompose(ctx context.Context) error {
	t.mu.Lock()
	planning, goal := t.row.State == journal.Planning, t.row.Goal
	t.mu.Unlock()
	if !planning {
		return nil
	}
	var p plan.Plan
	if plan.Simple(goal) {
		p = plan.Plan{Subtasks: []plan.Subtask{{ID: "answer", Type: assistant, Task: goal, DependsOn: []string{}, Inputs: []string{}}}}
	} else {
		var err error
		if p, err = t.makePlan(ctx, t.desk(ctx, prompt.AskPlan(goal)), plan.Rules{}); err != nil {
			return err
		}
	}
	return t.adopt(ctx, p)
}

// adopt makes a plan the task's own, and shows it before it runs.
func (t *task) adopt(ctx context.Context, p plan.Plan) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.take(ctx, p, t.row.Approve); err != nil {
		return err
	}
	t.tellPlan()
	return nil
}

// take writes a first plan; the lock is held.
func (t *task) take(ctx context.Context, p plan.Plan, ask bool) error {
	drop := len(t.nodes) > 0
	t.nodes, t.queue = nil, nil
	clear(t.byID)
	t.row.State = journal.Running
	if ask {
		t.row.State = journal.Planned
	}
	if t.row.Direct = len(p.Subtasks) == 0; t.row.Direct {
		t.row.State, t.row.Answer = journal.Running, p.Direct
	}
	t.row.Revision++
	var fresh []*node
	for _, s := range p.Subtasks {
		s.DependsOn, s.Inputs = listed(s.DependsOn), listed(s.Inputs) // a program may leave them out
		n := &node{Subtask: journal.Subtask{Subtask: s, State: journal.SubPending, Revision: t.row.Revision}}
		t.add(n)
		fresh = append(fresh, n)
	}
	t.connect(fresh)
	return t.write(ctx, journal.Change{Drop: drop}, fresh)
}

// await waits for a person's yes to the plan.
func (t *task) await(ctx context.Context) error {
	for {
		t.mu.Lock()
		waiting := t.row.State == journal.Planned
		t.mu.Unlock()
		if !waiting {
			return nil
		}
		if !t.rest(ctx) {
			return context.Cause(ctx)
		}
	}
}

// pass waits while the task is paused.
func (t *task) pass(ctx context.Context) error {
	t.mu.Lock()
	gate := t.gate
	t.mu.Unlock()
	select {
	case <-gate:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// safe is what of an error may be shown.
func safe(err error) string {
	var e *moothall.Error
	if errors.As(err, &e) && e.Message != "" {
		return e.Message
	}
	return string(moothall.ErrorCode(err))
}
