package constrain

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"moothall/internal/gateway/builtin/prompt"
)

// orderKey is where a merged schema keeps the order of keys that the schema had
// before a choice was merged into it: a choice that requires a key does not
// move it. No schema can have such a keyword.
const orderKey = "\x00order"

func without(s map[string]any, key string) map[string]any {
	out := maps.Clone(s)
	delete(out, key)
	return out
}

// merge is a schema that asks for what both ask for, as far as it can be said.
func merge(a, b map[string]any) map[string]any {
	out := maps.Clone(a)
	if out == nil {
		out = map[string]any{}
	}
	if _, there := a[orderKey]; !there && a["properties"] != nil {
		out[orderKey] = keys(a)
	}
	for k, v := range b {
		old, there := a[k]
		if !there {
			out[k] = v
			continue
		}
		out[k] = both(k, old, v)
	}
	return out
}

// both merges the values of one keyword.
func both(key string, a, b any) any {
	switch key {
	case "required":
		return union(a, b)
	case "properties":
		return mergeProperties(a, b)
	case "type", "enum":
		return intersection(a, b)
	case "minimum", "exclusiveMinimum", "minLength", "minItems":
		return larger(a, b, 1)
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems":
		return larger(a, b, -1)
	case "items":
		x, ok1 := a.(map[string]any)
		y, ok2 := b.(map[string]any)
		if ok1 && ok2 {
			return merge(x, y)
		}
	case "additionalProperties":
		if a == false {
			return a
		}
	case "anyOf", "oneOf":
		return a // what one of two choices rules out is left to the check
	case orderKey:
		return a
	}
	return b
}

func union(a, b any) any {
	x, _ := a.([]any)
	y, _ := b.([]any)
	out := slices.Clone(x)
	for _, v := range y {
		if !slices.ContainsFunc(out, func(o any) bool { return reflect.DeepEqual(o, v) }) {
			out = append(out, v)
		}
	}
	return out
}

func mergeProperties(a, b any) any {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	out := maps.Clone(x)
	if out == nil {
		out = map[string]any{}
	}
	for name, sub := range y {
		p, ok1 := x[name].(map[string]any)
		q, ok2 := sub.(map[string]any)
		if ok1 && ok2 {
			sub = merge(p, q)
		}
		out[name] = sub
	}
	return out
}

// intersection is of lists or single values; an empty one is the second.
func intersection(a, b any) any {
	list := func(v any) []any {
		if l, ok := v.([]any); ok {
			return l
		}
		return []any{v}
	}
	var out []any
	for _, v := range list(a) {
		for _, w := range list(b) {
			switch {
			case reflect.DeepEqual(v, w):
				out = append(out, v)
			case v == "number" && w == "integer" || v == "integer" && w == "number":
				out = append(out, "integer")
			}
		}
	}
	if len(out) == 0 {
		return b
	}
	return out
}

func larger(a, b any, sign float64) any {
	x, ok1 := a.(json.Number)
	y, ok2 := b.(json.Number)
	if !ok1 || !ok2 {
		return b
	}
	f, _ := x.Float64()
	g, _ := y.Float64()
	if sign*f > sign*g {
		return a
	}
	return b
}

// keys is the order of an object's keys: that of [prompt.Keys] before choices
// were merged into the schema.
func keys(s map[string]any) []string {
	all := prompt.Keys(s)
	before, ok := s[orderKey].([]string)
	if !ok {
		return all
	}
	out := slices.Clone(before)
	for _, name := range all {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}
