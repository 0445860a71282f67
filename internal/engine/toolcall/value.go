package toolcall

import "bytes"

// dialect is how a value is written. All dialects share one reader: models
// mix them, and a Python word in JSON means what it says.
type dialect uint8

const (
	inJSON  dialect = iota
	inPy            // also tuples; no bare keys in dictionaries
	inGemma         // also <|"|>text<|"|>, <escape>text<escape> and bare text
)

// value reads one value.
func (c *cursor) value(d dialect) (node, status) {
	c.ws()
	if c.end() {
		return node{}, short
	}
	if c.depth >= maxDepth {
		return node{}, bad
	}
	c.depth++
	defer func() { c.depth-- }()
	switch b := c.b[c.i]; {
	case b == '{':
		return c.object(d)
	case b == '[':
		return c.array(d, ']')
	case b == '(' && d == inPy:
		return c.array(d, ')')
	case b == '"' || b == '\'':
		return c.quoted(d)
	case d == inGemma:
		return c.gemmaScalar()
	case b == '-' || b == '+' || b == '.' || b >= '0' && b <= '9':
		return c.number()
	}
	return c.literal()
}

func (c *cursor) number() (node, status) {
	from := c.i
	for c.i < len(c.b) && isNumberByte(c.b[c.i]) {
		c.i++
	}
	c.look(c.i)
	if c.end() && !c.final {
		return node{}, short
	}
	s, good := number(string(c.b[from:c.i]))
	if !good {
		return node{}, bad
	}
	return node{kind: 'n', text: s}, ok
}

func isNumberByte(b byte) bool {
	return b >= '0' && b <= '9' || b == '-' || b == '+' || b == '.' || b == 'e' || b == 'E' || b == '_'
}

// words maps the constants of JSON and Python.
var words = map[string]string{
	"true": "true", "True": "true", "TRUE": "true",
	"false": "false", "False": "false", "FALSE": "false",
	"null": "null", "None": "null", "nil": "null", "undefined": "null",
}

func (c *cursor) literal() (node, status) {
	from := c.i
	for c.i < len(c.b) && isLetter(c.b[c.i]) && c.i-from < 16 {
		c.i++
	}
	c.look(c.i)
	if c.end() && !c.final {
		return node{}, short
	}
	if w, good := words[string(c.b[from:c.i])]; good {
		return node{kind: 'w', text: w}, ok
	}
	return node{}, bad
}

func (c *cursor) array(d dialect, closer byte) (node, status) {
	n := node{kind: 'a'}
	c.i++
	for {
		c.ws()
		if c.end() {
			return n, short
		}
		if c.ended {
			return n, ok
		}
		if c.b[c.i] == closer {
			c.i++
			return n, ok
		}
		v, st := c.value(d)
		if st != ok {
			return n, st
		}
		n.kids = append(n.kids, v)
		if st := c.comma(closer); st != ok {
			return n, st
		}
	}
}

// comma expects a comma, or the closer, which it leaves.
func (c *cursor) comma(closer byte) status {
	c.ws()
	switch {
	case c.end():
		return short
	case c.b[c.i] == ',':
		c.i++
		return ok
	case c.b[c.i] == closer:
		return ok
	case c.tagged && c.b[c.i] == '<':
		return c.closedByMark()
	}
	return bad
}

// closedByMark accepts the closing marker of the call in place of the
// brackets that a model forgot: all values before it are complete.
func (c *cursor) closedByMark() status {
	t, st := lex(c.b[c.i:], c.final)
	if st == ok && t.role != roleEnd {
		return bad
	}
	if st == ok && !c.ended {
		c.ended = true
		c.mend("closed a bracket")
	}
	return st
}

func (c *cursor) object(d dialect) (node, status) {
	n := node{kind: 'o'}
	c.i++
	for {
		c.ws()
		if c.end() {
			return n, short
		}
		if c.ended {
			return n, ok
		}
		if c.b[c.i] == '}' {
			c.i++
			return n, ok
		}
		key, st := c.key(d)
		if st != ok {
			return n, st
		}
		v, st := c.value(d)
		if st != ok {
			return n, st
		}
		n.set(key, v)
		if st := c.comma('}'); st != ok {
			return n, st
		}
	}
}

