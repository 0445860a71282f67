package toolcall

import (
	"bytes"
	"strings"
)

// named reads a call that starts with its name: name{json}, name(key=value),
// name<sep>{json}, name with <arg_key> pairs, name and a fenced JSON, or the
// name alone before the closing marker. "call:" before it, and an id or a
// type in place of the name before a separator, are skipped.
func (p *block) named() (done bool, st status) {
	if len(p.calls) > 0 && !p.startsName() {
		return true, p.stop()
	}
	if st := p.skip("call:"); st == short {
		return true, short
	} else if st == ok {
		st := p.gemma()
		return st != ok, st
	}
	c := call{}
	for {
		name, st := p.callName()
		if st != ok {
			return true, p.unlike(st)
		}
		c.name = name
		again, st := p.separators(&c)
		if st != ok {
			return true, p.unlike(st)
		}
		if !again {
			break
		}
		if p.end() {
			return true, p.atEnd()
		}
		if p.b[p.i] == '<' { // an element follows, which has the name
			return false, ok
		}
	}
	c.tool = p.cat.resolve(c.name)
	st = p.namedArgs(&c)
	if st == bad && c.tool == nil && p.name == "" {
		return true, p.unlike(bad)
	}
	return st != ok, st
}

// unlike is the outcome at something that is no call. After a call, that
// ends the block.
func (p *block) unlike(st status) status {
	if st == bad && len(p.calls) > 0 {
		return ok
	}
	return st
}

// startsName reports whether a name on offer stands at the cursor: after a
// call, any other word is the text that follows it.
func (p *block) startsName() bool {
	c := cursor{b: p.b, i: p.i, final: true}
	if c.skip("call:") == ok || c.skip("functions.") == ok {
		return true
	}
	w, st := c.word()
	p.look(c.i)
	return c.end() && !p.final || st == ok && p.cat.resolve(w) != nil
}

// callName reads a name as far as it can go on one line.
func (p *block) callName() (string, status) {
	quote := !p.end() && (p.b[p.i] == '"' || p.b[p.i] == '\'')
	if quote {
		p.i++
	}
	from := p.i
	for p.i < len(p.b) && p.i-from < maxValue {
		b := p.b[p.i]
		if !isNameByte(b) && b != ':' && b != '/' {
			break
		}
		p.i++
	}
	p.look(p.i)
	if p.end() && !p.final {
		return "", short
	}
	if p.i == from {
		return "", bad
	}
	name := string(p.b[from:p.i])
	if quote && !p.end() && (p.b[p.i] == '"' || p.b[p.i] == '\'') {
		p.i++
	}
	return name, ok
}

// separators skips what stands between name and arguments. It reports again
// when what was read as the name is something else and the name follows.
func (p *block) separators(c *call) (again bool, st status) {
	for {
		p.ws()
		if p.end() {
			return false, ok
		}
		if p.b[p.i] != '<' && p.b[p.i] != '[' {
			return false, ok
		}
		t, st := p.mark()
		if st == short {
			return false, short
		}
		if st == bad || t.role != roleSep {
			return false, ok
		}
		p.i += t.n
		switch t.id {
		case "tool_sep":
			if c.name == "function" {
				return true, ok
			}
		case "name":
			c.id = c.name
			return true, ok
		case "id":
			if c.id, st = p.callName(); st != ok {
				return false, st
			}
		}
	}
}

// namedArgs reads the arguments after the name.
func (p *block) namedArgs(c *call) status {
	p.names(c)
	if p.end() {
		p.fault = "it was cut off"
		return short
	}
	switch p.b[p.i] {
	case '(':
		return p.pythonCall(c.name)
	case '[':
		if c.tool == nil { // words before a list of calls
			p.stranger = ""
			return p.list()
		}
	case '{':
		return p.jsonArgs(c)
	case '`':
		if done, st := p.fence(); done {
			return st
		}
		p.ws()
		if p.end() {
			return short
		}
		if p.b[p.i] == '{' {
			return p.jsonArgs(c)
		}
	case '<':
		return p.taggedArgs(c)
	}
	p.fault = "its arguments must be a JSON object"
	return bad
}

