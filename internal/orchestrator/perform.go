package orchestrator

import (
	"context"
	"slices"
	"sync"

	"moothall/internal/orchestrator/journal"
	"moothall/internal/orchestrator/plan"
	"moothall/internal/orchestrator/prompt"
	"moothall/internal/orchestrator/report"
)

// What a task is to do next.
type move int

const (
	moveWait move = iota
	moveBegin
	moveReplan
	moveEnd
)

// perform carries the plan out. It returns when every subtask that can be
// done has ended, or with an error when the task is to end.
func (t *task) perform(ctx context.Context) error {
	var runs sync.WaitGroup
	defer runs.Wait()
	t.mu.Lock()
	for _, n := range t.ungated() { // a restart came between
		runs.Go(func() { t.review(ctx, n) })
	}
	t.mu.Unlock()
	for {
		n, next := t.next()
		switch next {
		case moveBegin:
			runs.Go(func() { t.runNode(ctx, n) })
			continue
		case moveReplan:
			if err := t.replan(ctx); err != nil {
				return err
			}
			continue
		case moveEnd:
			return nil
		}
		if !t.rest(ctx) {
			runs.Wait()
			return context.Cause(ctx)
		}
	}
}

// next decides what comes next. A node that it returns counts as running.
func (t *task) next() (*node, move) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.halted != nil || t.stopping || t.row.Paused:
		return nil, moveWait
	case len(t.claims) > 0:
		n := t.claims[0]
		t.claims = t.claims[1:]
		return n, moveBegin
	case len(t.queue) > 0 && t.running < t.parallel():
		return t.pop(), moveBegin
	case t.running > 0 || t.asking > 0 || len(t.queue) > 0:
		return nil, moveWait
	case t.hopeful():
		return nil, moveReplan
	}
	return nil, moveEnd
}

// parallel is how many subtasks may run at a time.
func (t *task) parallel() int { return int(t.o.parallel.Load()) }

// pop takes the next node out of the queue; it counts as running. The lock is
// held.
func (t *task) pop() *node {
	n := t.queue[0]
	t.queue = t.queue[1:]
	t.running++
	return n
}

// claim lets those run that come next, so that one transaction tells of an
// end and of what begins with it; the lock is held.
func (t *task) claim() []*node {
	var out []*node
	for len(t.queue) > 0 && t.running < t.parallel() && !t.row.Paused && !t.stopping {
		n := t.pop()
		n.claimed = true
		t.prepare(n)
		out = append(out, n)
	}
	t.claims = append(t.claims, out...)
	return out
}

// hopeful reports whether planning anew is worth it; the lock is held.
func (t *task) hopeful() bool {
	if t.row.Replans >= t.settings.Replans || t.row.Given || t.left() < leastTokens {
		return false
	}
	return slices.ContainsFunc(t.finished, func(n *node) bool {
		return n.State == journal.SubFailed && !n.Replaced && n.Verifies == ""
	})
}

// runNode does one subtask and writes its end.
func (t *task) runNode(ctx context.Context, n *node) {
	out, err := t.runSubtask(ctx, n)
	t.mu.Lock()
	t.running--
	if err == nil && t.halted == nil { // else it stays as it is; whoever comes next goes on with it
		t.settle(ctx, n, out)
	}
	t.mu.Unlock()
	t.rouse()
	t.review(ctx, n)
}

// ending is how a subtask's run ended.
type ending struct {
	journal.Subtask        // with all that the run added
	state           string // SubDone, SubFailed, SubCancelled, SubUnknown
}

// settle writes a subtask's end and sets free what waited for it; the lock is
// held.
func (t *task) settle(ctx context.Context, n *node, out ending) {
	t.account(n, &out)
	n.Subtask = out.Subtask
	n.State = out.state
	if n.State == journal.SubUnknown {
		t.asking++
		if t.save(ctx, []*node{n}) == nil {
			t.tellNode(n)
		}
		return
	}
	n.Ended = t.o.opt.Now().UTC()
	changed := append([]*node{n}, t.advance(n)...)
	for _, c := range t.claim() {
		if !slices.Contains(changed, c) {
			changed = append(changed, c)
		}
	}
	if t.save(ctx, changed, n.ID) != nil {
		return
	}
	for _, c := range changed {
		t.tellNode(c)
	}
	t.compactLater()
}

// advance notes an end in memory and returns the nodes that change with it;
// the lock is held.
func (t *task) advance(n *node) []*node {
	t.closed(n)
	if v := t.doubt(n); v != nil {
		return []*node{v}
	}
	free := n
	if n.Verifies != "" {
		free = t.byID[n.Verifies]
		t.judge(free, n)
		return append(t.free(free), free)
	}
	if n.State != journal.SubDone {
		return nil
	}
	return t.free(free)
}

