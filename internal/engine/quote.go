package engine

import (
	"encoding/json"
	"strings"

	"moothall"
)

// quoted reports whether a call that was read out of text stands in the
// result of a tool of this conversation: its name, and close to it every text
// among its arguments. A model that repeats a page must not thereby make the
// call that somebody wrote into the page.
func (r *run) quoted(w wish) bool {
	values := texts(w.arguments)
	if len(values) == 0 {
		return false
	}
	reach := 2*len(w.arguments) + 80
	for _, m := range r.conv {
		if m.Role == moothall.RoleTool && near(m.Content, string(w.name), values, reach) {
			return true
		}
	}
	return false
}

// near looks for a name with all values within reach of it, on either side.
func near(text, name string, values []string, reach int) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		at += i
		around := text[max(0, at-reach):min(len(text), at+len(name)+reach)]
		all := true
		for _, v := range values {
			all = all && (strings.Contains(around, v) || strings.Contains(around, spelt(v)))
		}
		if all {
			return true
		}
		at += len(name)
	}
}

// spelt is a text as it stands in JSON.
func spelt(s string) string {
	b, _ := json.Marshal(s) // a text always marshals
	return strings.Trim(string(b), `"`)
}

// texts returns the texts among arguments, however deep.
func texts(raw []byte) []string {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	var out []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			if s := strings.TrimSpace(v); s != "" {
				out = append(out, s)
			}
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(v)
	return out
}
