package main

import (
	"math"
	"strings"
	"unicode"
)

// bm25 is Okapi BM25 over weighted fields, as SQLite's FTS5 computes it: the
// counts of the fields are multiplied by the fields' weights and added up.
type bm25 struct {
	k1, b  float64
	words  func(string) []string
	counts []map[string]float64
	length []float64
	mean   float64
	in     map[string]int
}

// field is a part of a document and how much its words count.
type field struct {
	text   string
	weight float64
}

func newBM25(k1, b float64, words func(string) []string, docs [][]field) *bm25 {
	x := &bm25{k1: k1, b: b, words: words, in: map[string]int{}}
	for _, d := range docs {
		counts, n := map[string]float64{}, 0.0
		for _, f := range d {
			if f.weight == 0 {
				continue
			}
			for _, w := range words(f.text) {
				counts[w] += f.weight
				n += f.weight
			}
		}
		for w := range counts {
			x.in[w]++
		}
		x.counts, x.length = append(x.counts, counts), append(x.length, n)
		x.mean += n
	}
	x.mean /= float64(len(docs))
	return x
}

// scores rates every document.
func (x *bm25) scores(question string) []float64 {
	out := make([]float64, len(x.counts))
	for _, w := range x.words(question) {
		n := float64(x.in[w])
		if n == 0 {
			continue
		}
		idf := math.Log(1 + (float64(len(out))-n+0.5)/(n+0.5))
		for i, c := range x.counts {
			if tf := c[w]; tf > 0 {
				out[i] += idf * tf * (x.k1 + 1) / (tf + x.k1*(1-x.b+x.b*x.length[i]/x.mean))
			}
		}
	}
	return out
}

// plain splits at what is neither letter nor digit.
func plain(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
