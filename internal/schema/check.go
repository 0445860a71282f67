package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

const (
	maxDepth    = 64 // of references and nesting
	maxProblems = 8  // more help nobody
	maxSteps    = 1 << 16
)

// root is what the value is called in problems.
const root = "answer"

// Check says in what way a value does not fit a schema, each problem with the
// place where it is. It returns nothing when the value fits.
func Check(want, value json.RawMessage) []string {
	s, err := decode(want)
	if err != nil {
		return []string{"the schema is not JSON"}
	}
	v, err := decode(value)
	if err != nil {
		return []string{"the value is not JSON"}
	}
	c := checker{root: s, steps: new(int)}
	c.check(s, v, root, 0)
	return c.problems
}

type checker struct {
	root     any
	steps    *int // taken so far; references can ask for more than anybody can take
	problems []string
}

func (c *checker) fail(at, format string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, at+": "+fmt.Sprintf(format, args...))
	}
}

func (c *checker) check(schema, v any, at string, depth int) {
	if *c.steps++; depth > maxDepth || *c.steps > maxSteps {
		c.fail(at, "nested too deeply")
		return
	}
	if allowed, ok := schema.(bool); ok && !allowed {
		c.fail(at, "nothing is allowed here")
	}
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	if ref, ok := s["$ref"].(string); ok {
		if target, ok := c.resolve(ref); ok {
			c.check(target, v, at, depth+1)
		}
	}
	if !c.typed(s["type"], v, at) {
		return
	}
	c.values(s, v, at)
	c.combined(s, v, at, depth)
	switch v := v.(type) {
	case map[string]any:
		c.object(s, v, at, depth)
	case []any:
		c.list(s, v, at, depth)
	case string:
		c.text(s, v, at)
	case json.Number:
		c.number(s, v, at)
	}
}

// resolve follows a reference within the document.
func (c *checker) resolve(ref string) (any, bool) {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, false
	}
	at := c.root
	for _, key := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
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

// typed reports whether v has one of the types that are asked for.
func (c *checker) typed(want, v any, at string) bool {
	var names []string
	switch w := want.(type) {
	case string:
		names = []string{w}
	case []any:
		for _, n := range w {
			if s, ok := n.(string); ok {
				names = append(names, s)
			}
		}
	}
	if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return hasType(n, v) }) {
		return true
	}
	c.fail(at, "must be %s, is %s", strings.Join(names, " or "), typeOf(v))
	return false
}

func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case json.Number:
		if f, err := v.Float64(); err == nil && f == float64(int64(f)) {
			return "integer"
		}
	}
	return "number"
}

func hasType(name string, v any) bool {
	is := typeOf(v)
	return is == name || name == "number" && is == "integer"
}

func (c *checker) values(s map[string]any, v any, at string) {
	if want, ok := s["const"]; ok && !same(want, v) {
		c.fail(at, "must be %s", show(want))
	}
	if list, ok := s["enum"].([]any); ok && !slices.ContainsFunc(list, func(w any) bool { return same(w, v) }) {
		c.fail(at, "must be one of %s", show(list))
	}
}

// same compares values; numbers by what they mean.
func same(a, b any) bool {
	x, ok1 := a.(json.Number)
	y, ok2 := b.(json.Number)
	if ok1 && ok2 {
		f, _ := x.Float64()
		g, _ := y.Float64()
		return f == g
	}
	return reflect.DeepEqual(a, b)
}

func show(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

func (c *checker) combined(s map[string]any, v any, at string, depth int) {
	if all, ok := s["allOf"].([]any); ok {
		for _, sub := range all {
			c.check(sub, v, at, depth+1)
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		list, ok := s[key].([]any)
		if !ok {
			continue
		}
		fits := 0
		for _, sub := range list {
			t := checker{root: c.root, steps: c.steps}
			if t.check(sub, v, at, depth+1); len(t.problems) == 0 {
				fits++
			}
		}
		if fits == 0 || key == "oneOf" && fits > 1 {
			c.fail(at, "fits %d of the forms in %s", fits, key)
		}
	}
}

func (c *checker) object(s, v map[string]any, at string, depth int) {
	props, _ := s["properties"].(map[string]any)
	if required, ok := s["required"].([]any); ok {
		for _, r := range required {
			if name, ok := r.(string); ok {
				if _, there := v[name]; !there {
					c.fail(at, "%s is missing", name)
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		sub, known := props[name]
		if !known {
			sub = s["additionalProperties"]
			if allowed, ok := sub.(bool); ok && !allowed {
				c.fail(at, "%s is not expected", name)
				continue
			}
		}
		if sub != nil {
			c.check(sub, v[name], at+"."+name, depth+1)
		}
	}
}
