// Package data makes the vectors that all contestants hold, and the truth.
package data

import (
	"cmp"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

const clusters = 200

// Set is what is made: Rows vectors of Dim numbers, each of length 1.
type Set struct{ Rows, Dim int }

// Vectors returns the rows, clustered as those of texts are.
func (s Set) Vectors() [][]float32 {
	centres := s.centres()
	out := make([][]float32, s.Rows)
	parallel(s.Rows, func(i int) { out[i] = s.make(centres, rand.New(rand.NewPCG(1, uint64(i)))) })
	return out
}

// Queries returns n vectors of the same sort that are not among the rows.
func (s Set) Queries(n int) [][]float32 {
	centres := s.centres()
	out := make([][]float32, n)
	for i := range out {
		out[i] = s.make(centres, rand.New(rand.NewPCG(2, uint64(i))))
	}
	return out
}

func (s Set) centres() [][]float32 {
	rng := rand.New(rand.NewPCG(0, 0))
	mean := make([]float32, s.Dim)
	for i := range mean {
		mean[i] = float32(rng.NormFloat64())
	}
	out := make([][]float32, clusters)
	for c := range out {
		out[c] = slices.Clone(mean)
		for i := range out[c] {
			out[c][i] += 0.7 * float32(rng.NormFloat64())
		}
	}
	return out
}

func (s Set) make(centres [][]float32, rng *rand.Rand) []float32 {
	v := slices.Clone(centres[rng.IntN(clusters)])
	var sum float64
	for i := range v {
		v[i] += 0.6 * float32(rng.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}

// Truth returns for each query the places of the k nearest rows by cosine,
// in float64.
func Truth(rows, queries [][]float32, k int) [][]int {
	out := make([][]int, len(queries))
	parallel(len(queries), func(i int) { out[i] = nearest(rows, queries[i], k) })
	return out
}

func nearest(rows [][]float32, q []float32, k int) []int {
	scores, order := make([]float64, len(rows)), make([]int, len(rows))
	for i, r := range rows {
		order[i] = i
		var dot, norm float64
		for j := range r {
			dot += float64(q[j]) * float64(r[j])
			norm += float64(r[j]) * float64(r[j])
		}
		scores[i] = dot / math.Sqrt(norm)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	return order[:min(k, len(order))]
}

func parallel(n int, f func(i int)) {
	workers := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				f(i)
			}
		})
	}
	wg.Wait()
}
