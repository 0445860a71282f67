package nn_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"

	"moothall/internal/gateway/builtin/nn"
)

// oracle is the network in float64, written for clarity, from a file's bytes.
type oracle struct {
	nn.Config
	tensors map[string][]float64
}

func newOracle(file []byte) *oracle {
	n := int(binary.LittleEndian.Uint32(file[8:]))
	var h struct {
		Config  nn.Config
		Tensors []entry
	}
	if err := json.Unmarshal(file[12:12+n], &h); err != nil {
		panic(err)
	}
	o := &oracle{Config: h.Config, tensors: map[string][]float64{}}
	data := file[(12+n+63)/64*64:]
	for _, e := range h.Tensors {
		o.tensors[e.Name] = read(data[e.Offset:], e)
	}
	return o
}

func read(b []byte, e entry) []float64 {
	n := 1
	for _, s := range e.Shape {
		n *= s
	}
	out := make([]float64, n)
	for i := range out {
		if e.Type == "f32" {
			out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
			continue
		}
		scale := halfValue(binary.LittleEndian.Uint16(b[(n+63)/64*64+i/32*2:]))
		out[i] = float64(int8(b[i])) * scale
	}
	return out
}

// halfValue reads a finite float16 by its definition.
func halfValue(h uint16) float64 {
	e, m := int(h>>10&31), float64(h&1023)
	v := math.Ldexp(m, -24)
	if e > 0 {
		v = math.Ldexp(1024+m, e-25)
	}
	if h>>15 == 1 {
		return -v
	}
	return v
}

func (o *oracle) times(name string, x []float64) []float64 {
	w := o.tensors[name]
	out := make([]float64, len(w)/len(x))
	for i := range out {
		for j, v := range x {
			out[i] += w[i*len(x)+j] * v
		}
	}
	return out
}

func (o *oracle) norm(name string, x []float64) []float64 {
	var sum float64
	for _, v := range x {
		sum += v * v
	}
	r := 1 / math.Sqrt(sum/float64(len(x))+o.NormEps)
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v * r * o.tensors[name][i]
	}
	return out
}

// turn norms every head of x and turns it by the angles of a position.
func (o *oracle) turn(name string, x []float64, pos int) {
	half := o.HeadDim / 2
	for h := 0; h < len(x); h += o.HeadDim {
		n := o.norm(name, x[h:h+o.HeadDim])
		for i := range half {
			s, c := math.Sincos(float64(pos) * math.Pow(o.RopeTheta, -2*float64(i)/float64(o.HeadDim)))
			x[h+i] = n[i]*c - n[i+half]*s
			x[h+i+half] = n[i+half]*c + n[i]*s
		}
	}
}

// attend gathers values for the queries of the last position.
func (o *oracle) attend(q []float64, keys, values [][]float64) []float64 {
	out := make([]float64, len(q))
	for h := range o.Heads {
		at := h / (o.Heads / o.KVHeads) * o.HeadDim
		weights, sum := make([]float64, len(keys)), 0.0
		for p, k := range keys {
			for i := range o.HeadDim {
				weights[p] += q[h*o.HeadDim+i] * k[at+i]
			}
			weights[p] = math.Exp(weights[p] / math.Sqrt(float64(o.HeadDim)))
			sum += weights[p]
		}
		for p, v := range values {
			for i := range o.HeadDim {
				out[h*o.HeadDim+i] += weights[p] / sum * v[at+i]
			}
		}
	}
	return out
}

// logits runs the whole sequence.
func (o *oracle) logits(ids []int32) []float64 {
	var x [][]float64
	for _, id := range ids {
		x = append(x, append([]float64(nil), o.tensors["emb.weight"][int(id)*o.Dim:][:o.Dim]...))
	}
	for l := range o.Layers {
		p := fmt.Sprintf("blocks.%d.", l)
		var keys, values [][]float64
		for pos := range x {
			n := o.norm(p+"n1.w", x[pos])
			q, k := o.times(p+"wq.weight", n), o.times(p+"wk.weight", n)
			o.turn(p+"qn.w", q, pos)
			o.turn(p+"kn.w", k, pos)
			keys, values = append(keys, k), append(values, o.times(p+"wv.weight", n))
			plus(x[pos], o.times(p+"wo.weight", o.attend(q, keys, values)))
			n = o.norm(p+"n2.w", x[pos])
			gate, up := o.times(p+"w1.weight", n), o.times(p+"w3.weight", n)
			for i, g := range gate {
				gate[i] = g / (1 + math.Exp(-g)) * up[i]
			}
			plus(x[pos], o.times(p+"w2.weight", gate))
		}
	}
	return o.times("emb.weight", o.norm("nf.w", x[len(x)-1]))
}

func plus(x, y []float64) {
	for i := range x {
		x[i] += y[i]
	}
}

// apart returns the root mean square of the difference, as a part of that of
// the wanted numbers.
func apart(got []float32, want []float64) float64 {
	var d, w float64
	for i, v := range want {
		d += (float64(got[i]) - v) * (float64(got[i]) - v)
		w += v * v
	}
	return math.Sqrt(d / w)
}
