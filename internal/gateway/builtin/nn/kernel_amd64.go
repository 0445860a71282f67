//go:build amd64 && !purego

package nn

import "golang.org/x/sys/cpu"

// kernels lists what this machine can run, best first.
func kernels() []kernel {
	var ks []kernel
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512VNNI && narrow() {
		ks = append(ks, simd("avx512-vnni", quantiseAVX512, fourAVX512, oneAVX512, dotsAVX512, mixAVX512, softmaxAVX512, swishAVX512))
	}
	if narrow() {
		ks = append(ks, simd("avx2", quantiseAVX2, fourAVX2, oneAVX2, dotsAVX2, mixAVX2, softmaxAVX2, swishAVX2))
	}
	return append(ks, plainKernel())
}

func narrow() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA && cpu.X86.HasF16C }

// rowsLen is how many rows are multiplied with all tokens of a batch before
// the next: few enough to stay in the nearest cache.
const rowsLen = 16

// Within a chunk activations stand in the order in which the kernels meet the
// bytes of a row once they have been widened: of each 16 the first 8, then of
// each 16 the last 8.

// simd wraps assembly, which trusts its arguments, in functions that check.
func simd(name string,
	quantise func(x *float32, q *int16, scales *float32, chunks int),
	four func(w *int8, ws *float32, x *int16, xs *float32, cols, rows int, out *float32, stride int),
	one func(w *int8, ws *float32, x *int16, xs *float32, cols, rows int, out *float32),
	dots func(q *float32, rows *uint16, width, n int, out *float32),
	mix func(p *float32, rows *uint16, width, n int, out *float32),
	softmax func(x *float32, n int) float32,
	swish func(gate, up *float32, n int),
) kernel {
	return kernel{
		name: name,
		quantise: func(a *acts, x []float32) {
			if cap(a.q) < len(x) {
				a.q = make([]int16, len(x))
			}
			a.q = a.q[:len(x)]
			if n := len(a.scales); n > 0 {
				_ = x[n*chunk-1]
				quantise(&x[0], &a.q[0], &a.scales[0], n)
			}
		},
		product: func(m *matrix, low, high int, a *acts, out []float32) {
			for r := low; r < high; r += rowsLen {
				n := min(rowsLen, high-r)
				w, ws := m.q[r*m.cols:(r+n)*m.cols], m.scales[r*m.cols/block:(r+n)*m.cols/block]
				t := 0
				for ; t+4 <= a.n; t += 4 {
					x, xs, o := a.at(t, 4), a.scalesAt(t, 4), out[t*m.rows+r:(t+3)*m.rows+r+n]
					four(&w[0], &ws[0], &x[0], &xs[0], m.cols, n, &o[0], m.rows)
				}
				for ; t < a.n; t++ {
					x, xs, o := a.at(t, 1), a.scalesAt(t, 1), out[t*m.rows+r:t*m.rows+r+n]
					one(&w[0], &ws[0], &x[0], &xs[0], m.cols, n, &o[0])
				}
			}
		},
		dots: func(q []float32, rows []uint16, out []float32) {
			_ = rows[len(q)*len(out)-1]
			dots(&q[0], &rows[0], len(q), len(out), &out[0])
		},
		mix: func(p []float32, rows []uint16, out []float32) {
			_ = rows[len(p)*len(out)-1]
			mix(&p[0], &rows[0], len(out), len(p), &out[0])
		},
		softmax: func(x []float32) float32 { return softmax(&x[0], len(x)) },
		swish: func(gate, up []float32) {
			if n := len(gate); n > 0 {
				_ = up[n-1]
				swish(&gate[0], &up[0], n)
			}
		},
	}
}

// at returns n tokens from the t-th on.
func (a *acts) at(t, n int) []int16 { return a.q[t*a.cols : (t+n)*a.cols] }

func (a *acts) scalesAt(t, n int) []float32 {
	return a.scales[t*a.cols/chunk : (t+n)*a.cols/chunk]
}

// The assembly. All counts are positive; widths and cols are multiples of 32
// and 64, n of dots is a multiple of 4, n of softmax and swish of 16.

//go:noescape
func quantiseAVX512(x *float32, q *int16, scales *float32, chunks int)

//go:noescape
func fourAVX512(w *int8, ws *float32, x *int16, xs *float32, cols, rows int, out *float32, stride int)

//go:noescape
func oneAVX512(w *int8, ws *float32, x *int16, xs *float32, cols, rows int, out *float32)

//go:noescape
func dotsAVX512(q *float32, rows *uint16, width, n int, out *float32)

//go:noescape
func mixAVX512(p *float32, rows *uint16, width, n int, out *float32)

//go:noescape
func softmaxAVX512(x *float32, n int) float32

//go:noescape
func swishAVX512(gate, up *float32, n int)

//go:noescape
func quantiseAVX2(x *float32, q *int16, scales *float32, chunks int)

//go:noescape
func fourAVX2(w *int8, ws *float32, x *int16, xs *float32, cols, rows int, out *float32, stride int)

//go:noescape
func oneAVX2(w *int8, ws *float32, x *int16, xs *float32, cols, rows int, out *float32)

//go:noescape
func dotsAVX2(q *float32, rows *uint16, width, n int, out *float32)

//go:noescape
func mixAVX2(p *float32, rows *uint16, width, n int, out *float32)

//go:noescape
func softmaxAVX2(x *float32, n int) float32

//go:noescape
func swishAVX2(gate, up *float32, n int)
