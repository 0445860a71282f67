package toolcall

// pythonList reads [name(key=value), ...].
func (p *block) pythonList() status {
	p.i++
	from := len(p.calls)
	for {
		p.ws()
		if p.end() {
			p.fault = "it was cut off"
			return short
		}
		if p.b[p.i] == ']' && len(p.calls) > from {
			p.i++
			p.last = p.i
			return ok
		}
		name, st := p.word()
		if st != ok {
			return st
		}
		if st := p.has("("); st != ok {
			return st
		}
		if st := p.pythonCall(name); st != ok {
			return st
		}
		if st := p.comma(']'); st != ok {
			return st
		}
	}
}

// pythonCall reads the arguments of a call whose name has been read. Values
// without a key are given to the schema's properties in their order.
func (p *block) pythonCall(name string) status {
	c := call{name: name, tool: p.cat.resolve(name), args: node{kind: 'o'}}
	p.names(&c)
	p.fault = "its arguments must be written as key=value"
	p.i++
	for n := 0; ; n++ {
		p.ws()
		if p.end() {
			p.fault = "it was cut off"
			return short
		}
		if p.b[p.i] == ')' {
			break
		}
		st := p.pythonArg(&c, n)
		if st == ok {
			st = p.comma(')')
		}
		if st == short {
			p.fault = "it was cut off"
		}
		if st != ok {
			return st
		}
	}
	p.i++
	p.name, p.stranger, p.fault = "", "", ""
	p.markers = 0
	p.calls = append(p.calls, c)
	p.last = p.i
	return ok
}

func (p *block) pythonArg(c *call, n int) status {
	key, st := p.pythonKey()
	if st == short {
		return short
	}
	v, vst := p.value(inPy)
	if vst != ok {
		return vst
	}
	if st == bad {
		props := c.tool.propertyNames()
		if n >= len(props) {
			return bad
		}
		key = props[n]
		p.mend("gave an argument without a key to " + key)
	}
	c.args.set(key, v)
	return ok
}

// pythonKey reads key=, or nothing.
func (p *block) pythonKey() (string, status) {
	from := p.i
	if b := p.b[p.i]; !isLetter(b) && b != '_' && b < 0x80 {
		return "", bad
	}
	key, st := p.word()
	if st != ok {
		return "", st
	}
	p.ws()
	switch p.skip("=") {
	case ok:
		return key, ok
	case short:
		return "", short
	}
	if p.end() && !p.final {
		return "", short
	}
	p.i = from
	return "", bad
}

func (t *tool) propertyNames() []string {
	if t == nil || t.properties() == nil {
		return nil
	}
	return t.properties().keys
}
