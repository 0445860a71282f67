package engine

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"moothall"
)

// quoted reports whether a call that was read out of text stands in the
// result of a tool of this conversation: one of the names that its tool goes
// by, and close to it every text among its arguments. A model that repeats a
// page must not thereby make the call that somebody wrote into the page.
func (r *run) quoted(w wish) bool {
	values := texts(w.arguments)
	if len(values) == 0 {
		return false
	}
	reach := 2*len(w.arguments) + 80
	for _, m := range r.conv {
		if m.Role != moothall.RoleTool {
			continue
		}
		text := plain(m.Content)
		if near(text, string(w.name), values, reach, named) {
			return true
		}
		for _, alias := range w.spec.Aliases {
			if near(text, string(alias), values, reach, called) {
				return true
			}
		}
	}
	return false
}

// near looks for a name, where it stands for the tool, with all values within
// reach of it, on either side.
func near(text, name string, values []string, reach int, means func(before, after string) bool) bool {
	for at := 0; name != ""; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		from := at + i
		at = from + len(name)
		around := text[max(0, from-reach):min(len(text), at+reach)]
		missing := func(v string) bool { return !strings.Contains(around, v) }
		if means(text[:from], text[at:]) && !slices.ContainsFunc(values, missing) {
			return true
		}
	}
	return false
}

// named takes a tool's own name for the tool wherever it stands.
func named(_, _ string) bool { return true }

// called reports whether a name stands between its neighbours as that of a
// call does. Aliases are words such as fetch and search, which a page may use
// of a thing that the model then has good reason to call the tool for.
func called(before, after string) bool {
	if strings.HasSuffix(before, ".") || strings.HasSuffix(before, "=") {
		return true // functions.name, function=name
	}
	before, after = strings.TrimRight(before, " `"), strings.TrimLeft(after, " `")
	switch {
	case after == "":
		return false
	case strings.HasSuffix(before, "Action:"):
		return true
	case strings.HasSuffix(before, `"`), strings.HasSuffix(before, "'"):
		return strings.IndexByte(`"':.`, after[0]) >= 0 // also "name:0" and "name.call"
	}
	return strings.IndexByte("({[<>", after[0]) >= 0
}

// plain is a text with its escapes undone and white space evened out. How
// often something was escaped makes no difference: a row of backslashes counts
// as one, and none is left.
func plain(s string) string {
	out := make([]byte, 0, len(s))
	escaped, high := false, rune(0) // high: the first half of a pair
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\':
			escaped = true
			continue
		case !escaped:
			out = append(out, c)
		case c == 'u' || c == 'x':
			r, n := hexRune(s[i:])
			i += n
			switch pair := utf16.DecodeRune(high, r); {
			case r == '\\':
				continue // it escapes what follows
			case n == 0:
				out = append(out, c)
			case pair != utf8.RuneError:
				out = utf8.AppendRune(out[:len(out)-utf8.RuneLen(utf8.RuneError)], pair)
			default:
				out = utf8.AppendRune(out, r)
				escaped, high = false, r
				continue
			}
		case strings.IndexByte("ntrbf", c) >= 0:
			out = append(out, ' ')
		case c != '\n': // an escaped line break is nothing
			out = append(out, c)
		}
		escaped, high = false, 0
	}
	blank := func(r rune) bool { return r <= ' ' }
	return strings.Join(strings.FieldsFunc(string(out), blank), " ")
}

// hexRune reads the digits after u or x, and says how many they are; 0 where
// they are none.
func hexRune(s string) (rune, int) {
	n := 4
	if s[0] == 'x' {
		n = 2
	}
	if len(s) <= n {
		return 0, 0
	}
	v, err := strconv.ParseUint(s[1:1+n], 16, 32)
	if err != nil {
		return 0, 0
	}
	return rune(v), n
}

// texts returns the texts among arguments, however deep, as they are plain.
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
			if s := plain(v); s != "" {
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
