package vector

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Hit is a vector that was found.
type Hit struct {
	ID    uint64
	Score float32 // the cosine, rounded to float32
}

// better is the order of results: by score, then by id.
func better(a, b Hit) bool {
	return a.Score > b.Score || a.Score == b.Score && a.ID < b.ID
}

// Search returns the k vectors with the highest cosine to q, best first, ties
// by id: exactly those that comparing with every vector would give. With
// keep, only vectors whose id it accepts count. It is asked about few ids,
// from several goroutines at once, and must answer the same each time. Search
// returns [moothall.CodeInvalid] when k is below 1 or q is not a vector that
// Put would take.
func (x *Index) Search(q []float32, k int, keep func(id uint64) bool) ([]Hit, error) {
	prepared, err := x.query(q, k)
	if err != nil {
		return nil, err
	}
	s := x.state.Load()
	if s.live == 0 {
		return nil, nil
	}
	f := &find{x: x, s: s, q: prepared, k: min(k, s.live), keep: keep}
	f.floor.bits.Store(math.Float64bits(math.Inf(-1)))
	return f.rescore(f.scan()), nil
}

func (x *Index) query(q []float32, k int) (*query, error) {
	if k < 1 {
		return nil, invalid("search vectors", "the number of results is below 1")
	}
	if err := x.fits("search vectors", q); err != nil {
		return nil, err
	}
	row := make([]float32, x.shape.floats)
	copy(row, q)
	norm, ok := length(row, x.kernel.dot)
	if !ok {
		return nil, notFinite("search vectors")
	}
	return newQuery(row, norm, x.shape.bytes), nil
}

// find is one search over one snapshot.
type find struct {
	x    *Index
	s    *snapshot
	q    *query
	k    int
	keep func(id uint64) bool

	floor floor // k rows are known to score at least this
	next  atomic.Int64
}

// candidate is a row that may be among the k best.
type candidate struct {
	upper float64
	b     *block
	i     int
}

// scan reads the codes of all rows and returns those that its bounds leave,
// highest bound first.
func (f *find) scan() []candidate {
	n := f.x.workers(1 + f.s.live/blockRows)
	scanners := make([]scanner, n)
	var wg sync.WaitGroup
	for i := range scanners {
		scanners[i] = scanner{find: f, lower: top[float64]{k: f.k, before: func(a, b float64) bool { return a > b }}}
		if i > 0 {
			wg.Go(scanners[i].run)
		}
	}
	scanners[0].run()
	wg.Wait()

	lower, all := scanners[0].lower, scanners[0].found
	for _, sc := range scanners[1:] {
		for _, v := range sc.lower.items {
			lower.add(v)
		}
		all = append(all, sc.found...)
	}
	if lower.full() {
		f.floor.raise(lower.last())
	}
	least := f.floor.get()
	all = slices.DeleteFunc(all, func(c candidate) bool { return c.upper < least })
	slices.SortFunc(all, func(a, b candidate) int { return cmp.Compare(b.upper, a.upper) })
	return all
}

// scanner is one goroutine's part of a scan.
type scanner struct {
	*find
	lower top[float64] // the k highest lower bounds of rows that count
	found []candidate
	sums  [128]int64
}

func (s *scanner) run() {
	for {
		i := int(s.next.Add(1)) - 1
		if i >= s.s.segments() {
			return
		}
		s.segment(s.s.at(i))
	}
}

func (s *scanner) segment(seg *segment) {
	for from := 0; from < seg.n; from += len(s.sums) {
		sums := s.sums[:min(len(s.sums), seg.n-from)]
		s.x.kernel.scan(s.q, seg.b.codes[from*seg.b.shape.bytes:], sums)
		s.judge(seg, from, sums)
	}
}

// judge keeps the rows that may still be among the best. Only a row that
// counts raises the floor; asking keep comes last, as it is the dearest.
func (s *scanner) judge(seg *segment, from int, sums []int64) {
	least := s.floor.get()
	about := seg.b.about[from : from+len(sums)]
	for j, sum := range sums {
		estimate, margin := s.q.bounds(sum, about[j])
		if estimate+margin < least {
			continue
		}
		i := from + j
		if seg.isDead(i) || s.keep != nil && !s.keep(seg.b.ids[i]) {
			continue
		}
		s.found = append(s.found, candidate{estimate + margin, seg.b, i})
		s.lower.add(estimate - margin)
		if s.lower.full() {
			least = max(least, s.lower.last())
		}
	}
	s.floor.raise(least)
}

// floor is a number that only rises, shared by goroutines.
type floor struct{ bits atomic.Uint64 }

func (f *floor) get() float64 { return math.Float64frombits(f.bits.Load()) }

func (f *floor) raise(v float64) {
	for {
		old := f.bits.Load()
		if math.Float64frombits(old) >= v || f.bits.CompareAndSwap(old, math.Float64bits(v)) {
			return
		}
	}
}
