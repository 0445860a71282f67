package constrain

import (
	"strings"
	"unicode/utf8"
)

// op is what a frame waits for.
type op uint8

const (
	done    op = iota // nothing: the bottom
	value             // the first byte of a value at node
	spell             // the rest of word, then a value at node if it is set
	words             // the rest of one of form.words
	chars             // characters of a text
	digits            // more of a number
	items             // after "[" or an item
	gap               // after the comma between items or fields
	fields            // after "{" or a field
	freeKey           // characters of a key that the schema does not name
)

// Bounds on nesting: of values without a schema, and of all before what is not
// required is left out.
const (
	freeDepth = 5
	fullDepth = 32
)

// frame is one level of what is being written. Frames never change, so that
// stacks share them; two equal ones are the same state.
type frame struct {
	up    *frame
	node  *node
	form  *form
	state *matching // chars: of the pattern, nil when anything goes
	copy  tracker   // chars, digits: of what is copied, nil when it is not
	src   *Source   // done: of the generation
	word  string    // spell: the text; digits, freeKey: so far
	at    int       // bytes of a word, characters, items, fields
	low   int       // words: those that fit, from low
	high  int       // to high
	half  rune      // chars: the bits of a character that is not whole
	need  int8      // chars: how many bytes it lacks; -1 after a backslash
	width int8      // chars: how many it has
	first bool      // items, fields: nothing was written yet
	soft  bool      // a copy is preferred and not demanded
	depth int16
	op    op
}

// source is the one that the generation copies from.
func (f *frame) source() *Source {
	for f.op != done {
		f = f.up
	}
	return f.src
}

// stepAll gives a byte to all stacks and adds what they become to out.
func stepAll(threads []*frame, b byte, out []*frame) []*frame {
	for _, f := range threads {
		out = step(f, b, out)
	}
	return out
}

// maxThreads bounds how many ways are followed at once.
const maxThreads = 512

// keep adds a stack unless it is there already.
func keep(out []*frame, f *frame) []*frame {
	for _, o := range out {
		if o == f || *o == *f {
			return out
		}
	}
	if len(out) >= maxThreads {
		return out
	}
	return append(out, f)
}

func step(f *frame, b byte, out []*frame) []*frame {
	switch f.op {
	case value:
		return begin(f.node, f.up, f.depth, b, out)
	case spell:
		return f.spell(b, out)
	case words:
		out = f.narrow(b, out)
	case digits:
		if s := f.word + string(rune(b)); b < utf8.RuneSelf {
			if alive, _ := f.form.limits.check(s); alive {
				out = f.copied(frame{op: digits, up: f.up, form: f.form, word: s}, rune(b), out)
			}
		}
	case chars:
		return f.char(b, out)
	case items:
		return f.item(b, out)
	case fields:
		return f.field(b, out)
	case gap:
		return f.gap(b, out)
	case freeKey:
		return f.key(b, out)
	}
	if f.ends() {
		out = step(f.up, b, out)
	}
	return out
}

// ends reports whether the value may be over without a byte that says so.
func (f *frame) ends() bool {
	switch f.op {
	case digits:
		_, ends := f.form.limits.check(f.word)
		return ends && f.copyEnds()
	case words:
		return len(f.form.words[f.low]) == f.at
	}
	return false
}

// track begins a copy where the form wants one.
func (f *frame) track() {
	if f.form.copy == Free {
		return
	}
	if s := f.source(); s != nil {
		f.copy = s.root(f.form)
		f.soft = f.copy != nil && s.soft(f.form.copy)
	}
}

// copied adds a frame that follows f with a character, as far as a copy allows
// it.
func (f *frame) copied(next frame, r rune, out []*frame) []*frame {
	if f.copy == nil {
		return keep(out, &next)
	}
	next.soft = f.soft
	var room [2]tracker
	ways := f.copy.after(r, room[:0])
	for _, t := range ways {
		way := next
		way.copy = t
		out = keep(out, &way)
		if f.soft {
			return out
		}
	}
	if len(ways) == 0 && f.soft {
		if next.copy = f.copy.lost(r); next.copy == nil {
			next.soft = false
		}
		out = keep(out, &next)
	}
	return out
}

// copyEnds reports whether a copy may be over.
func (f *frame) copyEnds() bool { return f.copy == nil || f.soft || f.copy.ends() }

// accepts reports whether all may be over.
func (f *frame) accepts() bool {
	for f.op != done {
		if !f.ends() {
			return false
		}
		f = f.up
	}
	return true
}

// begin starts a value in each of its forms.
func begin(n *node, up *frame, depth int16, b byte, out []*frame) []*frame {
	for _, m := range n.forms {
		switch m.kind {
		case literal:
			f := frame{op: words, up: up, form: m, high: len(m.words)}
			out = f.narrow(b, out)
		case text:
			if b == '"' {
				f := &frame{op: chars, up: up, form: m}
				f.track()
				if m.pattern != nil && !m.pattern.start.free {
					f.state = m.pattern.start
				}
				out = keep(out, f)
			}
		case number:
			if alive, _ := m.limits.check(string(rune(b))); b < utf8.RuneSelf && alive {
				f := &frame{op: digits, up: up, form: m}
				f.track()
				out = f.copied(frame{op: digits, up: up, form: m, word: string(rune(b))}, rune(b), out)
			}
		case array:
			if b == '[' && (!m.free || depth < freeDepth) {
				out = keep(out, &frame{op: items, up: up, form: m, first: true, depth: depth + 1})
			}
		case object:
			if b == '{' && (!m.free || depth < freeDepth) {
				out = keep(out, &frame{op: fields, up: up, form: m, first: true, depth: depth + 1})
			}
		case call:
			shut := &frame{op: spell, up: up, word: "}"}
			for i, w := range m.words {
				f := frame{op: spell, up: shut, word: w, node: m.after[i]}
				out = f.spell(b, out)
			}
		}
	}
	return out
}

