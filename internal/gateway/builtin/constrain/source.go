package constrain

import (
	"slices"
	"strings"
	"unicode"
)

// Source is what a call's names, words and numbers are taken from: the texts of
// one conversation. It is for one generation.
type Source struct {
	text    []rune
	lines   []int32        // by place: where its line ends
	begins  []int32        // where a name may begin
	inner   []place        // names that may stand in a folder
	meant   map[int32]bool // of begins: names that the thought has
	words   []int32        // where a word begins
	free    bool           // what is made may have any name
	strict  bool           // what is only preferred is demanded, to see what would be left
	numbers *numeral
	masks   map[string]Mask
	ids     int
	roots   map[rootKey]tracker
}

type rootKey struct {
	kind Copy
	form int
}

// SourceOptions say what a conversation holds.
type SourceOptions struct {
	Texts   []string // what names and words are taken from
	Numbers []string // what numbers are taken from
	// New says that the person's words name no file, so that one that is made
	// may have any name.
	New bool
}

// Bounds on a source: the window of a small network holds less.
const (
	maxText = 1 << 17 // characters, the last ones count
	maxName = 256     // characters of one name
	maxJoin = 4       // folders before a name
)

// NewSource reads texts. The names that every folder has for itself, the one
// above and the person's own are known everywhere.
func NewSource(o SourceOptions) *Source {
	s := &Source{free: o.New, masks: map[string]Mask{}, roots: map[rootKey]tracker{}, numbers: numberTree(o.Numbers, known)}
	s.text = []rune(strings.ToValidUTF8(strings.Join(append([]string{".", "..", "~"}, o.Texts...), "\n"), "\uFFFD"))
	s.text = append(s.text[max(0, len(s.text)-maxText):], '\n')
	s.lines = make([]int32, len(s.text))
	end := len(s.text) - 1
	for i, r := range slices.Backward(s.text) {
		if r == '\n' || r == '\r' || r < ' ' && !slices.Contains(escaped, r) { // what cannot be written ends a name
			end = i
		}
		s.lines[i] = int32(end)
	}
	s.index()
	return s
}

// index finds where names and words begin; of those that go on alike one is
// enough.
func (s *Source) index() {
	names, words := map[string]bool{}, map[string]bool{}
	for i := range s.text {
		if s.begin(i) && first(names, string(s.text[i:min(s.lines[i], int32(i)+maxName)])) {
			s.begins = append(s.begins, int32(i))
			if s.listed(int32(i)) {
				s.inner = append(s.inner, place{int32(i), int32(i), s.limit(int32(i), &anyName)})
			}
		}
		if wordRune(s.text[i]) && (i == 0 || !wordRune(s.text[i-1])) {
			end := i
			for end < len(s.text) && wordRune(s.text[end]) {
				end++
			}
			if first(words, string(s.text[i:end])) {
				s.words = append(s.words, int32(i))
			}
		}
	}
}

// anyName is a name on which no schema has a word.
var anyName = form{kind: text, max: none, copy: Path, min: 1}

// listed reports whether what begins here may be a name in a folder: one with an
// extension, or an entry of a list, alone on its line or with its size after it
// in brackets.
func (s *Source) listed(i int32) bool {
	if r := s.text[i]; r == '/' || r == '~' || s.limit(i, &anyName) == i {
		return false
	}
	end, dotted := i, false
	for end < s.lines[i] && !divides(s.text[end]) {
		dotted = dotted || s.text[end] == '.' && end > i && wordRune(s.at(end+1))
		end++
	}
	first := i == 0 || s.text[i-1] == '\n'
	return dotted || first && (end == s.lines[i] || strings.Contains(string(s.text[end:s.lines[i]]), " ("))
}

// folder reports whether the last part of a name may be one: it has no
// extension.
func (s *Source) folder(from, to int32) bool {
	for i := to - 1; i > from && s.text[i] != '/'; i-- {
		if s.text[i] == '.' && s.text[i-1] != '/' && s.text[i-1] != '.' && unicode.IsLetter(s.at(i+1)) {
			return false
		}
	}
	return true
}

