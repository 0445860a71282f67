package library

import (
	"slices"
	"strings"
	"unicode"

	"moothall/internal/memory/terms"
)

// How much a word counts by where it stands.
const (
	inName = 4.0
	inAsks = 2.0
	inText = 1.0
)

// field says where an entry has a term.
type field uint8

const (
	textField field = 1 << iota
	asksField
	nameField
)

// termID numbers the terms of a library; none is a word that counts for
// nothing.
type termID int32

const none termID = -1

// posting is that an entry has a term.
type posting struct {
	entry  int32
	score  float32 // its part in the score of BM25
	fields field
}

// index finds entries by terms.
type index struct {
	ids      map[string]termID // by term
	with     [][]posting       // by term
	rarity   []float64         // by term
	rare     float64           // of a term that no entry has
	subjects [][]termID        // of each entry
	asks     [][][]termID      // of each of its questions
	bare     []string          // subjects that are idle words otherwise, such as Go
}

// builder makes an index. A library has ten times as many words as different
// ones: each is looked at once.
type builder struct {
	ix      *index
	words   map[string]termID
	lengths []int // of each entry, in words
}

func newBuilder() *builder {
	return &builder{ix: &index{ids: map[string]termID{}}, words: map[string]termID{}}
}

// done returns the index of all entries that were added.
func (b *builder) done() *index {
	ix, n, total := b.ix, len(b.lengths), 0
	for _, length := range b.lengths {
		total += length
	}
	average := float64(total) / float64(max(n, 1))
	ix.rare = terms.Rarity(max(n, 1), 0)
	ix.rarity = make([]float64, len(ix.with))
	for t, found := range ix.with {
		ix.rarity[t] = terms.Rarity(n, len(found))
		for i := range found {
			p := &found[i]
			p.score = float32(terms.Score(ix.rarity[t], float64(p.score), b.lengths[p.entry], average))
		}
	}
	return ix
}

// id is the term of a word.
func (b *builder) id(word string) termID {
	if id, ok := b.words[word]; ok {
		return id
	}
	id, t := none, ""
	if !idle[word] {
		t = term(word)
	}
	if t != "" {
		var ok bool
		if id, ok = b.ix.ids[t]; !ok {
			id = termID(len(b.ix.with))
			b.ix.ids[t] = id
			b.ix.with = append(b.ix.with, nil)
		}
	}
	b.words[word] = id
	return id
}

// add indexes the next entry.
func (b *builder) add(e *Entry) {
	i, length := len(b.lengths), 0
	count := func(text string, weight float32, f field) (out []termID) {
		each(text, func(word string) {
			t := b.id(word)
			if t == none {
				return
			}
			if f != textField && !slices.Contains(out, t) {
				out = append(out, t)
			}
			found := b.ix.with[t]
			last := len(found) - 1
			here := last >= 0 && found[last].entry == int32(i)
			if here && f == asksField && found[last].fields&f != 0 {
				return // an entry with many questions is no better for it
			}
			length++
			if here {
				found[last].score += weight
				found[last].fields |= f
				return
			}
			b.ix.with[t] = append(found, posting{int32(i), weight, f})
		})
		return out
	}
	named := count(subject(e.Name), inName, nameField)
	if len(named) == 0 {
		b.ix.bare = append(b.ix.bare, strings.TrimSpace(subject(e.Name)))
		named = count(bareWord(subject(e.Name)), inName, nameField)
	}
	count(strings.TrimPrefix(e.Name, subject(e.Name)), inName, nameField)
	asks := make([][]termID, 0, len(e.Asks))
	for _, a := range e.Asks {
		asks = append(asks, slices.Clip(count(a[0], inAsks, asksField)))
	}
	count(e.Text, inText, textField)
	count(strings.Join(e.Tags, " "), inText, textField)
	b.ix.subjects, b.ix.asks = append(b.ix.subjects, named), append(b.ix.asks, asks)
	b.lengths = append(b.lengths, length)
}

// subject is a name without what tells it from others of the same name.
func subject(name string) string {
	if i := strings.IndexByte(name, '('); i > 0 {
		return name[:i]
	}
	return name
}

// bareWord is the word for a subject of idle words: no other text has it.
func bareWord(subject string) string { return strings.Join(divide(subject), "#") + "#" }

// proper adds the subjects that only their capitals tell from idle words.
func (ix *index) proper(words []string, question string) []string {
	for _, name := range ix.bare {
		_, rest, ok := strings.Cut(question, " "+name)
		if ok && (rest == "" || !unicode.IsLetter(rune(rest[0]))) && !strings.HasPrefix(rest, " to ") {
			words = append(words, bareWord(name))
		}
	}
	return words
}

// sought is a term of a question: how much it tells, and its number, which is
// none when no entry has it.
type sought struct {
	id     termID
	rarity float64
}

// look returns the terms of words, each once.
func (ix *index) look(words []string) []sought {
	var out []sought
	unknown := map[string]bool{}
	for _, w := range words {
		t := ""
		if !idle[w] {
			t = term(w)
		}
		id, ok := ix.ids[t]
		switch {
		case t == "" || unknown[t] || ok && has(out, id):
		case ok:
			out = append(out, sought{id, ix.rarity[id]})
		default:
			unknown[t] = true
			out = append(out, sought{none, ix.rare})
		}
	}
	return out
}

// has reports whether a term is among those sought.
func has(list []sought, id termID) bool {
	return id != none && slices.ContainsFunc(list, func(s sought) bool { return s.id == id })
}
