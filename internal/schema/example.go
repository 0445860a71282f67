package schema

import (
	"encoding/json"
	"maps"
	"slices"
)

// Example returns an object that shows what a schema of an object asks for:
// its required properties, or its first one where none is required. The same
// schema always gives the same example.
func Example(raw json.RawMessage) json.RawMessage {
	v, err := decode(raw)
	if err != nil {
		return json.RawMessage("{}")
	}
	b, err := json.Marshal(example(v, "", 0))
	if err != nil || len(b) == 0 || b[0] != '{' {
		return json.RawMessage("{}")
	}
	return b
}

func example(schema any, name string, depth int) any {
	s, _ := schema.(map[string]any)
	if list, ok := s["enum"].([]any); ok && len(list) > 0 {
		return list[0]
	}
	if d, ok := s["default"]; ok && name != "" {
		return d
	}
	kind, _ := s["type"].(string)
	switch {
	case kind == "object" || s["properties"] != nil || name == "":
		return exampleObject(s, depth)
	case kind == "array":
		return []any{example(s["items"], "item", depth+1)}
	case kind == "integer" || kind == "number":
		return 1
	case kind == "boolean":
		return true
	}
	return "the " + name
}

func exampleObject(s map[string]any, depth int) map[string]any {
	out := make(map[string]any)
	props, _ := s["properties"].(map[string]any)
	if depth > 3 {
		return out
	}
	required, _ := s["required"].([]any)
	for _, r := range required {
		if name, ok := r.(string); ok && name != "" {
			out[name] = example(props[name], name, depth+1)
		}
	}
	if names := slices.Sorted(maps.Keys(props)); len(out) == 0 && len(names) > 0 && names[0] != "" {
		out[names[0]] = example(props[names[0]], names[0], depth+1)
	}
	return out
}

// Query returns the name of the property that takes a question: "query" where
// there is one, or else the first required text. The second result is false
// when there is none.
func Query(raw json.RawMessage) (string, bool) {
	v, _ := decode(raw)
	s, _ := v.(map[string]any)
	props, _ := s["properties"].(map[string]any)
	if _, ok := props["query"]; ok {
		return "query", true
	}
	required, _ := s["required"].([]any)
	for _, r := range required {
		name, _ := r.(string)
		p, _ := props[name].(map[string]any)
		if p["type"] == "string" {
			return name, true
		}
	}
	return "", false
}
