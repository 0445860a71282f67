package prompt

import (
	"slices"
	"strings"

	"moothall"
)

// Line says what a tool does, is called and takes: "description ->
// name(required: type, optional?: type)". The description comes first because
// the network reads from left to right: so it knows at the name what that means.
func Line(t moothall.ToolSpec) string {
	schema := decode(t.Parameters)
	s, _ := schema.(map[string]any)
	props, _ := s["properties"].(map[string]any)
	required := names(s["required"])
	var params []string
	for _, name := range Keys(schema) {
		mark := "?"
		if slices.Contains(required, name) {
			mark = ""
		}
		params = append(params, name+mark+": "+kind(props[name]))
	}
	line := string(t.Name) + "(" + strings.Join(params, ", ") + ")"
	if about := strings.Join(strings.Fields(t.Description), " "); about != "" {
		line = about + " -> " + line
	}
	return line
}

// Keys lists the properties of an object's schema in the order in which they
// are written everywhere: the required ones as the schema orders them, then the
// others by name.
func Keys(schema any) []string {
	s, _ := schema.(map[string]any)
	props, _ := s["properties"].(map[string]any)
	var out []string
	for _, name := range names(s["required"]) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	n := len(out)
	for name := range props {
		if !slices.Contains(out[:n], name) {
			out = append(out, name)
		}
	}
	slices.Sort(out[n:])
	return out
}

// kind is the type of a parameter in a tool's line.
func kind(schema any) string {
	s, _ := schema.(map[string]any)
	switch t := s["type"].(type) {
	case string:
		if list := names(s["enum"]); t == "string" && len(list) > 0 {
			return strings.Join(list, "|")
		}
		return t
	case []any:
		if list := names(t); len(list) > 0 {
			return strings.Join(list, "|")
		}
	}
	return "any"
}

// names are the texts in a list; nil when it holds anything else.
func names(v any) []string {
	list, _ := v.([]any)
	out := make([]string, 0, len(list))
	for _, e := range list {
		s, ok := e.(string)
		if !ok {
			return nil
		}
		out = append(out, s)
	}
	return out
}
