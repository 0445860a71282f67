package toolcall

import (
	"bytes"
	"strings"
)

// line decides at the start of a line of content: name {json} on it, a reply
// that is nothing but name(key=value), "functools[...]" or "Action:". It
// says bad when the line is text.
func (r *Reader) line() status {
	b := r.buf[r.pos]
	if b == ' ' || b == '\t' {
		r.text(1)
		return ok
	}
	for _, f := range []struct {
		word string
		read func(int) status
	}{{"function call<|role_sep|>", r.functools}, {"Action:", r.action}} {
		c := cursor{b: r.buf, i: r.pos, final: r.final}
		switch c.skip(f.word) {
		case short:
			return short
		case ok:
			return f.read(c.i)
		}
	}
	if !r.cat.first[b] {
		return bad
	}
	return r.nameLine()
}

// nameLine finds the longest name on offer at pos.
func (r *Reader) nameLine() status {
	rest := r.buf[r.pos:]
	var name string
	for _, n := range r.cat.names {
		switch {
		case len(n) > len(name) && bytes.HasPrefix(rest, []byte(n)):
			name = n
		case len(rest) < len(n) && !r.final && strings.HasPrefix(n, string(rest)):
			return short
		}
	}
	if name == "" {
		return bad
	}
	c := cursor{b: r.buf, i: r.pos + len(name), final: r.final}
	for !c.end() && (c.b[c.i] == ' ' || c.b[c.i] == '\n' && r.fresh()) {
		c.i++
	}
	switch {
	case c.end():
		return c.cut()
	case c.b[c.i] == '{':
		return r.nameJSON(name, c.i)
	case c.b[c.i] == '(' && r.fresh() && c.i == r.pos+len(name):
		return r.wholeCalls()
	}
	return bad
}

// nameJSON reads name {json}, alone on its line.
func (r *Reader) nameJSON(name string, at int) status {
	p := r.newBlock(at, "line")
	c := &call{name: name, tool: r.cat.byName[name]}
	st := p.jsonArgs(c)
	r.work += p.far - r.pos
	for st == ok && p.i < len(p.b) && (p.b[p.i] == ' ' || p.b[p.i] == '\r') {
		p.i++
	}
	if st == short && !r.final || st == ok && p.i == len(p.b) && !r.final {
		return short
	}
	if st != ok || p.i < len(p.b) && p.b[p.i] != '\n' && p.b[p.i] != '<' || r.shown() {
		return bad
	}
	r.accept(p, "line")
	return ok
}

// wholeCalls reads a reply that is Python calls and nothing else.
func (r *Reader) wholeCalls() status {
	p := r.newBlock(r.pos, "pythonic")
	st := p.read()
	r.work += p.far - r.pos
	if st == short && !r.final {
		return short
	}
	if st != ok || len(bytes.TrimSpace(p.b[p.last:])) > 0 {
		return bad
	}
	if !r.final {
		return short
	}
	r.accept(p, "pythonic")
	return ok
}

// functools reads the calls after a word that announces them.
func (r *Reader) functools(at int) status {
	if r.buf[at-1] == '[' {
		at--
	}
	p := r.newBlock(at, "functools")
	st := p.read()
	r.work += p.far - r.pos
	switch {
	case st == short && !r.final:
		return short
	case st == ok && len(p.calls) > 0:
		r.accept(p, "tagged:functools")
	case p.name != "":
		if !r.broken(p, st, "tagged:functools") {
			return short
		}
	default:
		return bad
	}
	return ok
}

// action reads "Action:" and a call: JSON, fenced or not, or a name with
// "Action Input:" and JSON.
func (r *Reader) action(at int) status {
	p := r.newBlock(at, "action")
	p.ws()
	if p.end() {
		return p.cut()
	}
	st := bad
	if b := p.b[p.i]; b == '`' || b == '{' || b == '[' {
		st = p.read()
	} else if name, wst := p.callName(); wst == short {
		st = short
	} else if t := r.cat.byName[name]; wst == ok && t != nil {
		p.ws()
		if st = p.skip("Action Input:"); st == ok {
			p.ws()
			if st = short; !p.end() {
				st = p.jsonArgs(&call{name: name, tool: t})
			}
		} else if p.end() {
			st = short
		}
	}
	r.work += p.far - r.pos
	if st == short {
		return p.cut()
	}
	if st != ok || len(p.calls) == 0 {
		return bad
	}
	r.accept(p, "line")
	return ok
}

// arrows decides at ">>>": Functionary's recipient on a line of its own.
func (r *Reader) arrows() bool {
	c := cursor{b: r.buf, i: r.pos, final: r.final}
	switch c.skip(">>>") {
	case short:
		return false
	case bad:
		return r.text(1)
	}
	p := r.newBlock(c.i, "recipient")
	name, st := p.callName()
	if st == ok {
		st = p.skip("\n")
	}
	if st == short {
		return false
	}
	t := r.cat.byName[name]
	switch {
	case st == ok && name == "all":
		return r.drop(p.i - r.pos)
	case st != ok || t == nil:
		return r.text(3)
	}
	return r.recipient(p, &call{name: name, tool: t, args: node{kind: 'o'}})
}

// firstRecipient reads the recipient that a reply starts with where the
// prompt already wrote ">>>".
func (r *Reader) firstRecipient(at int) status {
	p := r.newBlock(at, "recipient")
	name, st := p.callName()
	if st == ok {
		st = p.skip("\n")
	}
	t := r.cat.byName[name]
	switch {
	case st == short:
		return p.cut()
	case st == ok && name == "all":
		r.drop(p.i - r.pos)
		return ok
	case st != ok || t == nil:
		return bad
	}
	if !r.recipient(p, &call{name: name, tool: t, args: node{kind: 'o'}}) {
		return short
	}
	return ok
}

// recipient reads the arguments of a call whose name stood on its own line.
func (r *Reader) recipient(p *block, c *call) bool {
	p.ws()
	if p.end() && !r.final {
		return false
	}
	st := bad
	p.fault = "its arguments must be a JSON object"
	if !p.end() && p.b[p.i] == '{' {
		st = p.jsonArgs(c)
	}
	if code := c.tool.runsCode(); st == bad && code != "" {
		end := p.index(">>>")
		if end < 0 {
			end = len(p.b)
			if !r.final {
				return false
			}
		}
		c.args = node{kind: 'o'}
		c.args.set(code, stringNode(string(bytes.TrimSpace(p.b[p.i:end]))))
		p.i, st = end, ok
		p.done(*c)
	}
	r.work += p.far - r.pos
	switch {
	case st == short && !r.final:
		return false
	case st == ok:
		return r.accept(p, "tagged:recipient")
	}
	p.name = c.name
	return r.broken(p, st, "tagged:recipient")
}
