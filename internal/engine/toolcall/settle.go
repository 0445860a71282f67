package toolcall

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"moothall"
)

func (r *Reader) newBlock(at int, id string) *block {
	return &block{cursor: cursor{b: r.buf, i: at, far: at, final: r.final}, cat: r.cat, id: id}
}

// block reads what the call marker t at pos announces, and decides on it.
func (r *Reader) block(t token) bool {
	at := r.pos + t.n
	if t.role == roleFunc {
		at = r.pos
	}
	p := r.newBlock(at, t.id)
	st := p.read()
	r.work += p.far - r.pos
	layer := "tagged:" + t.id
	switch {
	case st == short && !r.final:
		return false
	case st == ok && len(p.calls) == 0:
		if t.token {
			r.afterCall = true
			return r.drop(p.last - r.pos)
		}
		return r.text(p.last - r.pos)
	case st == ok:
		return r.accept(p, layer)
	case t.id == "python_tag" && r.codeTool() != nil:
		return r.program(t)
	case p.name != "" || p.stranger == "" && p.fault != "":
		return r.broken(p, st, layer)
	case t.id == "TOOL_CALLS": // never written by people
		r.drop(t.n)
		return r.text(max(p.far-r.pos, 0))
	}
	return r.text(max(p.far-r.pos, t.n))
}

// accept takes the calls of a block, up to where it ended. When none of them
// names a tool on offer, the text stays content.
func (r *Reader) accept(p *block, layer string) bool {
	n := p.last - r.pos
	if r.shown() {
		return r.text(n)
	}
	raw := string(r.buf[r.pos:p.last])
	known := false
	for i := range p.calls {
		known = known || p.calls[i].tool != nil
	}
	for i := range p.calls {
		r.call(&p.calls[i], raw)
	}
	r.layer(layer)
	if !known {
		return r.text(n)
	}
	r.res.Mends = append(r.res.Mends, p.mends...)
	r.afterCall = true
	return r.drop(n)
}

func (r *Reader) layer(s string) {
	if r.res.Layer == "" {
		r.res.Layer = s
	}
}

// call adds one call, or the problem of one that names no tool on offer.
func (r *Reader) call(c *call, raw string) {
	if c.tool == nil {
		r.problem(c.name, fmt.Sprintf("There is no tool %q. %s", c.name, r.cat.offer()), raw)
		return
	}
	name := c.tool.spec.Name
	if r.cat.byName[c.name] == c.tool && c.name != string(name) {
		r.res.Mends = append(r.res.Mends, fmt.Sprintf("read %s as %s", c.name, name))
	}
	r.res.Calls = append(r.res.Calls, moothall.ToolCall{
		ID: moothall.CallID(c.id), Name: name, Arguments: json.RawMessage(c.args.append(nil)),
	})
}

func (r *Reader) problem(name, text, raw string) {
	r.res.Problems = append(r.res.Problems, Problem{Name: name, Text: text, Raw: raw})
}

// offer lists the tools for the model, the first few of many.
func (c *catalog) offer() string {
	const most = 20
	if len(c.names) == 0 {
		return "No tools are on offer."
	}
	if len(c.names) > most {
		return "Some of the tools on offer: " + strings.Join(c.names[:most], ", ") + "."
	}
	return "The tools on offer are: " + strings.Join(c.names, ", ") + "."
}

// broken turns a call that does not read into a problem, and skips to where
// reading can go on: the block's end, the next block, or the reply's end.
func (r *Reader) broken(p *block, st status, layer string) bool {
	end := len(r.buf)
	if st == bad {
		at, found := r.resume(p)
		if found == short && !r.final {
			return false
		}
		end = at
	}
	r.unreadable(p.name, p.fault, end)
	r.layer(layer)
	r.afterCall = true
	return r.drop(end - r.pos)
}

// resume finds where to read on after a broken call.
func (r *Reader) resume(p *block) (int, status) {
	seen := max(p.far, r.pos+1)
	if r.noMarks {
		return seen, short
	}
	defer func(from int) { r.work += p.far - from }(p.i)
	if p.id == "TOOL_CALLS" { // has no closing marker of its own
		if k := p.index("[TOOL_CALLS]"); k >= 0 {
			return k, ok
		}
		return len(p.b), short
	}
	at, t, st := p.find(func(t token, _ int) bool {
		return t.role == roleEnd || t.role == roleCall || t.role == roleControl
	})
	switch {
	case st != ok:
		r.noMarks = r.final
		return seen, short // the rest may be text
	case t.role == roleEnd:
		return at + t.n, ok
	}
	return at, ok
}

// unreadable notes the problem of a broken call.
func (r *Reader) unreadable(name, fault string, end int) {
	what, example := "A tool call", "TOOL"
	if t := r.cat.resolve(name); t != nil {
		name = string(t.spec.Name)
	}
	if name != "" {
		what, example = fmt.Sprintf("The call of %q", name), name
	}
	r.problem(name, fmt.Sprintf(
		`%s could not be read: %s. Send it again, complete, for example as {"name": %q, "arguments": {...}}.`,
		what, fault, example), string(r.buf[r.pos:end]))
}

// codeTool is the tool on offer that takes program text.
func (r *Reader) codeTool() *tool {
	for _, name := range []string{"python", "ipython", "code_interpreter"} {
		if t := r.cat.byName[name]; t != nil && t.runsCode() != "" {
			return t
		}
	}
	return nil
}

// program takes all text after the marker as a program to run.
func (r *Reader) program(t token) bool {
	if !r.final {
		return false
	}
	p := r.newBlock(r.pos+t.n, t.id)
	end, next := len(p.b), len(p.b)
	if at, t, st := p.find(func(t token, _ int) bool { return t.role == roleControl }); st == ok {
		end, next = at, at+t.n
	}
	tool := r.codeTool()
	c := call{name: string(tool.spec.Name), tool: tool, args: node{kind: 'o'}}
	c.args.set(tool.runsCode(), stringNode(string(bytes.TrimSpace(p.b[p.i:end]))))
	p.calls, p.last = []call{c}, next
	return r.accept(p, "tagged:"+t.id)
}
