package vector

import "math"

// code is what stands beside a row's bytes: the row divided by its norm
// differs from scale*(byte-128) by a vector of at most this length.
type code struct {
	scale, residual float32
}

const (
	zero     = 128   // the byte that stands for 0
	levels   = 127   // bytes reach from zero-levels to zero+levels
	fixedTop = 32512 // 127*256: the largest value whose two halves fit a signed byte

	// grow makes a computed length an upper bound: it is far above the
	// relative error of a float64 sum over maxDim terms.
	grow = 1 + 1e-9
	// slack is what the proof adds to both bounds: rounding a score to
	// float32 (2^-25 at most), and float64 rounding everywhere else.
	slack = 1.0 / (1 << 23)
)

// encode writes the row's bytes and returns the rest. The row has its padding
// and its norm, which is finite; bytes past the row stay as they are, since
// the query is 0 there.
func (k *kernel) encode(row []float32, norm float64, codes []byte) code {
	if norm == 0 {
		for i := range row {
			codes[i] = zero
		}
		return code{}
	}
	inverse := 1 / norm
	scale := float32(float64(k.largest(row)) * inverse / levels)
	sum := k.round(row, inverse, inverse/float64(scale), float64(scale), codes)
	// The constant covers the rounding of inverse and of every unit.
	return code{scale: scale, residual: roundUp(math.Sqrt(sum)*grow + 1e-12)}
}

// roundUp returns the smallest float32 that is not below v.
func roundUp(v float64) float32 {
	f := float32(v)
	if float64(f) < v {
		f = math.Nextafter32(f, math.MaxFloat32)
	}
	return f
}

// query is what all rows of one search are compared with.
type query struct {
	row  []float32 // padded
	norm float64

	// fixed times step is the query divided by its norm, but for a vector of
	// length residual; length is that of fixed times step.
	fixed                  []int16
	step, length, residual float64
	offset                 int64 // what the bytes' zero adds to every scan

	// fixed = 256*hi + lo, in the widths that kernels want.
	hi8, lo8   []int8
	hi16, lo16 []int16
}

// newQuery prepares a row that has its padding for codes of width bytes.
func newQuery(row []float32, norm float64, width int) *query {
	words := make([]int16, 3*width)
	bytes := make([]int8, 2*width)
	q := &query{
		row: row, norm: norm,
		fixed: words[:width:width], hi16: words[width : 2*width : 2*width], lo16: words[2*width:],
		hi8: bytes[:width:width], lo8: bytes[width:],
	}
	if norm == 0 {
		return q
	}
	q.step = float64(largestPlain(row)) / norm / fixedTop
	var length, residual float64
	for i, v := range row {
		unit := float64(v) / norm
		m := min(max(math.Round(unit/q.step), -fixedTop), fixedTop)
		e := unit - m*q.step
		residual += e * e
		length += m * m
		q.set(i, int16(m))
	}
	q.length = math.Sqrt(length) * q.step * grow
	q.residual = math.Sqrt(residual)*grow + 1e-12
	return q
}

func (q *query) set(i int, m int16) {
	lo := int8(m) // the low byte, read as signed
	hi := int8((int32(m) - int32(lo)) >> 8)
	q.fixed[i], q.hi8[i], q.lo8[i] = m, hi, lo
	q.hi16[i], q.lo16[i] = int16(hi), int16(lo)
	q.offset += zero * int64(m)
}

// bounds returns the estimate of a row's score and how far from it the
// score can be; sum is what the scan gave.
func (q *query) bounds(sum int64, c code) (estimate, margin float64) {
	estimate = float64(sum-q.offset) * q.step * float64(c.scale)
	return estimate, q.length*float64(c.residual) + q.residual + slack
}

// score is the cosine, the number that a search ranks by. Nothing has a
// direction in common with a zero vector.
func (q *query) score(dot func(a, b []float32) float64, row []float32, norm float64) float32 {
	if q.norm == 0 || norm == 0 {
		return 0
	}
	return float32(min(max(dot(q.row, row)/(q.norm*norm), -1), 1))
}
