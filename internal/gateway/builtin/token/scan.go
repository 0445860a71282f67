package token

import (
	"unicode"
	"unicode/utf8"
)

// class is what the pattern asks of a character.
type class uint8

const (
	other  class = iota
	letter       // \p{L}
	number       // \p{N}
	space        // \s, but for the next
	line         // \r and \n
)

// classify returns the class of the first character and its length. A byte
// that is no UTF-8 is a character of its own.
func classify(s string) (class, int) {
	c := s[0]
	if c >= utf8.RuneSelf {
		return classifyWide(s)
	}
	switch {
	case 'a' <= c|0x20 && c|0x20 <= 'z':
		return letter, 1
	case '0' <= c && c <= '9':
		return number, 1
	case c == '\n' || c == '\r':
		return line, 1
	case c == ' ' || c == '\t' || c == '\v' || c == '\f':
		return space, 1
	}
	return other, 1
}

func classifyWide(s string) (class, int) {
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == utf8.RuneError && n == 1:
		return other, 1
	case unicode.IsLetter(r):
		return letter, n
	case unicode.IsNumber(r):
		return number, n
	case unicode.IsSpace(r):
		return space, n
	}
	return other, n
}

// next returns the length of the piece that a text, which is not empty, begins
// with: the pattern's alternatives in their order.
func next(s string) int {
	if n := contraction(s); n > 0 {
		return n
	}
	c, n := classify(s)
	switch c {
	case letter:
		return run(s, n, letter)
	case number:
		return n
	case line:
		return blank(s)
	}
	after, m := line, 0
	if n < len(s) {
		after, m = classify(s[n:])
	}
	switch {
	case after == letter:
		return run(s, n+m, letter)
	case c == other:
		return lines(s, run(s, n, other))
	case s[0] == ' ' && after == other && n < len(s):
		return lines(s, run(s, n+m, other))
	}
	return blank(s)
}

// contraction returns the length of an English ending such as 's, or 0.
func contraction(s string) int {
	if len(s) < 2 || s[0] != '\'' {
		return 0
	}
	switch s[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(s) < 3 {
		return 0
	}
	switch string([]byte{s[1] | 0x20, s[2] | 0x20}) {
	case "re", "ve", "ll":
		return 3
	}
	return 0
}

// run goes on from n while characters are of a class.
func run(s string, n int, want class) int {
	for n < len(s) {
		c, m := classify(s[n:])
		if c != want {
			break
		}
		n += m
	}
	return n
}

// lines goes on from n over line ends.
func lines(s string, n int) int {
	for n < len(s) && (s[n] == '\n' || s[n] == '\r') {
		n++
	}
	return n
}

// blank returns the piece of a text that begins with white space: up to the
// last line end of the run; else all of it at the end of the text; else all
// but the last character, which belongs to what follows, if it is not alone.
func blank(s string) int {
	n, last, ends := 0, 0, 0
	for n < len(s) {
		c, m := classify(s[n:])
		if c != space && c != line {
			break
		}
		last, n = n, n+m
		if c == line {
			ends = n
		}
	}
	switch {
	case ends > 0:
		return ends
	case n < len(s) && last > 0:
		return last
	}
	return n
}
