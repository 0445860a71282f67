package nn

import (
	"encoding/binary"
	"unsafe"
)

// plainKernel runs everywhere.
func plainKernel() kernel {
	return kernel{
		name: "plain", quantise: loadPlain, product: productPlain,
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
		p, xs, o := a.one(t), a.scales[t*m.cols/chunk:], out[t*m.rows:][:m.rows]
		r := low
		for ; r+2 <= high; r += 2 {
			u, us := m.blocks(r)
			v, vs := m.blocks(r + 1)
			o[r], o[r+1] = dotTwo(u, v, us, vs, p, xs)
		}
		if r < high {
			u, us := m.blocks(r)
			o[r], _ = dotTwo(u, u, us, us, p, xs)
		}
	}
}

// octets are the weights of a block, eight to a word.
type octets [block / 8][8]byte

// blocks returns the weights and scales of a row, block by block.
func (m *matrix) blocks(r int) ([]octets, []float32) {
	q, s := m.row(r)
	return unsafe.Slice((*octets)(unsafe.Pointer(&q[0])), len(s)), s
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

const (
	flip = 0x8080808080808080 // makes weights positive: it adds 128
	pair = 0x000000ff000000ff // of eight weights the first and the fifth
)

// dotTwo multiplies two rows with one token, two weights with two activations
// at a time: see [single]. Like dotFour it rounds a product before adding it,
// also where the compiler could fuse the two, so that both give the same bits.
func dotTwo(u, v []octets, us, vs []float32, p []single, xs []float32) (one, two float32) {
	u, v, p, vs = u[:len(us)], v[:len(us)], p[:len(us)], vs[:len(us)]
	for b, scale := range us {
		x, y, a := &u[b], &v[b], &p[b]
		s, t := a.start, a.start
		for i := range a.pairs {
			z := &a.pairs[i]
			f := binary.LittleEndian.Uint64(x[i][:]) ^ flip
			g := binary.LittleEndian.Uint64(y[i][:]) ^ flip
			s += int64(f&pair)*z[0] + int64(f>>8&pair)*z[1] + int64(f>>16&pair)*z[2] + int64(f>>24&pair)*z[3]
			t += int64(g&pair)*z[0] + int64(g>>8&pair)*z[1] + int64(g>>16&pair)*z[2] + int64(g>>24&pair)*z[3]
		}
		by := xs[b/2]
		one += float32(float32(int32(s>>32)) * scale * by)
		two += float32(float32(int32(t>>32)) * vs[b] * by)
	}
	return one, two
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

// dotHalf takes eight at a time; a row is a multiple of that.
func dotHalf(r []uint16, x []float32) float32 {
	var a, b, c, d float32
	for len(r) >= 8 && len(x) >= 8 {
		h, v := (*[8]uint16)(r), (*[8]float32)(x)
		a += moved(h[0]) * v[0]
		b += moved(h[1]) * v[1]
		c += moved(h[2]) * v[2]
		d += moved(h[3]) * v[3]
		a += moved(h[4]) * v[4]
		b += moved(h[5]) * v[5]
		c += moved(h[6]) * v[6]
		d += moved(h[7]) * v[7]
		r, x = r[8:], x[8:]
	}
	return (a + b) + (c + d)
}

// mixPlain takes two rows at a time, and adds them one after the other.
func mixPlain(p []float32, rows []uint16, out []float32) {
	n := len(out)
	for len(p) >= 2 {
		addHalves(out, rows[:n], rows[n:2*n], p[0]*unhalf, p[1]*unhalf)
		p, rows = p[2:], rows[2*n:]
	}
	if len(p) > 0 {
		addHalves(out, rows[:n], rows[:n], p[0]*unhalf, 0)
	}
}

func addHalves(out []float32, r, s []uint16, by, also float32) {
	for len(r) >= 4 && len(s) >= 4 && len(out) >= 4 {
		h, k, v := (*[4]uint16)(r), (*[4]uint16)(s), (*[4]float32)(out)
		v[0] = v[0] + moved(h[0])*by + moved(k[0])*also
		v[1] = v[1] + moved(h[1])*by + moved(k[1])*also
		v[2] = v[2] + moved(h[2])*by + moved(k[2])*also
		v[3] = v[3] + moved(h[3])*by + moved(k[3])*also
		r, s, out = r[4:], s[4:], out[4:]
	}
}
