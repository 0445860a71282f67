package vector_test

import "math/rand/v2"

// cloud makes vectors that lie as those of texts do: a common direction, a
// cluster's direction, and noise.
type cloud struct {
	mean    []float32
	centres [][]float32
}

func newCloud(dim, clusters int, seed uint64) *cloud {
	rng := rand.New(rand.NewPCG(seed, 0))
	c := &cloud{mean: gauss(dim, rng)}
	for range clusters {
		c.centres = append(c.centres, gauss(dim, rng))
	}
	return c
}

func gauss(dim int, rng *rand.Rand) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return v
}

// fill writes the next vector; safe for concurrent use with own sources.
func (c *cloud) fill(v []float32, rng *rand.Rand) {
	centre := c.centres[rng.IntN(len(c.centres))]
	for i := range v {
		v[i] = c.mean[i] + 0.7*centre[i] + 0.6*float32(rng.NormFloat64())
	}
}
