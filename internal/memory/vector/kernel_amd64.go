//go:build amd64 && !purego

package vector

import "golang.org/x/sys/cpu"

// kernels lists what this machine can run, best first.
func kernels() []kernel {
	var ks []kernel
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI {
		ks = append(ks, kernel{name: "avx512-vnni", scan: scanWide, dot: dotWide, largest: largestNarrow, round: roundWide})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		ks = append(ks, kernel{name: "avx2", scan: scanNarrow, dot: dotNarrow, largest: largestNarrow, round: roundNarrow})
	}
	return append(ks, plainKernel())
}

func scanWide(q *query, codes []byte, out []int64) {
	w := len(q.fixed)
	if len(out) == 0 {
		return
	}
	_ = codes[len(out)*w-1] // the assembly trusts this
	scanVNNI(&codes[0], &q.hi8[0], &q.lo8[0], w, len(out), &out[0])
}

func scanNarrow(q *query, codes []byte, out []int64) {
	w := len(q.fixed)
	if len(out) == 0 {
		return
	}
	_ = codes[len(out)*w-1]
	scanAVX2(&codes[0], &q.hi16[0], &q.lo16[0], w, len(out), &out[0])
}

func dotWide(a, b []float32) float64 {
	_ = b[len(a)-1]
	return dotAVX512(&a[0], &b[0], len(a))
}

func dotNarrow(a, b []float32) float64 {
	_ = b[len(a)-1]
	return dotAVX2(&a[0], &b[0], len(a))
}

func largestNarrow(row []float32) float32 { return largestAVX2(&row[0], len(row)) }

func roundWide(row []float32, inverse, toCode, scale float64, codes []byte) float64 {
	_ = codes[len(row)-1]
	return roundAVX512(&row[0], len(row), inverse, toCode, scale, &codes[0])
}

func roundNarrow(row []float32, inverse, toCode, scale float64, codes []byte) float64 {
	_ = codes[len(row)-1]
	return roundAVX2(&row[0], len(row), inverse, toCode, scale, &codes[0])
}

// scanVNNI sets out[i] = 256*(row i . hi) + (row i . lo) for n rows of w
// unsigned bytes. w is a positive multiple of 64, n is positive.
//
//go:noescape
func scanVNNI(codes *byte, hi, lo *int8, w, n int, out *int64)

// scanAVX2 is scanVNNI with the query widened to 16 bits, since the byte
// multiply of AVX2 saturates.
//
//go:noescape
func scanAVX2(codes *byte, hi, lo *int16, w, n int, out *int64)

// dotAVX512 is dotPlain; n is a positive multiple of 8.
//
//go:noescape
func dotAVX512(a, b *float32, n int) float64

// dotAVX2 is dotPlain; n is a positive multiple of 8.
//
//go:noescape
func dotAVX2(a, b *float32, n int) float64

// largestAVX2 is largestPlain; n is a positive multiple of 8.
//
//go:noescape
func largestAVX2(row *float32, n int) float32

// roundAVX512 is roundPlain; n is a positive multiple of 8.
//
//go:noescape
func roundAVX512(row *float32, n int, inverse, toCode, scale float64, codes *byte) float64

// roundAVX2 is roundPlain; n is a positive multiple of 8.
//
//go:noescape
func roundAVX2(row *float32, n int, inverse, toCode, scale float64, codes *byte) float64
