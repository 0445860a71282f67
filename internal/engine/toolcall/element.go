package toolcall

import "bytes"

// element reads <function=name>...</function> and its like: parameters, or
// the arguments as JSON.
func (p *block) element(t token) status {
	c := call{name: t.value, tool: p.cat.resolve(t.value), args: node{kind: 'o'}}
	p.names(&c)
	p.i += t.n
	for {
		p.ws()
		if p.end() {
			return p.unclosed(&c)
		}
		t, st := p.mark()
		if st == short {
			return short
		}
		if st == bad {
			if st := p.elementBody(&c); st != ok {
				return st
			}
			continue
		}
		switch {
		case t.role == roleParam && t.valued && !t.closing():
			if st := p.parameter(&c, t); st != ok {
				return st
			}
		case t.role == roleParam && t.closing():
			p.i += t.n
		case t.role == roleFunc && t.closing():
			p.i += t.n
			p.done(c)
			return ok
		case t.role == roleEnd, t.role == roleCall, t.role == roleFunc, t.role == roleControl:
			p.mend("closed the call of " + c.name)
			p.done(c)
			return ok
		default:
			p.fault = "its arguments must stand in parameter tags"
			return bad
		}
	}
}

// elementBody reads JSON arguments, or program text where the tool takes it.
func (p *block) elementBody(c *call) status {
	if p.b[p.i] == '{' && len(c.args.keys) == 0 {
		v, st := p.value(inJSON)
		if st == ok {
			c.args = v
			return ok
		}
		p.fault = "its arguments are not valid JSON"
		if st == short {
			p.fault = "it was cut off"
		}
		return st
	}
	if c.tool != nil && c.tool.runsCode() != "" && len(c.args.keys) == 0 {
		end, _, st := p.find(func(t token, _ int) bool { return t.role == roleFunc && t.closing() })
		if st == ok {
			c.args.set(c.tool.runsCode(), stringNode(string(bytes.TrimSpace(p.b[p.i:end]))))
			p.i = end
		}
		return st
	}
	if len(c.args.keys) == 0 { // words about the tag
		p.name, p.stranger = "", c.name
	}
	p.fault = "its arguments must stand in parameter tags"
	return bad
}

// parameter reads one argument.
func (p *block) parameter(c *call, t token) status {
	p.i += t.n
	end, next, st := p.valueEnd()
	if st != ok {
		p.fault = "it was cut off"
		return st
	}
	if next == end {
		p.mend("closed the value of " + t.value)
	}
	raw := trimLine(p.b[p.i:end])
	p.i = next
	if t.typed == "true" {
		c.args.set(t.value, stringNode(raw))
		return ok
	}
	c.args.set(t.value, typed(raw, c.tool.property(t.value)))
	return ok
}

// valueEnd finds where a parameter's value ends, and where to read on. It
// ends at its closing tag or at the next parameter; only where neither comes
// does the end of the call end it, since a value may well contain that text.
func (p *block) valueEnd() (end, next int, st status) {
	shut := -1
	at, t, st := p.find(func(t token, at int) bool {
		switch {
		case t.role == roleParam:
			return t.closing() || t.valued
		case t.role == roleEnd, t.role == roleFunc && t.closing():
			if shut < 0 {
				shut = at
			}
			return false
		}
		return shut >= 0 && (t.role == roleCall || t.role == roleFunc && t.valued)
	})
	switch {
	case st == short && p.final && shut >= 0, st == ok && t.role != roleParam:
		return shut, shut, ok
	case st != ok:
		return 0, 0, st
	case t.closing():
		return at, at + t.n, ok
	}
	return at, at, ok
}

// gemma reads name{key:value} after "call:".
func (p *block) gemma() status {
	name, st := p.callName()
	if st != ok {
		return st
	}
	c := call{name: name, tool: p.cat.resolve(name)}
	p.names(&c)
	p.fault = "its arguments must stand in braces after the name"
	p.ws()
	if p.end() {
		return short
	}
	if p.b[p.i] != '{' {
		return bad
	}
	if c.args, st = p.value(inGemma); st != ok {
		p.fault = "its arguments do not read, a quote may be missing"
		if st == short {
			p.fault = "it was cut off"
		}
		return st
	}
	p.done(c)
	return ok
}
