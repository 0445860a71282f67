package nn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"moothall/internal/gateway/builtin/nn"
)

// tolerance is how far logits may be from those of the same weights in
// float64, root mean square to root mean square. About half of that is seen; it
// comes from the 15 bits of activations and the float16 of keys and values.
const tolerance = 1e-3

func TestLogits(t *testing.T) {
	t.Parallel()
	wide := small
	wide.Heads, wide.KVHeads, wide.HeadDim, wide.Dim, wide.FFN, wide.Vocab = 3, 1, 64, 64, 64, 33
	broad := small
	broad.Heads, broad.KVHeads, broad.HeadDim, broad.RopeTheta = 2, 2, 96, 1e6
	for i, c := range []nn.Config{small, wide, broad} {
		file := build(c, uint64(i))
		o := newOracle(file)
		for _, n := range []int{1, 7, nn.Batch + 3, nn.Page + 5} {
			ids := prompt(c, n, uint64(n))
			want := o.logits(ids)
			for _, k := range nn.Kernels() {
				got := feed(t, open(t, k, file).NewContext(), ids)
				if e := apart(got, want); !(e <= tolerance) {
					t.Errorf("shape %d, %d tokens, %s: %.2e from the oracle", i, n, k, e)
				}
			}
		}
	}
}

// TestSameBits checks that the kernels in assembly are one function.
func TestSameBits(t *testing.T) {
	t.Parallel()
	names := nn.Kernels()
	if len(names) < 3 {
		t.Skip("this processor runs fewer than two kernels in assembly: there is nothing to compare")
	}
	file := build(small, 3)
	ids := prompt(small, 150, 3)
	a := feed(t, open(t, names[0], file).NewContext(), ids)
	b := feed(t, open(t, names[1], file).NewContext(), ids)
	if !slices.Equal(a, b) {
		t.Errorf("%s and %s give different bits", names[0], names[1])
	}
}

func TestQuantise(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 1))
	x := make([]float32, 4*64)
	for i := range x[64:] { // the first chunk stays zero
		x[64+i] = float32(r.NormFloat64() * math.Pow(10, float64(i/64*6-6)))
	}
	for _, k := range nn.Kernels() {
		got := nn.Quantise(k, x)
		if first := nn.Quantise("plain", x); !slices.Equal(got, first) {
			t.Errorf("%s differs from plain", k)
		}
		for c := 0; c < len(x); c += 64 {
			most := float64(slices.Max(x[c : c+64]))
			most = max(most, -float64(slices.Min(x[c:c+64])))
			for i := c; i < c+64; i++ {
				if d := math.Abs(float64(got[i] - x[i])); d > most/16383*0.5001 {
					t.Errorf("%s: number %d is off by %g of %g", k, i, d, most)
				}
			}
		}
	}
}

func TestHalf(t *testing.T) {
	t.Parallel()
	for h := range 1 << 16 {
		if h&0x7c00 == 0x7c00 {
			continue
		}
		v := nn.FromHalf(uint16(h))
		if float64(v) != halfValue(uint16(h)) {
			t.Fatalf("%04x is %g, want %g", h, v, halfValue(uint16(h)))
		}
		if back := nn.ToHalf(v); back != uint16(h) {
			t.Fatalf("%04x comes back as %04x", h, back)
		}
	}
	for _, c := range []struct {
		in   float64
		want uint16
	}{
		{1 + 0x1p-11, 0x3c00}, {1 + 0x1.8p-10, 0x3c02}, {1 + 0x1.01p-11, 0x3c01}, // ties go to even
		{0x1p-25, 0}, {0x1.8p-24, 2}, {65519, 0x7bff}, {1e9, 0x7bff},
		{-1e9, 0xfbff}, {math.Inf(1), 0x7bff}, {math.Inf(-1), 0xfbff},
	} {
		if got := nn.ToHalf(float32(c.in)); got != c.want {
			t.Errorf("%g becomes %04x, want %04x", c.in, got, c.want)
		}
	}
	if h := nn.ToHalf(float32(math.NaN())); h&0x7c00 == 0x7c00 {
		t.Errorf("no number becomes %04x", h)
	}
}

func TestExp(t *testing.T) {
	t.Parallel()
	for x := -86.9; x < 88; x += 0.0037 {
		want := math.Exp(float64(float32(x)))
		if e := math.Abs(float64(nn.Exp(float32(x)))/want - 1); e > 3e-7 {
			t.Fatalf("exp(%g) is off by %.1e", x, e)
		}
	}
}
