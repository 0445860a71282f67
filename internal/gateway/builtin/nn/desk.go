package nn

// scratch is the working memory of one worker, and its share of a batch.
type scratch struct {
	model   *Model
	context *Context
	ids     []int32 // its tokens
	first   int     // the position of the first of them

	x      []float32 // the residual stream, one row for each token
	normed []float32
	q      []float32 // queries, then what attention gathered
	k, v   []float32
	gate   []float32
	up     []float32
	cos    []float32
	sin    []float32
	scores []float32
	acts   acts
}

// desk returns working memory, used before or new.
func (m *Model) desk() *scratch {
	if d, ok := m.spare.Get().(*scratch); ok {
		return d
	}
	c := m.config
	rows := func(n int) []float32 { return make([]float32, batchLen*n) }
	return &scratch{
		model: m, x: rows(c.Dim), normed: rows(c.Dim), q: rows(c.wide()), k: rows(c.kv()), v: rows(c.kv()),
		gate: rows(c.FFN), up: rows(c.FFN), cos: rows(c.HeadDim / 2), sin: rows(c.HeadDim / 2),
	}
}

// row returns the i-th row of n numbers.
func row(x []float32, i, n int) []float32 { return x[i*n : (i+1)*n : (i+1)*n] }
