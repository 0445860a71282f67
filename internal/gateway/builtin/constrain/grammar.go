package constrain

import (
	"encoding/binary"
	"slices"
	"sync"

	"moothall"
	"moothall/internal/gateway/builtin/prompt"
)

// Grammar is what one kind of JSON may look like.
type Grammar struct {
	vocab *Vocab
	root  *node

	mu    sync.Mutex // guards the masks and the states of patterns
	masks map[string]Mask
}

// maxMasks bounds what a grammar remembers: at 8,192 tokens 2 MiB.
const maxMasks = 2048

// Calls is the grammar of a call of one of the tools.
func Calls(v *Vocab, tools []moothall.ToolSpec) *Grammar {
	f := &form{kind: call, max: none}
	forms := 0
	for _, t := range tools {
		s, _ := decode(t.Parameters)
		c := newCompiler(s)
		c.forms, c.begun = forms, forms
		f.words = append(f.words, `{"name": `+prompt.Quote(string(t.Name))+`, "arguments": `)
		arguments := c.arguments(s)
		c.copying(&t, arguments)
		f.after = append(f.after, arguments)
		forms = c.forms
	}
	return &Grammar{vocab: v, root: &node{forms: []*form{f}}, masks: map[string]Mask{}}
}

// arguments is the place for a tool's arguments: an object, whatever the schema
// says. A tool that names no parameters takes none.
func (c *compiler) arguments(schema any) *node {
	out := &node{}
	for _, f := range c.node(schema, 0).forms {
		if f.kind == object && !f.free || f.kind == literal && allObjects(f.words) {
			out.forms = append(out.forms, f)
		}
	}
	if len(out.forms) == 0 {
		out.forms = []*form{c.form(object)}
	}
	return out
}

func allObjects(words []string) bool {
	for _, w := range words {
		if w == "" || w[0] != '{' {
			return false
		}
	}
	return true
}

// Answer is the grammar of a value that fits a schema. CodeInvalid when the
// schema is no JSON.
func Answer(v *Vocab, schema []byte) (*Grammar, error) {
	s, ok := decode(schema)
	if !ok {
		return nil, moothall.Fail(moothall.CodeInvalid, "read schema", "the schema of the answer is not JSON")
	}
	return &Grammar{vocab: v, root: newCompiler(s).node(s, 0), masks: map[string]Mask{}}, nil
}

// State is a place in a grammar. It does not change.
type State struct {
	g       *Grammar
	src     *Source
	threads []*frame
}

// Start is before the first byte of a value that is taken from nothing.
func (g *Grammar) Start() State { return g.From(nil) }

// From is before the first byte of a value whose names are taken from a
// conversation.
func (g *Grammar) From(s *Source) State {
	return State{g, s, []*frame{{op: value, up: &frame{op: done, src: s}, node: g.root}}}
}

// Done reports whether what was written is a whole value.
func (s State) Done() bool {
	for _, f := range s.threads {
		if f.accepts() {
			return true
		}
	}
	return false
}

// InText reports whether a string is being written, whichever way the rest is
// read.
func (s State) InText() bool {
	for _, f := range s.threads {
		if f.op != chars && f.op != freeKey {
			return false
		}
	}
	return len(s.threads) > 0
}

// Next is the state after more bytes; false when they do not fit.
func (s State) Next(piece []byte) (State, bool) {
	s.g.mu.Lock()
	defer s.g.mu.Unlock()
	threads := s.threads
	for _, b := range piece {
		if threads = stepAll(threads, b, nil); len(threads) == 0 {
			return State{}, false
		}
	}
	return State{s.g, s.src, threads}, true
}

// Mask says which tokens may follow. It belongs to the grammar: it is not to be
// changed.
func (s State) Mask() Mask {
	return s.kept(s.threads, 0)
}

