package gateway

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"moothall"
)

// Server says how one local server is shared.
type Server struct {
	// Parallel is how many calls of one model run at once; default 1. Two
	// calls on one small machine take longer than one after the other.
	Parallel int
	// Models is how many different models may be answering at once;
	// default 1.
	Models int
	// Aging is how long a call may be overtaken by calls for the model that
	// is in memory; default 30 s. Background work that has waited ten times
	// as long counts as a task.
	Aging time.Duration
	// Preempt lets a person's call that would have to wait cancel a running
	// background call. One that has not given anything yet is put back into
	// the queue; one that has ends with CodeInterrupted. Without it what runs
	// runs to its end.
	Preempt bool
}

func (s Server) withDefaults() Server {
	s.Parallel, s.Models = max(s.Parallel, 1), max(s.Models, 1)
	if s.Aging <= 0 {
		s.Aging = 30 * time.Second
	}
	return s
}

// backgroundAging is how many times Aging background work waits before it
// counts as a task.
const backgroundAging = 10

// class is a priority as a number; lower goes first.
type class int

const (
	classPerson class = iota
	classTask
	classBackground
)

func classOf(p moothall.Priority) class {
	switch p {
	case moothall.PriorityPerson:
		return classPerson
	case moothall.PriorityBackground:
		return classBackground
	}
	return classTask
}

// errPreempted is the cause with which a background call is cancelled.
var errPreempted = errors.New("a person's call took the place")

// ticket is one call in a queue.
type ticket struct {
	model   string
	session moothall.SessionID
	class   class
	seq     uint64
	since   time.Time
	ready   chan struct{} // closed when the call may run
	cancel  context.CancelCauseFunc
}

// queue is the line before one server. It has no goroutine: whoever enters
// or leaves hands out the free places. Calls are ordered by
//
//  1. priority; a person is never behind anything else that waits;
//  2. whether the model is in memory already, or the call has waited longer
//     than Aging, so that models are not swapped for each call and no call
//     waits for ever;
//  3. the session that was served least recently;
//  4. arrival.
//
// The first in this order that would need another model keeps later ones
// from being let in before it.
type queue struct {
	o   Server
	now func() time.Time

	mu      sync.Mutex
	waiting []*ticket
	running []*ticket
	hot     string // the model of the last call that was let in
	arrived uint64
	served  uint64
	turn    int64
	turns   map[moothall.SessionID]int64 // value of turn when a session was last served
	swaps   uint64
	pushed  uint64 // calls that were preempted
}

func newQueue(o Server, now func() time.Time) *queue {
	return &queue{o: o.withDefaults(), now: now, turns: map[moothall.SessionID]int64{}}
}

// unnoticed is how long a call may wait before whoever made it is told.
const unnoticed = time.Second

// errLeft ends the wait of a call whose caller has gone.
var errLeft = errors.New("nobody waits for the call any more")

// enter waits for a place. The function that it returns gives the place
// back; it may be called more than once. cancel ends the call when it is
// preempted. A wait that is noticed is told to waits, where there is one, which
// reports whether to go on.
func (q *queue) enter(ctx context.Context, model string, s moothall.SessionID, c class, cancel context.CancelCauseFunc, waits func() bool) (func(), error) {
	t := &ticket{model: model, session: s, class: c, ready: make(chan struct{}), cancel: cancel}
	q.join(t)
	if err := t.wait(ctx, waits); err != nil {
		q.leave(t)
		return nil, err
	}
	return sync.OnceFunc(func() { q.leave(t) }), nil
}

// wait returns when the call may run, or will not.
func (t *ticket) wait(ctx context.Context, waits func() bool) error {
	select {
	case <-t.ready: // as most are: it costs nothing then
		return nil
	default:
	}
	late := time.NewTimer(unnoticed)
	defer late.Stop()
	for {
		select {
		case <-t.ready:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-late.C:
			if waits != nil && !waits() {
				return errLeft
			}
		}
	}
}

func (q *queue) join(t *ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.arrived++
	t.seq, t.since = q.arrived, q.now()
	if _, known := q.turns[t.session]; !known {
		// A new session goes before the one that was served last and
		// behind all others: if it went before those too, a stream of new
		// ones would starve them.
		q.turns[t.session] = q.turn - 1
	}
	q.waiting = append(q.waiting, t)
	q.admit()
	if t.class == classPerson && q.o.Preempt && slices.Contains(q.waiting, t) {
		q.preempt()
	}
}

