package chroma

import (
	"cmp"
	"context"
	"encoding/base64"
	"iter"
	"maps"
	"slices"

	"moothall"
	"moothall/internal/memory"
)

const chunk = 200 // how many records are asked for at once

// fetch reads the records at some places, in their order.
func (e *Engine) fetch(ctx context.Context, ns []uint64, whole bool) ([]memory.Record, error) {
	include := []string{"metadatas"}
	if whole {
		include = append(include, "documents")
	}
	found := make(map[string]memory.Record, len(ns))
	for part := range slices.Chunk(ns, chunk) {
		a, err := e.c.get(ctx, e.entries, question{IDs: keys(part), Include: include})
		if err != nil {
			return nil, err
		}
		for i, id := range a.IDs {
			n, err := keyPlace(id)
			if err != nil {
				return nil, err
			}
			var document *string
			if whole {
				document = a.Documents[i]
			}
			if found[id], err = decodeRecord(n, a.Metadatas[i], document); err != nil {
				return nil, err
			}
		}
	}
	var out []memory.Record
	for _, n := range ns {
		if r, ok := found[key(n)]; ok {
			out = append(out, r)
		}
	}
	return out, nil
}

// keys returns the names of records, each once: Chroma refuses doubles.
func keys(ns []uint64) []string {
	out := make([]string, len(ns))
	for i, n := range ns {
		out[i] = key(n)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Get returns records by id.
func (e *Engine) Get(ctx context.Context, ids []moothall.MemoryID) (out []memory.Record, err error) {
	err = e.read(ctx, func(c *catalog) error {
		var ns []uint64
		for _, id := range ids {
			if n := c.places[id]; n != 0 {
				ns = append(ns, n)
			}
		}
		out, err = e.fetch(ctx, ns, true)
		return err
	})
	return out, err
}

// At returns records by place.
func (e *Engine) At(ctx context.Context, ns []uint64, whole bool) (out []memory.Record, err error) {
	err = e.read(ctx, func(c *catalog) error {
		there := slices.DeleteFunc(slices.Clone(ns), func(n uint64) bool { return c.items[n] == nil })
		out, err = e.fetch(ctx, there, whole)
		return err
	})
	return out, err
}

// some streams records that the catalog names. The names are taken at once;
// a record that is deleted during the stream is left out.
func (e *Engine) some(ctx context.Context, choose func(*catalog) []uint64) iter.Seq2[memory.Record, error] {
	return func(yield func(memory.Record, error) bool) {
		var ns []uint64
		if err := e.read(ctx, func(c *catalog) error { ns = choose(c); return nil }); err != nil {
			yield(memory.Record{}, err)
			return
		}
		for part := range slices.Chunk(ns, chunk) {
			list, err := e.At(ctx, part, true)
			if err != nil {
				yield(memory.Record{}, err)
				return
			}
			for _, r := range list {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// Scan streams all records by place.
func (e *Engine) Scan(ctx context.Context, after uint64) iter.Seq2[memory.Record, error] {
	return e.some(ctx, func(c *catalog) []uint64 { return c.where(func(n uint64, _ *item) bool { return n > after }) })
}

// where returns places by a condition, rising.
func (c *catalog) where(is func(uint64, *item) bool) []uint64 {
	var out []uint64
	for n, it := range c.items {
		if is(n, it) {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// List streams records by property, newest first.
func (e *Engine) List(ctx context.Context, l moothall.MemoryList) iter.Seq2[memory.Record, error] {
	return e.some(ctx, func(c *catalog) []uint64 {
		before := c.items[c.places[l.Before]]
		if l.Before != "" && before == nil {
			return nil
		}
		ns := c.where(func(_ uint64, it *item) bool {
			return it.matches(&l) && (before == nil || newer(before, it) < 0)
		})
		slices.SortFunc(ns, func(a, b uint64) int { return newer(c.items[a], c.items[b]) })
		if l.Limit > 0 {
			ns = ns[:min(l.Limit, len(ns))]
		}
		return ns
	})
}

// newer orders from the newest on.
func newer(a, b *item) int {
	return cmp.Or(b.head.Created.Compare(a.head.Created), cmp.Compare(b.head.N, a.head.N))
}

func (it *item) matches(l *moothall.MemoryList) bool {
	if it.proposed != l.Proposed || l.Session != "" && it.session != l.Session {
		return false
	}
	if len(l.IDs) > 0 && !slices.Contains(l.IDs, it.id) || len(l.Kinds) > 0 && !slices.Contains(l.Kinds, it.head.Kind) {
		return false
	}
	return !slices.ContainsFunc(l.Tags, func(tag string) bool { return !slices.Contains(it.head.Tags, tag) })
}

// Heads streams what the memory of the service holds of each record.
func (e *Engine) Heads(ctx context.Context) iter.Seq2[memory.Head, error] {
	return func(yield func(memory.Head, error) bool) {
		var list []memory.Head
		if err := e.read(ctx, func(c *catalog) error {
			for _, n := range c.where(func(_ uint64, it *item) bool { return !it.proposed }) {
				h := c.items[n].head
				h.Tags, h.Score, h.Reward = slices.Clone(h.Tags), clone(h.Score), clone(h.Reward)
				list = append(list, h)
			}
			return nil
		}); err != nil {
			yield(memory.Head{}, err)
			return
		}
		for _, h := range list {
			if !yield(h, nil) {
				return
			}
		}
	}
}

// Turn returns the engrams of a turn.
func (e *Engine) Turn(ctx context.Context, q moothall.QueryID, r moothall.RespondentID) (out []memory.Record, err error) {
	err = e.read(ctx, func(c *catalog) error {
		out, err = e.fetch(ctx, c.where(func(_ uint64, it *item) bool {
			return q != "" && it.query == q && (r == "" || it.who == r) && !it.proposed
		}), true)
		return err
	})
	return out, err
}

// Derived returns ids and everything below them.
func (e *Engine) Derived(ctx context.Context, ids []moothall.MemoryID) (out []moothall.MemoryID, err error) {
	err = e.read(ctx, func(c *catalog) error {
		below := map[moothall.MemoryID][]moothall.MemoryID{}
		for _, it := range c.items {
			for _, id := range it.from {
				below[id] = append(below[id], it.id)
			}
			if it.whole != "" {
				below[it.whole] = append(below[it.whole], it.id)
			}
		}
		seen := map[moothall.MemoryID]bool{}
		for next := slices.Clone(ids); len(next) > 0; {
			id := next[0]
			next = next[1:]
			if c.places[id] == 0 || seen[id] {
				continue
			}
			seen[id] = true
			out = append(out, id)
			next = append(next, below[id]...)
		}
		return nil
	})
	return out, err
}

// Held returns what waits for a turn, or for any.
func (e *Engine) Held(ctx context.Context, q moothall.QueryID) (out []memory.Held, err error) {
	err = e.read(ctx, func(c *catalog) error {
		for _, seq := range slices.Sorted(maps.Keys(c.held)) {
			if h := c.held[seq]; q == "" || h.Query == q {
				out = append(out, h)
			}
		}
		return nil
	})
	return out, err
}

// Search asks the full-text index.
func (e *Engine) Search(ctx context.Context, q memory.TextQuery) (out []memory.Match, err error) {
	err = e.read(ctx, func(c *catalog) error {
		out, err = c.index.Search(q)
		return err
	})
	return out, err
}

// State returns a stored value.
func (e *Engine) State(ctx context.Context, key string) (out []byte, err error) {
	err = e.read(ctx, func(c *catalog) error {
		text, ok := c.state[key]
		if !ok {
			return nil
		}
		if out, err = base64.StdEncoding.DecodeString(text); err != nil {
			return damaged(err)
		}
		return nil
	})
	return out, err
}

// Version counts the changes of records and vectors.
func (e *Engine) Version(ctx context.Context) (v uint64, err error) {
	err = e.read(ctx, func(c *catalog) error { v = c.counters.Version; return nil })
	return v, err
}

// Count counts records and candidates.
func (e *Engine) Count(ctx context.Context) (records, candidates int64, err error) {
	err = e.read(ctx, func(c *catalog) error {
		for _, it := range c.items {
			if it.proposed {
				candidates++
			} else {
				records++
			}
		}
		return nil
	})
	return records, candidates, err
}
