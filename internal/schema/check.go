package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
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
	_, problems := fit(want, value)
	return problems
}

// Fit is Check for a value that is passed on. It returns the value in its
// canonical form, with integers written as such where the schema asks for
// them: 5.0 and 1e1 are integers too, as 5 and 10, and few readers know. A
// value that is not JSON comes back as it is.
func Fit(want, value json.RawMessage) (json.RawMessage, []string) {
	v, problems := fit(want, value)
	if out, err := encode(v); v != nil && err == nil {
		return out, problems
	}
	return value, problems
}

// fit returns the value with its integers written as such, or nil where there
// was nothing to check.
func fit(want, value json.RawMessage) (any, []string) {
	s, err := decode(want)
	if err != nil {
		return nil, []string{"the schema is not JSON"}
	}
	v, err := decode(value)
	if err != nil {
		return nil, []string{"the value is not JSON"}
	}
	c := checker{root: s, steps: new(int)}
	v = c.check(s, v, root, 0)
	return v, c.problems
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

// check returns v with its integers written as such: v itself, changed, when
// it is an object or a list.
func (c *checker) check(schema, v any, at string, depth int) any {
	if *c.steps++; depth > maxDepth || *c.steps > maxSteps {
		c.fail(at, "nested too deeply")
		return v
	}
	if allowed, ok := schema.(bool); ok && !allowed {
		c.fail(at, "nothing is allowed here")
	}
	s, ok := schema.(map[string]any)
	if !ok {
		return v
	}
	if ref, ok := s["$ref"].(string); ok {
		if target, ok := c.resolve(ref); ok {
			v = c.check(target, v, at, depth+1)
		}
	}
	names := typeNames(s["type"])
	if !c.typed(names, v, at) {
		return v
	}
	if slices.Contains(names, "integer") {
		v = whole(v)
	}
	c.values(s, v, at)
	v = c.combined(s, v, at, depth)
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
	return v
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

// typeNames reads the value of "type": a name or a list of names.
func typeNames(want any) (names []string) {
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
	return names
}

// typed reports whether v has one of the types that are asked for.
func (c *checker) typed(names []string, v any, at string) bool {
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

// whole writes an integer without fraction and exponent, if a float holds it
// exactly; a larger one stays as it is.
func whole(v any) any {
	n, ok := v.(json.Number)
	if !ok {
		return v
	}
	f, err := n.Float64()
	if err != nil || math.Abs(f) >= 1<<53 || f != math.Trunc(f) {
		return v
	}
	return json.Number(strconv.FormatInt(int64(f), 10))
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

func (c *checker) combined(s map[string]any, v any, at string, depth int) any {
	if all, ok := s["allOf"].([]any); ok {
		for _, sub := range all {
			v = c.check(sub, v, at, depth+1)
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
			if w := t.check(sub, v, at, depth+1); len(t.problems) == 0 {
				v = w
				fits++
			}
		}
		if fits == 0 || key == "oneOf" && fits > 1 {
			c.fail(at, "fits %d of the forms in %s", fits, key)
		}
	}
	return v
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
			v[name] = c.check(sub, v[name], at+"."+name, depth+1)
		}
	}
}
