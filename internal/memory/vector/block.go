package vector

import (
	"iter"
	"slices"
)

const (
	blockRows = 1024 // rows of a block of a large index
	firstRows = 64   // and of the first blocks of a small one
)

// block holds rows in the order they came. A row is written once, before a
// snapshot that counts it is published, and never changed.
type block struct {
	shape shape
	pos   int // its place in the list; the writer's, under Index.mu
	ids   []uint64
	norms []float64
	about []code
	codes []byte
	rows  []float32
}

// shape says how wide rows are.
type shape struct {
	dim    int
	floats int // of a row, padded
	bytes  int // of a row's codes, padded
}

func shapeOf(dim int) shape {
	return shape{dim: dim, floats: roundTo(dim, lanes), bytes: roundTo(dim, codeAlign)}
}

func roundTo(n, unit int) int { return (n + unit - 1) / unit * unit }

func newBlock(s shape, rows int) *block {
	return &block{
		shape: s,
		ids:   make([]uint64, rows), norms: make([]float64, rows), about: make([]code, rows),
		codes: make([]byte, rows*s.bytes), rows: make([]float32, rows*s.floats),
	}
}

func (b *block) row(i int) []float32 { return b.rows[i*b.shape.floats : (i+1)*b.shape.floats] }

// written iterates over the floats that stand in a file, without padding: all
// at once where rows have none, which saves a copy of each.
func (b *block) written() iter.Seq[[]float32] {
	return func(yield func([]float32) bool) {
		if b.shape.dim == b.shape.floats {
			yield(b.rows)
			return
		}
		for i := range b.ids {
			if !yield(b.row(i)[:b.shape.dim]) {
				return
			}
		}
	}
}

func (b *block) code(i int) []byte { return b.codes[i*b.shape.bytes : (i+1)*b.shape.bytes] }

// size is the memory that the block takes.
func (b *block) size() int64 {
	return int64(len(b.ids))*(8+8+8) + int64(len(b.codes)) + 4*int64(len(b.rows))
}

// encode computes row i's codes from its floats. It reports false for a row
// that has no finite norm: one with a NaN or an infinity in it.
func (b *block) encode(i int, k *kernel) bool {
	row := b.row(i)
	norm, ok := length(row, k.dot)
	if !ok {
		return false
	}
	b.norms[i] = norm
	b.about[i] = k.encode(row, norm, b.code(i))
	return true
}

// copyRow takes a row of another block of the same shape.
func (b *block) copyRow(i int, from *block, j int) {
	b.ids[i], b.norms[i], b.about[i] = from.ids[j], from.norms[j], from.about[j]
	copy(b.code(i), from.code(j))
	copy(b.row(i), from.row(j))
}

// segment is a block as one snapshot sees it: its first n rows, less the
// dead ones. Its bits are never changed, only replaced.
type segment struct {
	b    *block
	n    int
	gone int
	dead []uint64 // nil while nothing is gone
}

func (s *segment) isDead(i int) bool {
	return s.dead != nil && s.dead[i/64]>>(i%64)&1 != 0
}

// without returns the segment with row i dead as well.
func (s segment) without(i int) segment {
	if s.dead == nil {
		s.dead = make([]uint64, (len(s.b.ids)+63)/64)
	} else {
		s.dead = slices.Clone(s.dead)
	}
	s.dead[i/64] |= 1 << (i % 64)
	s.gone++
	return s
}

// live iterates over the rows that are there.
func (s *segment) live(yield func(i int) bool) {
	for i := 0; i < s.n; i++ {
		if s.isDead(i) {
			continue
		}
		if !yield(i) {
			return
		}
	}
}

// snapshot is one state of the index. It is immutable once published. The
// array under full may have a later state's entries behind its end.
type snapshot struct {
	full []segment
	tail segment // where rows are added; b may be nil
	live int
}

// segments counts the tail, even an empty one.
func (s *snapshot) segments() int { return len(s.full) + 1 }

func (s *snapshot) at(i int) *segment {
	if i < len(s.full) {
		return &s.full[i]
	}
	return &s.tail
}
