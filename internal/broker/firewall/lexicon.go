package firewall

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A pattern is a line of elements, separated by spaces, that match words one
// after another inside one sentence:
//
//	ignore|forget   one of these words
//	do_not          words in a row, as one alternative
//	instruct*       any word that begins so
//	?please         an element that may be missing
//	~4              up to four words of any kind before the next element
//	-4              the same, but not across my, our, his, her, their
//	^               at the start: the first word must be a command
//	$               at the end: the sentence must end here
//	@url @email     an address
//
// Words are written folded: lower case, no accents. Han and kana are words
// of one character each; writing them together means in a row.
type pattern struct {
	rule     *rule
	commands bool // begins with ^
	ends     bool // ends with $
	elems    []element
}

type element struct {
	alts     [][]atom
	may      []uint64 // bit set, by set id: an alternative may begin with such a word
	optional bool
	gap      int
	own      bool // the gap stops at a possessive
}

// atom is a word or stem of the lexicon.
type atom uint16

// lexicon holds every word of the rules in a trie, and the patterns by the
// atom that starts them.
type lexicon struct {
	nodes  []node
	sets   [][]atom // what a word is, by set id; set 0 is empty
	ids    map[string]atom
	starts map[atom][]*pattern
	begins []bool // by set id: some pattern may start here

	possessive, polite, discussed, soft map[int32]bool // by set id
}

type node struct {
	keys  []byte
	kids  []int32
	exact []atom
	stems []atom
	whole int32 // set of a word that ends here
	part  int32 // set of a word that leaves the trie here
}

// theLexicon is compiled once, from constants.
var theLexicon = sync.OnceValue(func() *lexicon { return compile(rules) })

func compile(rules []rule) *lexicon {
	l := &lexicon{nodes: make([]node, 1), sets: make([][]atom, 1), ids: map[string]atom{}, starts: map[atom][]*pattern{}}
	for i := range rules {
		for line := range strings.Lines(rules[i].patterns) {
			if line = strings.TrimSpace(line); line != "" {
				l.addPattern(&rules[i], line)
			}
		}
	}
	special := []string{possessiveWords, politeWords, discussedWords, softWords}
	for _, list := range special {
		for w := range strings.FieldsSeq(list) {
			l.atomOf(w)
		}
	}
	l.settle(0, nil)
	l.screen()
	l.begins = make([]bool, len(l.sets))
	for id, set := range l.sets {
		l.begins[id] = slices.ContainsFunc(set, func(a atom) bool { return len(l.starts[a]) > 0 })
	}
	l.possessive, l.polite, l.discussed = l.setsOf(possessiveWords), l.setsOf(politeWords), l.setsOf(discussedWords)
	l.soft = l.setsOf(softWords)
	return l
}

// screen fills the bit sets of all elements: most words end a match there,
// with one look.
func (l *lexicon) screen() {
	with := make([][]int, len(l.ids)+1) // the sets that hold an atom
	for id, set := range l.sets {
		for _, a := range set {
			with[a] = append(with[a], id)
		}
	}
	done := map[*pattern]bool{}
	for _, patterns := range l.starts {
		for _, p := range patterns {
			if done[p] {
				continue
			}
			done[p] = true
			for i := range p.elems {
				p.elems[i].may = l.mask(p.elems[i].alts, with)
			}
		}
	}
}

func (l *lexicon) mask(alts [][]atom, with [][]int) []uint64 {
	bits := make([]uint64, len(l.sets)/64+1)
	for _, alt := range alts {
		for _, id := range with[alt[0]] {
			bits[id/64] |= 1 << (id % 64)
		}
	}
	return bits
}

func (l *lexicon) addPattern(r *rule, line string) {
	p := &pattern{rule: r}
	gap, own := 0, false
	for field := range strings.FieldsSeq(line) {
		switch {
		case field == "^":
			p.commands = true
		case field == "$":
			p.ends = true
		case field[0] == '~' || field[0] == '-' && len(field) > 1:
			gap, own = int(field[1]-'0'), field[0] == '-'
			if len(field) > 2 {
				gap = gap*10 + int(field[2]-'0')
			}
		default:
			word, optional := strings.CutPrefix(field, "?")
			p.elems = append(p.elems, element{alts: l.alternatives(word), optional: optional, gap: gap, own: own})
			gap, own = 0, false
		}
	}
	for _, alt := range p.elems[0].alts {
		if old := l.starts[alt[0]]; len(old) == 0 || old[len(old)-1] != p {
			l.starts[alt[0]] = append(old, p)
		}
	}
}

func (l *lexicon) alternatives(field string) [][]atom {
	var alts [][]atom
	for alt := range strings.SplitSeq(field, "|") {
		var seq []atom
		for word := range strings.SplitSeq(alt, "_") {
			for _, w := range splitIdeographs(word) {
				seq = append(seq, l.atomOf(w))
			}
		}
		alts = append(alts, seq)
	}
	return alts
}

// splitIdeographs cuts a word of Han or kana into its characters.
func splitIdeographs(word string) []string {
	if r, _ := utf8.DecodeRuneInString(word); !isIdeograph(r) {
		return []string{word}
	}
	return strings.Split(word, "")
}

func isIdeograph(r rune) bool {
	return r >= 0x3040 && r <= 0x30FF || r >= 0x3400 && r <= 0x9FFF || r >= 0x20000 && unicode.Is(unicode.Han, r)
}

func (l *lexicon) atomOf(word string) atom {
	if id, ok := l.ids[word]; ok {
		return id
	}
	id := atom(len(l.ids) + 1)
	l.ids[word] = id
	stem, isStem := strings.CutSuffix(word, "*")
	at := int32(0)
	for i := range len(stem) {
		at = l.child(at, stem[i])
	}
	if isStem {
		l.nodes[at].stems = append(l.nodes[at].stems, id)
	} else {
		l.nodes[at].exact = append(l.nodes[at].exact, id)
	}
	return id
}

func (l *lexicon) child(at int32, key byte) int32 {
	if k := bytes.IndexByte(l.nodes[at].keys, key); k >= 0 {
		return l.nodes[at].kids[k]
	}
	kid := int32(len(l.nodes))
	l.nodes = append(l.nodes, node{})
	l.nodes[at].keys = append(l.nodes[at].keys, key)
	l.nodes[at].kids = append(l.nodes[at].kids, kid)
	return kid
}

// settle gives every node the sets of a word that ends or leaves there.
func (l *lexicon) settle(at int32, stems []atom) {
	n := &l.nodes[at]
	stems = slices.Concat(stems, n.stems)
	n.part = l.setOf(stems)
	n.whole = l.setOf(slices.Concat(stems, n.exact))
	for _, kid := range n.kids {
		l.settle(kid, stems)
	}
}

func (l *lexicon) setOf(atoms []atom) int32 {
	if len(atoms) == 0 {
		return 0
	}
	l.sets = append(l.sets, atoms)
	return int32(len(l.sets) - 1)
}

// setsOf returns the ids of sets that hold one of the words.
func (l *lexicon) setsOf(words string) map[int32]bool {
	m := map[int32]bool{}
	for w := range strings.FieldsSeq(words) {
		for id, set := range l.sets {
			if slices.Contains(set, l.ids[w]) {
				m[int32(id)] = true
			}
		}
	}
	return m
}

// lookup returns the set of a folded word.
func (l *lexicon) lookup(word []byte) int32 {
	at := int32(0)
	for _, b := range word {
		k := bytes.IndexByte(l.nodes[at].keys, b)
		if k < 0 {
			return l.nodes[at].part
		}
		at = l.nodes[at].kids[k]
	}
	return l.nodes[at].whole
}
