package toolcall

import "strings"

// bare decides at a brace: a JSON call that no marker announces.
func (r *Reader) bare() bool {
	switch r.callAhead(r.pos) {
	case short:
		return false
	case bad:
		return r.text(1)
	}
	return r.bareJSON()
}

// callAhead looks whether the object at i starts with a key of a call. A
// JSON object that starts with another key is an answer, and so is all JSON
// after it.
func (r *Reader) callAhead(i int) status {
	c := cursor{b: r.buf, i: i + 1, final: r.final}
	c.ws()
	if c.end() {
		return c.cut()
	}
	if c.b[c.i] != '"' || r.otherJSON || r.quoted() {
		return bad
	}
	from := c.i + 1
	for c.i++; !c.end() && c.i-from < maxName && (isNameByte(c.b[c.i])); c.i++ {
	}
	if c.end() {
		return c.cut()
	}
	if c.b[c.i] != '"' || !callKeys[string(c.b[from:c.i])] {
		r.otherJSON = true
		return bad
	}
	return ok
}

func (r *Reader) bareJSON() bool {
	p := r.newBlock(r.pos, "json")
	p.strict = true
	st := p.read()
	r.work += p.far - r.pos
	switch {
	case st == short && !r.final:
		return false
	case st == ok && len(p.calls) > 0:
		return r.accept(p, "json")
	case p.name != "" && r.fresh() && !r.shown():
		end := max(p.far, r.pos+1)
		r.unreadable(p.name, p.fault, end)
		r.layer("json")
		return r.drop(end - r.pos)
	}
	r.otherJSON = true
	return r.text(max(p.far-r.pos, 1))
}

// bareList decides at a bracket: a list of JSON calls, or of Python calls.
func (r *Reader) bareList() bool {
	c := cursor{b: r.buf, i: r.pos + 1, final: r.final}
	c.ws()
	if c.end() {
		if r.final {
			return r.text(1)
		}
		return false
	}
	if c.b[c.i] == '{' {
		switch r.callAhead(c.i) {
		case short:
			return false
		case bad:
			return r.text(1)
		}
		return r.bareJSON()
	}
	return r.bareCalls(c)
}

// bareCalls decides on [name(key=value)]: the name must be on offer, and the
// bracket must not belong to a word or a link before it.
func (r *Reader) bareCalls(c cursor) bool {
	if !isSpace(r.before()) && !r.fresh() {
		return r.text(1)
	}
	name, st := c.word()
	if st == ok {
		st = c.has("(")
	}
	if st == short {
		return false
	}
	if st == bad || r.cat.resolve(name) == nil {
		return r.text(1)
	}
	p := r.newBlock(r.pos, "pythonic")
	st = p.pythonList()
	r.work += p.far - r.pos
	switch {
	case st == short && !r.final:
		return false
	case st == ok:
		return r.accept(p, "pythonic")
	case r.fresh() && p.name != "":
		end := max(p.far, r.pos+1)
		r.unreadable(p.name, p.fault, end)
		r.layer("pythonic")
		return r.drop(end - r.pos)
	}
	return r.text(max(p.far-r.pos, 1))
}

// quoted reports whether a quotation mark stands right before pos.
func (r *Reader) quoted() bool {
	switch r.before() {
	case '"', '\'':
		return true
	}
	from := max(0, r.pos-3)
	for _, q := range []string{"“", "‘", "«", "„"} {
		if strings.HasSuffix(string(r.buf[from:r.pos]), q) {
			return true
		}
	}
	return false
}

// Words in the sentence before a call. Those of showing make it an example,
// wherever it stands; a fence after text needs one of meaning it.
var (
	showing = []string{
		"for example", "for instance", "e.g.", "an example", "example:", "example call", "like this",
		"looks like", "look like", "such as", "syntax", "would be", "could be", "you can ", "you could ",
		"you would ", "you might ", "format is", "format:", "written as", "instead of", "don't call",
		"do not call", "never call", "would call", "could call",
	}
	meaning = []string{
		"i'll", "i will", "i’ll", "let me", "let's", "calling", "i'm going to", "i am going to", "i need to",
		"i'm calling", "using the", "invoking", "executing", "i have to", "i should",
	}
	presenting = []string{"here is", "here's", "here’s", "this is", "below", "shows", "show you"}
)

// shown reports whether a call at pos is an example: in quotation marks,
// introduced as one, or inside a message to the user.
func (r *Reader) shown() bool {
	if r.quoted() || r.message {
		return true
	}
	return containsAny(r.leadIn(), showing)
}

// announced reports whether the text before a fence says that a call follows.
func (r *Reader) announced() bool {
	s := r.leadIn()
	return containsAny(s, meaning) && !containsAny(s, presenting)
}

// leadIn is the last sentence of the content, in lower case.
func (r *Reader) leadIn() string {
	s := r.content.text()
	s = s[max(0, len(s)-160):]
	if k := strings.LastIndexByte(s, '\n'); k >= 0 {
		s = s[k+1:]
	}
	for _, stop := range []string{". ", "! ", "? "} {
		if k := strings.LastIndex(s, stop); k >= 0 && !strings.HasSuffix(s[:k+1], "e.g.") {
			s = s[k+2:]
		}
	}
	return strings.ToLower(s)
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
