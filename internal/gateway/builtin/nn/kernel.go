package nn

// kernel is one way to do the inner loops. For one kernel results do not
// depend on how tokens were divided into batches, or rows among workers.
type kernel struct {
	name string
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
