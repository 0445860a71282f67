package conf

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Path names a value by the keys that lead to it: front.port. A list element
// adds its index, peers[0].at. A key that holds a dot, a bracket, a quote or a
// space is quoted as in Go: models."qwen3:0.6b".context. The empty path is the
// whole configuration.
type Path string

// Key returns the path of a key below p, quoted where it must be.
func (p Path) Key(name string) Path {
	return p.Join(Path(quoteKey(name)))
}

// Index returns the path of a list element below p.
func (p Path) Index(i int) Path {
	return p + Path("["+strconv.Itoa(i)+"]")
}

// Join returns the path rest, taken from p on.
func (p Path) Join(rest Path) Path {
	if p == "" || rest == "" || rest[0] == '[' {
		return p + rest
	}
	return p + "." + rest
}

func quoteKey(name string) string {
	for _, r := range name {
		if r <= ' ' || r == 0x7f || strings.ContainsRune(`."[]`, r) || !strconv.IsPrint(r) {
			return strconv.Quote(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}

// cuts returns the offsets at which an element other than the first begins,
// including its dot or bracket.
func (p Path) cuts() []int {
	var cuts []int
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case '"':
			if quoted, err := strconv.QuotedPrefix(string(p[i:])); err == nil {
				i += len(quoted) - 1
			}
		case '.', '[':
			if i > 0 {
				cuts = append(cuts, i)
			}
		}
	}
	return cuts
}

// parent returns the path without its last element.
func (p Path) parent() Path {
	cuts := p.cuts()
	if len(cuts) == 0 {
		return ""
	}
	return p[:cuts[len(cuts)-1]]
}

// list returns the path of the list that p is an element of, or p.
func (p Path) list() Path {
	if strings.HasSuffix(string(p), "]") {
		return p.parent()
	}
	return p
}

// keys returns the keys of a path, unquoted. It is not ok for an empty path, a
// path with an index, or one that is not well formed.
func (p Path) keys() (keys []string, ok bool) {
	start := 0
	for _, end := range append(p.cuts(), len(p)) {
		key := string(p[start:end])
		if start > 0 {
			key = strings.TrimPrefix(key, ".")
		}
		if strings.HasPrefix(key, `"`) {
			var err error
			if key, err = strconv.Unquote(key); err != nil {
				return nil, false
			}
		} else if key == "" || !utf8.ValidString(key) || strings.ContainsAny(key, `[]"`) {
			return nil, false
		}
		keys = append(keys, key)
		start = end
	}
	return keys, true
}
