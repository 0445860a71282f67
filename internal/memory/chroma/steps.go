package chroma

import (
	"maps"
	"slices"

	"moothall/internal/memory"
	"moothall/internal/memory/terms"
)

// steps writes a plan as what the server is to do.
func (p *plan) steps() ([]step, error) {
	out := p.entrySteps()
	out = append(out, p.vectorSteps()...)
	if p.touched {
		p.counters.Version++
	}
	out = append(out, p.thingSteps()...)
	if p.counters == p.cat.counters && (len(out) == 0 || one(out)) {
		return out, nil
	}
	p.counters.Changes++
	if err := p.json("counters", p.counters); err != nil {
		return nil, err
	}
	out = append(out, step{Do: "upsert", At: p.e.things, batch: thing("counters", *p.things["counters"])})
	for _, number := range slices.Sorted(maps.Keys(p.slots)) {
		if p.slots[number] == nil {
			for _, f := range fields {
				out = append(out, step{Do: "drop", At: p.e.collectionOf(number, f)})
			}
		}
	}
	return out, nil
}

// entrySteps deletes, writes whole, and updates.
func (p *plan) entrySteps() []step {
	gone := step{Do: "delete", At: p.e.entries}
	whole := step{Do: "upsert", At: p.e.entries}
	part := step{Do: "update", At: p.e.entries}
	for _, n := range slices.Sorted(maps.Keys(p.items)) {
		if p.items[n] == nil && p.cat.items[n] != nil {
			gone.IDs = append(gone.IDs, key(n))
		}
	}
	for _, n := range slices.Sorted(maps.Keys(p.rows)) {
		if p.item(n) == nil {
			continue
		}
		s := &part
		if corpus, ok := p.corpora[n]; ok {
			s = &whole
			s.Documents = append(s.Documents, corpus)
			s.Embeddings = append(s.Embeddings, nowhere(n))
		}
		s.IDs, s.Metadatas = append(s.IDs, key(n)), append(s.Metadatas, p.rows[n])
	}
	return slices.Concat(gone.split(), whole.split(), part.split())
}

func (p *plan) vectorSteps() []step {
	var out []step
	for _, number := range slices.Sorted(maps.Keys(p.vectors)) {
		for _, field := range fields {
			at := p.e.collectionOf(number, field)
			gone, put := step{Do: "delete", At: at}, step{Do: "upsert", At: at}
			for _, n := range slices.Sorted(maps.Keys(p.vectors[number])) {
				if v := p.vectors[number][n]; v == nil || p.item(n) == nil {
					gone.IDs = append(gone.IDs, key(n))
				} else {
					put.IDs, put.Embeddings = append(put.IDs, key(n)), append(put.Embeddings, floats(fieldOf(v, field)))
				}
			}
			out = slices.Concat(out, gone.split(), put.split())
		}
	}
	return out
}

func fieldOf(v *memory.Vectors, field string) []float32 {
	switch field {
	case "name":
		return v.Name
	case "description":
		return v.Description
	}
	return v.Corpus
}

func (p *plan) thingSteps() []step {
	gone, put := step{Do: "delete", At: p.e.things}, step{Do: "upsert", At: p.e.things}
	for _, id := range slices.Sorted(maps.Keys(p.things)) {
		if value := p.things[id]; value == nil {
			gone.IDs = append(gone.IDs, id)
		} else {
			one := thing(id, *value)
			put.IDs = append(put.IDs, one.IDs...)
			put.Embeddings = append(put.Embeddings, one.Embeddings...)
			put.Metadatas = append(put.Metadatas, one.Metadatas...)
		}
	}
	return slices.Concat(gone.split(), put.split())
}

// keep takes a plan that was carried out into the catalog.
func (p *plan) keep() {
	c := p.cat
	c.counters = p.counters
	for n, it := range p.items {
		if old := c.items[n]; old != nil {
			if c.places[old.id] == n { // or the id has a new place already
				delete(c.places, old.id)
			}
			delete(c.items, n)
		}
		if it == nil {
			c.index.Drop(n)
			continue
		}
		c.items[n], c.places[it.id] = it, n
	}
	for n, t := range p.texts {
		if c.items[n] != nil {
			c.index.Put(n, terms.Of(t))
		}
	}
	p.keepSlots()
	p.keepThings()
}

func (p *plan) keepSlots() {
	for number, s := range p.slots {
		if p.cat.slots[number] = s; s == nil {
			delete(p.cat.slots, number)
		}
	}
	for number, list := range p.vectors {
		for n, v := range list {
			if v == nil || p.cat.items[n] == nil {
				delete(p.cat.slots[number].has, n)
			} else {
				p.cat.slots[number].has[n] = true
			}
		}
	}
}

// keepThings reads the things as load does, but for those that it deletes.
func (p *plan) keepThings() {
	for seq, h := range p.held {
		if delete(p.cat.held, seq); h != nil {
			p.cat.held[seq] = *h
		}
	}
	for id, value := range p.things {
		p.cat.learn(id, value)
	}
}
