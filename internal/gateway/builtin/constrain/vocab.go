package constrain

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"moothall/internal/gateway/builtin/prompt"
)

// Mask has a bit for every token that may come.
type Mask []uint64

// Has reports whether a token may come.
func (m Mask) Has(id int32) bool { return m[id>>6]>>(id&63)&1 != 0 }

func (m Mask) set(id int32) { m[id>>6] |= 1 << (id & 63) }

func (m Mask) add(o Mask) {
	for i, w := range o {
		m[i] |= w
	}
}

// Vocab is a tokenizer's vocabulary, laid out for walking.
type Vocab struct {
	size    int
	most    int        // bytes of the longest token
	newline int32      // the token of a line break alone; -1 when there is none
	text    Mask       // all that stand for text
	plain   []Mask     // by characters: those of at most so many whole ones, none of which JSON escapes
	single  [256]int32 // the token of a byte alone; -1 when there is none
	pieces  [][]byte   // by id
	all     sorted
	odd     sorted // those of text that are not plain
}

// sorted is a list of tokens in the order of their bytes.
type sorted struct {
	ids    []int32
	pieces [][]byte
	shared []int // how many bytes a piece begins with as the one before it
}

// NewVocab lays out the tokens 0 to size-1. The specials of [prompt] stand for
// no text, whatever piece says of them.
func NewVocab(size int, piece func(id int32) []byte) *Vocab {
	v := &Vocab{size: size, pieces: make([][]byte, size)}
	for i := range v.single {
		v.single[i] = -1
	}
	v.text = v.empty()
	var all, odd []int32
	for id := int32(prompt.Specials); int(id) < size; id++ {
		p := piece(id)
		if len(p) == 0 {
			continue
		}
		v.text.set(id)
		v.pieces[id] = bytes.Clone(p)
		v.most = max(v.most, len(p))
		all = append(all, id)
		n, ok := plainRunes(p)
		if !ok {
			odd = append(odd, id)
		}
		if len(p) == 1 {
			v.single[p[0]] = id
		}
		for ok && len(v.plain) <= n {
			v.plain = append(v.plain, v.empty())
		}
		if ok {
			v.plain[n].set(id)
		}
	}
	if len(v.plain) == 0 {
		v.plain = []Mask{v.empty()}
	}
	for i := 1; i < len(v.plain); i++ {
		v.plain[i].add(v.plain[i-1])
	}
	v.newline = v.single['\n']
	v.all, v.odd = v.sort(all), v.sort(odd)
	return v
}

func (v *Vocab) empty() Mask { return make(Mask, (v.size+63)/64) }

// longest is how many characters a plain token has at most.
func (v *Vocab) longest() int { return len(v.plain) - 1 }

// plainRunes counts the characters of a piece that may stand in a JSON string
// as it is.
func plainRunes(p []byte) (int, bool) {
	n := 0
	for len(p) > 0 {
		r, size := utf8.DecodeRune(p)
		if r < 0x20 || r == '"' || r == '\\' || r == utf8.RuneError && size == 1 {
			return 0, false
		}
		n++
		p = p[size:]
	}
	return n, true
}

// piece is the text of a token.
func (v *Vocab) piece(id int32) []byte { return v.pieces[id] }

func (v *Vocab) sort(ids []int32) sorted {
	slices.SortFunc(ids, func(a, b int32) int { return bytes.Compare(v.pieces[a], v.pieces[b]) })
	s := sorted{ids: ids}
	var last []byte
	for _, id := range ids {
		p := v.pieces[id]
		n := 0
		for n < min(len(p), len(last)) && p[n] == last[n] {
			n++
		}
		s.pieces, s.shared, last = append(s.pieces, p), append(s.shared, n), p
	}
	return s
}

// walk sets the bit of every token that the threads can take whole.
func (s *sorted) walk(threads []*frame, m Mask) {
	if len(threads) == 0 {
		return
	}
	at := make([][]*frame, 1, 32) // after so many bytes of the current piece
	at[0] = threads
	good := 0 // bytes of the piece before that were taken
	for i, p := range s.pieces {
		if s.shared[i] > good { // begins with what was refused already
			continue
		}
		good = s.shared[i]
		for good < len(p) {
			if len(at) <= good+1 {
				at = append(at, nil)
			}
			at[good+1] = stepAll(at[good], p[good], at[good+1][:0])
			if len(at[good+1]) == 0 {
				break
			}
			good++
		}
		if good == len(p) {
			m.set(s.ids[i])
		}
	}
}
