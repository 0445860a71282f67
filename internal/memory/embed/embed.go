package embed

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"unicode/utf8"
)

// DefaultDim is the dimension of vectors when the options name none.
const DefaultDim = 512

// maxDim keeps sums of squares within an int64.
const maxDim = 4096

// version counts the changes to features, weights or hashing. Any of them
// makes old vectors incomparable, so the count is part of the name.
const version = 1

// Options configure an [Embedder]; the zero value is the default.
type Options struct {
	Dim int // dimension of the vectors, at most 4096; 0 means DefaultDim
}

// Embedder turns text into vectors without any weights.
type Embedder struct {
	dim int
	lex *lexicon

	mu    sync.RWMutex
	stats stats
}

// New returns an embedder with empty statistics.
func New(o Options) *Embedder {
	if o.Dim <= 0 {
		o.Dim = DefaultDim
	}
	o.Dim = min(o.Dim, maxDim)
	return &Embedder{dim: o.Dim, lex: newLexicon(), stats: newStats()}
}

// Name identifies the embedder. Vectors are comparable only under one name.
func (e *Embedder) Name() string { return fmt.Sprintf("builtin-hash-%d/%d", version, e.dim) }

// Dim is the length of every vector.
func (e *Embedder) Dim() int { return e.dim }

// Embed returns the vector of a text to be stored. It depends on the text
// alone, never on the statistics, and has length one; a text without a letter
// or digit has the zero vector.
func (e *Embedder) Embed(text string) []float32 {
	return e.project(features(e.lex, text), nil)
}

// Part is a text that counts with a weight of its own.
type Part struct {
	Text   string
	Weight float64 // from 0 to 1; 1 is the weight of a text of its own
}

// EmbedParts returns the vector of several texts taken together: a turn of a
// dialogue with the turns beside it at half weight, a passage with its
// heading. Like that of [Embedder.Embed] it depends on the texts alone.
func (e *Embedder) EmbedParts(parts ...Part) []float32 {
	acc := make([]int64, e.dim)
	for _, p := range parts {
		sum := make([]int64, e.dim)
		e.gather(sum, features(e.lex, p.Text), nil)
		share := int64(math.Round(min(max(p.Weight, 0), 1) * unit))
		length := squeeze(sum, 1<<20)
		if length == 0 {
			continue
		}
		for i, v := range sum {
			acc[i] += v * share * unit / length
		}
	}
	return normal(acc)
}

// Terms returns the words of a text for an index of words: stems, stop words
// left out, scripts without spaces as pairs of characters.
func (e *Embedder) Terms(text string) []string {
	var out []string
	for t := range tokens(text) {
		switch {
		case t.unspaced:
			out = appendPairs(out, t.text)
		case !e.lex.stop[t.text]:
			out = append(out, e.lex.stem(t.text))
		}
	}
	return out
}

func appendPairs(out []string, run string) []string {
	var last rune
	for _, r := range run {
		if last != 0 {
			out = append(out, string([]rune{last, r}))
		}
		last = r
	}
	if utf8.RuneCountInString(run) == 1 {
		out = append(out, run)
	}
	return out
}

// EmbedQuery returns the vector of a question to be compared with stored
// ones: the same features, weighted by how rare their words are in the texts
// observed so far.
func (e *Embedder) EmbedQuery(text string) []float32 {
	feats := features(e.lex, text)
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.project(feats, &e.stats)
}

// project sums the features' signed projections. Everything up to the last
// division is integer arithmetic: sums of floats may differ between
// processors that fuse multiplication and addition and those that do not.
func (e *Embedder) project(feats []feature, s *stats) []float32 {
	acc := make([]int64, e.dim)
	e.gather(acc, feats, s)
	return normal(acc)
}

// gather adds the features to acc, equal ones as one with more weight.
func (e *Embedder) gather(acc []int64, feats []feature, s *stats) {
	slices.SortFunc(feats, compareFeatures)
	for i := 0; i < len(feats); {
		f, n := feats[i], 0
		for ; i < len(feats) && feats[i].hash == f.hash; i++ {
			n++
		}
		w := int64(f.weight) * repeated(n) / unit
		if s != nil {
			w = w * s.rarity(f) / unit
		}
		scatter(acc, f.hash, w)
	}
}

// scatter adds w at a few places that the hash chooses, with signs that it
// chooses too: one unlucky collision then spoils a part of a feature only.
func scatter(acc []int64, hash uint64, w int64) {
	for range hashes {
		hash = mix(hash)
		at := (hash >> 32) * uint64(len(acc)) >> 32
		if hash&1 == 0 {
			acc[at] += w
		} else {
			acc[at] -= w
		}
	}
}

// repeated is the weight of a feature that occurs n times: it grows with the
// logarithm, since the second mention says less than the first.
func repeated(n int) int64 {
	return unit + log2(int64(n))*3/4
}

// normal divides by the length.
func normal(acc []int64) []float32 {
	out := make([]float32, len(acc))
	if squeeze(acc, 1<<24) == 0 {
		return out
	}
	var sum int64
	for _, v := range acc {
		sum += v * v
	}
	norm := math.Sqrt(float64(sum))
	for i, v := range acc {
		out[i] = float32(float64(v) / norm)
	}
	return out
}

// squeeze shifts the numbers right until all are below limit, so that the sum
// of their squares fits an int64, and returns their length.
func squeeze(acc []int64, limit int64) int64 {
	var most, sum int64
	for _, v := range acc {
		most = max(most, v, -v)
	}
	shift := 0
	for most>>shift >= limit {
		shift++
	}
	for i, v := range acc {
		acc[i] = v >> shift
		sum += acc[i] * acc[i]
	}
	return isqrt(sum)
}
