package vector

import "slices"

// top keeps the k items that come first in an order: a heap with the last of
// them at its root.
type top[T any] struct {
	k      int
	before func(a, b T) bool
	items  []T
}

// full reports whether a further item has to come before the last one.
func (t *top[T]) full() bool { return len(t.items) >= t.k }

// last returns the last of the kept items; there must be one.
func (t *top[T]) last() T { return t.items[0] }

// add offers an item.
func (t *top[T]) add(v T) {
	switch {
	case !t.full():
		t.items = append(t.items, v)
		t.up(len(t.items) - 1)
	case t.before(v, t.items[0]):
		t.items[0] = v
		t.down(0)
	}
}

func (t *top[T]) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !t.before(t.items[parent], t.items[i]) {
			return
		}
		t.items[parent], t.items[i] = t.items[i], t.items[parent]
		i = parent
	}
}

func (t *top[T]) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(t.items) {
			return
		}
		if child+1 < len(t.items) && t.before(t.items[child], t.items[child+1]) {
			child++
		}
		if !t.before(t.items[i], t.items[child]) {
			return
		}
		t.items[i], t.items[child] = t.items[child], t.items[i]
		i = child
	}
}

// sorted empties t and returns its items in order.
func (t *top[T]) sorted() []T {
	out := t.items
	t.items = nil
	slices.SortFunc(out, func(a, b T) int {
		if t.before(a, b) {
			return -1
		}
		if t.before(b, a) {
			return 1
		}
		return 0
	})
	return out
}
