package nn

// acts are the activations of a batch, made integers: 15 bits with the sign,
// and one scale for each chunk of 64. Against the 8 bits that are usual this
// costs the kernels a quarter more time and leaves no error worth speaking of,
// so that the logits are those of the int8 weights themselves.
type acts struct {
	n, cols int
	q       []int16   // of the kernels in assembly
	packed  []int64   // of the plain one, for tokens by fours
	singles []single  // of the plain one, for those that are left
	scales  []float32 // row by row
}

// top is the largest activation: with it the sums of a kernel's lane, four
// products with weights shifted by a byte, stay just below 2^31.
const top = 16383

// tiny keeps a chunk of zeros from having the scale 0.
const tiny = 1e-30

// load makes integers of the first n rows of x.
func (a *acts) load(k *kernel, x []float32, n, cols int) {
	a.n, a.cols = n, cols
	if need := n * cols / chunk; cap(a.scales) < need {
		a.scales = make([]float32, need)
	}
	a.scales = a.scales[:n*cols/chunk]
	k.quantise(a, x[:n*cols])
}

// single is the activations of a block for one token, as the plain kernel
// wants them. Of eight columns the first and the fifth share an integer, and so
// on: times the weights of the two, a 32-bit number each in one integer, the
// upper half of the product is the sum of the two products, since
//
//	(u + v<<32) * (y + x<<32) = u*y + (u*x + v*y)<<32 + ...
//
// and the lower half of all products together stays below 2^31. So one
// multiplication does the work of two.
type single struct {
	pairs [block / 8][4]int64
	// start takes away what the 128 brings that is added to each weight, and
	// keeps a negative lower half from borrowing.
	start int64
}

// loadPlain takes four tokens at a time, two in the halves of a 64-bit
// integer, so that one multiplication serves both: a block's sum is below
// 2^27, the halves do not meet. For each column there is a number of the first
// two tokens and one of the last two. Tokens that are left are singles.
func loadPlain(a *acts, x []float32) {
	fours := a.n &^ 3
	if need := fours * a.cols / 2; len(a.packed) < need {
		a.packed = make([]int64, need)
	}
	if need := (a.n - fours) * a.cols / block; len(a.singles) < need {
		a.singles = make([]single, need)
	}
	t := 0
	for ; t < fours; t += 4 {
		p := a.four(t)
		clear(p)
		for i := range 4 {
			a.pack(x, t+i, p[i/2:], uint(i%2)*32)
		}
	}
	for ; t < a.n; t++ {
		a.alone(x, t)
	}
}

// four returns the numbers of the four tokens from the t-th on.
func (a *acts) four(t int) []int64 { return a.packed[t*a.cols/2:][:2*a.cols] }

// one returns the blocks of one of the tokens that are left after the fours.
func (a *acts) one(t int) []single {
	return a.singles[t%4*a.cols/block:][:a.cols/block]
}

// scale sets the scale of the c-th chunk of a token, and returns the chunk and
// what its numbers are to be multiplied with.
func (a *acts) scale(x []float32, t, c int) (in *[chunk]float32, by float32) {
	in = (*[chunk]float32)(x[t*a.cols+c*chunk:])
	var most float32 = tiny
	for _, v := range in {
		most = max(most, v, -v)
	}
	a.scales[t*a.cols/chunk+c] = most / top
	return in, top / most
}

// whole rounds to an integer.
func whole(v float32) int64 { return int64(int32(v + magicN - magicN)) }

// pack adds the integers of a token, shifted, to every second number of p.
func (a *acts) pack(x []float32, t int, p []int64, shift uint) {
	for c := range a.cols / chunk {
		in, by := a.scale(x, t, c)
		out := p[c*chunk*2:]
		for i, v := range in {
			out[i*2] += whole(v*by) << shift
		}
	}
}

// alone makes the blocks of a token.
func (a *acts) alone(x []float32, t int) {
	out := a.one(t)
	for c := range a.cols / chunk {
		in, by := a.scale(x, t, c)
		out[2*c].set((*[block]float32)(in[:block]), by)
		out[2*c+1].set((*[block]float32)(in[block:]), by)
	}
}

func (s *single) set(in *[block]float32, by float32) {
	var sum int64
	for i := range s.pairs {
		for j := range s.pairs[i] {
			x, y := whole(in[8*i+j]*by), whole(in[8*i+j+4]*by)
			s.pairs[i][j] = y + x<<32
			sum += x + y
		}
	}
	s.start = 1<<31 - 128*sum<<32
}