// jsonArgs reads the object of arguments.
func (p *block) jsonArgs(c *call) status {
	v, st := p.value(inJSON)
	if st != ok {
		p.fault = "its arguments are not valid JSON"
		if st == short {
			p.fault = "it was cut off"
		}
		return st
	}
	if v.kind != 'o' {
		p.fault = "its arguments must be a JSON object"
		return bad
	}
	if isDigits(c.name) { // a counter where the name should be
		if t := p.cat.byKeys(&v); t != nil {
			c.tool, c.name = t, string(t.spec.Name)
			p.mend("found the tool by its arguments")
		}
	}
	if c.id == "" && strings.Contains(c.name, ":") {
		c.id = c.name
	}
	c.args = v
	p.done(*c)
	return ok
}

func (p *block) done(c call) {
	p.name, p.stranger, p.fault = "", "", ""
	p.markers = 0
	p.calls = append(p.calls, c)
	p.last = p.i
}

// taggedArgs reads <arg_key> pairs, or the closing marker of a call that has
// no arguments.
func (p *block) taggedArgs(c *call) status {
	c.args = node{kind: 'o'}
	for {
		p.ws()
		if p.end() {
			return p.unclosed(c)
		}
		t, st := p.mark()
		if st != ok {
			p.fault = "its arguments must stand in <arg_key> and <arg_value>"
			return p.partOfClose(c, st)
		}
		switch {
		case t.role == roleKey && !t.closing():
			p.i += t.n
			if st := p.pair(c); st != ok {
				return st
			}
		case t.role == roleVal: // a second closing tag
			p.i += t.n
		case t.role == roleEnd, t.role == roleCall && len(c.args.keys) > 0:
			p.done(*c)
			return ok
		case t.role == roleControl && p.complete(c):
			p.mend("closed a call that had no end")
			p.done(*c)
			return ok
		default:
			return bad
		}
	}
}

// partOfClose takes a closing marker that the end of the reply cut.
func (p *block) partOfClose(c *call, st status) status {
	rest := p.b[p.i:]
	if p.final && len(c.args.keys) > 0 && len(rest) > 1 && bytes.HasPrefix([]byte("</tool_call>"), rest) {
		p.i = len(p.b)
		return p.unclosed(c)
	}
	return st
}

// unclosed decides on a call whose arguments all are complete and whose
// closing marker never came: it stands when nothing required is missing.
func (p *block) unclosed(c *call) status {
	p.fault = "it was cut off"
	if !p.final || !p.complete(c) {
		return short
	}
	p.mend("closed a call that had no end")
	p.done(*c)
	return ok
}

// complete reports whether a call has arguments, and all that its tool requires.
func (p *block) complete(c *call) bool {
	return len(c.args.keys) > 0 && (c.tool == nil || c.tool.missing(&c.args) == "")
}

// pair reads a key and its value after <arg_key>.
func (p *block) pair(c *call) status {
	end, t, st := p.find(func(t token, _ int) bool { return t.role == roleKey && t.closing() })
	if st != ok {
		p.fault = "it was cut off"
		return st
	}
	key := strings.TrimSpace(string(p.b[p.i:end]))
	p.i = end + t.n
	p.ws()
	if p.end() {
		p.fault = "it was cut off"
		return short
	}
	if t, st := p.mark(); st == short {
		return short
	} else if st == ok && t.role == roleVal && !t.closing() {
		p.i += t.n
	}
	end, t, st = p.find(func(t token, _ int) bool {
		return t.role == roleVal && t.closing() || t.role == roleKey && !t.closing() || t.role == roleEnd
	})
	if st != ok {
		p.fault = "it was cut off"
		return st
	}
	c.args.set(key, typed(trimLine(p.b[p.i:end]), c.tool.property(key)))
	p.i = end
	if t.role == roleVal {
		p.i += t.n
	} else {
		p.mend("closed the value of " + key)
	}
	return ok
}

// find returns the first marker that stop accepts, and where it stands.
func (p *block) find(stop func(t token, at int) bool) (int, token, status) {
	for i := p.i; ; {
		k := bytes.IndexByte(p.b[i:], '<')
		if k < 0 {
			p.look(len(p.b))
			return 0, token{}, short
		}
		i += k
		t, st := lex(p.b[i:], p.final)
		if st == short {
			p.look(len(p.b))
			return 0, token{}, short
		}
		p.look(i + 1 + t.n)
		if st == ok && stop(t, i) {
			return i, t, ok
		}
		i++
	}
}

// trimLine takes off one line break at either end: templates put them there.
func trimLine(b []byte) string {
	b = bytes.TrimSuffix(bytes.TrimPrefix(b, []byte("\n")), []byte("\n"))
	return string(b)
}
