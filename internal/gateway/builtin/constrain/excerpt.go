package constrain

import (
	"slices"
	"unicode"
)

// tracker follows a value that is being copied, character by character. Two
// equal ones are the same state.
type tracker interface {
	// after adds what it becomes with a character; nothing when that is no
	// copy.
	after(r rune, out []tracker) []tracker
	// some reports whether a character from low to high can follow.
	some(low, high rune) bool
	// ends reports whether the value may be over.
	ends() bool
	// lost is the state after a character that is no copy, nil when all is
	// lost.
	lost(r rune) tracker
	// name tells states of one source apart.
	name() int
}

// place is where a copy stands in a source, where it began and where it must
// end at last.
type place struct{ from, at, limit int32 }

// excerpt follows a name.
type excerpt struct {
	s       *Source
	id      int
	at      []place
	joined  int
	address bool
	single  bool // no folders are put before it
	likely  *excerpt
	sifted  bool // likely is known
	next    map[rune]*excerpt
}

func (n *excerpt) name() int         { return n.id }
func (n *excerpt) lost(rune) tracker { return nil }

func (n *excerpt) some(low, high rune) bool {
	for _, p := range n.at {
		if r := n.s.text[p.at]; p.at < p.limit && low <= r && r <= high {
			return true
		}
	}
	return low <= '/' && '/' <= high && n.joins()
}

func (n *excerpt) ends() bool {
	for _, p := range n.at {
		if p.at > p.from && n.s.whole(p.at, n.address) {
			return true
		}
	}
	return false
}

// joins reports whether a name in this folder may follow.
func (n *excerpt) joins() bool {
	if n.address || n.single || n.joined >= maxJoin || len(n.s.inner) == 0 {
		return false
	}
	return slices.ContainsFunc(n.at, func(p place) bool {
		return p.at > p.from && n.s.whole(p.at, false) && n.s.text[p.at-1] != '/' && n.s.folder(p.from, p.at)
	})
}

// meant is the same with the names of the thought alone; nil when it has none.
func (n *excerpt) meant() *excerpt {
	if !n.sifted {
		n.sifted = true
		at := slices.DeleteFunc(slices.Clone(n.at), func(p place) bool { return !n.s.meant[p.from] })
		if len(at) > 0 {
			n.likely = &excerpt{s: n.s, id: n.s.next(), at: at, joined: n.joined, address: n.address, single: n.single}
		}
	}
	return n.likely
}

func (n *excerpt) after(r rune, out []tracker) []tracker {
	to, ok := n.next[r]
	if !ok {
		to = n.step(r)
		if n.next == nil {
			n.next = map[rune]*excerpt{}
		}
		n.next[r] = to
	}
	if to == nil {
		return out
	}
	return append(out, to)
}

func (n *excerpt) step(r rune) *excerpt {
	to := &excerpt{s: n.s, address: n.address, single: n.single, joined: n.joined}
	for _, p := range n.at {
		if p.at < p.limit && n.s.text[p.at] == r {
			to.at = append(to.at, place{p.from, p.at + 1, p.limit})
		}
	}
	if r == '/' && n.joins() {
		to.joined++
		to.at = append(to.at, n.s.inner...)
	}
	if len(to.at) == 0 {
		return nil
	}
	to.id = n.s.next()
	return to
}

// word follows words that were said, in any order: a new one may begin after
// each sign that is no letter and no digit.
type word struct {
	s    *Source
	id   int
	all  bool // before a word: each may come
	gap  bool // after a space, which ends nothing
	off  bool // inside one that nobody said
	at   []int32
	next map[rune]*word
}

func (w *word) name() int { return w.id }

func (w *word) some(low, high rune) bool {
	if w.all {
		return true
	}
	for _, i := range w.at {
		if r := w.s.at(i); low <= r && r <= high {
			return true
		}
	}
	return w.ends()
}

func (w *word) ends() bool {
	if w.all || w.off {
		return !w.gap
	}
	for _, i := range w.at {
		if !wordRune(w.s.at(i)) {
			return true
		}
	}
	return false
}

func (w *word) lost(r rune) tracker {
	to, ok := w.next[-1]
	if !ok {
		to = &word{s: w.s, id: w.s.next(), off: true}
		w.keep(-1, to)
	}
	if !wordRune(r) {
		return w.over(r)
	}
	return to
}

func (w *word) keep(r rune, to *word) {
	if w.next == nil {
		w.next = map[rune]*word{}
	}
	w.next[r] = to
}

// over is the state between words, after a sign.
func (w *word) over(r rune) *word {
	key := rootKey{Words, -1}
	if unicode.IsSpace(r) {
		key.form--
	}
	t, _ := w.s.roots[key].(*word)
	if t == nil {
		t = &word{s: w.s, id: w.s.next(), all: true, gap: unicode.IsSpace(r)}
		w.s.roots[key] = t
	}
	return t
}

func (w *word) after(r rune, out []tracker) []tracker {
	if !wordRune(r) {
		if w.all || w.ends() {
			out = append(out, w.over(r))
		}
		return out
	}
	if w.off {
		return out
	}
	to, ok := w.next[r]
	if !ok {
		to = w.step(r)
		w.keep(r, to)
	}
	if to == nil {
		return out
	}
	return append(out, to)
}

func (w *word) step(r rune) *word {
	to := &word{s: w.s}
	from := w.at
	if w.all {
		from = w.s.words
	}
	for _, i := range from {
		if w.s.at(i) == r {
			to.at = append(to.at, i+1)
		}
	}
	if len(to.at) == 0 {
		return nil
	}
	to.id = w.s.next()
	return to
}