// free lets those go on that waited for a node; the lock is held.
func (t *task) free(n *node) []*node {
	var out []*node
	for _, next := range n.after {
		if next.waits--; next.waits == 0 && next.State == journal.SubPending {
			next.State = journal.SubReady
			t.enqueue(next)
			out = append(out, next)
		}
	}
	n.after = nil
	return out
}

// enqueue keeps the plan's order among those that are ready.
func (t *task) enqueue(n *node) {
	at, _ := slices.BinarySearchFunc(t.queue, n, func(a, b *node) int { return a.Place - b.Place })
	t.queue = slices.Insert(t.queue, at, n)
}

// doubt makes a verification for a result that is uncertain; the lock is
// held.
func (t *task) doubt(n *node) *node {
	if n.State != journal.SubDone || n.Verifies != "" || n.Report.Quality != report.Uncertain ||
		t.settings.Verify != VerifyOnce || t.left() < leastTokens {
		return nil
	}
	v := &node{Subtask: journal.Subtask{
		Subtask: plan.Subtask{
			ID: "verify-" + n.ID, Type: researcher, Task: "Find out whether the result is right.",
			DependsOn: []string{}, Inputs: n.Inputs,
		},
		State: journal.SubReady, Revision: n.Revision, Verifies: n.ID,
	}}
	if t.byID[v.ID] != nil || !slices.Contains(t.o.opt.Types, v.Type) {
		return nil
	}
	n.Verifier = v.ID
	t.add(v)
	t.enqueue(v)
	return v
}

// judge takes a verification's result into account; the lock is held. A
// result that another agent confirmed is no longer uncertain; one that it
// could not confirm stays so, and the answer says it.
func (t *task) judge(n, v *node) {
	if v.State == journal.SubDone && v.Report.Status == report.Success && v.Report.Quality != report.Uncertain {
		n.Report.Quality = v.Report.Quality
		n.Notes = append(n.Notes, "confirmed by "+v.ID)
		return
	}
	n.Notes = append(n.Notes, "not confirmed by "+v.ID)
}

// replan plans what is left anew. When there is no better plan, the task goes
// on without.
func (t *task) replan(ctx context.Context) error {
	if err := t.pass(ctx); err != nil {
		return context.Cause(ctx)
	}
	t.mu.Lock()
	goal := t.row.Goal
	rules := plan.Rules{}
	for _, n := range t.nodes {
		if n.State == journal.SubDone && n.Verifies == "" {
			rules.Known = append(rules.Known, n.ID)
		} else {
			rules.Taken = append(rules.Taken, n.ID)
		}
	}
	t.mu.Unlock()
	p, err := t.makePlan(ctx, t.desk(ctx, prompt.AskReplan(goal)), rules)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.halted != nil {
		return t.halted
	}
	t.row.Replans++
	if err != nil || len(p.Subtasks) == 0 {
		t.row.Replans = max(t.settings.Replans, t.row.Replans) // asking again would bring the same
		why := "nothing better was found"
		if err != nil {
			why = safe(err)
		}
		t.flag("the rest could not be planned anew: " + why)
		return t.save(ctx, nil)
	}
	return t.replace(ctx, p)
}

// replace puts a new plan in the place of what is left of the old one; the
// lock is held.
func (t *task) replace(ctx context.Context, p plan.Plan) error {
	var changed []*node
	for _, n := range t.nodes {
		switch {
		case n.State == journal.SubFailed && !n.Replaced:
			n.Replaced = true
		case !journal.SubEnded(n.State):
			t.cancel(n, "the plan was made anew")
		default:
			continue
		}
		changed = append(changed, n)
	}
	fresh := len(t.nodes)
	t.row.Revision++
	for _, s := range p.Subtasks {
		t.add(&node{Subtask: journal.Subtask{Subtask: s, State: journal.SubPending, Revision: t.row.Revision}})
	}
	t.connect(t.nodes[fresh:])
	if err := t.save(ctx, append(changed, t.nodes[fresh:]...)); err != nil {
		return err
	}
	t.tellPlan()
	return nil
}

// cancel ends a node that was not done; the lock is held.
func (t *task) cancel(n *node, why string) {
	n.State, n.Report, n.Ended = journal.SubCancelled, report.Failure(why), t.o.opt.Now().UTC()
	t.closed(n)
}

// closed gives a node its place among those that have ended; the lock is
// held.
func (t *task) closed(n *node) {
	t.finished = append(t.finished, n)
	n.End = len(t.finished)
	t.unnoted += n.size()
}

// flag notes something that the person should know; the lock is held.
func (t *task) flag(text string) {
	if !slices.Contains(t.row.Flags, text) && len(t.row.Flags) < 50 {
		t.row.Flags = append(t.row.Flags, text)
	}
}
