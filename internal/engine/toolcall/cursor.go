package toolcall

import "bytes"

// status is the outcome of reading at a place. Every reader is monotone: what
// it says of a text other than short it also says of every longer text. That
// alone makes any chunking give the same result.
type status uint8

const (
	ok    status = iota
	short        // the text ends too early; at the end of the reply: cut off
	bad          // it is something else
)

// maxDepth bounds nesting, and so the stack.
const maxDepth = 128

// cursor reads values from b at i. far is how far it has looked.
type cursor struct {
	b      []byte
	i      int
	far    int
	final  bool // b holds the end of the reply
	depth  int
	mends  []string
	tagged bool // a closing marker may end the value
	ended  bool // it did
}

func (c *cursor) mend(s string) { c.mends = append(c.mends, s) }

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// ws skips white space.
func (c *cursor) ws() {
	for c.i < len(c.b) && isSpace(c.b[c.i]) {
		c.i++
	}
	c.look(c.i)
}

func (c *cursor) look(i int) { c.far = max(c.far, min(i, len(c.b))) }

func (c *cursor) end() bool { return c.i >= len(c.b) }

// has reports whether s stands at the cursor; short when b ends within it.
func (c *cursor) has(s string) status {
	rest := c.b[min(c.i, len(c.b)):]
	if len(rest) >= len(s) {
		if string(rest[:len(s)]) == s {
			c.look(c.i + len(s))
			return ok
		}
		return bad
	}
	if !c.final && s[:len(rest)] == string(rest) {
		return short
	}
	return bad
}

// skip consumes s when it stands at the cursor.
func (c *cursor) skip(s string) status {
	st := c.has(s)
	if st == ok {
		c.i += len(s)
	}
	return st
}

// index finds s at or after the cursor; -1 when it is not there.
func (c *cursor) index(s string) int {
	k := bytes.Index(c.b[c.i:], []byte(s))
	if k < 0 {
		c.look(len(c.b))
		return -1
	}
	c.look(c.i + k + len(s))
	return c.i + k
}

func isNameByte(b byte) bool {
	return b == '_' || b == '-' || b == '.' || b >= '0' && b <= '9' || isLetter(b) || b >= 0x80
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// word reads a name: letters, digits, "_", "-", "." and what is not ASCII.
// It is short when the text ends within it.
func (c *cursor) word() (string, status) {
	from := c.i
	for c.i < len(c.b) && isNameByte(c.b[c.i]) {
		c.i++
	}
	c.look(c.i)
	switch {
	case c.end() && !c.final:
		return "", short
	case c.i == from:
		return "", bad
	}
	return string(c.b[from:c.i]), ok
}
