package graph

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// MaxName is how many bytes a name may have.
const MaxName = 1024

// Clean makes a name fit to be shown: valid UTF-8 in composed form, one line,
// single spaces, nothing invisible that could change how the rest is read.
func Clean(name string) string {
	var b strings.Builder
	for _, r := range norm.NFC.String(strings.ToValidUTF8(name, "\uFFFD")) {
		switch {
		case unicode.IsSpace(r), unicode.Is(unicode.Cc, r), unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			b.WriteByte(' ')
		case joiner(r), !unicode.Is(unicode.C, r) && r != 0xFFFE && r != 0xFFFF:
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(strings.Join(strings.Fields(b.String()), " "))
}

// joiner reports the two invisible letters that Indic and Persian names and
// joined pictures need.
func joiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

// Key is what names are compared by: two names with the same key are the same
// name. It has neither case nor accents nor punctuation that only decorates;
// its words are separated by single spaces. In scripts that put no spaces
// between words every letter is a word. The key of a key is itself. It is
// empty for a name in which there is nothing to read.
func Key(name string) string {
	text := plain(Clean(name))
	if words := split(text); len(words) > 0 {
		return strings.Join(words, " ")
	}
	return text
}

// Words are the words of a name's key.
func Words(name string) []string { return strings.Fields(Key(name)) }

// letters are letters that differ from a plain one without a mark that
// Unicode would take off.
var letters = strings.NewReplacer("ø", "o", "ł", "l", "đ", "d", "ð", "d", "ħ", "h", "ı", "i", "æ", "ae", "œ", "oe", "þ", "th")

// plain takes off case and accents. Folding can give letters that decompose
// and decomposing letters that fold, so it goes on until nothing changes.
func plain(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return strings.ToLower(s) // all there is to do, and much quicker
	}
	for range 4 {
		next := letters.Replace(cases.Fold().String(norm.NFKD.String(s)))
		next = Clean(unmark(norm.NFKD.String(next)))
		if next == s {
			break
		}
		s = next
	}
	return s
}

// unmark drops accents from decomposed text: the general marks, and the
// points of Hebrew and Arabic that are mostly left out. Marks of other
// scripts are letters. The breve of й stays: it is no accent there.
func unmark(s string) string {
	var b strings.Builder
	last := rune(0)
	for _, r := range s {
		if accent(r) && (last != 'и' || r != '\u0306') || joiner(r) {
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

func accent(r rune) bool {
	switch {
	case r >= 0x0300 && r <= 0x036f, r >= 0x1ab0 && r <= 0x1aff, r >= 0x1dc0 && r <= 0x1dff,
		r >= 0x20d0 && r <= 0x20ff, r >= 0xfe00 && r <= 0xfe0f, r >= 0xfe20 && r <= 0xfe2f:
		return true
	case r >= 0x0591 && r <= 0x05bd, r >= 0x064b && r <= 0x065f, r == 0x0640, r == 0x0670,
		r == 0x05bf, r == 0x05c1, r == 0x05c2, r == 0x05c4, r == 0x05c5, r == 0x05c7:
		return true
	}
	return false
}

// split divides folded text into words.
func split(text string) []string {
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	before := rune(0)
	for i, r := range text {
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		switch {
		case apart(r):
			end()
			words = append(words, string(r))
		case keeps(before, r, after):
			word.WriteRune(r)
		case !apostrophe(r):
			end()
		}
		before = r
	}
	end()
	return words
}

// apart reports letters of scripts without spaces between words.
func apart(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && unicode.IsLetter(r)
}

// keeps reports whether a letter belongs to a word, between its neighbours. Marks that tell names
// apart stay: C, C++ and C# are three languages, 3.5 is not 35, and -5 is not 5.
func keeps(before, r, after rune) bool {
	switch r {
	case '.', ',':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	case '-':
		return unicode.IsDigit(after) && (before == 0 || before == ' ')
	case '#', '@', '&', '%', '*':
		return true
	case '\u00b4', '`', '^', '\u00a8', '\u02d9':
		return false // accents standing alone
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.S)
}

func apostrophe(r rune) bool { return r == '\'' || r == '\u2019' || r == '\u02bc' }
