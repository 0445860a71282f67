package nn

import "math"

// norm sets dst to x divided by its root mean square, times w.
func norm(dst, x, w []float32, eps float64) {
	var a, b, c, d float32
	for i := 0; i+4 <= len(x); i += 4 {
		y := (*[4]float32)(x[i:])
		a += y[0] * y[0]
		b += y[1] * y[1]
		c += y[2] * y[2]
		d += y[3] * y[3]
	}
	mean := (float64(a+b) + float64(c+d)) / float64(len(x))
	r := float32(1 / math.Sqrt(mean+eps))
	dst, w = dst[:len(x)], w[:len(x)]
	for i, v := range x {
		dst[i] = v * r * w[i]
	}
}

// rotate turns the pairs (i, i + half) of a head by the angles of a position.
func rotate(x, cos, sin []float32) {
	a, b := x[:len(cos)], x[len(cos):][:len(cos)]
	sin = sin[:len(cos)]
	for i, c := range cos {
		u, v, s := a[i], b[i], sin[i]
		a[i], b[i] = u*c-v*s, v*c+u*s
	}
}

// add adds y to x.
func add(x, y []float32) {
	y = y[:len(x)]
	for i := range x {
		x[i] += y[i]
	}
}

// The exponential: 2^n times a polynomial on [-ln2/2, ln2/2], right to about
// 2^-23. All kernels use these numbers.
const (
	expMin = -87.0 // below this it is set to that of this, about 1e-38
	expMax = 88.0
	log2e  = 1.44269504088896341
	ln2Hi  = 0.693359375
	ln2Lo  = -2.12194440e-4
	exp2   = 0.5
	exp3   = 1.6666665459e-1
	exp4   = 4.1665795894e-2
	exp5   = 8.3334519073e-3
	exp6   = 1.3981999507e-3
	exp7   = 1.9875691500e-4
	magicN = 0x1.8p23 // adding and taking this away rounds to an integer
)

func exp(x float32) float32 {
	x = min(max(x, expMin), expMax)
	n := (x*log2e + magicN) - magicN
	r := x - n*ln2Hi - n*ln2Lo
	p := float32(exp7)
	p = p*r + exp6
	p = p*r + exp5
	p = p*r + exp4
	p = p*r + exp3
	p = p*r + exp2
	p = p*r*r + r + 1
	return p * math.Float32frombits(uint32(int32(n)+127)<<23)
}

// softmaxPlain replaces scores by exponentials of their distance from the
// highest, and returns their sum.
func softmaxPlain(x []float32) float32 {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	var sum float32
	for i, v := range x {
		e := exp(v - top)
		x[i] = e
		sum += e
	}
	return sum
}

// swishPlain sets gate to gate / (1 + e^-gate) times up.
func swishPlain(gate, up []float32) {
	up = up[:len(gate)]
	for i, g := range gate {
		gate[i] = g / (1 + exp(-g)) * up[i]
	}
}
