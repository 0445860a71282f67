package prompt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"moothall"
)

// maxDepth is how deep a value is written; what lies deeper becomes null.
const maxDepth = 64

// decode reads JSON and keeps numbers as written; nil when it is none.
func decode(raw []byte) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// arguments are a call's, in the order of the tool's line. A call whose
// arguments are no JSON was never run; it stands without them.
func arguments(c moothall.ToolCall, schema any) string {
	v := decode(c.Arguments)
	if v == nil {
		return "{}"
	}
	return JSON(v, schema)
}

// JSON writes a decoded value in the form of the prompt. The schema, which may
// be nil, gives the order of keys: see [Keys]; keys that it does not know come
// last, by name.
func JSON(v, schema any) string {
	var b strings.Builder
	write(&b, v, schema, 0)
	return b.String()
}

func write(b *strings.Builder, v, schema any, depth int) {
	if depth > maxDepth {
		v = nil
	}
	s, _ := schema.(map[string]any)
	switch v := v.(type) {
	case map[string]any:
		writeObject(b, v, s, depth)
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteString(", ")
			}
			write(b, e, s["items"], depth+1)
		}
		b.WriteByte(']')
	case string:
		b.WriteString(Quote(v))
	case nil:
		b.WriteString("null")
	default: // json.Number, bool
		fmt.Fprint(b, v)
	}
}

func writeObject(b *strings.Builder, v, schema map[string]any, depth int) {
	props, _ := schema["properties"].(map[string]any)
	keys := Keys(schema)
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if !slices.Contains(keys, name) {
			keys = append(keys, name)
		}
	}
	b.WriteByte('{')
	first := true
	for _, name := range keys {
		e, there := v[name]
		if !there {
			continue
		}
		if !first {
			b.WriteString(", ")
		}
		first = false
		b.WriteString(Quote(name) + ": ")
		write(b, e, props[name], depth+1)
	}
	b.WriteByte('}')
}

// escapes are the characters that have a short form in JSON.
var escapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}

// Quote writes text as a JSON string with as few escapes as JSON allows, which
// encoding/json does not: it also escapes what is special in HTML and in
// JavaScript.
func Quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		if short, ok := escapes[c]; ok {
			b.WriteString(short)
		} else if c < 0x20 {
			fmt.Fprintf(&b, `\u%04x`, c)
		} else {
			b.WriteString(string(utf8.AppendRune(nil, c)))
		}
	}
	b.WriteByte('"')
	return b.String()
}
