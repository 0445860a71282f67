package memory

import (
	"cmp"
	"context"
	"math"
	"slices"

	"moothall"
	"moothall/internal/memory/vector"
)

const (
	topDescriptions = 5   // the second stage of a staged query
	deep            = 200 // how far down a fused query looks in each list
	rrf             = 60  // the constant of reciprocal rank fusion
	wordShare       = 2.0 // how much more words count than vectors
	telling         = 0.4 // cosine from which a name is about the query
)

// afterWeights are the weights that the turns after one, in the same conversation,
// lend it. Those before are in its own words and vectors.
var afterWeights = []float64{0.3, 0.2}

// finder is one query being answered.
type finder struct {
	s      *Service
	q      moothall.MemoryQuery
	asked  []asking // one a space that can be asked
	keep   func(n uint64) bool
	stages []moothall.Recall
	served string // the stage that results come from
}

// asking is the query in one space.
type asking struct {
	*space
	vector []float32
}

func (s *Service) newFinder(ctx context.Context, q moothall.MemoryQuery) (*finder, error) {
	f := &finder{s: s, q: q, keep: s.catalog.filter(q)}
	for _, sp := range s.spaces() {
		v, err := s.embedQuery(ctx, sp, q)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			s.o.Logger.Warn("a query is answered without the gateway's embedder", "err", err)
			continue
		}
		f.asked = append(f.asked, asking{sp, v})
		// What is complete needs no help from a lesser one.
		if live, _ := s.catalog.size(); sp.names.Len() >= live {
			break
		}
	}
	return f, nil
}

func (s *Service) embedQuery(ctx context.Context, sp *space, q moothall.MemoryQuery) ([]float32, error) {
	if sp.embedder == s.builtin.Name() {
		return s.builtin.EmbedQuery(q.Text), nil
	}
	got, err := s.o.Embed(ctx, moothall.EmbedRequest{Scope: q.Scope, Purpose: "query", Texts: []string{q.Text}, Priority: moothall.PriorityPerson})
	switch {
	case err != nil:
		return nil, err
	case got.Embedder != sp.embedder || len(got.Vectors) != 1 || len(got.Vectors[0]) != sp.names.Dim():
		s.wake() // it has changed
		return nil, moothall.Fail(moothall.CodeUnavailable, "embed query", "the gateway's embedder is not the one that the memory has")
	}
	return got.Vectors[0], nil
}

// key is what the cache knows the query by.
func (f *finder) key() []float32 {
	if len(f.asked) == 0 {
		return nil
	}
	return f.asked[0].vector
}

// find returns the results of the query, best first.
func (f *finder) find(ctx context.Context) ([]Match, error) {
	mode := f.q.Mode
	if mode == ModeAuto {
		var err error
		if mode, err = f.choose(); err != nil {
			return nil, err
		}
	}
	if mode == ModeFused {
		return f.fused(ctx)
	}
	return f.staged(ctx)
}

// choose takes the staged way where names tell what the query asks for, and
// the fused one for dialogues and for what is badly named.
func (f *finder) choose() (string, error) {
	live, turns := f.s.catalog.size()
	if f.q.Thread != "" || 2*turns > live {
		return ModeFused, nil
	}
	for _, a := range f.asked { // each for itself: only cosines say how near a name is
		best, err := a.names.Search(a.vector, 1, f.keep)
		if err != nil || len(best) > 0 && best[0].Score >= telling {
			return ModeStaged, err
		}
	}
	return ModeFused, nil
}

// nearest asks every space. Cosines of different embedders cannot be
// compared: with more than one, ranks are.
func (f *finder) nearest(search func(a asking) ([]vector.Hit, error)) ([]Match, error) {
	var lists [][]Match
	for _, a := range f.asked {
		hits, err := search(a)
		if err != nil {
			return nil, err
		}
		list := make([]Match, len(hits))
		for i, h := range hits {
			list[i] = Match{h.ID, float64(h.Score)}
		}
		lists = append(lists, list)
	}
	if len(lists) == 1 {
		return lists[0], nil
	}
	weights := make([]float64, len(lists))
	for i := range weights {
		weights[i] = 1
	}
	return fuse(lists, weights), nil
}

// staged goes from names to descriptions to corpora.
func (f *finder) staged(ctx context.Context) ([]Match, error) {
	names, err := f.nearest(func(a asking) ([]vector.Hit, error) { return a.names.Search(a.vector, f.q.TopK, f.keep) })
	if err != nil {
		return nil, err
	}
	names = names[:min(len(names), f.q.TopK)]
	if err := f.stage(ctx, stageNames, names); err != nil {
		return nil, err
	}
	described, err := f.describe(ctx, names)
	if err != nil {
		return nil, err
	}
	described = described[:min(len(described), max(topDescriptions, f.q.Results))]
	if err := f.stage(ctx, stageDescriptions, described); err != nil {
		return nil, err
	}
	found := described
	if f.q.Rerank {
		ns := places(described)
		if found, err = f.nearest(func(a asking) ([]vector.Hit, error) { return a.corpora.SearchAmong(a.vector, ns, len(ns)) }); err != nil {
			return nil, err
		}
	}
	found = f.weigh(found)
	if err := f.stage(ctx, stageCorpus, found); err != nil {
		return nil, err
	}
	f.served = stageCorpus
	return found[:min(len(found), f.q.Results)], nil
}

// describe ranks candidates by their descriptions, which the engine holds.
func (f *finder) describe(ctx context.Context, names []Match) ([]Match, error) {
	ns := places(names)
	return f.nearest(func(a asking) ([]vector.Hit, error) {
		list, err := f.s.o.Engine.VectorsAt(ctx, a.embedder, ns)
		if err != nil {
			return nil, err
		}
		var hits []vector.Hit
		for _, v := range list {
			if len(v.Description) == len(a.vector) {
				hits = append(hits, vector.Hit{ID: v.N, Score: float32(cosine(a.vector, v.Description))})
			}
		}
		slices.SortStableFunc(hits, func(x, y vector.Hit) int {
			return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(slices.Index(ns, x.ID), slices.Index(ns, y.ID)))
		})
		return hits, nil
	})
}

func cosine(a, b []float32) float64 {
	var dot, x, y float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		x += float64(a[i]) * float64(a[i])
		y += float64(b[i]) * float64(b[i])
	}
	if x == 0 || y == 0 {
		return 0
	}
	return dot / math.Sqrt(x*y)
}

func places(list []Match) []uint64 {
	out := make([]uint64, len(list))
	for i, m := range list {
		out[i] = m.N
	}
	return out
}

// stage notes the candidates of a stage, for who wants to see them.
func (f *finder) stage(ctx context.Context, name string, list []Match) error {
	if !f.q.Stages {
		return nil
	}
	c, err := f.s.rows(ctx, list[:min(len(list), f.q.TopK)])
	if err != nil {
		return err
	}
	f.stages = append(f.stages, moothall.Recall{Stage: name, Candidates: c})
	return nil
}
