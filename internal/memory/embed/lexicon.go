package embed

import (
	"strings"
	"unicode/utf8"
)

// lexicon is what the embedder knows of English: read only once made.
type lexicon struct {
	stop     map[string]bool
	common   map[string]bool
	whole    map[string]string   // irregular form to its base
	concepts map[string][]string // stem to the concepts it belongs to
}

// Priors: how much a word says before any text has been counted.
const (
	priorStop   = unit / 12
	priorCommon = unit / 2
)

func newLexicon() *lexicon {
	l := &lexicon{stop: set(stopWords), common: set(commonWords), whole: map[string]string{}, concepts: map[string][]string{}}
	for line := range strings.Lines(irregular) {
		f := strings.Fields(line)
		for _, form := range f {
			l.whole[form] = f[0]
		}
	}
	for line := range strings.Lines(conceptTable) {
		name, words, _ := strings.Cut(strings.TrimSpace(line), ":")
		for w := range strings.FieldsSeq(words) {
			stem := l.stem(w)
			l.concepts[stem] = append(l.concepts[stem], name)
		}
	}
	return l
}

func set(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}

// prior guesses from a word's shape how much it says.
func (l *lexicon) prior(word, stem string) int32 {
	switch {
	case l.stop[word]:
		return priorStop
	case l.common[word], l.common[stem]:
		return priorCommon
	case utf8.RuneCountInString(word) < 2:
		return priorCommon
	}
	return unit
}

// stem takes an English ending off. It is light: it would rather leave two
// forms apart, for the n-grams to join, than join two words.
func (l *lexicon) stem(w string) string {
	if base, ok := l.whole[w]; ok {
		w = base
	}
	if len(w) < 4 || len(w) > 32 || w[0] >= utf8.RuneSelf || digits(w) {
		return w
	}
	w = stemPlural(w)
	for _, end := range [...]string{"ing", "ed"} {
		if root, ok := strings.CutSuffix(w, end); ok && len(root) >= 3 && hasVowel(root) {
			w = undouble(root)
			break
		}
	}
	if root, ok := strings.CutSuffix(w, "ly"); ok && len(root) >= 4 {
		w = root
	}
	if root, ok := strings.CutSuffix(w, "e"); ok && len(root) >= 3 {
		w = root
	}
	if root, ok := strings.CutSuffix(w, "y"); ok && len(root) >= 3 {
		w = root + "i"
	}
	return w
}

func stemPlural(w string) string {
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		return w[:len(w)-2]
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "s"):
		return w[:len(w)-1]
	}
	return w
}

func undouble(w string) string {
	n := len(w)
	if n >= 4 && w[n-1] == w[n-2] && !strings.ContainsRune("lsz", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

func hasVowel(w string) bool { return strings.ContainsAny(w, "aeiouy") }
