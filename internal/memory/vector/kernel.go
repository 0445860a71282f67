package vector

import "math"

// kernel is one way to do the inner loops. All kernels give the same bits:
// scan is integer arithmetic, and dot and round have one order of additions.
type kernel struct {
	name string
	// scan sets out[i] to the dot product of row i's codes with the query's
	// fixed-point form. codes holds len(out) rows of len(q.fixed) bytes.
	scan func(q *query, codes []byte, out []int64)
	// dot is the dot product of two rows of one length, a multiple of lanes.
	dot func(a, b []float32) float64
	// largest is the greatest absolute value in a row.
	largest func(row []float32) float32
	// round writes the byte of each of a row's numbers times toCode, and
	// returns the sum of the squares of what times inverse differs from what
	// the bytes stand for at scale.
	round func(row []float32, inverse, toCode, scale float64, codes []byte) float64
}

const (
	lanes     = 8  // a float row is padded with zeros to a multiple of this
	codeAlign = 64 // a code row is padded to a multiple of this many bytes
)

// plainKernel runs everywhere.
func plainKernel() kernel {
	return kernel{name: "plain", scan: scanPlain, dot: dotPlain, largest: largestPlain, round: roundPlain}
}

func scanPlain(q *query, codes []byte, out []int64) {
	w := len(q.fixed)
	for i := range out {
		out[i] = dotFixed(codes[i*w:(i+1)*w], q.fixed)
	}
}

// dotFixed adds eight products in 32 bits, which hold 259, before it widens.
func dotFixed(codes []byte, fixed []int16) int64 {
	var sum int64
	for len(codes) >= 8 && len(fixed) >= 8 {
		c, f := (*[8]byte)(codes), (*[8]int16)(fixed)
		even := int32(c[0])*int32(f[0]) + int32(c[2])*int32(f[2]) + int32(c[4])*int32(f[4]) + int32(c[6])*int32(f[6])
		odd := int32(c[1])*int32(f[1]) + int32(c[3])*int32(f[3]) + int32(c[5])*int32(f[5]) + int32(c[7])*int32(f[7])
		sum += int64(even + odd)
		codes, fixed = codes[8:], fixed[8:]
	}
	return sum
}

// dotPlain adds in the order of an eight-lane register that is folded in
// halves. The product of two float32 is exact in float64, so a fused
// multiply-add makes no difference, and every kernel returns the same bits.
func dotPlain(a, b []float32) float64 {
	var s [lanes]float64
	for len(a) >= lanes && len(b) >= lanes {
		x, y := (*[lanes]float32)(a), (*[lanes]float32)(b)
		s[0] += float64(x[0]) * float64(y[0])
		s[1] += float64(x[1]) * float64(y[1])
		s[2] += float64(x[2]) * float64(y[2])
		s[3] += float64(x[3]) * float64(y[3])
		s[4] += float64(x[4]) * float64(y[4])
		s[5] += float64(x[5]) * float64(y[5])
		s[6] += float64(x[6]) * float64(y[6])
		s[7] += float64(x[7]) * float64(y[7])
		a, b = a[lanes:], b[lanes:]
	}
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}

func largestPlain(row []float32) float32 {
	var top uint32
	for _, v := range row {
		// Without the sign, floats compare as their bits do, and faster.
		top = max(top, math.Float32bits(v)&^(1<<31))
	}
	return math.Float32frombits(top)
}

// roundPlain adds in the order of dotPlain. The conversions keep a compiler
// from fusing what other kernels do in two steps.
func roundPlain(row []float32, inverse, toCode, scale float64, codes []byte) float64 {
	var s [lanes]float64
	for i, v := range row {
		c := int32(float64(float64(v)*toCode) + (zero + 0.5))
		c = min(max(c, zero-levels), zero+levels)
		codes[i] = byte(c)
		e := float64(float64(v)*inverse) - float64(scale*float64(c-zero))
		s[i%lanes] += float64(e * e)
	}
	return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]))
}
