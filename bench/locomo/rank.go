package main

import (
	"cmp"
	"slices"

	"moothall/internal/memory/embed"
)

// ranker indexes a dialogue and returns what rates its turns for a question.
type ranker func(d *dialogue) func(question string) []float64

// shape says what is indexed of a turn beside its text.
type shape struct {
	head float64   // weight of speaker and date
	near []float64 // weight of the turns at distance 1, 2, ... on both sides
}

// fields are the parts of every turn: text, speaker, date, neighbours.
func (s shape) fields(d *dialogue) [][]field {
	var out [][]field
	for i, t := range d.turns {
		fs := []field{{t.Text, 1}, {t.Speaker, s.head}, {t.Date, s.head}}
		for k, w := range s.near {
			fs = append(fs, field{near(d, i, -k-1), w}, field{near(d, i, k+1), w})
		}
		out = append(out, fs)
	}
	return out
}

// near is the text of a turn further on or back in the same session, or "".
func near(d *dialogue, i, step int) string {
	j := i + step
	if j < 0 || j >= len(d.turns) || d.turns[j].Session != d.turns[i].Session {
		return ""
	}
	return d.turns[j].Text
}

// lexical ranks by BM25.
func lexical(words func(string) []string, s shape) ranker {
	return func(d *dialogue) func(string) []float64 {
		return newBM25(1.5, 0.75, words, s.fields(d)).scores
	}
}

// vectors ranks by the built-in embedder.
func vectors(dim int, s shape) ranker {
	return func(d *dialogue) func(string) []float64 {
		e := embed.New(embed.Options{Dim: dim})
		var stored [][]float32
		for _, fs := range s.fields(d) {
			own := fs[0].text
			if s.head > 0 {
				own = fs[1].text + " " + fs[2].text + " " + own
			}
			e.Observe(own)
			parts := []embed.Part{{Text: own, Weight: 1}}
			for _, f := range fs[3:] {
				parts = append(parts, embed.Part{Text: f.text, Weight: f.weight})
			}
			stored = append(stored, e.EmbedParts(parts...))
		}
		return func(question string) []float64 {
			asked := e.EmbedQuery(question)
			out := make([]float64, len(stored))
			for i, v := range stored {
				for k := range v {
					out[i] += float64(v[k]) * float64(asked[k])
				}
			}
			return out
		}
	}
}

// fused adds weighted reciprocal ranks.
func fused(k float64, weights []float64, rankers ...ranker) ranker {
	return combined(rankers, func(j int, scores, into []float64) {
		for rank, i := range order(scores) {
			into[i] += weights[j] / (k + float64(rank) + 1)
		}
	})
}

// blended adds scores that were divided by the best of their list.
func blended(weights []float64, rankers ...ranker) ranker {
	return combined(rankers, func(j int, scores, into []float64) {
		best := slices.Max(scores)
		for i, s := range scores {
			if best > 0 {
				into[i] += weights[j] * s / best
			}
		}
	})
}

func combined(rankers []ranker, add func(j int, scores, into []float64)) ranker {
	return func(d *dialogue) func(string) []float64 {
		var rates []func(string) []float64
		for _, r := range rankers {
			rates = append(rates, r(d))
		}
		return func(question string) []float64 {
			out := make([]float64, len(d.turns))
			for j, rate := range rates {
				add(j, rate(question), out)
			}
			return out
		}
	}
}

// order lists the turns from best to worst, earlier ones first among equals.
func order(scores []float64) []int {
	out := make([]int, len(scores))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return out
}
