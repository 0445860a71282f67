package constrain

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"moothall/internal/gateway/builtin/prompt"
	"moothall/internal/schema"
)

// Bounds on schemas, which may come from anybody. Beyond them anything goes.
const (
	maxForms   = 4096 // of one document
	maxSteps   = 1 << 14
	maxChoices = 64 // of one value
	maxSchema  = 40 // nesting
)

// compiler turns the schemas of one document into nodes.
type compiler struct {
	root  any
	refs  map[string]*node
	any   *node
	forms int // the last id
	begun int // what it was at the start
	steps int // schemas visited, which references can make many
}

func newCompiler(root any) *compiler {
	return &compiler{root: root, refs: map[string]*node{}}
}

func decode(raw []byte) (any, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	return v, d.Decode(&v) == nil
}

func (c *compiler) form(k kind) *form {
	c.forms++
	return &form{id: c.forms, kind: k, max: none}
}

// anything is the place for any JSON value.
func (c *compiler) anything() *node {
	if c.any != nil {
		return c.any
	}
	c.any = &node{}
	word, list, obj := c.form(literal), c.form(array), c.form(object)
	word.words = []string{"false", "null", "true"}
	list.items, obj.extra = c.any, c.any
	list.free, obj.free = true, true
	num := c.form(number)
	c.any.forms = []*form{c.form(text), num, word, list, obj}
	return c.any
}

// node compiles a schema.
func (c *compiler) node(schema any, depth int) *node {
	s, ok := schema.(map[string]any)
	if c.steps++; !ok || depth > maxSchema || c.steps > maxSteps || c.forms-c.begun > maxForms {
		return c.anything()
	}
	if ref, ok := s["$ref"].(string); ok {
		return c.reference(ref, s, depth)
	}
	if all, ok := s["allOf"].([]any); ok {
		s = without(s, "allOf")
		for _, sub := range all {
			s = merge(s, c.plain(sub, 0))
		}
		return c.node(s, depth+1)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if list, ok := s[key].([]any); ok && len(list) > 0 {
			return c.choice(without(s, key), list, depth)
		}
	}
	n := &node{}
	c.fill(n, s, depth)
	return n
}

// reference compiles what a reference names, once.
func (c *compiler) reference(ref string, s map[string]any, depth int) *node {
	rest := without(s, "$ref")
	target, ok := c.resolve(ref)
	if !ok {
		return c.node(rest, depth+1)
	}
	for key := range rest {
		if !slices.Contains(remarks, key) {
			return c.node(merge(c.plain(target, 0), rest), depth+1)
		}
	}
	if n := c.refs[ref]; n != nil {
		return n
	}
	n := &node{}
	c.refs[ref] = n
	made := c.node(target, depth+1)
	if n.forms = made.forms; len(n.forms) == 0 { // a reference to itself
		n.forms = c.anything().forms
	}
	return n
}

// remarks are keywords that say nothing about the value.
var remarks = []string{"title", "description", "default", "examples", "$comment", "$defs", "definitions", "$schema", "$id"}

// plain follows references until there is a schema to merge.
func (c *compiler) plain(schema any, hops int) map[string]any {
	s, _ := schema.(map[string]any)
	ref, ok := s["$ref"].(string)
	if !ok || hops > maxSchema {
		return without(s, "$ref")
	}
	target, _ := c.resolve(ref)
	return merge(c.plain(target, hops+1), without(s, "$ref"))
}

// resolve follows a reference within the document.
func (c *compiler) resolve(ref string) (any, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, false
	}
	at := c.root
	for key := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if key == "" {
			continue
		}
		m, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
		if at, ok = m[key]; !ok {
			return nil, false
		}
	}
	return at, true
}

// choice compiles each form together with what holds for all.
func (c *compiler) choice(base map[string]any, list []any, depth int) *node {
	n := &node{}
	for _, sub := range list {
		if sub == false {
			continue
		}
		n.forms = append(n.forms, c.node(merge(base, c.plain(sub, 0)), depth+1).forms...)
		if len(n.forms) > maxChoices {
			break
		}
	}
	if len(n.forms) == 0 {
		return c.anything()
	}
	return n
}

// fill adds the forms of a schema without choices.
func (c *compiler) fill(n *node, s map[string]any, depth int) {
	if v, ok := s["const"]; ok {
		n.forms = []*form{c.literals(without(s, "const"), []any{v})}
		return
	}
	if list, ok := s["enum"].([]any); ok && len(list) > 0 {
		n.forms = []*form{c.literals(without(s, "enum"), list)}
		return
	}
	for _, t := range types(s) {
		switch t {
		case "string":
			n.forms = append(n.forms, c.text(s))
		case "integer", "number":
			n.forms = append(n.forms, c.number(s, t == "integer"))
		case "boolean", "null":
			f := c.form(literal)
			if f.words = []string{"false", "true"}; t == "null" {
				f.words = []string{"null"}
			}
			n.forms = append(n.forms, f)
		case "array":
			n.forms = append(n.forms, c.array(s, depth))
		case "object":
			n.forms = append(n.forms, c.object(s, depth))
		}
	}
	if len(n.forms) == 0 {
		n.forms = c.anything().forms
	}
}

