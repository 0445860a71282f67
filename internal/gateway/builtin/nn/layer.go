package nn

import "math"

// scratch is the working memory of one worker, and its share of a batch.
type scratch struct {
	model   *Model
	context *Context
	ids     []int32 // its tokens
	first   int     // the position of the first of them

	helpers   *team // who help it with its rows, if they have no tokens
	low, high int   // its part of a matrix that is shared

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

// embed begins the residual stream, and computes the angles of positions.
func (d *scratch) embed() {
	c := d.model.config
	for i, id := range d.ids {
		d.model.emb.read(int(id), row(d.x, i, c.Dim))
		cos, sin := row(d.cos, i, c.HeadDim/2), row(d.sin, i, c.HeadDim/2)
		for j, f := range d.model.freq {
			s, c := math.Sincos(float64(d.first+i) * f)
			sin[j], cos[j] = float32(s), float32(c)
		}
	}
}

// read widens a row.
func (m *matrix) read(r int, out []float32) {
	q, s := m.row(r)
	for i := range out {
		out[i] = float32(q[i]) * s[i/block]
	}
}

// times sets out to the product of a matrix with the loaded activations.
func (d *scratch) times(m *matrix, out []float32) {
	if d.helpers != nil {
		d.helpers.share(m, &d.acts, out)
		return
	}
	d.model.kernel.product(m, 0, m.rows, &d.acts, out)
}

// normalise loads the activations with the normed residual stream.
func (d *scratch) normalise(w []float32) {
	c := d.model.config
	for i := range d.ids {
		norm(row(d.normed, i, c.Dim), row(d.x, i, c.Dim), w, c.NormEps)
	}
	d.acts.load(&d.model.kernel, d.normed, len(d.ids), c.Dim)
}

// project computes the queries of a layer, and stores its keys and values.
func (d *scratch) project(l int) {
	c, w := d.model.config, &d.model.layers[l]
	d.normalise(w.n1)
	d.times(&w.wq, d.q)
	d.times(&w.wk, d.k)
	d.times(&w.wv, d.v)
	scale := float32(1 / math.Sqrt(float64(c.HeadDim)))
	for i := range d.ids {
		cos, sin := row(d.cos, i, c.HeadDim/2), row(d.sin, i, c.HeadDim/2)
		for h := range c.Heads {
			q := row(row(d.q, i, c.wide()), h, c.HeadDim)
			norm(q, q, w.qn, c.NormEps)
			rotate(q, cos, sin)
			for j := range q {
				q[j] *= scale
			}
		}
		for h := range c.KVHeads {
			k := row(row(d.k, i, c.kv()), h, c.HeadDim)
			norm(k, k, w.kn, c.NormEps)
			rotate(k, cos, sin)
		}
		d.store(l, i)
	}
}

// store writes the keys and values of the i-th token into its page.
func (d *scratch) store(l, i int) {
	c := d.model.config
	pos := d.first + i
	p := d.context.pages[pos/pageLen].data
	for h := range c.KVHeads {
		keys, values := c.at(l, h)
		at := pos % pageLen * c.HeadDim
		toHalves(p[keys+at:][:c.HeadDim], row(row(d.k, i, c.kv()), h, c.HeadDim))
		toHalves(p[values+at:][:c.HeadDim], row(row(d.v, i, c.kv()), h, c.HeadDim))
	}
}

// finish does the rest of a layer, once the keys and values of all tokens
// before one's own are there.
func (d *scratch) finish(l int) {
	c, w, n := d.model.config, &d.model.layers[l], len(d.ids)
	d.attend(l)
	d.acts.load(&d.model.kernel, d.q, n, c.wide())
	d.times(&w.wo, d.normed)
	add(d.x[:n*c.Dim], d.normed)
	d.normalise(w.n2)
	d.times(&w.w1, d.gate)
	d.times(&w.w3, d.up)
	d.model.kernel.swish(d.gate[:n*c.FFN], d.up[:n*c.FFN])
	d.acts.load(&d.model.kernel, d.gate, n, c.FFN)
	d.times(&w.w2, d.normed)
	add(d.x[:n*c.Dim], d.normed)
}
