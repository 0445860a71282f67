package nn

import "math"

// stage is a part of a layer whose units need nothing of each other.
type stage struct {
	prepare func(d *scratch, l int)
	units   func(c Config) int
	// do does a unit for the tokens of d, with the memory of a worker.
	do func(d, worker *scratch, l, unit int)
}

// stages are a layer. After the first one all keys and values are stored.
var stages = [...]stage{
	{(*scratch).beforeHeads, func(c Config) int { return c.Heads + 2*c.KVHeads }, (*scratch).project},
	{func(*scratch, int) {}, func(c Config) int { return c.KVHeads }, (*scratch).attend},
	{(*scratch).afterHeads, func(c Config) int { return c.Dim / block }, (*scratch).join},
	{(*scratch).beforeFFN, func(c Config) int { return c.FFN / chunk }, (*scratch).widen},
	{(*scratch).insideFFN, func(c Config) int { return c.Dim / block }, (*scratch).narrow},
}

// run does stages of a layer alone.
func (d *scratch) run(l int, stages []stage) {
	if len(d.ids) == 0 {
		return
	}
	for _, s := range stages {
		s.prepare(d, l)
		for u := range s.units(d.model.config) {
			s.do(d, d, l, u)
		}
	}
}

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

// normalise loads the activations with the normed residual stream.
func (d *scratch) normalise(w []float32) {
	c := d.model.config
	for i := range d.ids {
		norm(row(d.normed, i, c.Dim), row(d.x, i, c.Dim), w, c.NormEps)
	}
	d.acts.load(&d.model.kernel, d.normed, len(d.ids), c.Dim)
}

// times sets some rows of out to the product of those of a matrix with the
// loaded activations.
func (d *scratch) times(m *matrix, low, high int, out []float32) {
	d.model.kernel.product(m, low, high, &d.acts, out)
}

func (d *scratch) beforeHeads(l int) { d.normalise(d.model.layers[l].n1) }

// project computes the queries of one head, or stores the keys or the values
// of one key head: the units are these three in turn.
func (d *scratch) project(_ *scratch, l, u int) {
	c, w := d.model.config, &d.model.layers[l]
	switch h := u - c.Heads; {
	case h < 0:
		d.times(&w.wq, u*c.HeadDim, (u+1)*c.HeadDim, d.q)
		d.turn(d.q, u, c.wide(), w.qn, float32(1/math.Sqrt(float64(c.HeadDim))))
	case h < c.KVHeads:
		d.times(&w.wk, h*c.HeadDim, (h+1)*c.HeadDim, d.k)
		d.turn(d.k, h, c.kv(), w.kn, 1)
		keys, _ := c.at(l, h)
		d.store(d.k, h, keys)
	default:
		h -= c.KVHeads
		d.times(&w.wv, h*c.HeadDim, (h+1)*c.HeadDim, d.v)
		_, values := c.at(l, h)
		d.store(d.v, h, values)
	}
}

// turn norms a head of x, turns it by the angles of each token's position, and
// multiplies it.
func (d *scratch) turn(x []float32, head, width int, w []float32, by float32) {
	c := d.model.config
	for i := range d.ids {
		v := row(row(x, i, width), head, c.HeadDim)
		norm(v, v, w, c.NormEps)
		rotate(v, row(d.cos, i, c.HeadDim/2), row(d.sin, i, c.HeadDim/2))
		for j := range v {
			v[j] *= by
		}
	}
}

// store writes a key head of x into the pages of the tokens, where its rows
// begin at the given place.
func (d *scratch) store(x []float32, head, place int) {
	c := d.model.config
	for i := range d.ids {
		pos := d.first + i
		p := d.context.pages[pos/pageLen].data
		at := place + pos%pageLen*c.HeadDim
		toHalves(p[at:][:c.HeadDim], row(row(x, i, c.kv()), head, c.HeadDim))
	}
}

func (d *scratch) afterHeads(int) {
	d.acts.load(&d.model.kernel, d.q, len(d.ids), d.model.config.wide())
}

// join adds a part of what the heads gathered to the residual stream.
func (d *scratch) join(_ *scratch, l, u int) { d.append(&d.model.layers[l].wo, u) }

// append adds a block of rows of a product to the residual stream.
func (d *scratch) append(m *matrix, u int) {
	low, high := u*block, (u+1)*block
	d.times(m, low, high, d.normed)
	for i := range d.ids {
		add(row(d.x, i, m.rows)[low:high], row(d.normed, i, m.rows)[low:high])
	}
}

func (d *scratch) beforeFFN(l int) { d.normalise(d.model.layers[l].n2) }

// widen computes a chunk of the inner layer.
func (d *scratch) widen(_ *scratch, l, u int) {
	w := &d.model.layers[l]
	low, high := u*chunk, (u+1)*chunk
	d.times(&w.w1, low, high, d.gate)
	d.times(&w.w3, low, high, d.up)
	for i := range d.ids {
		d.model.kernel.swish(row(d.gate, i, w.w1.rows)[low:high], row(d.up, i, w.w1.rows)[low:high])
	}
}

func (d *scratch) insideFFN(int) {
	d.acts.load(&d.model.kernel, d.gate, len(d.ids), d.model.config.FFN)
}

// narrow adds a part of the inner layer's product to the residual stream.
func (d *scratch) narrow(_ *scratch, l, u int) { d.append(&d.model.layers[l].w2, u) }
