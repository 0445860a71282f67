package terms

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"moothall/internal/memory"
)

// Index finds records by their terms. Make one with [NewIndex].
type Index struct {
	mu    sync.RWMutex
	docs  map[uint64]Doc
	with  map[string]map[uint64]struct{} // records by term
	words int                            // the sum of all lengths
}

// NewIndex returns an empty index.
func NewIndex() *Index {
	return &Index{docs: map[uint64]Doc{}, with: map[string]map[uint64]struct{}{}}
}

// Put stores what a record holds, in place of what it held.
func (ix *Index) Put(n uint64, d Doc) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.drop(n)
	ix.docs[n] = d
	ix.words += d.Length
	for t := range d.Terms {
		if ix.with[t] == nil {
			ix.with[t] = map[uint64]struct{}{}
		}
		ix.with[t][n] = struct{}{}
	}
}

// Drop removes a record.
func (ix *Index) Drop(n uint64) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.drop(n)
}

func (ix *Index) drop(n uint64) {
	d := ix.docs[n]
	for t := range d.Terms {
		delete(ix.with[t], n)
		if len(ix.with[t]) == 0 {
			delete(ix.with, t)
		}
	}
	ix.words -= d.Length
	delete(ix.docs, n)
}

// Search returns the records with any of the words, best first. Its errors
// are those of [Asked].
func (ix *Index) Search(q memory.TextQuery) ([]memory.Match, error) {
	asked, scope, err := Asked(q)
	if err != nil || q.Limit <= 0 {
		return nil, err
	}
	found := ix.scores(asked, scope)
	out := make([]memory.Match, 0, len(found))
	for _, n := range slices.Collect(maps.Keys(found)) {
		out = append(out, memory.Match{N: n, Score: found[n]})
	}
	slices.SortFunc(out, func(a, b memory.Match) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N)) })
	return out[:min(len(out), q.Limit)], nil
}

// scores adds up what each record has of each term.
func (ix *Index) scores(asked []string, scope string) map[uint64]float64 {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	found := map[uint64]float64{}
	average := float64(ix.words) / float64(max(len(ix.docs), 1))
	for _, t := range asked {
		rarity := Rarity(len(ix.docs), len(ix.with[t]))
		for n := range ix.with[t] {
			if d := ix.docs[n]; scope == "" || d.Scope == scope {
				found[n] += Score(rarity, d.Terms[t], d.Length, average)
			}
		}
	}
	return found
}
