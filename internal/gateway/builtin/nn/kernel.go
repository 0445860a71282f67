package nn

// kernel is one way to do the inner loops. For one kernel results do not
// depend on how tokens were divided into batches, or rows among workers.
type kernel struct {
	name string
	// slow says that a second worker is worth its while for a single token.
	slow bool
	// quantise makes integers of a.n rows of a.cols activations, in the form
	// that product wants, and sets their scales.
	quantise func(a *acts, x []float32)
	// product sets out[t*rows+r] to the product of row r with token t, for
	// the rows from low to high and all tokens.
	product func(m *matrix, low, high int, a *acts, out []float32)
	// dots sets out[i] to the product of q with the i-th row of float16.
	dots func(q []float32, rows []uint16, out []float32)
	// mix adds to out the i-th row of float16 times p[i], for all of them.
	mix func(p []float32, rows []uint16, out []float32)
	// softmax is softmaxPlain.
	softmax func(x []float32) float32
	// swish is swishPlain.
	swish func(gate, up []float32)
}

// plainKernel runs everywhere.
func plainKernel() kernel {
	return kernel{
		name: "plain", slow: true, quantise: loadPlain, product: productPlain,
		dots: dotsPlain, mix: mixPlain, softmax: softmaxPlain, swish: swishPlain,
	}
}

// productPlain takes four tokens at a time.
func productPlain(m *matrix, low, high int, a *acts, out []float32) {
	t := 0
	for ; t+4 <= a.n; t += 4 {
		p, xs := a.four(t), a.scales[t*m.cols/chunk:]
		for r := low; r < high; r++ {
			w, ws := m.row(r)
			o := dotFour(w, ws, p, xs)
			for i, v := range o {
				out[(t+i)*m.rows+r] = v
			}
		}
	}
	for ; t < a.n; t++ {
		p, xs := a.one(t), a.scales[t*m.cols/chunk:]
		for r := low; r < high; r++ {
			w, ws := m.row(r)
			out[t*m.rows+r] = dotOne(w, ws, p, xs)
		}
	}
}

// dotFour multiplies a row with four tokens. Eight columns are written out so
// that no index needs a check.
func dotFour(w []int8, ws []float32, p []int64, xs []float32) (out [4]float32) {
	each := len(w) / chunk
	for b, scale := range ws[:len(w)/block] {
		var s, t int64
		for range block / 8 {
			x, y := (*[8]int8)(w), (*[16]int64)(p)
			s += int64(x[0])*y[0] + int64(x[1])*y[2] + int64(x[2])*y[4] + int64(x[3])*y[6]
			t += int64(x[0])*y[1] + int64(x[1])*y[3] + int64(x[2])*y[5] + int64(x[3])*y[7]
			s += int64(x[4])*y[8] + int64(x[5])*y[10] + int64(x[6])*y[12] + int64(x[7])*y[14]
			t += int64(x[4])*y[9] + int64(x[5])*y[11] + int64(x[6])*y[13] + int64(x[7])*y[15]
			w, p = w[8:], p[16:]
		}
		c := b / 2
		out[0] += float32(float32(int32(s)) * scale * xs[c])
		out[1] += float32(float32(int32((s-int64(int32(s)))>>32)) * scale * xs[each+c])
		out[2] += float32(float32(int32(t)) * scale * xs[2*each+c])
		out[3] += float32(float32(int32((t-int64(int32(t)))>>32)) * scale * xs[3*each+c])
	}
	return out
}

// dotOne multiplies a row with one token. Like dotFour it rounds a product
// before adding it, also where the compiler could fuse the two, so that both
// give the same bits.
func dotOne(w []int8, ws []float32, p []int64, xs []float32) (out float32) {
	for b, scale := range ws[:len(w)/block] {
		var s int64
		for range block / 8 {
			x, y := (*[8]int8)(w), (*[8]int64)(p)
			s += int64(x[0])*y[0] + int64(x[1])*y[1] + int64(x[2])*y[2] + int64(x[3])*y[3] +
				int64(x[4])*y[4] + int64(x[5])*y[5] + int64(x[6])*y[6] + int64(x[7])*y[7]
			w, p = w[8:], p[8:]
		}
		out += float32(float32(s) * scale * xs[b/2])
	}
	return out
}

func dotsPlain(q []float32, rows []uint16, out []float32) {
	var by [256]float32
	x := by[:len(q)]
	for i, v := range q {
		x[i] = v * unhalf
	}
	for i := range out {
		out[i] = dotHalf(rows[i*len(x):][:len(x)], x)
	}
}

// dotHalf takes four at a time; a row is a multiple of that.
func dotHalf(r []uint16, x []float32) float32 {
	var a, b, c, d float32
	for len(r) >= 4 && len(x) >= 4 {
		h, v := (*[4]uint16)(r), (*[4]float32)(x)
		a += moved(h[0]) * v[0]
		b += moved(h[1]) * v[1]
		c += moved(h[2]) * v[2]
		d += moved(h[3]) * v[3]
		r, x = r[4:], x[4:]
	}
	return (a + b) + (c + d)
}

func mixPlain(p []float32, rows []uint16, out []float32) {
	for i, v := range p {
		addHalf(out, rows[i*len(out):][:len(out)], v*unhalf)
	}
}

func addHalf(out []float32, r []uint16, by float32) {
	for len(r) >= 4 && len(out) >= 4 {
		h, v := (*[4]uint16)(r), (*[4]float32)(out)
		v[0] += moved(h[0]) * by
		v[1] += moved(h[1]) * by
		v[2] += moved(h[2]) * by
		v[3] += moved(h[3]) * by
		r, out = r[4:], out[4:]
	}
}