// key reads a key and its colon. Bare keys count: models forget the quotes.
func (c *cursor) key(d dialect) (string, status) {
	var key string
	if b := c.b[c.i]; b == '"' || b == '\'' || d == inGemma && b == '<' {
		n, st := c.value(d)
		if st != ok || n.kind != 's' {
			return "", max(st, short)
		}
		key = n.text
	} else {
		w, st := c.word()
		if st != ok {
			return "", st
		}
		key = w
	}
	c.ws()
	switch {
	case c.end():
		return "", short
	case c.b[c.i] != ':':
		return "", bad
	}
	c.i++
	return key, ok
}

// The quotes of the Gemma families. Text between them is taken as it stands.
var gemmaQuotes = []string{`<|"|>`, "<escape>"}

func (c *cursor) gemmaScalar() (node, status) {
	for _, q := range gemmaQuotes {
		switch c.skip(q) {
		case ok:
			return c.gemmaQuoted(q)
		case short:
			return node{}, short
		}
	}
	from := c.i
	for c.i < len(c.b) && bytes.IndexByte([]byte(",}]<"), c.b[c.i]) < 0 {
		c.i++
	}
	c.look(c.i)
	if c.end() {
		return node{}, short
	}
	s := string(bytes.TrimSpace(c.b[from:c.i]))
	if s == "" {
		return node{}, bad
	}
	return guess(s), ok
}

// gemmaQuoted reads to the closing quote, or mends its lack: at the end of
// the call, or where the next key begins.
func (c *cursor) gemmaQuoted(q string) (node, status) {
	from := c.i
	k := bytes.Index(c.b[from:], []byte(q))
	limit := len(c.b)
	if k >= 0 {
		limit = from + k
	}
	for _, tag := range gemmaEnds {
		if t := bytes.Index(c.b[from:limit], []byte(tag)); t >= 0 {
			limit = from + t
			k = -1
		}
	}
	c.look(limit)
	if k < 0 {
		return c.gemmaUnclosed(from, limit)
	}
	s := c.b[from:limit]
	c.i = limit + len(q)
	c.look(c.i + 1)
	if c.end() && !c.final {
		return node{}, short
	}
	if cut := c.missedQuote(s); cut >= 0 {
		c.i = from + cut
		c.mend("closed a string that had no closing quote")
		s = s[:cut]
	}
	return stringNode(string(s)), ok
}

// gemmaEnds close a call at the latest.
var gemmaEnds = []string{"<tool_call|>", "<end_function_call>"}

func (c *cursor) gemmaUnclosed(from, limit int) (node, status) {
	if limit == len(c.b) {
		return node{}, short
	}
	s := bytes.TrimRight(c.b[from:limit], " \n")
	s = bytes.TrimSuffix(s, []byte("}"))
	if hasKey(s) { // where the string ends is anybody's guess
		return node{}, bad
	}
	c.i = from + len(s)
	c.mend("closed a string that had no closing quote")
	return stringNode(string(s)), ok
}

// hasKey reports whether a further key seems to stand in s.
func hasKey(s []byte) bool {
	for {
		k := bytes.IndexByte(s, ',')
		if k < 0 {
			return false
		}
		s = bytes.TrimLeft(s[k+1:], " \n")
		i := 0
		for i < len(s) && isNameByte(s[i]) {
			i++
		}
		if i > 0 && i < len(s) && s[i] == ':' {
			return true
		}
	}
}

// missedQuote finds, in a string that ends where the next one begins, the
// comma before that next one's key; -1 when the string is well closed.
func (c *cursor) missedQuote(s []byte) int {
	if c.i < len(c.b) && !isSpace(c.b[c.i]) && bytes.IndexByte([]byte(",}]:"), c.b[c.i]) < 0 &&
		len(s) > 0 && s[len(s)-1] == ':' {
		comma := bytes.LastIndexByte(s, ',')
		if comma < 0 {
			return -1
		}
		for _, b := range bytes.TrimSpace(s[comma+1 : len(s)-1]) {
			if !isNameByte(b) {
				return -1
			}
		}
		return comma
	}
	return -1
}

// guess reads a value that no schema types: a whole JSON or Python value is
// one, anything else is text. Quotes belong to the text.
func guess(s string) node {
	t := string(bytes.TrimSpace([]byte(s)))
	if t == "" || t[0] == '"' || t[0] == '\'' {
		return stringNode(s)
	}
	if v, good := whole(t, inJSON); good && (v.kind != 'n' || isJSONNumber(t)) {
		return v
	}
	return stringNode(s)
}

// whole reads a value that must be all of s.
func whole(s string, d dialect) (node, bool) {
	c := cursor{b: []byte(s), final: true}
	v, st := c.value(d)
	c.ws()
	return v, st == ok && c.end()
}
