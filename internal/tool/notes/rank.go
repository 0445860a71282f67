package notes

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	shownText = 500 // bytes of a section
	saturate  = 1.2 // BM25: how soon more of a word stops counting
	lengths   = 0.6 // BM25: how much longer notes are held back
	inTitle   = 6   // a word in the title or the file's name counts as so many
	inHeading = 3
)

// tokens returns the words of a text in lower case, each once, in order.
func tokens(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), notWord) {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }

// index holds what one query needs to know of the notes.
type index struct {
	terms  []string
	place  map[string]int // of a term in terms
	files  int
	words  int   // of all notes
	having []int // notes with a term
	hits   []hit
}

// hit is a note in which a term stands.
type hit struct {
	Note
	counts []float64
	words  int
}

func newIndex(terms []string) *index {
	x := &index{terms: terms, place: map[string]int{}, having: make([]int, len(terms))}
	for i, t := range terms {
		x.place[t] = i
	}
	return x
}

// find returns the term that a word of a note stands for. Longer words that
// begin with a term count too: a simple form of stemming for every language.
func (x *index) find(word string) (int, bool) {
	if i, ok := x.place[word]; ok {
		return i, true
	}
	for i, t := range x.terms {
		if len(t) >= 4 && strings.HasPrefix(word, t) {
			return i, true
		}
	}
	return 0, false
}

// add counts the terms of one note.
func (x *index) add(path, text string) {
	x.files++
	h := hit{Note: Note{Path: path, Title: title(path, text), Line: 1}, counts: make([]float64, len(x.terms))}
	x.count(h.counts, h.Title+" "+filepath.Base(path), inTitle)
	best := -1.0
	for s := range sections(text) {
		own := make([]float64, len(x.terms))
		x.count(own, s.heading, inHeading)
		h.words += x.count(own, s.text, 1)
		score := 0.0
		for i, n := range own {
			h.counts[i] += n
			score += n / (n + saturate)
		}
		if score > best {
			best = score
			h.Heading, h.Line, h.Text = s.heading, s.line, s.text
		}
	}
	x.words += h.words
	if slices.Max(h.counts) == 0 {
		return
	}
	h.Text = x.excerpt(h.Text)
	for i, n := range h.counts {
		if n > 0 {
			x.having[i]++
		}
	}
	x.hits = append(x.hits, h)
}

// count adds the terms of a text and returns how many words it has.
func (x *index) count(counts []float64, text string, weight float64) int {
	words := 0
	for w := range strings.FieldsFuncSeq(text, notWord) {
		words++
		if i, ok := x.find(strings.ToLower(w)); ok {
			counts[i] += weight
		}
	}
	return words
}

// excerpt cuts a section so that its first term can be seen.
func (x *index) excerpt(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= shownText {
		return text
	}
	at, begin := 0, 0
	for w := range strings.FieldsFuncSeq(text, notWord) {
		at = strings.Index(text[begin:], w) + begin
		if _, ok := x.find(strings.ToLower(w)); ok {
			break
		}
		begin = at + len(w)
		at = 0
	}
	from := boundary(text, max(0, at-shownText/4))
	to := boundary(text, min(len(text), from+shownText))
	out := strings.TrimSpace(text[from:to])
	if from > 0 {
		out = "…" + out
	}
	if to < len(text) {
		out += "…"
	}
	return out
}

func boundary(s string, at int) int {
	for at > 0 && at < len(s) && !utf8.RuneStart(s[at]) {
		at--
	}
	return at
}

// ranked returns the notes, the best first.
func (x *index) ranked() []Note {
	mean := float64(x.words)/float64(max(x.files, 1)) + 1
	out := make([]Note, 0, len(x.hits))
	for _, h := range x.hits {
		long := 1 - lengths + lengths*float64(h.words)/mean
		for i, n := range h.counts {
			rare := math.Log(1 + (float64(x.files-x.having[i])+0.5)/(float64(x.having[i])+0.5))
			h.Score += rare * n * (saturate + 1) / (n + saturate*long)
		}
		h.Score = math.Round(h.Score*1000) / 1000
		out = append(out, h.Note)
	}
	slices.SortFunc(out, func(a, b Note) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Path, b.Path))
	})
	return out
}
