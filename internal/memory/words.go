package memory

import (
	"hash/fnv"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

const (
	maxWord  = 64 // runes of a word; the rest of a longer one is a word of its own
	maxAsked = 48 // words of a query that are looked for
)

// eachWord calls f with the words of a text in small letters, until it
// returns false: runs of letters and digits; scripts that do not divide words
// give pairs of signs. It is linear in the text, whatever the text.
func eachWord(text string, f func(word string) bool) {
	w := words{f: f}
	for _, r := range text {
		if w.stopped {
			return
		}
		switch {
		case undivided(r):
			w.endWord()
			w.sign(r)
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.IsMark(r) && len(w.word) > 0:
			w.endSigns()
			if w.word = append(w.word, unicode.ToLower(r)); len(w.word) == maxWord {
				w.endWord()
			}
		default:
			w.endWord()
			w.endSigns()
		}
	}
	w.endWord()
	w.endSigns()
}

// words is a text being divided.
type words struct {
	f       func(string) bool
	word    []rune
	last    rune // the sign before, 0 when there is none
	alone   bool // that sign is in no pair yet
	stopped bool
}

func (w *words) say(word string) { w.stopped = w.stopped || !w.f(word) }

func (w *words) endWord() {
	if len(w.word) > 0 {
		w.say(string(w.word))
		w.word = w.word[:0]
	}
}

func (w *words) sign(r rune) {
	w.alone = w.last == 0
	if !w.alone {
		w.say(string([]rune{w.last, r}))
	}
	w.last = r
}

func (w *words) endSigns() {
	if w.last != 0 && w.alone {
		w.say(string(w.last))
	}
	w.last, w.alone = 0, false
}

// undivided reports whether a rune belongs to a script without spaces.
func undivided(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && !unicode.IsMark(r)
}

// indexed returns the words of texts, divided by spaces.
func indexed(texts ...string) string {
	var b strings.Builder
	for _, t := range texts {
		eachWord(t, func(w string) bool {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(w)
			return true
		})
	}
	return b.String()
}

// asked returns the words of a query that are worth looking for, each once.
func asked(query string) []string {
	var telling, all []string
	seen := map[string]bool{}
	eachWord(query, func(w string) bool {
		if seen[w] {
			return true
		}
		seen[w] = true
		all = append(all, w)
		if !idle[w] {
			telling = append(telling, w)
		}
		return len(telling) < maxAsked && len(all) < 8*maxAsked
	})
	if len(telling) == 0 { // "who are you": better than nothing
		return all[:min(len(all), maxAsked)]
	}
	return telling
}

// idle are words that tell nothing about what is looked for.
var idle = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`a about an and any are as at be been being by can could did do does doing for from had has have
		having he her hers him his how i if in into is it its me might my of on or our ours shall she should so than that the their
		theirs them then there these they this those to us was we were what when where which who whom whose why will with would you
		your yours s t d ll m re ve`) {
		m[w] = true
	}
	return m
}()

// printOf returns a number that texts of the same words share.
func printOf(texts ...string) uint64 {
	h := fnv.New64a()
	for _, t := range texts {
		eachWord(t, func(w string) bool {
			h.Write([]byte(w))
			h.Write([]byte{0})
			return true
		})
		h.Write([]byte{1})
	}
	return h.Sum64()
}

// What may stand around a word in a sentence, and what may divide two words
// without a space.
const (
	opening  = "\"'([{“„”‘‚«‹¿¡*`"
	ending   = ".,;:!?\"')]}“”‘’»›*`"
	dividing = "—…，。、！？；：「」『』（）"
)

var oneSign = strings.NewReplacer("’", "'", "‐", "-", "‑", "-", "–", "-", "−", "-")

// marked returns what the words of a text leave out that can make it say
// something else: numbers with their signs, names such as C++ and sunny_day,
// capitals inside a word, signs between words. The signs of a sentence and the
// capital that a word begins with are not among it, nor those of lists and
// headings.
func marked(text string) string {
	var b strings.Builder
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(dividing, r) }) {
		w = oneSign.Replace(strings.TrimRight(strings.TrimLeft(w, opening), ending))
		if strings.Trim(w, "-#|•") == "" {
			continue
		}
		first, n := utf8.DecodeRuneInString(w)
		w = string(unicode.ToLower(first)) + w[n:]
		if strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) || unicode.IsUpper(r) }) {
			b.WriteString(w)
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// saidPrint returns a number that texts share which say the same: the same
// words, and no sign that makes a difference.
func saidPrint(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(marked(text)))
	return printOf(text) ^ h.Sum64()
}

// scopeWord is the one word that stands for a thread in the index.
func scopeWord(thread string) string {
	if thread == "" {
		return ""
	}
	h := fnv.New64a()
	h.Write([]byte(thread))
	return "t" + strconv.FormatUint(h.Sum64(), 36)
}

// dateWords says a time in the words that people ask for it in.
func dateWords(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("Monday 2 January 2006")
}
