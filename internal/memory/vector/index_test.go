package vector_test

import (
	"math/rand/v2"
	"sync"
	"testing"

	"moothall/internal/memory/vector"
)

func open(t *testing.T, dim int) *vector.Index {
	t.Helper()
	x, err := vector.New(dim, vector.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Random writes against a map, with compaction well under way.
func TestWritesEqualMap(t *testing.T) {
	t.Parallel()
	const dim, ids = 5, 4000
	rng := rand.New(rand.NewPCG(1, 2))
	x, rows := open(t, dim), map[uint64][]float32{}
	for step := range 30_000 {
		id := uint64(rng.IntN(ids))
		if rng.IntN(3) == 0 {
			_, there := rows[id]
			if x.Delete(id) != there {
				t.Fatalf("step %d: Delete(%d) is not %v", step, id, there)
			}
			delete(rows, id)
		} else {
			rows[id] = gauss(dim, rng)
			if err := x.Put(id, rows[id]); err != nil {
				t.Fatal(err)
			}
		}
		if x.Len() != len(rows) {
			t.Fatalf("step %d: %d rows, want %d", step, x.Len(), len(rows))
		}
		if step%3000 == 0 {
			compare(t, x, rows, gauss(dim, rng), 10, nil)
			if err := x.Consistent(); err != nil {
				t.Fatal(step, err)
			}
		}
	}
	if s := x.Stats(); s.Dead > s.Rows/3+1024 {
		t.Errorf("compaction leaves too much: %+v", s)
	}
}

// One id written over and over must not grow the index.
func TestReplacingTakesNoMemory(t *testing.T) {
	t.Parallel()
	x := open(t, 3)
	for i := range 50_000 {
		if err := x.Put(uint64(i%3), []float32{1, float32(i), 2}); err != nil {
			t.Fatal(err)
		}
	}
	if s := x.Stats(); s.Rows != 3 || s.Blocks > 2 {
		t.Errorf("after replacing three rows: %+v", s)
	}
	if err := x.Consistent(); err != nil {
		t.Error(err)
	}
}

func TestDeletingAllFreesAll(t *testing.T) {
	t.Parallel()
	x := open(t, 3)
	for i := range uint64(3000) {
		if err := x.Put(i, []float32{1, float32(i), 2}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range uint64(3000) {
		if !x.Delete(i) {
			t.Fatalf("%d was not there", i)
		}
	}
	if s := x.Stats(); s.Rows+s.Dead+s.Blocks+int(s.Bytes) != 0 {
		t.Errorf("an empty index holds %+v", s)
	}
	if hits, err := x.Search([]float32{1, 2, 3}, 3, nil); err != nil || len(hits) != 0 {
		t.Errorf("an empty index finds %v, %v", hits, err)
	}
}

func TestPutCopies(t *testing.T) {
	t.Parallel()
	x := open(t, 2)
	v := []float32{1, 0}
	if err := x.Put(1, v); err != nil {
		t.Fatal(err)
	}
	v[0], v[1] = 0, 1
	compare(t, x, map[uint64][]float32{1: {1, 0}}, []float32{1, 0}, 1, nil)
}

// An id that is being replaced is always there, exactly once, while blocks
// fill and are compacted around it.
func TestReadersSeeEachIDOnce(t *testing.T) {
	t.Parallel()
	const dim, ids = 4, 300
	x := open(t, dim)
	all := make([]uint64, ids)
	for i := range all {
		all[i] = uint64(i)
		if err := x.Put(all[i], []float32{1, 2, 3, float32(i)}); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	for r := range 2 {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				hits, err := x.Search([]float32{1, 1, 1, 1}, 2*ids, nil)
				if r == 1 {
					hits, err = x.SearchAmong([]float32{1, 1, 1, 1}, all, 2*ids)
				}
				seen := map[uint64]bool{}
				for _, h := range hits {
					seen[h.ID] = true
				}
				if err != nil || len(hits) != ids || len(seen) != ids {
					t.Errorf("%d hits of %d ids, want %d; %v", len(hits), len(seen), ids, err)
					return
				}
			}
		})
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		if err := x.Put(uint64(rng.IntN(ids)), gauss(dim, rng)); err != nil {
			t.Error(err)
			break
		}
	}
	close(done)
	wg.Wait()
}

func TestParallelPuts(t *testing.T) {
	t.Parallel()
	const n = 3000
	x := open(t, 20)
	rows := sets["random"](20, n, rand.New(rand.NewPCG(5, 6)))
	var wg sync.WaitGroup
	for p := range 4 {
		wg.Go(func() {
			for i := p; i < n; i += 4 {
				id := uint64(i)*7 + 1
				if err := x.Put(id, rows[id]); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := x.Consistent(); err != nil {
		t.Error(err)
	}
	compare(t, x, rows, rows[1], 20, nil)
}

// The figure of the design, for blocks and codes; the map from ids is in the
// benchmark of Load.
func TestMemory(t *testing.T) {
	t.Parallel()
	const dim, n = 768, 5000
	x := open(t, dim)
	v := gauss(dim, rand.New(rand.NewPCG(7, 8)))
	for i := range uint64(n) {
		if err := x.Put(i, v); err != nil {
			t.Fatal(err)
		}
	}
	s := x.Stats()
	if ratio := float64(s.Bytes) / (dim * 4 * n); ratio > 1.4 {
		t.Errorf("%.2f bytes for each byte of floats", ratio)
	}
	if s.Kernel != vector.Kernels()[0] || x.Dim() != dim {
		t.Errorf("%+v, %d dimensions", s, x.Dim())
	}
}
