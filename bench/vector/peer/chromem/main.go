// Command chromem is chromem-go as a contestant, in memory.
package main

import (
	"context"
	"runtime"
	"strconv"

	"github.com/philippgille/chromem-go"

	"moothall/bench/vector/peer"
)

func main() {
	peer.Main(func(string, int) (peer.Store, error) {
		c, err := chromem.NewDB().CreateCollection("rows", nil, nil)
		return store{c}, err
	})
}

type store struct{ c *chromem.Collection }

func (s store) Fill(rows [][]float32) error {
	docs := make([]chromem.Document, len(rows))
	for i, r := range rows {
		docs[i] = chromem.Document{ID: strconv.Itoa(i), Embedding: r, Content: "x"}
	}
	return s.c.AddDocuments(context.Background(), docs, runtime.GOMAXPROCS(0))
}

func (s store) Nearest(q []float32, k int) ([]int, error) {
	found, err := s.c.QueryEmbedding(context.Background(), q, k, nil, nil)
	ids := make([]int, len(found))
	for i, f := range found {
		if ids[i], err = strconv.Atoi(f.ID); err != nil {
			return nil, err
		}
	}
	return ids, err
}
