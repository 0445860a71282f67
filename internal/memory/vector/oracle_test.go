package vector_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"moothall"
	"moothall/internal/memory/vector"
)

// oracle compares with every vector, without an index.
func oracle(rows map[uint64][]float32, q []float32, k int, keep func(uint64) bool) []vector.Hit {
	var hits []vector.Hit
	for id, v := range rows {
		if keep == nil || keep(id) {
			hits = append(hits, vector.Hit{ID: id, Score: vector.Cosine(q, v)})
		}
	}
	slices.SortFunc(hits, func(a, b vector.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits[:min(k, len(hits))]
}

// cosine is written apart from the package, in the plainest way.
func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa) / math.Sqrt(bb)
}

// compare fails when a search does not return exactly what the oracle does,
// or when a score is not the cosine.
func compare(t *testing.T, x *vector.Index, rows map[uint64][]float32, q []float32, k int, keep func(uint64) bool) {
	t.Helper()
	got, err := x.Search(q, k, keep)
	if err != nil {
		t.Fatal(err)
	}
	same(t, got, oracle(rows, q, k, keep))
	for _, h := range got {
		if want := cosine(q, rows[h.ID]); math.Abs(float64(h.Score)-want) > 1e-7 {
			t.Errorf("id %d: score %v, cosine %v", h.ID, h.Score, want)
		}
	}
}

func same(t *testing.T, got, want []vector.Hit) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got %s\nwant %s", head(got), head(want))
	}
}

func head(h []vector.Hit) string { return fmt.Sprint(len(h), " hits: ", h[:min(5, len(h))]) }

// build puts rows in an index with the named kernel, in the order of ids.
func build(t *testing.T, kernel string, dim int, rows map[uint64][]float32) *vector.Index {
	t.Helper()
	x, err := vector.NewWith(kernel, dim, vector.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		if err := x.Put(id, rows[id]); err != nil {
			t.Fatal(err)
		}
	}
	return x
}

// refused fails when err has not the code.
func refused(t *testing.T, err error, code moothall.Code) {
	t.Helper()
	var e *moothall.Error
	if !errors.As(err, &e) || e.Code != code {
		t.Errorf("error %v, want code %q", err, code)
	}
}