// Preferred says which of those go on as a copy would; nil where none is
// looked for. It is not to be changed.
func (s State) Preferred() Mask {
	if s.src == nil || len(s.threads) == 0 {
		return nil
	}
	strict := make([]*frame, len(s.threads))
	for i, f := range s.threads {
		g := *f
		if e, ok := f.copy.(*excerpt); ok && !f.soft {
			likely := e.meant()
			if likely == nil {
				return nil
			}
			g.copy = likely
		} else if !f.soft && !(f.op == value && f.node.soft(s.src)) {
			return nil
		}
		g.soft = false
		strict[i] = &g
	}
	s.src.strict = true
	defer func() { s.src.strict = false }()
	return s.kept(strict, 1)
}

// soft reports whether what is written here is best a copy.
func (n *node) soft(s *Source) bool {
	return slices.ContainsFunc(n.forms, func(f *form) bool { return s.soft(f.copy) })
}

// kept returns a mask that was made before, or makes it. What is copied is a
// generation's own, and so are its masks.
func (s State) kept(threads []*frame, strict byte) Mask {
	s.g.mu.Lock()
	defer s.g.mu.Unlock()
	masks := s.g.masks
	if s.src != nil {
		masks = s.src.masks
	}
	key := append(s.key(), strict)
	if m, ok := masks[string(key)]; ok {
		return m
	}
	m := s.g.mask(threads)
	if len(masks) >= maxMasks {
		clear(masks)
	}
	masks[string(key)] = m
	return m
}

func (g *Grammar) mask(threads []*frame) Mask {
	v := g.vocab
	m := v.empty()
	var wide, rest []*frame
	for _, f := range threads {
		if f.soft { // whatever it says is allowed
			free := *f
			free.copy, free.soft = nil, false
			f = &free
		}
		if f.op != chars || f.state != nil || f.copy != nil || f.need != 0 || f.at == 0 && f.form.tight() {
			rest = append(rest, f)
			continue
		}
		wide = append(wide, f)
		room := v.longest()
		if f.form.max != none {
			room = min(room, f.form.max-f.at)
		}
		m.add(v.plain[room])
	}
	v.odd.walk(wide, m)
	v.all.walk(rest, m)
	return m
}

// key is what distinguishes states as far as a mask goes: counts that no single
// token can exhaust are all the same.
func (s State) key() []byte {
	out := make([]byte, 0, 128)
	for _, f := range s.threads {
		for ; f.op != done; f = f.up {
			out = f.appendKey(out, s.g.vocab.most)
		}
		out = append(out, byte(done))
	}
	return out
}

// appendKey writes down a frame; no token has more than so many bytes.
func (f *frame) appendKey(out []byte, most int) []byte {
	put := func(n int) { out = binary.AppendVarint(out, int64(n)) }
	out = append(out, byte(f.op), byte(f.depth), flag(f.first)|flag(f.soft)<<1|flag(f.copy != nil)<<2)
	if f.copy != nil {
		put(f.copy.name())
	}
	if f.form != nil {
		put(f.form.id)
	}
	switch f.op {
	case value:
		put(len(f.node.forms))
		for _, m := range f.node.forms {
			put(m.id)
		}
	case spell:
		put(len(f.word) - f.at)
		out = append(out, f.word[f.at:]...)
		if f.node != nil {
			for _, m := range f.node.forms {
				put(m.id)
			}
		}
		out = append(out, 0)
	case words:
		put(f.at)
		put(f.low)
		put(f.high)
	case digits:
		put(len(f.word))
		out = append(out, f.word...)
	case chars:
		least, free := f.room(0)
		put(min(least, most))
		put(min(free, most))
		put(int(f.half)<<8 | int(f.need+1))
		out = append(out, flag(f.at == 0 && f.form.tight()))
		if f.state != nil {
			put(f.state.id + 1)
		}
		out = append(out, 0xFF)
	case items:
		put(f.itemKey())
	case gap, fields:
		put(f.at)
	case freeKey:
		put(f.at)
		put(len(f.word))
		out = append(out, f.word...)
	}
	return out
}

// itemKey is the place in a list, the same wherever nothing changes any more.
func (f *frame) itemKey() int {
	if f.form.max == none {
		return min(f.at, max(f.form.min, len(f.form.first)))
	}
	return f.at
}
