package nn_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"moothall/internal/gateway/builtin/nn"
)

// full is the shape for which speeds are promised: 22 million parameters.
var full = nn.Config{
	Dim: 384, Layers: 12, Heads: 6, KVHeads: 3, HeadDim: 64, FFN: 1024, Vocab: 8192,
	Window: 4096, RopeTheta: 10000, NormEps: 1e-6,
}

// small is a shape with everything odd that is allowed.
var small = nn.Config{
	Dim: 128, Layers: 2, Heads: 4, KVHeads: 2, HeadDim: 32, FFN: 192, Vocab: 301,
	Window: 400, RopeTheta: 10000, NormEps: 1e-6,
}

// thin is for tests that are about sequences, not about numbers.
var thin = nn.Config{
	Dim: 64, Layers: 2, Heads: 2, KVHeads: 1, HeadDim: 32, FFN: 64, Vocab: 65,
	Window: 400, RopeTheta: 10000, NormEps: 1e-6,
}

// entry is a tensor of a header.
type entry struct {
	Name   string `json:"name"`
	Shape  []int  `json:"shape"`
	Type   string `json:"type"`
	Offset int    `json:"offset"`
}

// writer makes a model file of random numbers.
type writer struct {
	r       *rand.Rand
	data    []byte
	tensors []entry
}

// build returns a file for a shape; the same seed gives the same bytes.
func build(c nn.Config, seed uint64) []byte {
	w := write(c, seed)
	return assemble(c, w.tensors, w.data)
}

// write makes the tensors of a shape.
func write(c nn.Config, seed uint64) *writer {
	w := &writer{r: rand.New(rand.NewPCG(seed, 1))}
	wide, kv := c.Heads*c.HeadDim, c.KVHeads*c.HeadDim
	w.matrix("emb.weight", c.Vocab, c.Dim)
	for i := range c.Layers {
		p := fmt.Sprintf("blocks.%d.", i)
		w.vector(p+"n1.w", c.Dim)
		w.vector(p+"n2.w", c.Dim)
		w.vector(p+"qn.w", c.HeadDim)
		w.vector(p+"kn.w", c.HeadDim)
		w.matrix(p+"wq.weight", wide, c.Dim)
		w.matrix(p+"wk.weight", kv, c.Dim)
		w.matrix(p+"wv.weight", kv, c.Dim)
		w.matrix(p+"wo.weight", c.Dim, wide)
		w.matrix(p+"w1.weight", c.FFN, c.Dim)
		w.matrix(p+"w3.weight", c.FFN, c.Dim)
		w.matrix(p+"w2.weight", c.Dim, c.FFN)
	}
	w.vector("nf.w", c.Dim)
	return w
}

// assemble puts the parts of a file together.
func assemble(c nn.Config, tensors []entry, data []byte) []byte {
	return join(header(c, tensors), data)
}

// header returns the JSON of a file.
func header(c nn.Config, tensors []entry) []byte {
	head, err := json.Marshal(map[string]any{"config": c, "tensors": tensors})
	if err != nil {
		panic(err)
	}
	return head
}

// join makes a file of a header and data.
func join(head, data []byte) []byte {
	out := binary.LittleEndian.AppendUint32([]byte("MOOTNN01"), uint32(len(head)))
	return append(padded(append(out, head...)), data...)
}

func padded(b []byte) []byte { return append(b, make([]byte, -len(b)&63)...) }

func (w *writer) begin(name, kind string, shape ...int) {
	w.tensors = append(w.tensors, entry{name, shape, kind, len(w.data)})
}

// vector has weights about 1.
func (w *writer) vector(name string, n int) {
	w.begin(name, "f32", n)
	for range n {
		w.data = binary.LittleEndian.AppendUint32(w.data, math.Float32bits(float32(1+w.r.NormFloat64()/4)))
	}
	w.data = padded(w.data)
}

// matrix keeps the size of what it multiplies. Some weights are -128, which no
// honest file has.
func (w *writer) matrix(name string, rows, cols int) {
	w.begin(name, "q8", rows, cols)
	for i := 0; i < rows*cols; i += 8 {
		w.data = binary.LittleEndian.AppendUint64(w.data, w.r.Uint64())
	}
	w.data = padded(w.data)
	for range rows * cols / 32 {
		s := (0.5 + w.r.Float64()) / 74 / math.Sqrt(float64(cols))
		w.data = binary.LittleEndian.AppendUint16(w.data, nn.ToHalf(float32(s)))
	}
	w.data = padded(w.data)
}

// prompt returns n random tokens.
func prompt(c nn.Config, n int, seed uint64) []int32 {
	r := rand.New(rand.NewPCG(seed, 2))
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(r.IntN(c.Vocab))
	}
	return ids
}

func open(t testing.TB, kernel string, data []byte) *nn.Model {
	t.Helper()
	m, err := nn.OpenWith(kernel, data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func feed(t testing.TB, c *nn.Context, ids []int32) []float32 {
	t.Helper()
	logits, err := c.Feed(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	return logits
}

// each runs a test with every kernel of this machine.
func each(t *testing.T, f func(t *testing.T, kernel string)) {
	for _, k := range nn.Kernels() {
		t.Run(k, func(t *testing.T) {
			t.Parallel()
			f(t, k)
		})
	}
}
