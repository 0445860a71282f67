package nn

import (
	"context"
	"runtime"
	"sync"

	"moothall"
)

const (
	maxWorkers = 4
	batchLen   = 32 // tokens that a worker takes at a time, so that weights are read once for all
	minShare   = 8  // fewer tokens than this are not worth another worker
)

// team is the workers of one Feed: the caller and its helpers, which live as
// long as the call. Each worker has tokens of its own; they meet once a layer,
// since a token looks at the keys of those before it. For few tokens there are
// no helpers, unless the kernel is so slow that it pays to divide the rows of
// every matrix; then all tokens are the caller's.
type team struct {
	model *Model
	rows  bool       // the helpers have no tokens
	desks []*scratch // one for each worker
	work  []chan func(*scratch)
	gone  sync.WaitGroup
	done  sync.WaitGroup
}

// newTeam returns as many workers as n tokens are worth.
func (m *Model) newTeam(n int) *team {
	procs := min(runtime.GOMAXPROCS(0), maxWorkers)
	workers := max(1, min(procs, n/minShare))
	t := &team{model: m}
	if t.rows = workers == 1 && m.kernel.slow; t.rows {
		workers = procs
	}
	for range workers {
		t.desks = append(t.desks, m.desk())
	}
	if t.rows && workers > 1 {
		t.desks[0].helpers = t
	}
	for _, d := range t.desks[1:] {
		work := make(chan func(*scratch))
		t.work = append(t.work, work)
		t.gone.Go(func() {
			for f := range work {
				f(d)
				t.done.Done()
			}
		})
	}
	return t
}

// close ends the helpers and waits for them.
func (t *team) close() {
	for _, w := range t.work {
		close(w)
	}
	t.gone.Wait()
	for _, d := range t.desks {
		d.context, d.ids, d.helpers = nil, nil, nil
		t.model.spare.Put(d)
	}
}

// busy returns those who have tokens.
func (t *team) busy() []*scratch {
	if t.rows {
		return t.desks[:1]
	}
	return t.desks
}

// batch returns how many tokens the team takes at a time.
func (t *team) batch() int { return len(t.busy()) * batchLen }

// run lets every worker do f, and returns when all have.
func (t *team) run(f func(*scratch)) {
	t.done.Add(len(t.work))
	for _, w := range t.work {
		w <- f
	}
	f(t.desks[0])
	t.done.Wait()
}

// step lets those who have tokens do f.
func (t *team) step(f func(*scratch)) {
	if t.rows {
		f(t.desks[0])
		return
	}
	t.run(f)
}

// share divides the rows of a product among all workers.
func (t *team) share(m *matrix, a *acts, out []float32) {
	if len(t.desks) == 1 {
		t.model.kernel.product(m, 0, m.rows, a, out)
		return
	}
	part := (m.rows + len(t.desks) - 1) / len(t.desks)
	for i, d := range t.desks {
		d.low, d.high = min(i*part, m.rows), min((i+1)*part, m.rows)
	}
	t.run(func(d *scratch) { t.model.kernel.product(m, d.low, d.high, a, out) })
}

// feed appends one batch. The logits of its last token are computed if want.
func (t *team) feed(ctx context.Context, c *Context, ids []int32, want bool) error {
	c.reserve(len(ids))
	busy := t.busy()
	share := (len(ids) + len(busy) - 1) / len(busy)
	for i, d := range busy {
		lo, hi := min(i*share, len(ids)), min((i+1)*share, len(ids))
		d.context, d.ids, d.first = c, ids[lo:hi], len(c.tokens)+lo
	}
	layers := t.model.config.Layers
	for i := range layers {
		if err := ctx.Err(); err != nil {
			return &moothall.Error{Code: moothall.ErrorCode(err), Op: "feed model", Message: "the caller gave up", Err: err}
		}
		t.step(func(d *scratch) {
			if i == 0 {
				d.embed()
			} else {
				d.finish(i - 1)
			}
			d.project(i)
		})
	}
	t.step(func(d *scratch) { d.finish(layers - 1) })
	if want {
		t.logits(c, busy[(len(ids)-1)/share], (len(ids)-1)%share)
	}
	c.tokens = append(c.tokens, ids...)
	return nil
}

// logits multiplies the state of the batch's last token, the i-th of a worker,
// with all entries of the vocabulary.
func (t *team) logits(c *Context, d *scratch, i int) {
	m := t.model
	if c.logits == nil {
		c.logits = make([]float32, m.config.Vocab)
	}
	x := row(d.normed, 0, m.config.Dim)
	norm(x, row(d.x, i, m.config.Dim), m.nf, m.config.NormEps)
	d.acts.load(&m.kernel, x, 1, m.config.Dim)
	t.share(&m.emb, &d.acts, c.logits)
}
