package toolcall

import (
	"bytes"
	"strings"
)

// token is a marker in the text.
type token struct {
	mark
	name   string // as in the table
	value  string // of <function=value> or of the attribute "name"
	valued bool
	typed  string // of the attribute "string", which says how to read an argument
	token  bool   // a token of a template, which people do not write
	n      int    // length in bytes
}

// The longest marker, and the longest value in one. What is longer is text.
const (
	maxName  = 48
	maxValue = 256
)

const (
	wideBar = "｜" // the bar of the DeepSeek family
	joiner  = "▁"
)

// lex reads the marker at the start of b, which is not empty.
func lex(b []byte, final bool) (token, status) {
	switch b[0] {
	case '<':
		return lexAngle(b, final)
	case '[':
		return lexPlain(b, "]", final)
	case joiner[0]: // also the first byte of a triangle
		return lexPlain(b, "▷", final)
	}
	return token{}, bad
}

// lexPlain reads a marker that stands in the table as it stands in the text.
func lexPlain(b []byte, closer string, final bool) (token, status) {
	head := b[:min(len(b), maxName)]
	if len(head) > 1 && b[0] == '[' && head[1] != '/' && (head[1] < 'A' || head[1] > 'Z') {
		return token{}, bad
	}
	if len(head) > 2 && b[0] != '[' && string(head[:3]) != "◁" {
		return token{}, bad
	}
	k := bytes.Index(head, []byte(closer))
	if k < 0 {
		if len(head) == maxName || final || bytes.ContainsAny(head, " \n") {
			return token{}, bad
		}
		return token{}, short
	}
	name := string(head[:k+len(closer)])
	m, good := marks[name]
	if !good {
		return token{}, bad
	}
	return token{mark: m, name: name, token: true, n: len(name)}, ok
}

// lexAngle reads <name>, </name>, <ns:name k="v">, <name=value>, <|name|>,
// <|name> and <name|>, in either kind of bar.
func lexAngle(b []byte, final bool) (token, status) {
	c := &cursor{b: b[:min(len(b), maxName+maxValue)], i: 1, final: final || len(b) > maxName+maxValue}
	closing := false
	bar, st := c.bar()
	if st == ok && !bar {
		switch c.skip("/") {
		case ok:
			closing = true
			bar, st = c.bar()
		case short:
			st = short
		}
	}
	if st != ok {
		return token{}, st
	}
	name, st := c.tagName(bar)
	if st != ok {
		return token{}, st
	}
	if bar && !closing && len(name) > 1 && name[0] == '/' { // <|/tool_call|>
		closing, name = true, name[1:]
	}
	return c.lexTail(name, bar, closing)
}

// bar skips "|" or its wide form.
func (c *cursor) bar() (bool, status) {
	for _, s := range []string{"|", wideBar} {
		switch c.skip(s) {
		case ok:
			return true, ok
		case short:
			return false, short
		}
	}
	return false, ok
}

// tagName reads a name, in the spelling of the table.
func (c *cursor) tagName(bar bool) (string, status) {
	from := c.i
	for c.i < len(c.b) && c.i-from <= maxName {
		b := c.b[c.i]
		switch {
		case isLetter(b) || b == '_' || b == ':' || b >= '0' && b <= '9':
		case bar && (b == '/' || b == '"'):
		case b == joiner[0]:
			switch c.has(joiner) {
			case short:
				return "", short
			case bad:
				return "", bad
			}
			c.i += len(joiner) - 1
		default:
			if c.i == from {
				return "", bad
			}
			return canonical(string(c.b[from:c.i]), bar), ok
		}
		c.i++
	}
	if c.end() && !c.final && c.i-from <= maxName {
		return "", short
	}
	return "", bad
}

func canonical(s string, bar bool) string {
	if strings.Contains(s, joiner) {
		s = strings.ReplaceAll(s, joiner, "_")
	}
	if !bar {
		if k := strings.LastIndexByte(s, ':'); k >= 0 {
			s = s[k+1:]
		}
	}
	return strings.ToLower(s)
}

