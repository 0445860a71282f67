package toolcall

import (
	"bytes"
	"strings"
)

const (
	maxRun  = 16  // backticks: more are a line, not a fence
	maxSpan = 512 // bytes of code within a line
)

// ticks counts the backticks at pos; short when more may come.
func (r *Reader) ticks() (int, status) {
	n := 0
	for r.pos+n < len(r.buf) && r.buf[r.pos+n] == '`' && n < maxRun {
		n++
	}
	if r.pos+n == len(r.buf) && n < maxRun && !r.final {
		return n, short
	}
	return n, ok
}

// code decides at a backtick of the content. Nothing inside code counts.
func (r *Reader) code() bool {
	n, st := r.ticks()
	if st != ok {
		return false
	}
	if n >= 3 && n < maxRun && r.blankBefore() {
		return r.fence(n)
	}
	end, st := r.span(n)
	return st == ok && r.text(end)
}

// span measures the code that the n backticks at pos open: to the same run
// of them in the line, or the backticks alone when there is none.
func (r *Reader) span(n int) (int, status) {
	rest := r.buf[r.pos+n : min(len(r.buf), r.pos+n+maxSpan)]
	for i := 0; i < len(rest); {
		k := bytes.IndexAny(rest[i:], "`\n")
		if k < 0 || rest[i+k] == '\n' {
			if k < 0 {
				break
			}
			return n, ok
		}
		i += k
		from := i
		for i < len(rest) && rest[i] == '`' {
			i++
		}
		if i == len(rest) && len(rest) < maxSpan && !r.final {
			return 0, short
		}
		if i-from == n {
			return n + i, ok
		}
	}
	if len(rest) < maxSpan && !r.final {
		return 0, short
	}
	return n, ok
}

// Fences in which models write calls. A tool fence is meant for nothing else.
var (
	callFences = map[string]bool{"": true, "json": true, "jsonc": true, "xml": true, "text": true}
	toolFences = map[string]bool{
		"tool_call": true, "tool_calls": true, "tool_code": true, "tool": true,
		"function_call": true, "function": true, "action": true,
	}
)

// fence decides at the n backticks that open a fence. A fence that holds a
// call and nothing else is a call when it is the whole answer, or when it
// ends an answer that announced it; else it merely shows something.
func (r *Reader) fence(n int) bool {
	c := cursor{b: r.buf, i: r.pos + n, final: r.final}
	for !c.end() && (isLetter(c.b[c.i]) || c.b[c.i] == '_') && c.i-r.pos < maxName {
		c.i++
	}
	info := strings.ToLower(string(c.b[r.pos+n : c.i]))
	tool := toolFences[info]
	c.ws()
	if c.end() && !r.final {
		return false
	}
	if c.end() || !tool && !callFences[info] || !tool && strings.IndexByte("{[<", c.b[c.i]) < 0 {
		return r.openFence(n)
	}
	if !tool && !r.fresh() && !r.announced() {
		return r.openFence(n)
	}
	switch r.fenced(c.i, n, tool) {
	case ok:
		return true
	case short:
		return false
	}
	return r.openFence(n)
}

// openFence takes the fence as text, whose inside is left alone.
func (r *Reader) openFence(n int) bool {
	r.mode, r.fenceLen = inFence, n
	return r.text(n)
}

// fenced reads the calls of a fence whose body starts at i.
func (r *Reader) fenced(i, n int, tool bool) status {
	p := r.newBlock(i, "fence")
	p.strict = !tool
	shut := bytes.Index(p.b[i:], []byte("\n"+strings.Repeat("`", n)))
	if shut >= 0 {
		p.b, p.final = p.b[:i+shut], true
	}
	if tool && p.skip("print(") == short {
		return short
	}
	st := p.read()
	r.work += p.far - r.pos
	if st == short && !p.final {
		return short
	}
	if st != ok || len(p.calls) == 0 {
		return bad
	}
	if shut >= 0 {
		rest := bytes.TrimSpace(p.b[p.last:])
		if len(rest) > 0 && !bytes.HasPrefix(rest, []byte("```")) {
			return bad
		}
		p.last = i + shut + 1 + n
	}
	return r.fenceAlone(p, tool)
}

// fenceAlone accepts the calls of a fence unless text follows it.
func (r *Reader) fenceAlone(p *block, tool bool) status {
	c := cursor{b: r.buf, i: p.last, final: r.final}
	for !c.end() && (isSpace(c.b[c.i]) || c.b[c.i] == '`') {
		c.i++
	}
	if c.end() && !r.final && !tool {
		return short
	}
	if !tool && !c.end() && c.b[c.i] != '<' && string(c.b[c.i-min(c.i, 3):c.i]) != "```" {
		return bad
	}
	if r.shown() {
		return bad
	}
	r.accept(p, "fenced")
	return ok
}

// fenceStep passes the inside of a fence through.
func (r *Reader) fenceStep() bool {
	k := bytes.IndexByte(r.buf[r.pos:], '`')
	if k != 0 {
		end := len(r.buf)
		if k > 0 {
			end = r.pos + k
		}
		end = r.whole(end)
		return end > r.pos && r.text(end-r.pos)
	}
	n, st := r.ticks()
	if st != ok {
		return false
	}
	if n >= r.fenceLen && r.blankBefore() {
		r.mode, r.fenceLen = inContent, 0
	}
	return r.text(n)
}

// thinkCode keeps markers in code from ending the thinking.
func (r *Reader) thinkCode() bool {
	n, st := r.ticks()
	if st != ok {
		return false
	}
	if n >= 3 && n < maxRun && r.blankBefore() {
		switch {
		case r.fenceLen == 0:
			r.fenceLen = n
		case n >= r.fenceLen:
			r.fenceLen = 0
		}
		return r.thoughts(n)
	}
	if r.fenceLen > 0 {
		return r.thoughts(n)
	}
	end, st := r.span(n)
	return st == ok && r.thoughts(end)
}
