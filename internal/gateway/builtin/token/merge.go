package token

// short is the length up to which looking through all pairs for the lowest is
// faster than a heap.
const short = 48

// merger holds the working memory of one Encode.
type merger struct {
	ids   []int32 // of short pieces
	ranks []uint32
	nodes []node // of long pieces
	heap  heap
}

// merge appends the tokens of a part of a piece.
func (t *Tokenizer) merge(dst []int32, m *merger, s string) []int32 {
	if id, ok := t.whole[s]; ok {
		return append(dst, id)
	}
	if len(s) <= short {
		return t.mergeShort(dst, m, s)
	}
	return t.mergeLong(dst, m, s)
}

func (t *Tokenizer) mergeShort(dst []int32, m *merger, s string) []int32 {
	ids, ranks := m.ids[:0], m.ranks[:0]
	for i := range len(s) {
		ids = append(ids, t.bytes[s[i]])
	}
	for i := range len(ids) - 1 {
		rank, _ := t.pairs.find(ids[i], ids[i+1])
		ranks = append(ranks, rank)
	}
	m.ids, m.ranks = ids, ranks
	for {
		at, best := -1, uint32(none)
		for i, r := range ranks {
			if r < best {
				at, best = i, r
			}
		}
		if at < 0 {
			return append(dst, ids...)
		}
		_, ids[at] = t.pairs.find(ids[at], ids[at+1])
		ids = append(ids[:at+1], ids[at+2:]...)
		ranks = append(ranks[:at], ranks[at+1:]...)
		if at > 0 {
			ranks[at-1], _ = t.pairs.find(ids[at-1], ids[at])
		}
		if at < len(ranks) {
			ranks[at], _ = t.pairs.find(ids[at], ids[at+1])
		}
	}
}

// node is a symbol of a long piece; a merged-away one has the id -1.
type node struct {
	id         int32
	prev, next int32 // -1 where there is none
}

func (t *Tokenizer) mergeLong(dst []int32, m *merger, s string) []int32 {
	m.nodes, m.heap = m.nodes[:0], m.heap[:0]
	for i := range len(s) {
		m.nodes = append(m.nodes, node{id: t.bytes[s[i]], prev: int32(i - 1), next: int32(i + 1)})
	}
	m.nodes[len(s)-1].next = -1
	for i := range len(s) - 1 {
		t.offer(m, int32(i))
	}
	for len(m.heap) > 0 {
		t.join(m, m.heap.pop())
	}
	for i := int32(0); i >= 0; i = m.nodes[i].next {
		dst = append(dst, m.nodes[i].id)
	}
	return dst
}

// offer puts the pair that begins at a symbol on the heap, if it merges.
func (t *Tokenizer) offer(m *merger, i int32) {
	if next := m.nodes[i].next; next >= 0 {
		if rank, _ := t.pairs.find(m.nodes[i].id, m.nodes[next].id); rank != none {
			m.heap.push(uint64(rank)<<32 | uint64(i))
		}
	}
}

// join merges a pair from the heap, if it is still what it was when offered.
func (t *Tokenizer) join(m *merger, e uint64) {
	i := int32(uint32(e))
	left := &m.nodes[i]
	if left.id < 0 || left.next < 0 {
		return
	}
	right := &m.nodes[left.next]
	rank, id := t.pairs.find(left.id, right.id)
	if rank != uint32(e>>32) {
		return
	}
	left.id, left.next, right.id = id, right.next, -1
	if left.next >= 0 {
		m.nodes[left.next].prev = i
	}
	t.offer(m, i)
	if left.prev >= 0 {
		t.offer(m, left.prev)
	}
}

// heap is a binary heap of rank and place in one number, the lowest first.
type heap []uint64

func (h *heap) push(e uint64) {
	s := append(*h, e)
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if s[up] <= s[i] {
			break
		}
		s[up], s[i] = s[i], s[up]
		i = up
	}
	*h = s
}

func (h *heap) pop() uint64 {
	s := *h
	top, n := s[0], len(s)-1
	s[0], s = s[n], s[:n]
	for i := 0; ; {
		down := 2*i + 1
		if down >= n {
			break
		}
		if down+1 < n && s[down+1] < s[down] {
			down++
		}
		if s[i] <= s[down] {
			break
		}
		s[i], s[down] = s[down], s[i]
		i = down
	}
	*h = s
	return top
}

// none is the rank of a pair that does not merge.
const none = 1<<32 - 1

// pairs finds the merge of two tokens: a hash table with open addressing, at
// most half full.
type pairs struct {
	slots []slot
	shift uint
}

type slot struct {
	left, right int32 // left is -1 in an empty slot
	rank        uint32
	id          int32
}

func newPairs(n int) pairs {
	bits := uint(4)
	for 1<<bits < 2*n {
		bits++
	}
	p := pairs{slots: make([]slot, 1<<bits), shift: 64 - bits}
	for i := range p.slots {
		p.slots[i].left = -1
	}
	return p
}

// place returns the slot of a pair, or the empty one where it would be.
func (p *pairs) place(left, right int32) *slot {
	key := uint64(uint32(left))<<32 | uint64(uint32(right))
	mask := uint64(len(p.slots) - 1)
	for i := key * 0x9e3779b97f4a7c15 >> p.shift; ; i = (i + 1) & mask {
		s := &p.slots[i]
		if s.left < 0 || s.left == left && s.right == right {
			return s
		}
	}
}

// find returns the rank and result of a pair, or none.
func (p *pairs) find(left, right int32) (rank uint32, id int32) {
	s := p.place(left, right)
	if s.left < 0 {
		return none, 0
	}
	return s.rank, s.id
}

// add reports whether the pair was new.
func (p *pairs) add(left, right int32, rank uint32, id int32) bool {
	s := p.place(left, right)
	if s.left >= 0 {
		return false
	}
	*s = slot{left, right, rank, id}
	return true
}
