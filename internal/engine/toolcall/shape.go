package toolcall

// call is a call as read: tool is nil when the name is not on offer.
type call struct {
	id   string
	name string
	tool *tool
	args node
}

// The keys under which models write the parts of a call as JSON.
var (
	nameKeys = []string{"name", "tool_name", "function_name", "tool", "function", "action"}
	argKeys  = []string{"arguments", "parameters", "args", "params", "input", "tool_input", "action_input", "kwargs"}
	idKeys   = []string{"id", "tool_call_id", "call_id"}
	listKeys = []string{"tool_calls", "tool_call", "function_call"}
)

// callKeys are all keys that a call written as JSON may have; a bare object
// with any other key is an answer, not a call.
var callKeys = func() map[string]bool {
	m := map[string]bool{"type": true, "index": true}
	for _, l := range [][]string{nameKeys, argKeys, idKeys, listKeys} {
		for _, k := range l {
			m[k] = true
		}
	}
	return m
}()

// shaper turns JSON values into calls. A strict one takes only what can be
// nothing but a call, for JSON that no tag announces.
type shaper struct {
	cat    *catalog
	strict bool
	calls  []call
	broken string // the name in a call whose arguments make no sense
	mends  []string
}

// take adds the calls in n, and reports whether n is calls and nothing else.
func (s *shaper) take(n *node) bool {
	switch n.kind {
	case 'a':
		for i := range n.kids {
			if n.kids[i].kind != 'o' || !s.take(&n.kids[i]) {
				return false
			}
		}
		return len(n.kids) > 0 || !s.strict
	case 'o':
		return s.object(n)
	}
	return false
}

func (s *shaper) object(n *node) bool {
	if s.strict && !onlyCallKeys(n) {
		return false
	}
	for _, k := range listKeys {
		if v := n.get(k); v != nil && (v.kind == 'a' || v.kind == 'o') {
			return s.take(v)
		}
	}
	c := call{id: text(n, idKeys)}
	inner := n
	if f := n.get("function"); f != nil && f.kind == 'o' {
		inner = f
	}
	c.name = text(inner, nameKeys)
	if c.name == "" {
		return s.keyed(n)
	}
	c.tool = s.cat.resolve(c.name)
	if s.strict && c.tool == nil {
		return false
	}
	if !s.arguments(&c, inner) {
		return false
	}
	s.calls = append(s.calls, c)
	return true
}

func onlyCallKeys(n *node) bool {
	for _, k := range n.keys {
		if !callKeys[k] {
			return false
		}
	}
	return true
}

// text is the first of the keys that holds a string.
func text(n *node, keys []string) string {
	for _, k := range keys {
		if v := n.get(k); v != nil && v.kind == 's' {
			return v.text
		}
	}
	return ""
}

// arguments fills c.args from the object that holds them.
func (s *shaper) arguments(c *call, n *node) bool {
	for _, k := range argKeys {
		v := n.get(k)
		if v == nil {
			continue
		}
		args, good := s.unwrap(v)
		if !good {
			s.broken = c.name
			return false
		}
		c.args = args
		return true
	}
	c.args = node{kind: 'o'}
	if s.strict {
		return false
	}
	for i, k := range n.keys { // arguments beside the name
		if callKeys[k] {
			continue
		}
		if c.tool.property(k) == nil {
			s.broken = c.name
			return false
		}
		c.args.set(k, n.kids[i])
		s.mends = append(s.mends, "took "+k+" from beside the name into the arguments")
	}
	return true
}

// unwrap accepts an object, the text of one, and nothing at all.
func (s *shaper) unwrap(v *node) (node, bool) {
	switch {
	case v.kind == 'o':
		return *v, true
	case v.kind == 'w' && v.text == "null", v.kind == 's' && v.text == "":
		return node{kind: 'o'}, true
	case v.kind == 's':
		if o, good := whole(v.text, inJSON); good && o.kind == 'o' {
			s.mends = append(s.mends, "read the arguments out of a string")
			return o, true
		}
	}
	return node{}, false
}

// keyed reads {"name": {arguments}}.
func (s *shaper) keyed(n *node) bool {
	if s.strict || len(n.keys) == 0 {
		return false
	}
	for i, k := range n.keys {
		t := s.cat.resolve(k)
		if t == nil || n.kids[i].kind != 'o' {
			return false
		}
		s.calls = append(s.calls, call{name: k, tool: t, args: n.kids[i]})
	}
	return true
}
