package nn

import "fmt"

// The parts of a kernel that tests look at by themselves.
var (
	ToHalf   = toHalf
	FromHalf = fromHalf
	Exp      = exp
)

// Batch is how many tokens a worker takes at a time, Page how many a page has.
const (
	Batch = batchLen
	Page  = pageLen
)

// Kernels names the kernels that this machine can run, best first.
func Kernels() []string {
	var names []string
	for _, k := range kernels() {
		names = append(names, k.name)
	}
	return names
}

// OpenWith is Open with a kernel of one's choice.
func OpenWith(name string, data []byte) (*Model, error) {
	for _, k := range kernels() {
		if k.name == name {
			return open(data, k)
		}
	}
	return nil, fmt.Errorf("no kernel %q", name)
}

// Quantise returns what the integers of a row stand for, in the order of
// columns, by a kernel.
func Quantise(name string, x []float32) []float32 {
	for _, k := range kernels() {
		if k.name == name {
			var a acts
			a.load(&k, x, 1, len(x))
			out := make([]float32, len(x))
			for i := range out {
				out[i] = a.number(i) * a.scales[i/chunk]
			}
			return out
		}
	}
	return nil
}

// number returns the integer of a column of the first row.
func (a *acts) number(i int) float32 {
	if a.q == nil {
		p := a.one(0)[i/block].pairs[i%block/8][i%4]
		if i%8 < 4 {
			return float32((p + 1<<31) >> 32)
		}
		return float32(int32(p))
	}
	j := i % chunk
	return float32(a.q[i-j+j>>3&1<<5+j>>4<<3+j&7])
}
