package vector

import (
	"slices"
	"sync"
)

// fewRows is how many rows one goroutine scores faster than two would.
const fewRows = 256

// rescore returns the k best of the candidates by their floats. They come
// with the highest upper bound first: once that is below the k-th score, no
// later one can matter. Workers take every n-th, so that all begin at the top.
func (f *find) rescore(all []candidate) []Hit {
	n := f.x.workers(len(all) / fewRows)
	return merge(n, f.k, func(best *top[Hit], worker int) {
		for i := worker; i < len(all); i += n {
			c := all[i]
			if c.upper < f.floor.get() {
				return
			}
			best.add(Hit{c.b.ids[c.i], f.q.score(f.x.kernel.dot, c.b.row(c.i), c.b.norms[c.i])})
			if best.full() {
				f.floor.raise(float64(best.last().Score))
			}
		}
	})
}

// merge runs the workers and returns the k best of what they found.
func merge(n, k int, work func(best *top[Hit], worker int)) []Hit {
	found := make([]top[Hit], n)
	var wg sync.WaitGroup
	for i := range found {
		found[i] = top[Hit]{k: k, before: better}
		if i > 0 {
			wg.Go(func() { work(&found[i], i) })
		}
	}
	work(&found[0], 0)
	wg.Wait()
	for _, f := range found[1:] {
		for _, h := range f.items {
			found[0].add(h)
		}
	}
	return found[0].sorted()
}

// SearchAmong is Search over the given ids alone; ids that are not there, and
// repetitions, do not count. It costs one comparison of floats for each id.
func (x *Index) SearchAmong(q []float32, ids []uint64, k int) ([]Hit, error) {
	prepared, err := x.query(q, k)
	if err != nil {
		return nil, err
	}
	places := x.places(ids)
	if len(places) == 0 {
		return nil, nil
	}
	n := x.workers(len(places) / fewRows)
	return merge(n, min(k, len(places)), func(best *top[Hit], worker int) {
		for i := worker; i < len(places); i += n {
			p := places[i]
			best.add(Hit{p.b.ids[p.i], prepared.score(x.kernel.dot, p.b.row(p.i), p.b.norms[p.i])})
		}
	}), nil
}

// places finds the rows of ids. Rows never change, so what is found stays
// good without the lock.
func (x *Index) places(ids []uint64) []place {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	out := make([]place, 0, len(ids))
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, id := range ids {
		if p, ok := x.where[id]; ok {
			out = append(out, p)
		}
	}
	return out
}
