package gateway

import (
	"context"
	"errors"
	"iter"
	"time"

	"moothall"
	"moothall/internal/egress"
)

const opGenerate = "generate"

// maxRetries is how often a server that says when to come back is asked
// again.
const maxRetries = 2

// maxNoRoom is how many models a call tries for which there is no room.
const maxNoRoom = 8

// work is one call for a generation.
type work struct {
	g     *Gateway
	r     moothall.GenerateRequest
	yield func(moothall.Chunk, error) bool
	ready func() error // waits until the model may be asked; nil: at once
	call  Call
	tally egress.Tally

	started bool // something was yielded
	left    bool // the caller broke out
	retries int
	rechose bool
	noRoom  int // models that were chosen and for which there was no room
}

// generate runs a call to its end and accounts for it.
func (g *Gateway) generate(ctx context.Context, who moothall.Identity, kind string, r moothall.GenerateRequest, ready func() error, yield func(moothall.Chunk, error) bool) {
	k := &work{g: g, r: r, yield: yield, ready: ready, call: Call{
		Kind: kind, Caller: who, Session: r.Session, Query: r.Query, Lineage: r.Lineage, Role: r.Role, Priority: priority(who, r.Priority),
	}}
	err := k.run(egress.With(ctx, &k.tally))
	k.call.Code, k.call.Time, k.call.Sent = moothall.ErrorCode(err), g.o.Now(), k.tally.Total()
	if k.left && err == nil && k.call.Stop == "" {
		k.call.Code, k.call.Stop = moothall.CodeCanceled, moothall.StopCanceled
	}
	g.ledger.add(k.call)
	if err != nil && !k.left && k.tell() {
		yield(moothall.Chunk{}, err)
	}
}

// tell reports what a call that failed has sent. It reports whether the
// caller is still there.
func (k *work) tell() bool {
	sent := k.tally.Take()
	return len(sent) == 0 || k.yield(moothall.Chunk{Provider: k.call.Provider, Model: k.call.Model, Sent: sent}, nil)
}

// run tries until an attempt gives something or there is no use in another.
func (k *work) run(ctx context.Context) error {
	for {
		again, err := k.attempt(ctx)
		if !again {
			return err
		}
	}
}

