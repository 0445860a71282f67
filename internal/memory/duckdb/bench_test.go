//go:build duckdb

package duckdb_test

import (
	"fmt"
	"testing"

	"moothall/internal/memory"
	"moothall/internal/memory/duckdb"
)

// large returns an engine with many entries of some sixty words and vectors
// of 256 numbers.
func large(b *testing.B, entries int) *duckdb.Engine {
	b.Helper()
	e := fresh(b)
	for lo := 0; lo < entries; lo += 512 {
		var list []*memory.Record
		for i := lo; i < min(lo+512, entries); i++ {
			list = append(list, wordy(i))
		}
		if _, err := e.Apply(b.Context(), &memory.Change{Put: list}); err != nil {
			b.Fatal(err)
		}
	}
	return e
}

func wordy(i int) *memory.Record {
	r := record(fmt.Sprint("r", i), 0)
	r.Text.Corpus = ""
	for w := range 60 {
		r.Text.Corpus += fmt.Sprintf("word%d ", (i*31+w*w*7)%20000)
	}
	r.Entry.Corpus = r.Text.Corpus
	v := make([]float32, 256)
	for d := range v {
		v[d] = float32((i*(d+3))%17) - 8
	}
	r.Vectors = []memory.Vectors{{Embedder: "m", Name: v, Description: v, Corpus: v}}
	return r
}

func BenchmarkApply(b *testing.B) {
	e := large(b, 5000)
	i := 5000
	for b.Loop() {
		if _, err := e.Apply(b.Context(), &memory.Change{Put: []*memory.Record{wordy(i)}}); err != nil {
			b.Fatal(err)
		}
		i++
	}
}

func BenchmarkRead(b *testing.B) {
	e := large(b, 20000)
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			if _, err := e.Search(b.Context(), memory.TextQuery{Words: []string{"word77", "word1234", "word999"}, Limit: 20}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("at", func(b *testing.B) {
		for b.Loop() {
			if _, err := e.At(b.Context(), []uint64{5, 500, 5000, 15000}, true); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("vectors", func(b *testing.B) {
		for b.Loop() {
			for _, err := range e.Vectors(b.Context(), "m") {
				if err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("nearest "+e.Nearness(), func(b *testing.B) {
		v := wordy(7).Vectors[0].Name
		if _, err := e.Nearest(b.Context(), "m", duckdb.ByName, v, 20); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if _, err := e.Nearest(b.Context(), "m", duckdb.ByName, v, 20); err != nil {
				b.Fatal(err)
			}
		}
	})
}
