package chroma

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strconv"

	"moothall"
	"moothall/internal/memory"
)

// Vectors streams all of an embedder.
func (e *Engine) Vectors(ctx context.Context, embedder string) iter.Seq2[memory.Vectors, error] {
	return func(yield func(memory.Vectors, error) bool) {
		var ns []uint64
		if err := e.read(ctx, func(c *catalog) error {
			if _, s := c.slotOf(embedder); s != nil {
				ns = slices.Sorted(maps.Keys(s.has))
			}
			return nil
		}); err != nil {
			yield(memory.Vectors{}, err)
			return
		}
		for part := range slices.Chunk(ns, chunk) {
			list, err := e.VectorsAt(ctx, embedder, part)
			if err != nil {
				yield(memory.Vectors{}, err)
				return
			}
			for _, v := range list {
				if !yield(v, nil) {
					return
				}
			}
		}
	}
}

// VectorsAt returns those of some places.
func (e *Engine) VectorsAt(ctx context.Context, embedder string, ns []uint64) (out []memory.Vectors, err error) {
	err = e.read(ctx, func(c *catalog) error {
		number, s := c.slotOf(embedder)
		if s == nil {
			return nil
		}
		there := slices.DeleteFunc(slices.Clone(ns), func(n uint64) bool { return !s.has[n] })
		for part := range slices.Chunk(there, chunk) {
			list, err := e.embeddings(ctx, number, part)
			if err != nil {
				return err
			}
			for _, n := range part {
				v := memory.Vectors{N: n, Embedder: embedder, Name: list[0][key(n)], Description: list[1][key(n)], Corpus: list[2][key(n)]}
				if len(v.Name) != s.D || len(v.Description) != s.D || len(v.Corpus) != s.D {
					return moothall.Fail(moothall.CodeCorrupt, "read vectors", "the vectors of an entry are damaged")
				}
				out = append(out, v)
			}
		}
		return nil
	})
	return out, err
}

// embeddings reads three collections.
func (e *Engine) embeddings(ctx context.Context, slot int64, ns []uint64) (out [len(fields)]map[string][]float32, err error) {
	for f, field := range fields {
		a, err := e.c.get(ctx, e.collectionOf(slot, field), question{IDs: keys(ns), Include: []string{"embeddings"}})
		if err != nil {
			return out, err
		}
		out[f] = map[string][]float32{}
		for i, id := range a.IDs {
			out[f][id] = a.Embeddings[i]
		}
	}
	return out, nil
}

// Lacking returns places without vectors of an embedder.
func (e *Engine) Lacking(ctx context.Context, embedder string, after uint64, limit int) (out []uint64, err error) {
	err = e.read(ctx, func(c *catalog) error {
		_, s := c.slotOf(embedder)
		out = c.where(func(n uint64, it *item) bool { return n > after && !it.proposed && (s == nil || !s.has[n]) })
		out = out[:min(max(limit, 0), len(out))]
		return nil
	})
	return out, err
}

// Drop deletes an embedder's collections and its name.
func (e *Engine) Drop(ctx context.Context, embedder string) error {
	_, err := e.write(ctx, func(p *plan) (bool, error) {
		number, s := p.cat.slotOf(embedder)
		if s == nil {
			return false, nil
		}
		p.touched = true
		p.slots[number] = nil
		p.things["slot/"+strconv.FormatInt(number, 10)] = nil
		return true, nil
	})
	return err
}

// Embedders names those that have a slot.
func (e *Engine) Embedders(ctx context.Context) (out []string, err error) {
	err = e.read(ctx, func(c *catalog) error {
		for _, number := range slices.Sorted(maps.Keys(c.slots)) {
			out = append(out, c.slots[number].Name)
		}
		return nil
	})
	return out, err
}

// Nearest asks Chroma for the entries whose vectors are nearest to the given
// one by inner product, best first. Field is name, description or corpus. The
// answer is Chroma's: approximate.
func (e *Engine) Nearest(ctx context.Context, embedder, field string, v []float32, k int) (out []memory.Match, err error) {
	err = e.read(ctx, func(c *catalog) error {
		number, s := c.slotOf(embedder)
		if !slices.Contains(fields[:], field) || s != nil && s.D != len(v) {
			return moothall.Fail(moothall.CodeInvalid, "find nearest", "the question is of another length, or its field is unknown")
		}
		if s == nil || k <= 0 || len(s.has) == 0 {
			return nil
		}
		var a struct {
			IDs       [][]string  `json:"ids"`
			Distances [][]float64 `json:"distances"`
		}
		q := map[string]any{"query_embeddings": [][]float32{v}, "n_results": min(k, len(s.has)), "include": []string{"distances"}}
		if err := e.c.to(ctx, e.collectionOf(number, field), "query", q, &a); err != nil {
			return err
		}
		if len(a.IDs) != 1 || len(a.Distances) != 1 || len(a.IDs[0]) != len(a.Distances[0]) {
			return damaged(nil)
		}
		for i, id := range a.IDs[0] {
			n, err := keyPlace(id)
			if err != nil {
				return err
			}
			out = append(out, memory.Match{N: n, Score: 1 - a.Distances[0][i]})
		}
		return nil
	})
	return out, err
}
