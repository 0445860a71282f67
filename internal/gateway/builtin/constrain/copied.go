package constrain

import (
	"slices"
	"strings"
	"unicode"

	"moothall"
)

// Copy says what the value of an argument is taken from.
type Copy uint8

// The kinds.
const (
	Free    Copy = iota // anything: a text to write, a program
	Words               // mostly words that were said: they are preferred
	Path                // a file or folder that was named, or a folder and a name in it
	New                 // the same where the call may make something new
	Address             // a web or mail address that was named
	Number              // a number: one that was said is preferred
	Sum                 // an expression: its numbers were said, or are such as everybody knows
)

// Named reports whether a value is a name that must have been said.
func (c Copy) Named() bool { return c == Path || c == New || c == Address }

// copies is the table: the words that an argument's name may have, and the
// first kind that fits. What stands in no row is made of words.
var copies = []struct {
	kind  Copy
	words []string
}{
	{Address, []string{"url", "uri", "link", "website", "email"}},
	{Path, []string{"path", "paths", "file", "files", "filename", "filepath", "folder", "folders", "directory", "dir"}},
	{Sum, []string{"expression", "formula"}},
	{Free, []string{"content", "contents", "text", "code", "command", "script", "body", "message", "task", "zone", "timezone", "tz", "language", "lang", "locale", "currency", "unit", "units", "date", "day", "time", "from", "to", "since", "until", "at", "when", "regex", "glob"}},
}

// formats is the same of what a schema says of its texts.
var formats = map[string]Copy{"uri": Address, "url": Address, "uri-reference": Address, "iri": Address, "email": Address, "path": Path, "file-path": Path,
	"date": Free, "time": Free, "date-time": Free, "duration": Free, "uuid": Free}

// makers are words in the names of tools that make what they name.
var makers = []string{"write", "save", "create", "make", "new", "add", "append", "store", "export", "download", "mkdir", "touch", "put"}

// Copies says of what kind a text argument of a tool is.
func Copies(t *moothall.ToolSpec, name string, schema any) Copy {
	kind := kindOf(name, schema)
	for _, p := range t.Paths {
		if p.Name == name {
			kind = Path
			if p.Access == moothall.PathWrite {
				return New
			}
		}
	}
	if kind == Path && slices.ContainsFunc(NameWords(string(t.Name)), func(w string) bool { return slices.Contains(makers, w) }) {
		return New
	}
	return kind
}

func kindOf(name string, schema any) Copy {
	s, _ := schema.(map[string]any)
	if format, ok := s["format"].(string); ok {
		if kind, ok := formats[format]; ok {
			return kind
		}
	}
	words := NameWords(name)
	for _, row := range copies {
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(row.words, w) }) {
			return row.kind
		}
	}
	return Words
}

// Arguments are the text arguments of a tool that are taken from somewhere.
func Arguments(t *moothall.ToolSpec) map[string]Copy {
	out := map[string]Copy{}
	for _, p := range t.Paths {
		out[p.Name] = Copies(t, p.Name, nil)
	}
	v, _ := decode(t.Parameters)
	s, _ := v.(map[string]any)
	props, _ := s["properties"].(map[string]any)
	for name, sub := range props {
		if kind := Copies(t, name, sub); kind != Free {
			out[name] = kind
		}
	}
	return out
}

// NameWords divides a name such as fileName, file_name or srv__file-name.
func NameWords(name string) []string {
	var out []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	last := rune(0)
	for _, r := range name {
		if !unicode.IsLetter(r) {
			flush()
		} else {
			if unicode.IsUpper(r) && unicode.IsLower(last) {
				flush()
			}
			b.WriteRune(r)
		}
		last = r
	}
	flush()
	return out
}

// copying gives the arguments of a call their kinds. Places may be shared with
// others, so they are made anew.
func (c *compiler) copying(t *moothall.ToolSpec, n *node) {
	v, _ := decode(t.Parameters)
	s, _ := v.(map[string]any)
	props, _ := s["properties"].(map[string]any)
	for _, f := range n.forms {
		for i := range f.fields {
			field := &f.fields[i]
			field.value = c.copied(field.value, Copies(t, field.name, props[field.name]), 0)
		}
	}
}

func (c *compiler) copied(n *node, kind Copy, depth int) *node {
	out := &node{}
	for _, f := range n.forms {
		switch {
		case f.kind == text && kind != Free:
			f = c.clone(f)
			f.copy = kind
		case f.kind == number:
			f = c.clone(f)
			f.copy = Number
		case f.kind == array && !f.free && f.items != nil && depth == 0:
			f = c.clone(f)
			f.items = c.copied(f.items, kind, depth+1)
		}
		out.forms = append(out.forms, f)
	}
	return out
}

func (c *compiler) clone(f *form) *form {
	g := *f
	c.forms++
	g.id = c.forms
	return &g
}
