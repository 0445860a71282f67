package vector_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"moothall"
	"moothall/internal/memory/vector"
)

var dims = []int{1, 2, 3, 15, 16, 17, 63, 64, 65, 384, 768, 1024, 1536}

// sets make n vectors of a sort that is hard in its own way.
var sets = map[string]func(dim, n int, rng *rand.Rand) map[uint64][]float32{
	"random": func(dim, n int, rng *rand.Rand) map[uint64][]float32 {
		return each(n, func(int) []float32 { return gauss(dim, rng) })
	},
	"clustered": func(dim, n int, rng *rand.Rand) map[uint64][]float32 {
		c := newCloud(dim, 5, 9)
		return each(n, func(int) []float32 {
			v := make([]float32, dim)
			c.fill(v, rng)
			return v
		})
	},
	// Far below what the codes can tell apart.
	"near ties": func(dim, n int, rng *rand.Rand) map[uint64][]float32 {
		base := gauss(dim, rng)
		return each(n, func(i int) []float32 {
			v := append([]float32(nil), base...)
			j := i % dim
			v[j] = math.Nextafter32(v[j], float32(1-2*(i%2))*math.MaxFloat32)
			return v
		})
	},
	"all equal": func(dim, n int, rng *rand.Rand) map[uint64][]float32 {
		base := gauss(dim, rng)
		return each(n, func(int) []float32 { return base })
	},
	"zeros among others": func(dim, n int, rng *rand.Rand) map[uint64][]float32 {
		return each(n, func(i int) []float32 {
			if i%3 == 0 {
				return make([]float32, dim)
			}
			return gauss(dim, rng)
		})
	},
	// Lengths from the smallest float to the largest: only directions count.
	"extreme lengths": func(dim, n int, rng *rand.Rand) map[uint64][]float32 {
		return each(n, func(i int) []float32 {
			v := gauss(dim, rng)
			scale := []float32{math.SmallestNonzeroFloat32 * 8, 1e-30, 1, 1e30, math.MaxFloat32 / 8}[i%5]
			for j := range v {
				v[j] *= scale
			}
			return v
		})
	},
	// One large number each: the scale is coarse for all the others.
	"spikes": func(dim, n int, rng *rand.Rand) map[uint64][]float32 {
		return each(n, func(i int) []float32 {
			v := gauss(dim, rng)
			v[i%dim] = 1000
			return v
		})
	},
}

func each(n int, make func(i int) []float32) map[uint64][]float32 {
	rows := map[uint64][]float32{}
	for i := range n {
		rows[uint64(i)*7+1] = make(i)
	}
	return rows
}

func TestSearchEqualsOracle(t *testing.T) {
	t.Parallel()
	const k = 7
	for _, kernel := range vector.Kernels() {
		for name, set := range sets {
			t.Run(kernel+"/"+name, func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(4, 4))
				for _, dim := range dims {
					for _, n := range []int{0, 1, k, k + 1, 150} {
						rows := set(dim, n, rng)
						x := build(t, kernel, dim, rows)
						compare(t, x, rows, gauss(dim, rng), k, nil)
						compare(t, x, rows, make([]float32, dim), k, nil)
						compare(t, x, rows, set(dim, 1, rng)[1], k, func(id uint64) bool { return id%2 == 0 })
					}
				}
			})
		}
	}
}

// Several blocks and both workers, where a floor is shared.
func TestSearchLargeEqualsOracle(t *testing.T) {
	t.Parallel()
	const dim, n = 48, 6000
	for _, kernel := range vector.Kernels() {
		for name, set := range sets {
			t.Run(kernel+"/"+name, func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(5, 5))
				rows := set(dim, n, rng)
				x := build(t, kernel, dim, rows)
				for _, k := range []int{1, 20, n - 1, n, n + 1} {
					compare(t, x, rows, rows[uint64(rng.IntN(n))*7+1], k, nil)
				}
				rare := func(id uint64) bool { return id%601 == 0 }
				compare(t, x, rows, gauss(dim, rng), 20, rare)
				compare(t, x, rows, gauss(dim, rng), 20, func(uint64) bool { return false })
			})
		}
	}
}

