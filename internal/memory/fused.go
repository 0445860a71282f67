package memory

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"moothall/internal/memory/vector"
)

// fused ranks corpora by words and by vectors, and joins the two.
func (f *finder) fused(ctx context.Context) ([]Match, error) {
	depth := max(deep, 4*f.q.Results)
	words, err := f.words(ctx, depth)
	if err != nil {
		return nil, err
	}
	vectors, err := f.nearest(func(a asking) ([]vector.Hit, error) { return a.corpora.Search(a.vector, depth, f.keep) })
	if err != nil {
		return nil, err
	}
	vectors = slices.DeleteFunc(vectors, func(m Match) bool { return m.Score <= 0 })
	lists := [][]Match{f.spread(words), f.spread(vectors)}
	found := f.weigh(fuse(lists, []float64{wordShare, 1}))
	if err := f.stage(ctx, stageFused, found); err != nil {
		return nil, err
	}
	f.served = stageFused
	return found[:min(len(found), f.q.Results)], nil
}

// words asks the full-text index until enough records pass the filter.
func (f *finder) words(ctx context.Context, depth int) ([]Match, error) {
	q := TextQuery{Words: asked(f.q.Text), Scope: scopeWord(f.q.Thread), Limit: depth}
	for {
		all, err := f.s.o.Engine.Search(ctx, q)
		if err != nil {
			return nil, err
		}
		exhausted := len(all) < q.Limit
		kept := slices.DeleteFunc(all, func(m Match) bool {
			_, there := f.s.catalog.head(m.N)
			return !there || f.keep != nil && !f.keep(m.N)
		})
		if len(kept) >= depth || exhausted {
			return kept[:min(len(kept), depth)], nil
		}
		q.Limit *= 8
	}
}

// spread lends turns a share of the score of those that follow: an answer
// often tells what its question was about.
func (f *finder) spread(list []Match) []Match {
	score := make(map[uint64]float64, len(list))
	for _, m := range list {
		score[m.N] = m.Score
	}
	out := make([]Match, 0, len(list))
	seen := make(map[uint64]bool, len(list))
	lend := func(n uint64) {
		if seen[n] {
			return
		}
		seen[n] = true
		h, ok := f.s.catalog.head(n)
		if !ok || f.keep != nil && !f.keep(n) {
			return
		}
		m := Match{n, score[n]}
		if h.Thread != "" {
			for i, next := range f.s.catalog.after(h.Thread, h.Place, h.Created, len(afterWeights)) {
				m.Score += afterWeights[i] * score[next]
			}
		}
		out = append(out, m)
	}
	for _, m := range list {
		lend(m.N)
		if h, ok := f.s.catalog.head(m.N); ok && h.Thread != "" {
			for _, n := range f.s.catalog.before(h.Thread, h.Place, h.Created, len(afterWeights)) {
				lend(n)
			}
		}
	}
	slices.SortFunc(out, best)
	return out
}

// best orders matches, ties by place.
func best(a, b Match) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N)) }

// fuse joins lists by reciprocal rank. The best possible score is 1.
func fuse(lists [][]Match, weights []float64) []Match {
	score := map[uint64]float64{}
	total := 0.0
	for i, list := range lists {
		total += weights[i] / (rrf + 1)
		for at, m := range list {
			score[m.N] += weights[i] / float64(rrf+at+1)
		}
	}
	out := make([]Match, 0, len(score))
	for n, v := range score {
		out = append(out, Match{n, v / total})
	}
	slices.SortFunc(out, best)
	return out
}

// recencyHalf is the age at which an entry's recency is worth half.
const recencyHalf = 30 * 24 * time.Hour

// weigh moves results by critic score, reward and age when asked to: by a
// quarter at most, so that a good match is not lost to a praised stranger.
func (f *finder) weigh(list []Match) []Match {
	if !f.q.Weigh {
		return list
	}
	now := f.s.o.Now()
	out := make([]Match, len(list))
	for i, m := range list {
		h, _ := f.s.catalog.head(m.N)
		factor := 1.0
		if h.Score != nil {
			factor += 0.1 * clamp((*h.Score-3)/2, -1, 1) // grades are 1 to 5
		}
		if h.Reward != nil {
			factor += 0.1 * clamp(*h.Reward, -1, 1)
		}
		if age := now.Sub(h.Created); age >= 0 {
			factor += 0.05 * math.Exp2(-float64(age)/float64(recencyHalf))
		}
		if m.Score < 0 { // what helps must not take it further down
			factor = 2 - factor
		}
		out[i] = Match{m.N, m.Score * factor}
	}
	slices.SortStableFunc(out, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	return out
}

func clamp(v, low, high float64) float64 {
	if math.IsNaN(v) {
		return low
	}
	return min(max(v, low), high)
}
