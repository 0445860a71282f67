package web

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

// strict holds values against schemas of one document. Unlike a validator for
// guests it refuses what the schema does not mention, and keywords that it
// does not know: a document that says too little fails as well.
type strict struct{ doc map[string]any }

// check lists in what way v is not what the schema says.
func (s strict) check(schema any, v any, at string) []string {
	m, ok := schema.(map[string]any)
	if !ok {
		return []string{fmt.Sprintf("%s: the schema is %v", at, schema)}
	}
	if ref, ok := m["$ref"].(string); ok {
		target := s.resolve(ref)
		if target == nil {
			return []string{at + ": nothing at " + ref}
		}
		return s.check(target, v, at)
	}
	var out []string
	for key := range m {
		if !slices.Contains([]string{"type", "format", "description", "enum", "properties", "required", "additionalProperties", "items", "minItems", "maxItems",
			"minimum", "anyOf", "oneOf", "contentEncoding"}, key) {
			out = append(out, at+": the schema has the keyword "+key)
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		if list, ok := m[key].([]any); ok && !slices.ContainsFunc(list, func(sub any) bool { return len(s.check(sub, v, at)) == 0 }) {
			out = append(out, at+": fits no form of "+key)
		} else if ok {
			return out
		}
	}
	if enum, ok := m["enum"].([]any); ok && !slices.Contains(enum, v) {
		out = append(out, fmt.Sprintf("%s: %v is none of %v", at, v, enum))
	}
	if m["type"] != nil && !slices.ContainsFunc(types(m["type"]), func(want string) bool { return isType(want, v) }) {
		return append(out, fmt.Sprintf("%s: %v is no %v", at, v, m["type"]))
	}
	return append(out, s.inside(m, v, at)...)
}

func (s strict) inside(m map[string]any, v any, at string) (out []string) {
	switch v := v.(type) {
	case string:
		if _, err := time.Parse(time.RFC3339Nano, v); m["format"] == "date-time" && err != nil {
			out = append(out, at+": no time: "+v)
		}
	case []any:
		if n, ok := m["maxItems"].(float64); ok && (len(v) > int(n) || m["minItems"] != m["maxItems"]) {
			out = append(out, fmt.Sprintf("%s: %d items, want %v", at, len(v), n))
		}
		for i, e := range v {
			out = append(out, s.check(m["items"], e, fmt.Sprintf("%s[%d]", at, i))...)
		}
	case map[string]any:
		out = append(out, s.object(m, v, at)...)
	}
	return out
}

func (s strict) object(m, v map[string]any, at string) (out []string) {
	properties, _ := m["properties"].(map[string]any)
	required, _ := m["required"].([]any)
	for _, name := range required {
		if _, ok := v[name.(string)]; !ok {
			out = append(out, at+": lacks "+name.(string))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		sub, ok := properties[name]
		if !ok {
			sub = m["additionalProperties"]
		}
		switch {
		case sub != nil:
			out = append(out, s.check(sub, v[name], at+"."+name)...)
		case properties != nil:
			out = append(out, at+": "+name+" is not in the document")
		}
	}
	return out
}

func (s strict) resolve(ref string) any {
	var at any = s.doc
	for key := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		m, _ := at.(map[string]any)
		at = m[key]
	}
	return at
}

func types(v any) (out []string) {
	if name, ok := v.(string); ok {
		return []string{name}
	}
	list, _ := v.([]any)
	for _, name := range list {
		out = append(out, name.(string))
	}
	return out
}

func isType(want string, v any) bool {
	switch want {
	case "null":
		return v == nil
	case "integer":
		f, ok := v.(float64)
		return ok && f == float64(int64(f))
	}
	kinds := map[string]reflect.Kind{"string": reflect.String, "boolean": reflect.Bool, "number": reflect.Float64, "array": reflect.Slice, "object": reflect.Map}
	return v != nil && reflect.TypeOf(v).Kind() == kinds[want]
}

func decoded(b []byte) (v any, err error) { return v, json.Unmarshal(b, &v) }
