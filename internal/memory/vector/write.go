package vector

import "slices"

// write is a change under way: a draft of the next snapshot. It belongs to
// the holder of Index.mu.
type write struct {
	x    *Index
	next snapshot
	// touched are full blocks that lost a row or have just become full: the
	// ones that may be worth compacting.
	touched []*block
}

func (x *Index) begin() *write {
	return &write{x: x, next: *x.state.Load()}
}

// kill makes a row dead. The caller takes care of its id.
func (w *write) kill(at place) {
	s := &w.next
	s.live--
	if at.b == s.tail.b {
		s.tail = s.tail.without(at.i)
		return
	}
	s.full = slices.Clone(s.full)
	s.full[at.b.pos] = s.full[at.b.pos].without(at.i)
	w.touched = append(w.touched, at.b)
}

// add copies a row to the end.
func (w *write) add(from *block, i int) {
	s := &w.next
	if s.tail.b == nil || s.tail.n == len(s.tail.b.ids) {
		w.turn()
	}
	at := place{s.tail.b, s.tail.n}
	at.b.copyRow(at.i, from, i)
	w.x.where[at.b.ids[at.i]] = at
	s.tail.n++
	s.live++
}

// turn puts the full tail on the list and begins a new one. A small index
// has small blocks, so that it takes no more than about twice its rows.
func (w *write) turn() {
	s := &w.next
	if s.tail.b != nil {
		// Only the newest state appends, so the place behind its end is free.
		s.full = append(s.full, s.tail)
		w.touched = append(w.touched, s.tail.b)
	}
	b := newBlock(w.x.shape, min(max(s.live, firstRows), blockRows))
	b.pos = len(s.full)
	s.tail = segment{b: b}
}

// commit compacts where it is worth it, and publishes.
func (w *write) commit() {
	for len(w.touched) > 0 {
		b := w.touched[0]
		w.touched = w.touched[1:]
		if seg, ok := w.find(b); ok && 4*seg.gone >= seg.n {
			w.empty(seg)
		}
	}
	next := w.next // a copy: what readers hold must not hold the write
	if next.live == 0 {
		next = snapshot{}
	}
	w.x.state.Store(&next)
}

// find returns the segment of a block that is still on the list.
func (w *write) find(b *block) (segment, bool) {
	if b.pos >= len(w.next.full) || w.next.full[b.pos].b != b {
		return segment{}, false
	}
	return w.next.full[b.pos], true
}

// empty takes a segment off the list and adds its living rows at the end:
// three quarters of a block at most, so that no write takes long. The block
// goes once no reader has it.
func (w *write) empty(seg segment) {
	s := &w.next
	s.full = slices.Delete(slices.Clone(s.full), seg.b.pos, seg.b.pos+1)
	for i := seg.b.pos; i < len(s.full); i++ {
		s.full[i].b.pos = i
	}
	if s.tail.b != nil {
		s.tail.b.pos = len(s.full)
	}
	s.live -= seg.n - seg.gone
	for i := range seg.live {
		w.add(seg.b, i)
	}
}