// Mean says what the thought before a call was: names in it are preferred to
// others that were said. A network that has spelt a name well there may fail
// when it comes to the call.
func (s *Source) Mean(thought string) {
	s.meant = map[int32]bool{}
	for _, i := range s.begins {
		end := i
		for end < s.lines[i] && !divides(s.text[end]) {
			end++
		}
		if name := strings.TrimRight(string(s.text[i:end]), "./"); len(name) > 3 && strings.Contains(thought, name) {
			s.meant[i] = true
		}
	}
}

// first reports whether a text was not met before.
func first(seen map[string]bool, text string) bool {
	if seen[text] {
		return false
	}
	seen[text] = true
	return true
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// apart are the signs between names, beside white space.
const apart = "\"'`“”‘’«»„()[]{}<>,;=|*:!?\uFFFD"

func divides(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(apart, r) }

// begin reports whether a name may begin at a place.
func (s *Source) begin(i int) bool {
	r := s.text[i]
	return (wordRune(r) || strings.ContainsRune("/~._#@$+-\\", r)) && (i == 0 || divides(s.text[i-1]))
}

// at is the sign at a place, a line break after the end.
func (s *Source) at(i int32) rune {
	if int(i) < len(s.text) {
		return s.text[i]
	}
	return '\n'
}

// whole reports whether a name may end before a place. A part of a path may
// stand for its folder; a part of an address is another address.
func (s *Source) whole(i int32, address bool) bool {
	if unicode.IsSpace(s.at(i - 1)) {
		return false
	}
	r := s.at(i)
	if !address && s.at(i-1) == '/' {
		return true
	}
	if address {
		for strings.ContainsRune(".,;:!?'", r) {
			i++
			r = s.at(i)
		}
		return unicode.IsSpace(r) || strings.ContainsRune("\"'`“”‘’«»()[]<>|*", r)
	}
	for r == '.' || r == '-' { // "errands.txt." and "errands.txt - please", not "errands.txt.bak"
		i++
		if r = s.at(i); !wordRune(r) && r != '.' && r != '-' {
			return r != '_'
		}
		if wordRune(r) {
			return false
		}
	}
	return !wordRune(r) && r != '_'
}

// root is the tracker of a value that begins; nil when it can be no copy.
func (s *Source) root(f *form) tracker {
	if s == nil || f.copy == Free {
		return nil
	}
	key := rootKey{f.copy, f.id}
	t, ok := s.roots[key]
	if !ok {
		t = s.newRoot(f)
		s.roots[key] = t
	}
	return t
}

func (s *Source) newRoot(f *form) tracker {
	switch f.copy {
	case Words:
		return &word{s: s, id: s.next(), all: true}
	case Number, Sum:
		return s.numbers.outside
	}
	n := &excerpt{s: s, id: s.next(), address: f.copy == Address, single: f.pattern != nil || f.max != none && f.max < maxJoin*maxName}
	for _, i := range s.begins {
		if limit := s.limit(i, f); limit > i {
			n.at = append(n.at, place{i, i, limit})
		}
	}
	if len(n.at) == 0 {
		return nil
	}
	return n
}

// limit is the last place before which the name that begins at i may end.
func (s *Source) limit(i int32, f *form) int32 {
	last, most := i, min(s.lines[i], i+maxName)
	if f.max != none {
		most = min(most, i+int32(min(f.max, maxName)))
	}
	var state *matching
	if f.pattern != nil {
		state = f.pattern.start
	}
	for at := i; at < most; at++ {
		if state != nil && !state.free {
			if state = f.pattern.step(state, s.text[at]); state == nil {
				return last
			}
		}
		if end := at + 1; int(end-i) >= f.min && (state == nil || state.free || state.ends) && s.whole(end, f.copy == Address) {
			last = end
		}
	}
	return last
}

// soft reports whether a kind is preferred and not demanded.
func (s *Source) soft(kind Copy) bool {
	return !s.strict && (kind == Words || kind == Number || kind == New && s.free)
}

func (s *Source) next() int { s.ids++; return s.ids }