func (f *frame) spell(b byte, out []*frame) []*frame {
	if f.word[f.at] != b {
		return out
	}
	if f.at+1 < len(f.word) {
		next := *f
		next.at++
		return keep(out, &next)
	}
	if f.node == nil {
		return keep(out, f.up)
	}
	return keep(out, &frame{op: value, up: f.up, node: f.node, depth: f.depth})
}

// narrow leaves the words that go on with b. They are sorted, so those lie
// together.
func (f *frame) narrow(b byte, out []*frame) []*frame {
	low, high := f.low, f.high
	fits := func(i int) bool { return len(f.form.words[i]) > f.at && f.form.words[i][f.at] == b }
	for low < high && !fits(low) {
		low++
	}
	for high > low && !fits(high-1) {
		high--
	}
	if low == high {
		return out
	}
	return keep(out, &frame{op: words, up: f.up, form: f.form, low: low, high: high, at: f.at + 1})
}

func (f *frame) item(b byte, out []*frame) []*frame {
	next := f.form.item(f.at)
	if f.depth >= fullDepth && f.at >= f.form.min {
		next = nil
	}
	switch {
	case b == ']' && (f.at >= f.form.min || next == nil):
		return keep(out, f.up)
	case next == nil:
		return out
	case f.first:
		return begin(next, f.afterItem(), f.depth, b, out)
	case b == ',':
		return keep(out, &frame{op: gap, up: f.up, form: f.form, at: f.at, depth: f.depth})
	}
	return out
}

func (f *frame) afterItem() *frame {
	return &frame{op: items, up: f.up, form: f.form, at: f.at + 1, depth: f.depth}
}

// gap takes the space after a comma.
func (f *frame) gap(b byte, out []*frame) []*frame {
	if f.form.kind == array {
		if b == ' ' {
			out = keep(out, &frame{op: value, up: f.afterItem(), node: f.form.item(f.at), depth: f.depth})
		}
		return out
	}
	if !f.first {
		if b == ' ' {
			next := *f
			next.first = true
			out = keep(out, &next)
		}
		return out
	}
	return f.keys(b, out)
}

func (f *frame) field(b byte, out []*frame) []*frame {
	owes := f.form.owes(f.at)
	more := f.form.extra != nil || f.at < len(f.form.fields)
	if f.depth >= fullDepth && !owes {
		more = false
	}
	switch {
	case b == '}' && !owes:
		return keep(out, f.up)
	case !more:
		return out
	case f.first:
		return f.keys(b, out)
	case b == ',':
		return keep(out, &frame{op: gap, up: f.up, form: f.form, at: f.at, depth: f.depth})
	}
	return out
}

// keys starts each key that may come next.
func (f *frame) keys(b byte, out []*frame) []*frame {
	for i := f.at; i < f.form.open(f.at); i++ {
		after := &frame{op: fields, up: f.up, form: f.form, at: i + 1, depth: f.depth}
		k := frame{op: spell, up: after, word: f.form.fields[i].lead, node: f.form.fields[i].value, depth: f.depth}
		out = k.spell(b, out)
	}
	if b == '"' && f.form.extra != nil && !f.form.owes(f.at) {
		out = keep(out, &frame{op: freeKey, up: f.up, form: f.form, depth: f.depth})
	}
	return out
}

// maxKey bounds keys that no schema names.
const maxKey = 64

// key reads a key that must be none of those with a schema. What was written is
// remembered as long as it can become one of them; afterwards only its length.
// Such keys are ASCII, so that no character has to be followed.
func (f *frame) key(b byte, out []*frame) []*frame {
	if b == '"' {
		if f.at == 0 || f.word != "" && f.form.named(f.word) {
			return out
		}
		after := &frame{op: fields, up: f.up, form: f.form, at: len(f.form.fields), depth: f.depth}
		return keep(out, &frame{op: spell, up: after, word: ": ", node: f.form.extra, depth: f.depth})
	}
	if b < 0x20 || b == '\\' || b >= 0x7f || f.at >= maxKey && f.word == "" {
		return out
	}
	next := *f
	next.at++
	if next.word += string(rune(b)); f.at > 0 && f.word == "" || !f.form.begins(next.word) {
		next.word = ""
	}
	return keep(out, &next)
}

func (f *form) named(key string) bool {
	for i := range f.fields {
		if f.fields[i].name == key {
			return true
		}
	}
	return false
}

func (f *form) begins(key string) bool {
	for i := range f.fields {
		if strings.HasPrefix(f.fields[i].name, key) {
			return true
		}
	}
	return false
}
