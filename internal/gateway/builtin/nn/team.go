package nn

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"moothall"
)

const (
	maxWorkers = 4
	batchLen   = 32 // tokens that a worker takes at a time, so that weights are read once for all
	minShare   = 8  // fewer tokens than this are not worth another worker

	// spins is how often a worker looks for what it waits for before it
	// sleeps: some ten microseconds, which is what waking it would take.
	spins = 4096
)

// team is the workers of one Feed: the caller and its helpers, which live as
// long as the call. Work is cut into units; who is free takes the next one, and
// nobody waits for a helper that the system has not let run yet.
//
// Many tokens are divided among the workers, each with the memory of its own
// desk; they meet once a layer, since a token looks at the keys of those before
// it. A few tokens stay together on the caller's desk, and every stage of a layer
// is divided: it takes as long as the weights take to come from memory, and two
// processors fetch more than one.
type team struct {
	model *Model
	split bool       // the tokens are all on the first desk
	desks []*scratch // one for each worker
	gone  sync.WaitGroup

	// What is being done. The caller writes these while no unit is left.
	job   func(t *team, d *scratch, unit int)
	layer int
	stage int
	last  *acts     // of the last token, for the logits
	out   []float32 // the logits

	units  atomic.Int32 // that nobody has taken yet
	undone atomic.Int32 // that are not done yet
	ended  atomic.Bool
	asleep atomic.Int32 // workers that want to be woken at a change of these
	mu     sync.Mutex
	wake   sync.Cond
}

// newTeam returns as many workers as n tokens are worth.
func (m *Model) newTeam(n int) *team {
	procs := min(runtime.GOMAXPROCS(0), maxWorkers)
	t := &team{model: m}
	t.wake.L = &t.mu
	workers := min(procs, n/minShare)
	if t.split = workers < 2; t.split {
		workers = procs
	}
	for range workers {
		t.desks = append(t.desks, m.desk())
	}
	for _, d := range t.desks[1:] {
		t.gone.Go(func() { t.help(d) })
	}
	return t
}

// close ends the helpers and waits for them.
func (t *team) close() {
	t.ended.Store(true)
	t.tell()
	t.gone.Wait()
	for _, d := range t.desks {
		d.context, d.ids = nil, nil
		t.model.spare.Put(d)
	}
}

// busy returns the desks that have tokens.
func (t *team) busy() []*scratch {
	if t.split {
		return t.desks[:1]
	}
	return t.desks
}

// batch returns how many tokens the team takes at a time.
func (t *team) batch() int { return len(t.busy()) * batchLen }

// hand lets the workers do the units of a job, and returns when all are done.
func (t *team) hand(units int, job func(t *team, d *scratch, unit int)) {
	if len(t.desks) == 1 {
		for u := range units {
			job(t, t.desks[0], u)
		}
		return
	}
	t.job = job
	t.undone.Store(int32(units))
	t.units.Store(int32(units))
	t.tell()
	for t.take(t.desks[0]) {
	}
	t.await(func() bool { return t.undone.Load() == 0 })
}

// take does a unit, if one is left. What the job is may be read once a unit is
// one's own: it is not changed before that is done.
func (t *team) take(d *scratch) bool {
	n := t.units.Load()
	for ; n > 0; n = t.units.Load() {
		if t.units.CompareAndSwap(n, n-1) {
			break
		}
	}
	if n <= 0 {
		return false
	}
	t.job(t, d, int(n-1))
	if t.undone.Add(-1) == 0 {
		t.tell()
	}
	return true
}

// help is a helper's life.
func (t *team) help(d *scratch) {
	for !t.ended.Load() {
		if !t.take(d) {
			t.await(func() bool { return t.units.Load() > 0 || t.ended.Load() })
		}
	}
}

// await returns when ready does, which is looked at again when somebody tells
// of a change.
func (t *team) await(ready func() bool) {
	for range spins {
		if ready() {
			return
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asleep.Add(1) // before the look: who changes something after it sees this
	defer t.asleep.Add(-1)
	for !ready() {
		t.wake.Wait()
	}
}

// tell wakes those who sleep.
func (t *team) tell() {
	if t.asleep.Load() > 0 {
		t.mu.Lock()
		t.wake.Broadcast()
		t.mu.Unlock()
	}
}

// feed appends one batch. The logits of its last token are computed if want.
func (t *team) feed(ctx context.Context, c *Context, ids []int32, want bool) error {
	c.reserve(len(ids))
	share := t.deal(c, ids)
	for t.layer = range t.model.config.Layers {
		if err := ctx.Err(); err != nil {
			return &moothall.Error{Code: moothall.ErrorCode(err), Op: "feed model", Message: "the caller gave up", Err: err}
		}
		if t.split {
			t.together()
			continue
		}
		t.hand(len(t.desks), (*team).begin)
	}
	if !t.split {
		t.hand(len(t.desks), (*team).end)
	}
	if want {
		at := len(ids) - 1
		t.logits(c, t.desks[at/share], at%share)
	}
	c.tokens = append(c.tokens, ids...)
	return nil
}

// deal divides tokens among the desks and returns how many one gets.
func (t *team) deal(c *Context, ids []int32) int {
	busy := t.busy()
	share := (len(ids) + len(busy) - 1) / len(busy)
	for i, d := range t.desks {
		lo, hi := min(i*share, len(ids)), min((i+1)*share, len(ids))
		d.context, d.ids, d.first = c, ids[lo:hi], len(c.tokens)+lo
	}
	return share
}

// begin does, for the tokens of one desk, what the layer before has left and
// the first stage of this one: the others' keys come with it.
func (t *team) begin(_ *scratch, desk int) {
	d := t.desks[desk]
	if t.layer == 0 {
		d.embed()
	} else {
		d.run(t.layer-1, stages[1:])
	}
	d.run(t.layer, stages[:1])
}

// end is begin after the last layer.
func (t *team) end(_ *scratch, desk int) { t.desks[desk].run(t.layer, stages[1:]) }

// together divides every stage of a layer.
func (t *team) together() {
	d := t.desks[0]
	if t.layer == 0 {
		d.embed()
	}
	for i, s := range stages {
		t.stage = i
		s.prepare(d, t.layer)
		t.hand(s.units(d.model.config), (*team).unit)
	}
}

func (t *team) unit(d *scratch, u int) { stages[t.stage].do(t.desks[0], d, t.layer, u) }

// logits multiplies the state of the batch's last token, the i-th of a desk,
// with all entries of the vocabulary.
func (t *team) logits(c *Context, d *scratch, i int) {
	m := t.model
	if c.logits == nil {
		c.logits = make([]float32, m.config.Vocab)
	}
	x := row(d.normed, 0, m.config.Dim)
	norm(x, row(d.x, i, m.config.Dim), m.nf, m.config.NormEps)
	d.acts.load(&m.kernel, x, 1, m.config.Dim)
	t.last, t.out = &d.acts, c.logits
	t.hand((m.config.Vocab+wordsLen-1)/wordsLen, (*team).words)
}

// wordsLen is how many entries of the vocabulary are a unit.
const wordsLen = 128

func (t *team) words(_ *scratch, u int) {
	low := u * wordsLen
	t.model.kernel.product(&t.model.emb, low, min(low+wordsLen, t.model.emb.rows), t.last, t.out)
}
