package chroma

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"

	"moothall"
	"moothall/internal/memory"
)

// plan is a change being worked out, over a catalog that it leaves alone.
type plan struct {
	e        *Engine
	cat      *catalog
	counters counters
	touched  bool // records or vectors changed

	items   map[uint64]*item // nil for deleted
	places  map[moothall.MemoryID]uint64
	rows    map[uint64]map[string]any // metadata to write
	corpora map[uint64]string         // of rows that are written whole
	texts   map[uint64]memory.Text
	vectors map[int64]map[uint64]*memory.Vectors // nil for deleted
	slots   map[int64]*slot                      // nil for dropped
	things  map[string]*string                   // nil for deleted
	held    map[int64]*memory.Held               // nil for released
}

func newPlan(e *Engine) *plan {
	return &plan{
		e: e, cat: e.cat, counters: e.cat.counters,
		items: map[uint64]*item{}, places: map[moothall.MemoryID]uint64{}, rows: map[uint64]map[string]any{}, corpora: map[uint64]string{},
		texts: map[uint64]memory.Text{}, vectors: map[int64]map[uint64]*memory.Vectors{}, slots: map[int64]*slot{},
		things: map[string]*string{}, held: map[int64]*memory.Held{},
	}
}

// Apply makes a change.
func (e *Engine) Apply(ctx context.Context, c *memory.Change) (bool, error) {
	return e.write(ctx, func(p *plan) (bool, error) {
		if c.Once != "" {
			if p.cat.once[c.Once] {
				return false, nil
			}
			sum := sha256.Sum256([]byte(c.Once))
			p.things["once/"+hex.EncodeToString(sum[:])] = &c.Once
		}
		for _, work := range []func(*memory.Change) error{p.deletes, p.puts, p.notes, p.embed, p.touches, p.holds, p.state} {
			if err := work(c); err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

func (p *plan) place(id moothall.MemoryID) uint64 {
	if n, ok := p.places[id]; ok {
		return n
	}
	return p.cat.places[id]
}

func (p *plan) item(n uint64) *item {
	if it, ok := p.items[n]; ok {
		return it
	}
	return p.cat.items[n]
}

// set notes metadata to write for a place.
func (p *plan) set(n uint64, meta map[string]any) {
	if p.rows[n] == nil {
		p.rows[n] = map[string]any{}
	}
	maps.Copy(p.rows[n], meta)
}

// unembed drops the vectors of a place.
func (p *plan) unembed(n uint64) {
	for number, s := range p.cat.slots {
		if s.has[n] {
			p.vector(number)[n] = nil
		}
	}
	for _, list := range p.vectors {
		if list[n] != nil {
			list[n] = nil
		}
	}
}

func (p *plan) vector(slot int64) map[uint64]*memory.Vectors {
	if p.vectors[slot] == nil {
		p.vectors[slot] = map[uint64]*memory.Vectors{}
	}
	return p.vectors[slot]
}

func (p *plan) deletes(c *memory.Change) error {
	for _, id := range c.Delete {
		n := p.place(id)
		if n == 0 {
			continue
		}
		p.touched = true
		p.items[n], p.places[id] = nil, 0
		p.unembed(n)
	}
	return nil
}

func (p *plan) puts(c *memory.Change) error {
	for _, r := range c.Put {
		p.touched = true
		n := p.place(r.Entry.ID)
		if n == 0 {
			p.counters.Place++
			n = p.counters.Place
		}
		p.unembed(n)
		r.N = n
		if err := p.row(r); err != nil {
			return err
		}
		if err := p.text(n, r.Text); err != nil {
			return err
		}
		for _, v := range r.Vectors {
			v.N = n
			if err := p.add(v); err != nil {
				return err
			}
		}
	}
	return nil
}

// row writes a record whole.
func (p *plan) row(r *memory.Record) error {
	meta, document, err := encodeRecord(r)
	if err != nil {
		return err
	}
	p.set(r.N, meta)
	p.corpora[r.N] = document
	p.items[r.N], p.places[r.Entry.ID] = itemOf(r), r.N
	return nil
}

func (p *plan) text(n uint64, t memory.Text) error {
	b, err := json.Marshal(t)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInvalid, Op: "index words", Message: "words cannot be written", Err: err}
	}
	p.texts[n] = t
	p.set(n, map[string]any{"text": string(b)})
	return nil
}

func (p *plan) notes(c *memory.Change) error {
	for _, r := range c.Notes {
		p.touched = true
		if p.item(r.N) == nil {
			return moothall.Fail(moothall.CodeNotFound, "note on entry", "there is no such entry any more")
		}
		if err := p.row(r); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) embed(c *memory.Change) error {
	for _, v := range c.Vectors {
		if p.item(v.N) == nil {
			continue // forgotten while it was being embedded
		}
		if err := p.add(v); err != nil {
			return err
		}
	}
	return nil
}

func (p *plan) add(v memory.Vectors) error {
	d := len(v.Name)
	if d == 0 || len(v.Description) != d || len(v.Corpus) != d {
		return moothall.Fail(moothall.CodeInvalid, "keep vectors", "the three vectors of an entry must be of one length")
	}
	for _, x := range slices.Concat(v.Name, v.Description, v.Corpus) {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return moothall.Fail(moothall.CodeInvalid, "keep vectors", "a vector holds something that is no number")
		}
	}
	number, s, err := p.slot(v.Embedder, d)
	if err != nil {
		return err
	}
	if s.D != d {
		return moothall.Fail(moothall.CodeInvalid, "keep vectors", "the vectors of one embedder must be of one length in Chroma")
	}
	p.touched = true
	p.vector(number)[v.N] = &v
	return nil
}

// slot finds an embedder, or gives it a number.
func (p *plan) slot(embedder string, d int) (int64, *slot, error) {
	if number, s := p.cat.slotOf(embedder); s != nil {
		return number, s, nil
	}
	for number, s := range p.slots {
		if s != nil && s.Name == embedder {
			return number, s, nil
		}
	}
	p.counters.Slot++
	s := &slot{Name: embedder, D: d, has: map[uint64]bool{}}
	p.slots[p.counters.Slot] = s
	return p.counters.Slot, s, p.json("slot/"+strconv.FormatInt(p.counters.Slot, 10), s)
}

// json notes a thing.
func (p *plan) json(id string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return &moothall.Error{Code: moothall.CodeInvalid, Op: "keep value", Message: "a value cannot be written", Err: err}
	}
	text := string(b)
	p.things[id] = &text
	return nil
}

func (p *plan) touches(c *memory.Change) error {
	for _, t := range c.Touch {
		it := clone(p.item(t.N))
		if it == nil {
			continue
		}
		it.accesses += t.Count
		it.accessed = max(it.accessed, t.At.UnixMicro())
		p.items[t.N] = it
		p.set(t.N, map[string]any{"accesses": strconv.FormatInt(it.accesses, 10), "accessed": strconv.FormatInt(it.accessed, 10)})
	}
	return nil
}

// waiting returns what is held at this point of the plan.
func (p *plan) waiting() map[int64]*memory.Held {
	out := map[int64]*memory.Held{}
	for seq, h := range p.cat.held {
		out[seq] = &h
	}
	maps.Copy(out, p.held)
	maps.DeleteFunc(out, func(_ int64, h *memory.Held) bool { return h == nil })
	return out
}

func (p *plan) holds(c *memory.Change) error {
	for _, h := range c.Hold {
		known := false
		for _, old := range p.waiting() {
			known = known || old.Event == h.Event
		}
		if known {
			continue
		}
		p.counters.Held++
		p.held[p.counters.Held] = &h
		if err := p.json("held/"+strconv.FormatInt(p.counters.Held, 10), h); err != nil {
			return err
		}
	}
	for seq, h := range p.waiting() {
		if slices.Contains(c.Release, h.Query) {
			p.release(seq)
		}
	}
	if c.HoldMost < 1 {
		return nil
	}
	kept := slices.Sorted(maps.Keys(p.waiting()))
	for _, seq := range kept[:max(0, len(kept)-c.HoldMost)] {
		p.release(seq)
	}
	return nil
}

func (p *plan) release(seq int64) {
	p.held[seq], p.things["held/"+strconv.FormatInt(seq, 10)] = nil, nil
}

func (p *plan) state(c *memory.Change) error {
	for k, v := range c.State {
		id := "state/" + base64.RawURLEncoding.EncodeToString([]byte(k))
		p.things[id] = nil
		if v != nil {
			text := base64.StdEncoding.EncodeToString([]byte(k)) + ":" + base64.StdEncoding.EncodeToString(v)
			p.things[id] = &text
		}
	}
	return nil
}
