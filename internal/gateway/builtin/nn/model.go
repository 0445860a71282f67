package nn

import (
	"fmt"
	"sync"
)

// matrix is rows x cols of int8, with a scale for each block of a row.
type matrix struct {
	rows, cols int
	q          []int8
	scales     []float32
}

// row returns the weights and scales of a row.
func (m *matrix) row(r int) ([]int8, []float32) {
	return m.q[r*m.cols : (r+1)*m.cols], m.scales[r*m.cols/block : (r+1)*m.cols/block]
}

// layer is the weights of one block of the network.
type layer struct {
	n1, n2, qn, kn             []float32
	wq, wk, wv, wo, w1, w3, w2 matrix
}

// Model is an opened network. It is never changed after Open.
type Model struct {
	config Config
	kernel kernel
	emb    matrix
	layers []layer
	nf     []float32
	freq   []float64
	spare  sync.Pool // of *scratch
}

// Open reads a model file. The weights stay in data, which must not change as
// long as the model is used; they are not read before they are needed. A file
// that is damaged, or whose parts do not fit together, gives an error of
// [moothall.CodeCorrupt].
func Open(data []byte) (*Model, error) { return open(data, kernels()[0]) }

func open(data []byte, k kernel) (*Model, error) {
	h, f, err := readHeader(data)
	if err != nil {
		return nil, err
	}
	c := h.Config
	m := &Model{config: c, kernel: k, freq: c.frequencies()}
	r := &taker{file: f}
	m.emb = r.matrix("emb.weight", c.Vocab, c.Dim)
	m.nf = r.vector("nf.w", c.Dim)
	for i := 0; i < c.Layers && r.err == nil; i++ {
		m.layers = append(m.layers, r.layer(fmt.Sprintf("blocks.%d.", i), c))
	}
	if r.err != nil {
		return nil, r.err
	}
	for name := range f.tensors {
		return nil, fault("tensor %q is unknown", name)
	}
	return m, nil
}

// taker takes tensors out of a file and remembers the first error.
type taker struct {
	file *file
	err  error
}

func (r *taker) vector(name string, n int) []float32 {
	if r.err != nil {
		return nil
	}
	v, err := r.file.vector(name, n)
	r.err = err
	return v
}

func (r *taker) matrix(name string, rows, cols int) matrix {
	if r.err != nil {
		return matrix{}
	}
	m, err := r.file.matrix(name, rows, cols)
	r.err = err
	return m
}

func (r *taker) layer(p string, c Config) layer {
	return layer{
		n1: r.vector(p+"n1.w", c.Dim), n2: r.vector(p+"n2.w", c.Dim),
		qn: r.vector(p+"qn.w", c.HeadDim), kn: r.vector(p+"kn.w", c.HeadDim),
		wq: r.matrix(p+"wq.weight", c.wide(), c.Dim), wk: r.matrix(p+"wk.weight", c.kv(), c.Dim),
		wv: r.matrix(p+"wv.weight", c.kv(), c.Dim), wo: r.matrix(p+"wo.weight", c.Dim, c.wide()),
		w1: r.matrix(p+"w1.weight", c.FFN, c.Dim), w3: r.matrix(p+"w3.weight", c.FFN, c.Dim),
		w2: r.matrix(p+"w2.weight", c.Dim, c.FFN),
	}
}

// Config returns the network's shape.
func (m *Model) Config() Config { return m.config }
