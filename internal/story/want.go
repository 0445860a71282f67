package story

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// misfits lists in what way a JSON value is not as wanted, path by path.
func misfits(want map[string]Want, payload json.RawMessage) []string {
	if len(want) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(payload))
	d.UseNumber() // so that 3 and 3.0 can be told apart, and large numbers stay whole
	var root any
	if err := d.Decode(&root); err != nil {
		return []string{"it carries no JSON"}
	}
	var out []string
	for _, path := range slices.Sorted(maps.Keys(want)) {
		v, there := look(root, path)
		for _, problem := range want[path].problems(v, there) {
			out = append(out, path+": "+problem)
		}
	}
	return out
}

// look follows a path of names and places in lists.
func look(v any, path string) (any, bool) {
	for step := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			var ok bool
			if v, ok = at[step]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(at) {
				return nil, false
			}
			v = at[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// problems lists in what way one value is not as wanted.
func (w Want) problems(v any, there bool) (out []string) {
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if w.Exists != nil && *w.Exists != (there && v != nil) {
		if *w.Exists {
			say("is not there")
		} else {
			say("is there: %s", plain(v))
		}
	}
	if !there {
		if w.Exists == nil {
			say("is not there")
		}
		return out
	}
	if w.Is != nil && plain(v) != *w.Is {
		say("is %s, want %s", plain(v), *w.Is)
	}
	if w.Type != "" && !isType(w.Type, v) {
		say("is %s, want the type %s", plain(v), w.Type)
	}
	if w.Matches != "" {
		if re, err := regexp.Compile(w.Matches); err != nil {
			say("the story's own expression is wrong: %v", err)
		} else if !re.MatchString(plain(v)) {
			say("%s does not match %s", plain(v), w.Matches)
		}
	}
	return append(out, w.bounds(v)...)
}

func (w Want) bounds(v any) (out []string) {
	if w.Min == nil && w.Max == nil {
		return nil
	}
	n, ok := v.(json.Number)
	f, err := n.Float64()
	switch {
	case !ok || err != nil:
		out = append(out, plain(v)+" is no number")
	case w.Min != nil && f < *w.Min:
		out = append(out, fmt.Sprintf("is %s, want at least %v", n, *w.Min))
	case w.Max != nil && f > *w.Max:
		out = append(out, fmt.Sprintf("is %s, want at most %v", n, *w.Max))
	}
	return out
}

// plain is a value as a story writes it: text without quotes, all else as in
// JSON.
func plain(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // an address in a list keeps its &
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func isType(want string, v any) bool {
	switch v := v.(type) {
	case nil:
		return want == "null"
	case string:
		return want == "string"
	case bool:
		return want == "boolean"
	case []any:
		return want == "array"
	case map[string]any:
		return want == "object"
	case json.Number:
		_, err := v.Int64()
		return want == "number" || want == "integer" && err == nil
	}
	return false
}