// The proof in the package's comment, checked on rows.
func TestBoundsHold(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(6, 6))
	for name, set := range sets {
		for _, dim := range dims {
			rows := set(dim, 60, rng)
			x := build(t, vector.Kernels()[0], dim, rows)
			err := x.Margins(gauss(dim, rng), func(id uint64, estimate, margin float64, score float32) {
				if math.Abs(estimate-float64(score)) > margin {
					t.Errorf("%s, %d dimensions, id %d: estimate %v ± %v, score %v", name, dim, id, estimate, margin, score)
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Every kernel computes the same bits, scan and score.
func TestKernelsAgree(t *testing.T) {
	t.Parallel()
	type row struct {
		estimate, margin float64
		score            float32
	}
	rng := rand.New(rand.NewPCG(7, 7))
	for name, set := range sets {
		for _, dim := range append(dims, 16384) {
			rows, q := set(dim, 9, rng), gauss(dim, rng)
			want := map[uint64]row{}
			for i, kernel := range vector.Kernels() {
				err := build(t, kernel, dim, rows).Margins(q, func(id uint64, e, m float64, s float32) {
					got := row{e, m, s}
					if i == 0 {
						want[id] = got
					} else if got != want[id] {
						t.Errorf("%s, %s, %d dimensions, id %d: %v, others have %v", kernel, name, dim, id, got, want[id])
					}
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// Codes and query at their ends: the sums that come nearest to an overflow.
func TestLargestSums(t *testing.T) {
	t.Parallel()
	const dim = 16384
	up, down, mixed := make([]float32, dim), make([]float32, dim), make([]float32, dim)
	for i := range up {
		up[i], down[i], mixed[i] = 1, -1, float32(1-2*(i%2))
	}
	rows := map[uint64][]float32{1: up, 2: down, 3: mixed}
	for _, kernel := range vector.Kernels() {
		x := build(t, kernel, dim, rows)
		for _, q := range rows {
			compare(t, x, rows, q, 3, nil)
		}
	}
}

func TestScanLeavesFewRows(t *testing.T) {
	t.Parallel()
	const n = 5000
	rng := rand.New(rand.NewPCG(8, 8))
	rows := sets["clustered"](256, n, rng)
	x := build(t, vector.Kernels()[0], 256, rows)
	left, err := x.Candidates(sets["clustered"](256, 1, rng)[1], 10)
	if err != nil || left < 10 || left > n/10 {
		t.Errorf("%d of %d rows are left to score, %v", left, n, err)
	}
}

func TestSearchAmong(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 9))
	rows := sets["clustered"](32, 2000, rng)
	for _, kernel := range vector.Kernels() {
		x := build(t, kernel, 32, rows)
		for _, n := range []int{0, 1, 5, 1500} {
			ids, in := []uint64{1 << 60}, map[uint64]bool{}
			for range n {
				id := uint64(rng.IntN(2000))*7 + 1
				ids = append(ids, id, id)
				in[id] = true
			}
			q := gauss(32, rng)
			got, err := x.SearchAmong(q, ids, 12)
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, oracle(rows, q, 12, func(id uint64) bool { return in[id] }))
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, dim := range []int{-1, 0, 16385} {
		_, err := vector.New(dim, vector.Options{})
		refused(t, err, moothall.CodeInvalid)
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	bad := [][]float32{nil, {1, 2}, {1, 2, 3, 4}, {1, nan, 3}, {inf, 0, 0}, {0, 0, -inf}, {inf, -inf, nan}}
	for _, kernel := range vector.Kernels() {
		x := build(t, kernel, 3, map[uint64][]float32{5: {1, 2, 3}})
		for _, v := range bad {
			t.Run(fmt.Sprint(kernel, v), func(t *testing.T) {
				refused(t, x.Put(5, v), moothall.CodeInvalid)
				_, err := x.Search(v, 1, nil)
				refused(t, err, moothall.CodeInvalid)
				_, err = x.SearchAmong(v, []uint64{5}, 1)
				refused(t, err, moothall.CodeInvalid)
			})
		}
		for _, k := range []int{0, -1, math.MinInt} {
			_, err := x.Search([]float32{1, 2, 3}, k, nil)
			refused(t, err, moothall.CodeInvalid)
		}
		compare(t, x, map[uint64][]float32{5: {1, 2, 3}}, []float32{1, 0, 0}, math.MaxInt, nil)
	}
}
