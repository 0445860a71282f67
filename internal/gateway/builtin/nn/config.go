package nn

import "math"

// Config is the shape of a network.
type Config struct {
	Dim       int     `json:"dim"`
	Layers    int     `json:"layers"`
	Heads     int     `json:"heads"`
	KVHeads   int     `json:"kv_heads"`
	HeadDim   int     `json:"head_dim"`
	FFN       int     `json:"ffn"`
	Vocab     int     `json:"vocab"`
	Window    int     `json:"window"` // the most tokens of one sequence
	RopeTheta float64 `json:"rope_theta"`
	NormEps   float64 `json:"norm_eps"`
}

const (
	block = 32 // weights that share a scale
	chunk = 64 // columns that a kernel takes at a time, and activations that share a scale
)

// check refuses shapes that the kernels cannot run or that no file can hold.
func (c Config) check() error {
	for _, f := range []struct {
		name       string
		value, top int
		multiple   int
	}{
		{"dim", c.Dim, 1 << 14, chunk},
		{"layers", c.Layers, 256, 1},
		{"heads", c.Heads, 256, 1},
		{"kv_heads", c.KVHeads, 256, 1},
		{"head_dim", c.HeadDim, 256, block},
		{"ffn", c.FFN, 1 << 16, chunk},
		{"vocab", c.Vocab, 1 << 20, 1},
		{"window", c.Window, 1 << 20, 1},
		{"heads x head_dim", c.Heads * c.HeadDim, 1 << 14, chunk},
	} {
		if f.value < 1 || f.value > f.top || f.value%f.multiple != 0 {
			return fault("%s is %d: it must be a multiple of %d, at most %d", f.name, f.value, f.multiple, f.top)
		}
	}
	if c.Heads%c.KVHeads != 0 {
		return fault("%d heads cannot share %d key heads", c.Heads, c.KVHeads)
	}
	if !(c.RopeTheta >= 1 && c.RopeTheta <= 1e12) || !(c.NormEps > 0 && c.NormEps < 1) {
		return fault("rope_theta or norm_eps is out of range")
	}
	return nil
}

func (c Config) wide() int { return c.Heads * c.HeadDim }   // columns of all heads
func (c Config) kv() int   { return c.KVHeads * c.HeadDim } // columns of all key heads

// frequencies are the angles by which neighbouring positions differ.
func (c Config) frequencies() []float64 {
	f := make([]float64, c.HeadDim/2)
	for i := range f {
		f[i] = math.Pow(c.RopeTheta, -float64(2*i)/float64(c.HeadDim))
	}
	return f
}
