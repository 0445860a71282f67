package toolcall

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// quoted reads a string in single, double or triple quotes.
func (c *cursor) quoted(d dialect) (node, status) {
	q := c.b[c.i : c.i+1]
	if d == inPy {
		triple := bytes.Repeat(q, 3)
		switch c.has(string(triple)) {
		case ok:
			q = triple
		case short:
			return node{}, short
		}
	}
	c.i += len(q)
	from := c.i
	for {
		k := bytes.IndexAny(c.b[c.i:], string(q[:1])+`\`)
		if k < 0 {
			c.i = len(c.b)
			c.look(c.i)
			return node{}, short
		}
		c.i += k
		c.look(c.i + 1)
		if c.b[c.i] == '\\' {
			c.i = min(c.i+2, len(c.b))
			continue
		}
		if apostrophe, st := c.apostrophe(from); st == short {
			return node{}, short
		} else if apostrophe {
			c.i++
			continue
		}
		switch c.has(string(q)) {
		case short:
			return node{}, short
		case bad:
			c.i++
			continue
		}
		n := stringNode(unescape(c.b[from:c.i]))
		c.i += len(q)
		return n, c.strayQuote(d)
	}
}

// apostrophe reports whether the quote at the cursor stands inside a word,
// where no string can end.
func (c *cursor) apostrophe(from int) (bool, status) {
	if c.b[c.i] != '\'' || c.i == from || !isLetter(c.b[c.i-1]) {
		return false, ok
	}
	if c.i+1 == len(c.b) && !c.final {
		return false, short
	}
	return c.i+1 < len(c.b) && isLetter(c.b[c.i+1]), ok
}

// strayQuote drops a Gemma quote right after another kind of closing quote.
func (c *cursor) strayQuote(d dialect) status {
	if d != inGemma {
		return ok
	}
	if c.end() && !c.final {
		return short
	}
	switch c.skip(gemmaQuotes[0]) {
	case ok:
		c.mend("dropped a stray quote")
	case short:
		return short
	}
	return ok
}

// unescape resolves escapes. One that does not exist keeps its backslash:
// models write patterns without doubling it.
func unescape(b []byte) string {
	if bytes.IndexByte(b, '\\') < 0 {
		return string(b)
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		if b[i] != '\\' || i+1 == len(b) {
			out = append(out, b[i])
			i++
			continue
		}
		var n int
		out, n = appendEscape(out, b[i:])
		i += n
	}
	return string(out)
}

// escapes are the ones of one letter; a line break escapes to nothing.
var escapes = map[byte]string{
	'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f",
	'"': `"`, '\'': "'", '\\': `\`, '/': "/", '\n': "",
}

// appendEscape resolves the escape that b starts with, and says its length.
func appendEscape(out, b []byte) ([]byte, int) {
	if s, good := escapes[b[1]]; good {
		return append(out, s...), 2
	}
	switch b[1] {
	case 'u':
		r, good := hexRune(b, 2, 4)
		if !good {
			break
		}
		if low, paired := hexRune(b, 8, 4); paired && utf16.IsSurrogate(r) && b[6] == '\\' && b[7] == 'u' {
			if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
				return utf8.AppendRune(out, full), 12
			}
		}
		return utf8.AppendRune(out, r), 6
	case 'x':
		if r, good := hexRune(b, 2, 2); good {
			return utf8.AppendRune(out, r), 4
		}
	}
	return append(out, '\\', b[1]), 2
}

func hexRune(b []byte, at, n int) (rune, bool) {
	if len(b) < at+n {
		return 0, false
	}
	v, err := strconv.ParseUint(string(b[at:at+n]), 16, 32)
	return rune(v), err == nil
}