func (q *queue) leave(t *ticket) {
	q.mu.Lock()
	defer q.mu.Unlock()
	same := func(o *ticket) bool { return o == t }
	q.waiting = slices.DeleteFunc(q.waiting, same)
	q.running = slices.DeleteFunc(q.running, same)
	q.admit()
	q.prune()
}

// admit lets in all that may run. q.mu is held.
func (q *queue) admit() {
	for t := q.next(); t != nil; t = q.next() {
		q.waiting = slices.DeleteFunc(q.waiting, func(o *ticket) bool { return o == t })
		q.running = append(q.running, t)
		q.served++
		q.turn += 2
		q.turns[t.session] = q.turn
		if q.hot != t.model && q.hot != "" {
			q.swaps++
		}
		q.hot = t.model
		close(t.ready)
	}
}

// next returns the first in order that may run now.
func (q *queue) next() *ticket {
	now := q.now()
	var full []string
	for {
		var best *ticket
		for _, t := range q.waiting {
			if !slices.Contains(full, t.model) && (best == nil || q.before(t, best, now)) {
				best = t
			}
		}
		if best == nil {
			return nil
		}
		same, others := q.busy(best.model)
		switch {
		case same == 0 && others >= q.o.Models:
			return nil // its turn comes when another model is done
		case same >= q.o.Parallel:
			full = append(full, best.model)
		default:
			return best
		}
	}
}

// busy counts the running calls of a model, and the other models that run.
func (q *queue) busy(model string) (same, others int) {
	var seen []string
	for _, t := range q.running {
		switch {
		case t.model == model:
			same++
		case !slices.Contains(seen, t.model):
			seen = append(seen, t.model)
		}
	}
	return same, len(seen)
}

func (q *queue) before(a, b *ticket, now time.Time) bool {
	if x, y := q.rank(a, now), q.rank(b, now); x != y {
		return x < y
	}
	if x, y := q.cold(a, now), q.cold(b, now); x != y {
		return y
	}
	if x, y := q.turns[a.session], q.turns[b.session]; x != y {
		return x < y
	}
	return a.seq < b.seq
}

func (q *queue) rank(t *ticket, now time.Time) class {
	if t.class == classBackground && now.Sub(t.since) >= backgroundAging*q.o.Aging {
		return classTask
	}
	return t.class
}

// cold reports whether a call can be asked to wait because it needs a swap.
func (q *queue) cold(t *ticket, now time.Time) bool {
	if t.model == q.hot || now.Sub(t.since) >= q.o.Aging {
		return false
	}
	return !slices.ContainsFunc(q.running, func(o *ticket) bool { return o.model == t.model })
}

// preempt cancels the youngest running background call. q.mu is held; the
// cancelled call leaves by itself.
func (q *queue) preempt() {
	for _, t := range slices.Backward(q.running) {
		if t.class == classBackground && t.cancel != nil {
			q.pushed++
			t.cancel(errPreempted)
			t.cancel = nil
			return
		}
	}
}

// maxTurns bounds the memory for sessions. q.mu is held.
const maxTurns = 4096

func (q *queue) prune() {
	if len(q.turns) <= maxTurns {
		return
	}
	kept := map[moothall.SessionID]int64{}
	for _, t := range q.waiting {
		kept[t.session] = q.turns[t.session]
	}
	q.turns = kept
}

// QueueStats is the state of one queue.
type QueueStats struct {
	Running   int    `json:"running"`
	Person    int    `json:"waiting_person"`
	Task      int    `json:"waiting_task"`
	Back      int    `json:"waiting_background"`
	Model     string `json:"model,omitempty"` // of the last call
	Swaps     uint64 `json:"swaps"`
	Preempted uint64 `json:"preempted"`
	Served    uint64 `json:"served"`
}

func (q *queue) stats() QueueStats {
	q.mu.Lock()
	defer q.mu.Unlock()
	s := QueueStats{Running: len(q.running), Model: q.hot, Swaps: q.swaps, Preempted: q.pushed, Served: q.served}
	for _, t := range q.waiting {
		switch t.class {
		case classPerson:
			s.Person++
		case classTask:
			s.Task++
		default:
			s.Back++
		}
	}
	return s
}
