package nn

// acts are the activations of a batch, made integers: 15 bits with the sign,
// and one scale for each chunk of 64. Against the 8 bits that are usual this
// costs the kernels a quarter more time and leaves no error worth speaking of,
// so that the logits are those of the int8 weights themselves.
type acts struct {
	n, cols int
	q       []int16   // of the kernels in assembly
	packed  []int64   // of the plain one
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

// loadPlain takes four tokens at a time, two in the halves of a 64-bit
// integer, so that one multiplication serves both: a block's sum is below
// 2^27, the halves do not meet. For each column there is a number of the first
// two tokens and one of the last two. Tokens that are left have a number each.
func loadPlain(a *acts, x []float32) {
	if need := a.n * a.cols; cap(a.packed) < need {
		a.packed = make([]int64, need)
	}
	a.packed = a.packed[:cap(a.packed)]
	t := 0
	for ; t+4 <= a.n; t += 4 {
		p := a.four(t)
		clear(p)
		for i := range 4 {
			a.pack(x, t+i, p[i/2:], 2, uint(i%2)*32)
		}
	}
	for ; t < a.n; t++ {
		p := a.one(t)
		clear(p)
		a.pack(x, t, p, 1, 0)
	}
}

// four returns the numbers of the four tokens from the t-th on.
func (a *acts) four(t int) []int64 { return a.packed[t*a.cols/2:][:2*a.cols] }

// one returns the numbers of one of the tokens that are left after the fours.
func (a *acts) one(t int) []int64 {
	fours := a.n &^ 3
	return a.packed[fours*a.cols/2+(t-fours)*a.cols:][:a.cols]
}

// pack adds the integers of a token, shifted, to every step-th number of p.
func (a *acts) pack(x []float32, t int, p []int64, step int, shift uint) {
	scales := a.scales[t*a.cols/chunk:]
	for c := range a.cols / chunk {
		in := (*[chunk]float32)(x[t*a.cols+c*chunk:])
		var most float32 = tiny
		for _, v := range in {
			most = max(most, v, -v)
		}
		scales[c] = most / top
		by := top / most
		out := p[c*chunk*step:]
		for i, v := range in {
			out[i*step] += int64(int32(v*by+magicN-magicN)) << shift
		}
	}
}
