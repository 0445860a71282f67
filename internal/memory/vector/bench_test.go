package vector_test

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"moothall/internal/memory/vector"
)

const benchDim = 768

// fill puts n clustered vectors in an index, from all cores.
func fill(b *testing.B, x *vector.Index, n int) *cloud {
	b.Helper()
	c := newCloud(x.Dim(), 200, 1)
	parts := runtime.GOMAXPROCS(0)
	var wg sync.WaitGroup
	for p := range parts {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(2, uint64(p)))
			v := make([]float32, x.Dim())
			for i := p; i < n; i += parts {
				c.fill(v, rng)
				if err := x.Put(uint64(i), v); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return c
}

// searches runs top-20 searches and reports the median and the 95th
// percentile beside the mean.
func searches(b *testing.B, x *vector.Index, c *cloud) {
	rng := rand.New(rand.NewPCG(3, 3))
	qs := make([][]float32, 64)
	rows := 0
	for i := range qs {
		qs[i] = make([]float32, x.Dim())
		c.fill(qs[i], rng)
		n, err := x.Candidates(qs[i], 20)
		if err != nil {
			b.Fatal(err)
		}
		rows += n
	}
	runtime.GC() // the garbage of the build is not the search's
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		if hits, err := x.Search(qs[i%len(qs)], 20, nil); err != nil || len(hits) != 20 {
			b.Fatal(len(hits), err)
		}
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	ms := func(q float64) float64 { return took[int(q*float64(len(took)-1))].Seconds() * 1000 }
	b.ReportMetric(ms(0.5), "p50-ms")
	b.ReportMetric(ms(0.95), "p95-ms")
	b.ReportMetric(float64(rows)/float64(len(qs)), "candidates")
}

// BenchmarkSearch is the figure of the design: 100,000 x 768, top 20.
func BenchmarkSearch(b *testing.B) {
	for _, name := range vector.Kernels() {
		b.Run(name, func(b *testing.B) {
			x, err := vector.NewWith(name, benchDim, vector.Options{})
			if err != nil {
				b.Fatal(err)
			}
			searches(b, x, fill(b, x, 100_000))
		})
	}
}

// BenchmarkSearchMillion takes about 4 GB of memory.
func BenchmarkSearchMillion(b *testing.B) {
	x, err := vector.New(benchDim, vector.Options{})
	if err != nil {
		b.Fatal(err)
	}
	searches(b, x, fill(b, x, 1_000_000))
}

// BenchmarkPut encodes and adds one vector.
func BenchmarkPut(b *testing.B) {
	x, err := vector.New(benchDim, vector.Options{})
	if err != nil {
		b.Fatal(err)
	}
	c := newCloud(benchDim, 8, 1)
	v := make([]float32, benchDim)
	c.fill(v, rand.New(rand.NewPCG(1, 1)))
	for i := 0; b.Loop(); i++ {
		if err := x.Put(uint64(i%50_000), v); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoad opens 100,000 x 768 from a segment in memory, and reports
// what the open index takes for each byte of floats.
func BenchmarkLoad(b *testing.B) {
	x, err := vector.New(benchDim, vector.Options{})
	if err != nil {
		b.Fatal(err)
	}
	fill(b, x, 100_000)
	var file bytes.Buffer
	if err := x.Save(&file, "bench"); err != nil {
		b.Fatal(err)
	}
	x = nil
	before := heap()
	for b.Loop() {
		if x, err = vector.Load(bytes.NewReader(file.Bytes()), benchDim, "bench", vector.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(heap()-before)/(100_000*benchDim*4), "mem/floats")
	runtime.KeepAlive(x)
	runtime.KeepAlive(&file)
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