// lexTail reads what follows the name, and looks the marker up.
func (c *cursor) lexTail(name string, bar, closing bool) (token, status) {
	t := token{}
	second, st := c.bar()
	if st != ok {
		return t, st
	}
	if bar && second && !c.end() && isLetter(c.b[c.i]) { // <｜DSML｜name ...>
		if name, st = c.tagName(false); st != ok {
			return t, st
		}
		bar, second = false, false
	}
	open, shut := "<", ">"
	if bar {
		open = "<|"
	}
	if second {
		shut = "|>"
	}
	m, good := marks[open+name+shut]
	if !good {
		if c.end() && !c.final && second {
			return t, short
		}
		return t, bad
	}
	t.mark, t.name, t.token = m, name, bar || second
	if st := c.attributes(&t); st != ok {
		return token{}, st
	}
	t.n = c.i
	if t.role == roleCall && t.valued { // <tool_call name="name">
		t.role = roleFunc
	}
	t.close(closing)
	return t, ok
}

// close turns an opening marker into its closing one.
func (t *token) close(closing bool) {
	if !closing {
		return
	}
	switch t.role {
	case roleThink:
		t.role = roleThinkEnd
	case roleCall:
		t.role = roleEnd
	case roleFunc, roleParam, roleKey, roleVal, roleWrap, roleWeak:
		t.name = "/" + t.name
	default:
		t.role = roleNone
	}
}

func (t *token) closing() bool { return t.name != "" && t.name[0] == '/' }

// attributes reads to the closing ">".
func (c *cursor) attributes(t *token) status {
	if c.end() {
		return c.cut()
	}
	if c.b[c.i] == '=' {
		c.i++
		return c.equals(t)
	}
	for {
		c.ws()
		if c.end() {
			return c.cut()
		}
		if c.b[c.i] == '>' {
			c.i++
			return ok
		}
		if st := c.attribute(t); st != ok {
			return st
		}
		if t.valued && c.i > 0 && c.b[c.i-1] == '>' { // a stray token ended the tag
			return ok
		}
	}
}

func (c *cursor) cut() status {
	if c.final {
		return bad
	}
	return short
}

// equals reads the value of <function=value>. It is one line; quotes in it
// belong to it, since a tool's name may carry them.
func (c *cursor) equals(t *token) status {
	k := bytes.IndexAny(c.b[c.i:], "<>\n")
	switch {
	case k < 0:
		return c.cut()
	case c.b[c.i+k] != '>' || k == 0:
		return bad
	}
	t.value, t.valued = string(bytes.TrimSpace(c.b[c.i:c.i+k])), true
	c.i += k + 1
	return ok
}

const strayToken = "<|message|>"

// attribute reads key="value".
func (c *cursor) attribute(t *token) status {
	key, st := c.word()
	if st != ok {
		return st
	}
	for _, s := range []string{"=", `"`} {
		if st := c.skip(s); st != ok {
			return st
		}
	}
	from := c.i
	k := bytes.IndexAny(c.b[c.i:], "\"<\n")
	if k < 0 {
		return c.cut()
	}
	value := string(c.b[from : from+k])
	c.i += k
	if st := c.skip(`"`); st != ok {
		if st = c.strays(); st != ok {
			return st
		}
	}
	switch key {
	case "name":
		t.value, t.valued = value, true
	case "string":
		t.typed = value
	}
	return ok
}

// strays mends a header token that a model wrote into a tag's name, where it
// stands before the closing quote or instead of it.
func (c *cursor) strays() status {
	seen := false
	for {
		st := c.skip(strayToken)
		if st == short || st == bad && !seen {
			return st
		}
		if st == bad {
			break
		}
		seen = true
	}
	if c.end() {
		return c.cut()
	}
	if st := c.skip(`">`); st == short {
		return short
	} else if st == bad && c.b[c.i] == '>' {
		c.i++
	}
	return ok
}
