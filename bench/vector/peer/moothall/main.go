// Command moothall is Moothall's own index as a contestant.
package main

import (
	"moothall/bench/vector/peer"
	"moothall/internal/memory/vector"
)

func main() {
	peer.Main(func(_ string, dim int) (peer.Store, error) {
		x, err := vector.New(dim, vector.Options{})
		return store{x}, err
	})
}

type store struct{ x *vector.Index }

func (s store) Fill(rows [][]float32) error {
	for i, r := range rows {
		if err := s.x.Put(uint64(i), r); err != nil {
			return err
		}
	}
	return nil
}

func (s store) Nearest(q []float32, k int) ([]int, error) {
	hits, err := s.x.Search(q, k, nil)
	ids := make([]int, len(hits))
	for i, h := range hits {
		ids[i] = int(h.ID)
	}
	return ids, err
}
