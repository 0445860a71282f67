package toolcall

import "bytes"

// block reads what an opening marker announces. One grammar serves all
// families: markers, then for each call a JSON value, a list of Python calls,
// an element with parameters, or a name with arguments in any of these ways.
type block struct {
	cursor
	cat      *catalog
	id       string // of the opening marker
	markers  int    // in a row, without a call
	strict   bool   // no marker announces calls: take only what is nothing else
	calls    []call
	last     int    // where the last call, or the marker that closed it, ended
	name     string // a tool on offer, named by a call that does not read
	stranger string // a name that is not on offer, in such a call
	fault    string // why it does not read, for the model
}

// maxMarkers bounds the markers before a call, so that a row of nothing but
// markers is not read over and over.
const maxMarkers = 8

// read reads calls until the block closes or something else begins. After ok
// the block reaches to last; otherwise it was read as far as far.
func (p *block) read() status {
	p.last = p.i
	st := p.items()
	if len(p.calls) > 0 && (st == bad || st == short && p.final) {
		p.name, p.stranger, p.fault = "", "", ""
		return ok
	}
	return st
}

func (p *block) items() status {
	for {
		p.ws()
		if p.end() {
			return p.atEnd()
		}
		if t, st := p.mark(); st == short {
			return short
		} else if st == ok {
			if done, st := p.marked(t); done {
				return st
			}
			continue
		}
		if done, st := p.item(); done {
			return st
		}
	}
}

// names notes whose call is being read, in case it does not read.
func (p *block) names(c *call) {
	p.name, p.stranger = c.name, ""
	if c.tool == nil {
		p.name, p.stranger = "", c.name
	}
}

// atEnd decides at the end of the text. Between calls, a block that nothing
// closes is complete only when the reply is.
func (p *block) atEnd() status {
	if p.final && len(p.calls) > 0 {
		return ok
	}
	return short
}

// mark lexes a marker at the cursor.
func (p *block) mark() (token, status) {
	t, st := lex(p.b[p.i:], p.final)
	if st == ok {
		p.look(p.i + t.n)
	}
	return t, st
}

// marked handles a marker between calls.
func (p *block) marked(t token) (done bool, st status) {
	switch {
	case t.role == roleCall && (len(p.calls) == 0 || t.id == p.id), t.role == roleSep:
		if p.markers++; p.markers > maxMarkers {
			return true, p.stop()
		}
		p.i += t.n
		p.strict = false
		return false, ok
	case t.role == roleEnd, (t.role == roleFunc || t.role == roleWeak || t.role == roleWrap) && t.closing():
		p.i += t.n
		p.last = p.i
		return true, ok
	case t.role == roleFunc && t.valued:
		st := p.element(t)
		return st != ok, st
	}
	return true, p.stop()
}

// stop ends the block before something that is no call.
func (p *block) stop() status {
	p.look(p.i + 1)
	if len(p.calls) > 0 {
		return ok
	}
	return bad
}

// item reads one call, or what may stand between two.
func (p *block) item() (done bool, st status) {
	switch b := p.b[p.i]; {
	case b == '{':
		st = p.json()
	case b == '[':
		st = p.list()
	case (b == ',' || b == ';' || b == '}' || b == ']' || b == ')') && len(p.calls) > 0:
		if b != ',' && b != ';' {
			p.last = p.i + 1
		}
		p.i++
		p.look(p.i)
		return false, ok
	case b == '`':
		return p.fence()
	case isNameByte(b), (b == '"' || b == '\'') && !p.strict && len(p.calls) == 0:
		return p.named()
	case b == '<':
		return true, p.openTag()
	default:
		return true, p.stop()
	}
	return st != ok, st
}

// openTag is at a tag that does not read. One that should name a tool and
// never ends is a broken call.
func (p *block) openTag() status {
	for _, tag := range []string{"<function=", "<function ", "<invoke ", "<" + wideBar + "DSML" + wideBar + "invoke "} {
		switch p.has(tag) {
		case short:
			return short
		case ok:
			p.i += len(tag)
			p.fault = "the tag that names the tool is not closed"
		}
	}
	return p.stop()
}

// fence skips the marks of a code fence inside a block.
func (p *block) fence() (done bool, st status) {
	switch p.skip("```") {
	case short:
		return true, short
	case bad:
		return true, p.stop()
	}
	if len(p.calls) > 0 {
		p.last = p.i
	}
	from := p.i
	for p.i < len(p.b) && isLetter(p.b[p.i]) {
		p.i++
	}
	if p.end() && !p.final {
		return true, short
	}
	if p.i < len(p.b) && p.b[p.i] != '\n' && p.i > from && len(p.calls) > 0 {
		p.i = from
	}
	p.look(p.i)
	return false, ok
}

// json reads calls written as one JSON value.
func (p *block) json() status {
	from := p.i
	if st := p.has("{{"); st == short {
		return short
	} else if st == ok && !p.strict { // braces doubled as in a template
		p.i++
		p.mend("dropped doubled braces")
	}
	p.tagged, p.ended = !p.strict, false
	v, st := p.value(inJSON)
	p.tagged, p.ended = false, false
	if st != ok {
		p.name = p.peekName(from)
		p.fault = "it is not valid JSON"
		if st == short {
			p.fault = "it was cut off"
		}
		return p.partial(&v, st)
	}
	s := shaper{cat: p.cat, strict: p.strict}
	if !s.take(&v) {
		p.name, p.fault = s.broken, `it needs "name" and, as an object, "arguments"`
		return bad
	}
	p.take(&s)
	return ok
}

func (p *block) take(s *shaper) {
	p.markers = 0
	p.calls = append(p.calls, s.calls...)
	p.mends = append(p.mends, s.mends...)
	p.last = p.i
}

// partial saves the complete calls of a list that the end of the reply cut.
func (p *block) partial(v *node, st status) status {
	if st != short || !p.final || v.kind != 'a' || len(v.kids) == 0 {
		return st
	}
	c := cursor{b: p.b, i: p.i}
	c.ws()
	s := shaper{cat: p.cat, strict: p.strict}
	if !c.end() || !s.take(v) {
		return st
	}
	p.name, p.fault = "", ""
	p.mend("closed a list that had no end")
	p.take(&s)
	return ok
}

// peekName finds the tool that a broken JSON call names, near its start.
func (p *block) peekName(from int) string {
	head := p.b[from:min(p.i, from+512)]
	for _, k := range nameKeys {
		at := bytes.Index(head, []byte(`"`+k+`"`))
		if at < 0 {
			continue
		}
		c := cursor{b: head, i: at + len(k) + 2, final: true}
		c.ws()
		if c.skip(":") != ok {
			continue
		}
		if v, st := c.value(inJSON); st == ok && v.kind == 's' && p.cat.resolve(v.text) != nil {
			return v.text
		}
	}
	return ""
}

// list reads [ and then JSON calls, Python calls or nothing.
func (p *block) list() status {
	c := cursor{b: p.b, i: p.i + 1, final: p.final}
	c.ws()
	if c.end() {
		p.look(c.i)
		p.fault = "it was cut off"
		return short
	}
	if b := c.b[c.i]; isLetter(b) || b == '_' || b >= 0x80 {
		st := p.pythonList()
		if st == bad && len(p.calls) == 0 && p.name == "" {
			p.fault = "it is neither JSON nor a list of calls"
		}
		return st
	}
	return p.json()
}