// types are those that a schema allows. One that names none but speaks of parts
// of a type means that type.
func types(s map[string]any) []string {
	switch t := s["type"].(type) {
	case string:
		return []string{t}
	case []any:
		var out []string
		for _, e := range t {
			if name, ok := e.(string); ok && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
		if slices.Contains(out, "number") { // which whole numbers are too
			out = slices.DeleteFunc(out, func(t string) bool { return t == "integer" })
		}
		return out
	}
	for _, hint := range []struct {
		kind string
		keys []string
	}{
		{"object", []string{"properties", "required", "additionalProperties"}},
		{"array", []string{"items", "prefixItems", "minItems", "maxItems"}},
		{"string", []string{"minLength", "maxLength", "pattern"}},
		{"number", []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}},
	} {
		for _, k := range hint.keys {
			if _, ok := s[k]; ok {
				return []string{hint.kind}
			}
		}
	}
	return nil
}

// literals are the values of a list that fit the rest of the schema, which does
// not have the list: read again for each value, a long one takes seconds.
func (c *compiler) literals(s map[string]any, list []any) *form {
	f := c.form(literal)
	raw, err := json.Marshal(s)
	for _, fitting := range []bool{true, false} {
		for _, v := range list {
			if value, e := json.Marshal(v); fitting && (err != nil || e != nil || len(schema.Check(raw, value)) > 0) {
				continue
			}
			f.words = append(f.words, prompt.JSON(v, s))
		}
		if len(f.words) > 0 {
			break
		}
	}
	slices.Sort(f.words)
	f.words = slices.Compact(f.words)
	return f
}

func (c *compiler) text(s map[string]any) *form {
	f := c.form(text)
	f.min, f.max = span(s, "minLength", "maxLength")
	if expr, ok := s["pattern"].(string); ok {
		p := newPattern(expr)
		if p != nil && p.start != nil && (p.start.free || p.start.reach.within(f.min, f.max)) {
			f.pattern = p
		}
	}
	return f
}

// span reads a pair of bounds on a count; a pair that nothing meets is none.
func span(s map[string]any, low, high string) (least, most int) {
	least, most = 0, none
	if v, ok := bound(s, low); ok && v > 0 {
		least = int(min(math.Ceil(v), 1<<30))
	}
	if v, ok := bound(s, high); ok && v >= 0 {
		most = int(min(math.Floor(v), 1<<30))
	}
	if most != none && most < least {
		return 0, none
	}
	return least, most
}

func bound(s map[string]any, key string) (float64, bool) {
	n, ok := s[key].(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

func (c *compiler) number(s map[string]any, whole bool) *form {
	f := c.form(number)
	l := limits{whole: whole, low: math.Inf(-1), high: math.Inf(1)}
	for _, b := range []struct {
		key        string
		low, outer bool
	}{{"minimum", true, false}, {"exclusiveMinimum", true, true}, {"maximum", false, false}, {"exclusiveMaximum", false, true}} {
		v, ok := bound(s, b.key)
		switch {
		case !ok:
		case b.low && (v > l.low || v == l.low && b.outer):
			l.low, l.overLow, l.bounded = v, b.outer, true
		case !b.low && (v < l.high || v == l.high && b.outer):
			l.high, l.underHigh, l.bounded = v, b.outer, true
		}
	}
	if l.bounded && !l.possible() {
		l = limits{whole: whole}
	}
	f.limits = l
	return f
}

func (c *compiler) array(s map[string]any, depth int) *form {
	f := c.form(array)
	f.min, f.max = span(s, "minItems", "maxItems")
	if first, ok := s["prefixItems"].([]any); ok {
		for _, sub := range first {
			f.first = append(f.first, c.node(sub, depth+1))
		}
	}
	if allowed, ok := s["items"].(bool); !ok || allowed {
		f.items = c.node(s["items"], depth+1)
	}
	return f
}

func (c *compiler) object(s map[string]any, depth int) *form {
	f := c.form(object)
	props, _ := s["properties"].(map[string]any)
	others, ruled := s["additionalProperties"]
	required, _ := s["required"].([]any)
	for _, name := range keys(s) {
		sub, known := props[name]
		if !known {
			sub = others
		}
		must := slices.Contains(required, any(name))
		if sub == false && !must {
			continue
		}
		f.fields = append(f.fields, field{name: name, lead: prompt.Quote(name) + ": ", required: must, value: c.node(sub, depth+1)})
	}
	switch {
	case others == false:
	case ruled:
		f.extra = c.node(others, depth+1)
	case len(f.fields) == 0 && s["properties"] == nil:
		f.extra, f.free = c.anything(), true
	}
	return f
}