// attempt has a context of its own, since being preempted ends one attempt
// and not the call.
func (k *work) attempt(ctx context.Context) (again bool, err error) {
	ctx, cancel, done, err := k.g.begin(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	if ctx.Err() != nil {
		return false, ended(ctx, opGenerate)
	}
	t, err := k.g.route(ctx, wish{k.r.Scope, k.r.Role, k.r.Complexity, k.r.Provider, k.r.Model})
	if err != nil {
		return k.rechoose(t, coded(ctx, opGenerate, err))
	}
	k.call.Provider, k.call.Model, k.call.Hosted = t.provider.Name(), t.model, t.hosted
	k.tally.Through(t.outside)
	return k.take(ctx, cancel, t)
}

// take waits for the call's turn and makes use of it.
func (k *work) take(ctx context.Context, cancel context.CancelCauseFunc, t target) (again bool, _ error) {
	leave, err := k.enter(ctx, t, cancel)
	if err != nil { // the place may have been taken from it before it saw that it had one
		return k.judge(ctx, t, err)
	}
	defer leave()
	err = k.stream(ctx, cancel, t)
	leave()
	return k.judge(ctx, t, err)
}

// enter waits for the call's turn. The place is given back with the context,
// even while the caller's loop is busy with something else.
func (k *work) enter(ctx context.Context, t target, cancel context.CancelCauseFunc) (func(), error) {
	q := k.g.chats[t.provider.Name()]
	if q == nil {
		return func() {}, nil
	}
	since, told := k.g.o.Now(), false
	leave, err := q.enter(ctx, t.model, k.r.Session, classOf(k.call.Priority), cancel, func() bool {
		told = true
		return k.say(moothall.NoteWaiting)
	})
	k.call.Wait += k.g.o.Now().Sub(since)
	if err != nil {
		return nil, err
	}
	if told && !k.say(noteRuns) {
		leave()
		return nil, errLeft
	}
	stop := context.AfterFunc(ctx, leave)
	return func() {
		stop()
		leave()
	}, nil
}

// noteRuns is what a person is told of a call when it no longer waits.
const noteRuns = "thinking"

// say tells the caller what happens. It reports whether the caller is still
// there.
func (k *work) say(note string) bool {
	k.left = !k.yield(moothall.Chunk{Note: note}, nil)
	return !k.left
}

// judge decides what becomes of an attempt that ended with err.
func (k *work) judge(ctx context.Context, t target, err error) (again bool, _ error) {
	if err == nil || k.left {
		return false, nil
	}
	if k.started {
		return false, coded(ctx, opGenerate, err)
	}
	if errors.Is(context.Cause(ctx), errPreempted) {
		return true, nil
	}
	if ctx.Err() != nil {
		return false, ended(ctx, opGenerate)
	}
	if wait, ok := RetryAfter(err); ok && wait <= k.g.o.RetryWait && k.retries < maxRetries {
		k.retries++
		return pause(ctx, wait), coded(ctx, opGenerate, err)
	}
	return k.rechoose(t, k.g.listed(ctx, t, coded(ctx, opGenerate, err)))
}

// rechoose makes one more attempt when a chosen model's server is gone, and one
// with another model as often as there is no room for the one that was chosen.
func (k *work) rechoose(t target, err error) (again bool, _ error) {
	if t.chosen && errors.Is(err, errNoRoom) {
		k.g.choice.passOver(t)
		k.noRoom++
		return k.noRoom < maxNoRoom, err
	}
	code := moothall.ErrorCode(err)
	if !t.chosen || k.rechose || code != moothall.CodeUnavailable && code != moothall.CodeNotFound {
		return false, err
	}
	k.rechose = true
	k.g.choice.reset()
	return true, err
}

// pause reports whether the time passed before the context ended.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// gathering is how long a server may be silent whose first chunk may be all
// that the model has to write: a whole reply, or, where tools are on offer, a
// call, which some send so. A long file on a slow machine takes minutes.
const gathering = 10 * time.Minute

// patience is how long a server may be silent for which it is d otherwise.
func (k *work) patience(d time.Duration) time.Duration {
	if len(k.r.Tools) == 0 && !k.r.Whole {
		return d
	}
	return max(d, gathering)
}

// stream passes a provider's chunks on, with the watch on silence running
// only while the provider has the word.
func (k *work) stream(ctx context.Context, cancel context.CancelCauseFunc, t target) error {
	r := k.r
	r.Provider, r.Model = t.provider.Name(), t.model
	start, last := k.g.o.Now(), false
	watch := time.AfterFunc(k.patience(k.g.o.FirstToken), func() { cancel(errSlow) })
	defer watch.Stop()
	for c, err := range guarded(opGenerate, k.ask(ctx, t.provider, r)) {
		watch.Stop()
		if err != nil {
			k.charge(start, moothall.Usage{})
			return err
		}
		if !k.started {
			k.call.Usage.FirstToken = k.g.o.Now().Sub(start)
		}
		k.started = true
		c.Provider, c.Model = r.Provider, r.Model
		// As soon as it is known, since the caller may leave before the end.
		c.Sent = append(c.Sent, k.tally.Take()...)
		if c.Stop != "" {
			last, k.call.Stop = true, c.Stop
			k.charge(start, c.Usage)
			c.Usage = k.call.Usage
		}
		if !k.yield(c, nil) {
			k.left = true
			break
		}
		if last {
			return nil // nothing may follow
		}
		watch.Reset(k.patience(k.g.o.Idle))
	}
	switch {
	case k.left && !last:
		k.charge(start, moothall.Usage{})
	case !last:
		return moothall.Fail(moothall.CodeInterrupted, opGenerate, "the model's answer ended without saying why")
	}
	return nil
}

// ask puts the request to a provider when that may be.
func (k *work) ask(ctx context.Context, p Provider, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	if k.ready == nil {
		return p.Generate(ctx, r)
	}
	if patient, ok := p.(Patient); ok {
		return patient.GenerateWhen(ctx, r, k.ready)
	}
	return func(yield func(moothall.Chunk, error) bool) {
		if err := k.ready(); err != nil {
			yield(moothall.Chunk{}, err)
			return
		}
		p.Generate(ctx, r)(yield)
	}
}

// charge writes down what the provider counted and the gateway measured.
func (k *work) charge(start time.Time, u moothall.Usage) {
	u.Calls, u.FirstToken, u.Total = 1, k.call.Usage.FirstToken, k.g.o.Now().Sub(start)
	k.call.Usage = u
}

// priority is the one that a caller gets. Observers never get more than
// background; callers that ask for nothing get what their work is.
func priority(who moothall.Identity, asked moothall.Priority) moothall.Priority {
	switch who {
	case moothall.Critic, moothall.Reward:
		return moothall.PriorityBackground
	}
	if asked != "" {
		return asked
	}
	switch who {
	case moothall.Person, moothall.FrontDoor, moothall.ChatHall:
		return moothall.PriorityPerson
	case moothall.MemoryKeeper:
		return moothall.PriorityBackground
	}
	return moothall.PriorityTask
}
