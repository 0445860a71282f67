package vector

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
)

// Kernels names the kernels that this machine can run, best first.
func Kernels() []string {
	var names []string
	for _, k := range kernels() {
		names = append(names, k.name)
	}
	return names
}

// NewWith is New with a kernel of one's choice.
func NewWith(name string, dim int, o Options) (*Index, error) {
	for _, k := range kernels() {
		if k.name == name {
			return newIndex(dim, k, o)
		}
	}
	return nil, fmt.Errorf("no kernel %q", name)
}

// Cosine is the score by the plain kernel, without an index.
func Cosine(a, b []float32) float32 {
	pad := func(v []float32) []float32 {
		return append(append([]float32(nil), v...), make([]float32, shapeOf(len(v)).floats-len(v))...)
	}
	a, b = pad(a), pad(b)
	na, _ := length(a, dotPlain)
	nb, _ := length(b, dotPlain)
	return newQuery(a, na, shapeOf(len(a)).bytes).score(dotPlain, b, nb)
}

// Candidates returns how many rows a search would score by their floats at
// most: those that the bounds of the scan leave.
func (x *Index) Candidates(v []float32, k int) (int, error) {
	q, err := x.query(v, k)
	if err != nil {
		return 0, err
	}
	s := x.state.Load()
	f := &find{x: x, s: s, q: q, k: min(k, s.live)}
	f.floor.bits.Store(0xfff0000000000000) // minus infinity
	return len(f.scan()), nil
}

// Consistent checks what writers promise to keep: counts, places and bits.
func (x *Index) Consistent() error {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.state.Load()
	live := 0
	for i := range s.segments() {
		seg := s.at(i)
		if seg.b == nil {
			continue
		}
		if seg.b.pos != i {
			return fmt.Errorf("block %d believes to be %d", i, seg.b.pos)
		}
		there := 0
		for j := range seg.live {
			there++
			if at := x.where[seg.b.ids[j]]; at.b != seg.b || at.i != j {
				return fmt.Errorf("id %d is not where the map says", seg.b.ids[j])
			}
		}
		if there != seg.n-seg.gone {
			return fmt.Errorf("block %d: %d living rows, counted %d", i, there, seg.n-seg.gone)
		}
		if i < len(s.full) && 4*seg.gone >= seg.n {
			return fmt.Errorf("block %d has %d of %d rows dead", i, seg.gone, seg.n)
		}
		live += there
	}
	if live != s.live || live != len(x.where) {
		return fmt.Errorf("%d rows, counted %d, known %d", live, s.live, len(x.where))
	}
	return nil
}

// Margins returns a row's estimate, margin and score under a kernel.
func (x *Index) Margins(v []float32, visit func(id uint64, estimate, margin float64, score float32)) error {
	q, err := x.query(v, 1)
	if err != nil {
		return err
	}
	s := x.state.Load()
	for i := range s.segments() {
		seg := s.at(i)
		for j := range seg.live {
			var out [1]int64
			x.kernel.scan(q, seg.b.code(j), out[:])
			e, m := q.bounds(out[0], seg.b.about[j])
			visit(seg.b.ids[j], e, m, q.score(x.kernel.dot, seg.b.row(j), seg.b.norms[j]))
		}
	}
	return nil
}

// File writes a segment of one chunk with the fingerprint "f", by hand.
func File(dim int, ids []uint64, numbers []float32) []byte {
	le := binary.LittleEndian
	b := header(dim, len(ids), "f")
	body := le.AppendUint32(nil, uint32(len(ids)))
	for _, id := range ids {
		body = le.AppendUint64(body, id)
	}
	for _, v := range numbers {
		body = le.AppendUint32(body, math.Float32bits(v))
	}
	sum := crc32.Checksum(append(make([]byte, 8), body...), crc32.MakeTable(crc32.Castagnoli))
	return le.AppendUint32(append(b, body...), sum)
}
