package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// terms splits text into lower-case words without the commonest ones. Scripts
// that write no spaces become pairs of characters, which is how they are
// searched.
func terms(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }) {
		switch first, _ := utf8.DecodeRuneInString(w); {
		case unicode.In(first, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
			out = append(out, pairs(w)...)
		case !stopWords[w]:
			out = append(out, w)
		}
	}
	return out
}

func pairs(w string) []string {
	runes := []rune(w)
	if len(runes) < 2 {
		return []string{w}
	}
	out := make([]string, 0, len(runes)-1)
	for i := range len(runes) - 1 {
		out = append(out, string(runes[i:i+2]))
	}
	return out
}

func unique(words []string) []string {
	var out []string
	for _, w := range words {
		if !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// alike takes two forms of a word for one: equal, or with a common beginning
// that is most of both. "election" and "elections" are, "cars" and
// "carsick" are not.
func alike(a, b string) bool {
	if a == b {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 4 || len(b)-len(a) > 3 {
		return false
	}
	n := 0
	for n < len(a) && a[n] == b[n] {
		n++
	}
	return n >= 4 && len(b)-n <= min(3, n-2) && len(a)-n <= 1
}

// stopWords are the words of several languages that say nothing about what a
// query is after.
var stopWords = func() map[string]bool {
	const list = `a an and are as at be by can could did do does for from had has have how i in is it its me my of on or our she so
		that the their them there they this to was we were what when where which who whom whose why will with would you your
		about into over than then am der die das den dem ein eine einen und oder ist sind war im am an auf aus bei mit nach von
		zu zum zur wie was wer wo wann warum le la les un une des du de et ou est sont dans en sur pour par que qui quoi el los
		las una y o es son con por para como il lo gli e di da che`
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}()
