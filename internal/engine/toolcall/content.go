package toolcall

import "bytes"

// stops marks the bytes at which content may turn into something else.
var stops = func() (t [256]bool) {
	for _, b := range []byte("<[{`>\n") {
		t[b] = true
	}
	t["◁"[0]] = true
	return t
}()

// next finds the next byte that needs a look. Line breaks need one only
// where the line may start a call.
func (r *Reader) next() int {
	b := r.buf
	for i := r.pos; i < len(b); i++ {
		if !stops[b[i]] {
			continue
		}
		if i+1 < len(b) {
			n := b[i+1]
			switch b[i] {
			case '\n':
				if !r.lineStart(n) {
					continue
				}
			case '>':
				if n != '>' {
					continue
				}
			case "◁"[0]:
				if n != "◁"[1] {
					continue
				}
			}
		}
		return i
	}
	return len(b)
}

// lineStart reports whether a line that starts with b may be a call.
func (r *Reader) lineStart(b byte) bool {
	return r.cat.first[b] || b == ' ' || b == '\t' || b == 'A' || b == 'f'
}

func (r *Reader) contentStep() bool {
	if !r.begun {
		if st := r.begin(); st != bad {
			return st == ok
		}
		r.begun = true
	}
	if r.bol {
		if st := r.line(); st != bad {
			return st == ok
		}
		r.bol = false
	}
	if st := r.word(); st != bad {
		return st == ok
	}
	if end := r.next(); end > r.pos {
		end = r.whole(r.beforeWord(end))
		return end > r.pos && r.text(end-r.pos)
	}
	switch r.buf[r.pos] {
	case '\n':
		r.bol = true
		return r.text(1)
	case '{':
		return r.bare()
	case '`':
		return r.code()
	case '>':
		return r.arrows()
	}
	return r.marker()
}

// listWord announces a list of calls, wherever it stands in a line.
const listWord = "functools"

// word decides at pos whether that word stands there with a list.
func (r *Reader) word() status {
	if r.plain || r.buf[r.pos] != listWord[0] {
		return bad
	}
	c := cursor{b: r.buf, i: r.pos, final: r.final}
	st := c.skip(listWord + "[")
	if st == ok {
		st = r.functools(c.i)
	}
	r.plain = st == bad
	return st
}

// beforeWord shortens the text up to end by that word, or by the start of it
// at the end of the buffer. At pos itself the word has been looked at.
func (r *Reader) beforeWord(end int) int {
	s := r.buf[r.pos:end]
	if end < len(r.buf) {
		if r.buf[end] == '[' && bytes.HasSuffix(s, []byte(listWord)) && len(s) > len(listWord) {
			return end - len(listWord)
		}
		return end
	}
	for n := min(len(listWord), len(s)-1); n > 0 && !r.final; n-- {
		if bytes.HasSuffix(s, []byte(listWord[:n])) {
			return end - n
		}
	}
	return end
}

// marker decides at a byte that may start a marker.
func (r *Reader) marker() bool {
	t, st := lex(r.buf[r.pos:], r.final)
	switch {
	case st == short:
		return false
	case st == ok:
		return r.marked(t)
	case r.buf[r.pos] == '[':
		return r.bareList()
	}
	end := r.pos + 1
	if r.buf[r.pos] >= 0x80 { // the rest of a character that is no triangle
		for end < len(r.buf) && r.buf[end]&0xC0 == 0x80 {
			end++
		}
	}
	return r.text(end - r.pos)
}

func (r *Reader) marked(t token) bool {
	switch t.role {
	case roleCall:
		return r.block(t)
	case roleFunc:
		if t.valued && !t.closing() {
			return r.block(t)
		}
	case roleThink:
		return r.thinkOpen(t)
	case roleThinkEnd:
		return r.loneEnd(t)
	case roleHarmony:
		return r.header()
	case roleControl:
		if r.quoted() {
			return r.text(t.n)
		}
		return r.drop(t.n)
	case roleWrap, roleWeak:
		return r.wrap(t)
	}
	if r.afterCall {
		return r.drop(t.n)
	}
	return r.text(t.n)
}

// wrap handles tags that some families put around calls or answers.
func (r *Reader) wrap(t token) bool {
	if t.closing() {
		if r.wrapper == t.id || r.afterCall {
			r.wrapper = ""
			return r.drop(t.n)
		}
		return r.text(t.n)
	}
	if !r.fresh() || r.afterCall {
		return r.text(t.n)
	}
	c := cursor{b: r.buf, i: r.pos + t.n, final: r.final}
	c.ws()
	if c.end() && !r.final {
		return false
	}
	if !c.end() && (c.b[c.i] == '{' || c.b[c.i] == '[') {
		p := r.newBlock(c.i, t.id)
		p.strict = true
		st := p.read()
		r.work += p.far - r.pos
		if st == short && !r.final {
			return false
		}
		if st == ok && len(p.calls) > 0 {
			return r.accept(p, "tagged:"+t.id)
		}
	}
	if t.role == roleWrap && r.thought {
		r.wrapper = t.id
		return r.drop(t.n)
	}
	return r.text(t.n)
}
