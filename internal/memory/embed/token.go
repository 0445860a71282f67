package embed

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is one word in lower case, or one run of a script without spaces.
type token struct {
	text     string
	number   bool
	unspaced bool
}

// tokens walks the words of a text. Case, width and Latin accents are gone.
func tokens(text string) iter.Seq[token] {
	text = fold(text)
	return func(yield func(token) bool) {
		start, class := 0, classNone
		for i, r := range text {
			c := classOf(r)
			if c == classJoin && class == classWord && startsWord(text[i+utf8.RuneLen(r):]) {
				continue
			}
			if c == class && c != classJoin {
				continue
			}
			if class > classJoin && !yield(newToken(text[start:i], class)) {
				return
			}
			start, class = i, c
		}
		if class > classJoin {
			yield(newToken(text[start:], class))
		}
	}
}

// classes of characters; those above classJoin make tokens.
const (
	classNone = iota
	classJoin // an apostrophe, which joins two parts of a word
	classWord
	classUnspaced
)

func classOf(r rune) int {
	switch {
	case r < utf8.RuneSelf:
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return classWord
		}
		if r == '\'' {
			return classJoin
		}
		return classNone
	case r == '’':
		return classJoin
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return classUnspaced
	case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
		return classWord
	}
	return classNone
}

func startsWord(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return classOf(r) == classWord
}

func newToken(s string, class int) token {
	if class == classUnspaced {
		return token{text: s, unspaced: true}
	}
	s = strings.ReplaceAll(s, "’", "'")
	s = strings.TrimSuffix(s, "'s")
	s = strings.ReplaceAll(s, "'", "")
	if d := strings.TrimRight(s, "sthndr"); len(s)-len(d) == 2 && digits(d) { // 7th, 1st, 2nd
		s = d
	}
	return token{text: s, number: digits(s)}
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// fold lowers the case and takes away the accents of Latin, Greek and
// Cyrillic letters; marks of other scripts are letters of theirs and stay.
func fold(text string) string {
	ascii := true
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return strings.ToLower(text)
	}
	plain := strings.Map(func(r rune) rune {
		if 0x300 <= r && r <= 0x36f {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
	return norm.NFC.String(plain)
}
