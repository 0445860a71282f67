package vector

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"moothall"
)

// maxDim keeps the integer sums of a scan far from 32 bits.
const maxDim = 16384

// Options of an index. The zero value is the default.
type Options struct {
	// Workers is how many goroutines one search, or Load, runs at most;
	// 0 means GOMAXPROCS at the time of the call.
	Workers int
}

// Index is an exact nearest-neighbour index in memory.
type Index struct {
	shape  shape
	kernel kernel
	opts   Options
	// scratch holds *block of one row, for encoding outside the lock.
	scratch sync.Pool

	state atomic.Pointer[snapshot]

	mu    sync.RWMutex // held to change state, and to read or change what follows
	where map[uint64]place
}

// place is where a row stands.
type place struct {
	b *block
	i int
}

// Stats is a count of what the index holds.
type Stats struct {
	Rows   int    // that can be found
	Dead   int    // replaced or deleted, not yet compacted away
	Blocks int    // of rows
	Bytes  int64  // of rows and codes, without the map from ids
	Kernel string // the inner loop in use: avx512-vnni, avx2 or plain
}

// New returns an empty index for vectors of dim numbers, with the fastest
// kernel that the processor has. It returns [moothall.CodeInvalid] when dim is
// not between 1 and 16384.
func New(dim int, o Options) (*Index, error) {
	return newIndex(dim, kernels()[0], o)
}

func newIndex(dim int, k kernel, o Options) (*Index, error) {
	if dim < 1 || dim > maxDim {
		return nil, invalid("vector index", fmt.Sprintf("%d dimensions are not between 1 and %d", dim, maxDim))
	}
	s := shapeOf(dim)
	x := &Index{shape: s, kernel: k, opts: o, where: map[uint64]place{}}
	x.scratch.New = func() any { return newBlock(s, 1) }
	x.state.Store(&snapshot{})
	return x, nil
}

// Dim returns the number of dimensions.
func (x *Index) Dim() int { return x.shape.dim }

// Len returns how many vectors can be found.
func (x *Index) Len() int { return x.state.Load().live }

// Stats counts.
func (x *Index) Stats() Stats {
	s := x.state.Load()
	st := Stats{Rows: s.live, Kernel: x.kernel.name}
	for i := range s.segments() {
		if seg := s.at(i); seg.b != nil {
			st.Blocks++
			st.Dead += seg.gone
			st.Bytes += seg.b.size()
		}
	}
	return st
}

// Put adds a vector, in place of the one with the same id if there is one; v
// is copied. A search sees the old vector or the new one, never neither. It
// returns [moothall.CodeInvalid] for a vector of another length, and for one
// that has a NaN or an infinity in it. The zero vector is taken: its cosine
// with everything is 0.
func (x *Index) Put(id uint64, v []float32) error {
	one := x.scratch.Get().(*block)
	defer x.scratch.Put(one)
	if err := x.prepare(one, v); err != nil {
		return err
	}
	one.ids[0] = id

	x.mu.Lock()
	defer x.mu.Unlock()
	w := x.begin()
	if old, ok := x.where[id]; ok {
		w.kill(old)
	}
	w.add(one, 0)
	w.commit()
	return nil
}

// Delete removes a vector and reports whether it was there.
func (x *Index) Delete(id uint64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	old, ok := x.where[id]
	if !ok {
		return false
	}
	w := x.begin()
	w.kill(old)
	delete(x.where, id)
	w.commit()
	return true
}

// prepare writes v with its codes into a block of one row.
func (x *Index) prepare(one *block, v []float32) error {
	if err := x.fits("put vector", v); err != nil {
		return err
	}
	copy(one.row(0), v)
	if !one.encode(0, &x.kernel) {
		return notFinite("put vector")
	}
	return nil
}

func (x *Index) fits(op string, v []float32) error {
	if len(v) == x.shape.dim {
		return nil
	}
	return invalid(op, fmt.Sprintf("the vector has %d dimensions, the index %d", len(v), x.shape.dim))
}

// workers is how many goroutines to use for so many pieces of work.
func (x *Index) workers(pieces int) int {
	n := x.opts.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return max(1, min(n, pieces))
}

// length returns the norm of a padded row, and false when it is not finite.
// The squares of float32 do not overflow a float64, so only a NaN or an
// infinity in the row makes it so.
func length(row []float32, dot func(a, b []float32) float64) (float64, bool) {
	sum := dot(row, row)
	return math.Sqrt(sum), !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

func invalid(op, message string) error { return moothall.Fail(moothall.CodeInvalid, op, message) }

func notFinite(op string) error {
	return invalid(op, "the vector has a number in it that is not finite")
}
