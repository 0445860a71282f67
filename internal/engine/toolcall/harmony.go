package toolcall

import (
	"bytes"
	"strings"
)

// maxHeader bounds the header of a message; what is longer is text.
const maxHeader = 256

// head is a harmony header: who a message is for, and on which channel.
type head struct{ to, channel string }

// begin looks at the start of a reply: the prompt may have ended within a
// header. It says bad when there is none.
func (r *Reader) begin() status {
	c := cursor{b: r.buf, i: r.pos, final: r.final}
	c.ws()
	if c.end() {
		return c.cut()
	}
	if r.headFirst {
		return r.firstHead()
	}
	if r.recipientFirst {
		return r.firstRecipient(c.i)
	}
	if st := c.has("to="); st != ok {
		return st
	}
	h, st := r.readHead(&c)
	if st != ok {
		return st
	}
	return r.open(h, c.i)
}

// firstHead reads a reply that starts within a header whatever stands there.
func (r *Reader) firstHead() status {
	window := r.buf[r.pos:min(len(r.buf), r.pos+maxHeader)]
	k := bytes.Index(window, []byte(strayToken))
	if k < 0 {
		if len(window) < maxHeader && !r.final {
			return short
		}
		return bad
	}
	var h head
	for _, w := range strings.Fields(string(window[:k])) {
		if to, good := strings.CutPrefix(w, "to="); good {
			h.to = to
		}
	}
	return r.open(h, r.pos+k+len(strayToken))
}

// header decides at a marker that may be a part of a header.
func (r *Reader) header() bool {
	if r.quoted() {
		return r.text(1)
	}
	c := cursor{b: r.buf, i: r.pos, final: r.final}
	h, st := r.readHead(&c)
	switch {
	case st == short && r.final:
		return r.drop(len(r.buf) - r.pos)
	case st == short:
		return false
	case st == bad:
		return r.text(1)
	}
	return r.open(h, c.i) == ok
}

// headerAhead looks whether marker t at pos starts a new message.
func (r *Reader) headerAhead(t token) status {
	c := cursor{b: r.buf, i: r.pos + t.n, final: r.final}
	switch t.id {
	case "channel":
		return ok
	case "start":
		return c.has("assistant")
	}
	return bad
}

// readHead reads up to and with <|message|>.
func (r *Reader) readHead(c *cursor) (head, status) {
	var h head
	from, role := c.i, false
	for c.i-from <= maxHeader {
		c.ws()
		if c.end() {
			return h, short
		}
		if c.b[c.i] == '<' {
			t, st := lex(c.b[c.i:], c.final)
			if st == short {
				return h, short
			}
			if st == bad || t.role != roleHarmony {
				return h, bad
			}
			c.i += t.n
			if t.id == "message" {
				return h, ok
			}
			if st := c.headWord(t.id, &h); st != ok {
				return h, st
			}
			role = true
			continue
		}
		st := c.skip("to=")
		if st == ok {
			h.to, st = c.headText()
			role = true
		} else if st == bad && role {
			_, st = c.word()
		}
		if st != ok {
			return h, st
		}
	}
	return h, bad
}

// headWord reads the word after a marker of the header.
func (c *cursor) headWord(id string, h *head) status {
	w, st := c.word()
	if st != ok {
		return st
	}
	switch {
	case id == "channel":
		h.channel = w
	case id == "start" && w != "assistant":
		return bad
	}
	return ok
}

// headText reads a recipient.
func (c *cursor) headText() (string, status) {
	from := c.i
	for !c.end() && !isSpace(c.b[c.i]) && c.b[c.i] != '<' && c.i-from < maxHeader {
		c.i++
	}
	if c.end() && !c.final {
		return "", short
	}
	return string(c.b[from:c.i]), ok
}

// open enters a message whose body starts at i.
func (r *Reader) open(h head, i int) status {
	r.thought = true
	r.message = false
	t := r.cat.resolve(h.to)
	switch {
	case h.to == "self", h.to == "" && h.channel == "analysis":
		r.drop(i - r.pos)
		r.enterThinking(messageID)
		return ok
	case h.to != "" && h.to != "user" && (t != nil || strings.HasPrefix(h.to, "functions.")):
		return r.body(h, t, i)
	}
	// What is addressed to the user is for the user, call or not.
	r.message = h.to == "user" || h.to == "" && h.channel == "final"
	r.bol = true
	r.drop(i - r.pos)
	return ok
}

// body reads the arguments of a message to a tool. Some models write a
// tagged call there instead, which reads as such.
func (r *Reader) body(h head, t *tool, i int) status {
	p := r.newBlock(i, "harmony")
	c := &call{name: h.to, tool: t, args: node{kind: 'o'}}
	p.ws()
	if p.end() && !r.final {
		return short
	}
	p.names(c)
	p.fault = "its arguments must be a JSON object"
	st := bad
	switch {
	case p.end():
		st, p.fault = short, "it was cut off"
	case p.b[p.i] == '{':
		st = p.jsonArgs(c)
	case p.b[p.i] == '<':
		m, mst := p.mark()
		switch {
		case mst == short:
			return short
		case mst == ok && m.role == roleControl:
			p.done(*c)
			st = ok
		case mst == ok:
			r.bol = true
			r.drop(i - r.pos)
			return ok
		}
	}
	r.work += p.far - r.pos
	switch {
	case st == short && !r.final:
		return short
	case st == ok:
		r.accept(p, "harmony")
	default:
		p.name = h.to
		if !r.broken(p, st, "harmony") {
			return short
		}
	}
	return ok
}
