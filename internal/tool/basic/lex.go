package basic

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall"
)

// token is one word of an expression.
type token struct {
	kind  string // "number", "name", "end", or the operator itself
	text  string
	at    int  // in characters, from 1
	apart bool // there is a space before it
}

// spellings are other ways to write an operator.
var spellings = map[rune]string{
	'×': "*", '·': "*", '⋅': "*", '÷': "/", '∕': "/", '−': "-", '–': "-", '²': "²", '³': "³", '°': "°", '√': "√",
}

// lex divides an expression into tokens. The commas of 1,234,567 group
// thousands, except inside a function's parentheses, where they separate; any
// other comma is no part of a number, since it may be meant for a point.
func lex(s string) ([]token, error) {
	var out []token
	var calls []bool // open parentheses: is it a function's?
	at, apart := 0, false
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		at++
		if unicode.IsSpace(r) {
			i, apart = i+size, true
			continue
		}
		t := token{at: at, apart: apart}
		apart = false
		switch {
		case r >= '0' && r <= '9' || r == '.':
			n := number(s[i:], len(calls) > 0 && calls[len(calls)-1])
			t.kind, t.text = "number", s[i:i+n]
			i, at = i+n, at+n-1
		case unicode.IsLetter(r) || r == '_':
			n := name(s[i:])
			t.kind, t.text = "name", s[i:i+n]
			i, at = i+n, at+utf8.RuneCountInString(t.text)-1
		case strings.HasPrefix(s[i:], "**"):
			t.kind, i, at = "^", i+2, at+1
		case strings.HasPrefix(s[i:], "//"):
			t.kind, i, at = "//", i+2, at+1
		case strings.ContainsRune("+-*/^%!(),", r):
			t.kind, i = string(r), i+size
		case spellings[r] != "":
			t.kind, i = spellings[r], i+size
		default:
			return nil, wrong(at, fmt.Sprintf("%q has no meaning in an expression", r))
		}
		switch t.kind {
		case "(":
			calls = append(calls, len(out) > 0 && out[len(out)-1].kind == "name" && infix[strings.ToLower(out[len(out)-1].text)] == "")
		case ")":
			calls = calls[:max(0, len(calls)-1)]
		}
		out = append(out, t)
	}
	return append(out, token{kind: "end", at: at + 1}), nil
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// number returns the length of the number at the beginning of s.
func number(s string, inCall bool) int {
	if len(s) > 2 && s[0] == '0' && strings.IndexByte("xXbBoO", s[1]) >= 0 {
		i := 2
		for i < len(s) && (digit(s[i]) || s[i] == '_' || s[i] >= 'a' && s[i] <= 'f' || s[i] >= 'A' && s[i] <= 'F') {
			i++
		}
		return i
	}
	i := 0
	if !inCall {
		i = len(thousands.FindString(s))
	}
	if i < len(s) && digit(s[i]) { // 1,2345
		i = 0
	}
	for i < len(s) && (digit(s[i]) || s[i] == '.' || s[i] == '_') {
		i++
	}
	return i + exponent(s[i:])
}

var thousands = regexp.MustCompile(`^[1-9]\d{0,2}(?:,\d{3})+`)

// exponent returns the length of e+10 and the like, or 0.
func exponent(s string) int {
	if s == "" || s[0] != 'e' && s[0] != 'E' {
		return 0
	}
	i := 1
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	begin := i
	for i < len(s) && digit(s[i]) {
		i++
	}
	if i == begin {
		return 0
	}
	return i
}

// name returns the length of the name at the beginning of s.
func name(s string) int {
	for i, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.' {
			return i
		}
	}
	return len(s)
}

func wrong(at int, why string) error {
	return moothall.Fail(moothall.CodeInvalid, "expression", fmt.Sprintf("%s (at character %d)", why, at))
}

func undefined(why string) error { return moothall.Fail(moothall.CodeInvalid, "expression", why) }
