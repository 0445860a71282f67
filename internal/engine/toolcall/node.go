package toolcall

import (
	"strconv"
	"unicode/utf8"
)

// node is a value read from any of the dialects. It keeps the order of keys
// and the digits of numbers, both of which encoding/json would lose.
type node struct {
	kind byte   // 's' string, 'n' number, 'w' word (true, false, null), 'a' array, 'o' object
	text string // of a string, number or word
	keys []string
	kids []node
}

func stringNode(s string) node { return node{kind: 's', text: s} }

// get returns the value of an object's key.
func (n *node) get(key string) *node {
	if n == nil || n.kind != 'o' {
		return nil
	}
	for i, k := range n.keys {
		if k == key {
			return &n.kids[i]
		}
	}
	return nil
}

// set adds a key, or replaces its value: the last one wins, as in JSON.
func (n *node) set(key string, v node) {
	if old := n.get(key); old != nil {
		*old = v
		return
	}
	n.keys = append(n.keys, key)
	n.kids = append(n.kids, v)
}

// append writes the node as JSON.
func (n *node) append(dst []byte) []byte {
	switch n.kind {
	case 's':
		return appendQuoted(dst, n.text)
	case 'a':
		dst = append(dst, '[')
		for i := range n.kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = n.kids[i].append(dst)
		}
		return append(dst, ']')
	case 'o':
		dst = append(dst, '{')
		for i := range n.kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendQuoted(dst, n.keys[i]), ':')
			dst = n.kids[i].append(dst)
		}
		return append(dst, '}')
	}
	return append(dst, n.text...)
}

const hexDigits = "0123456789abcdef"

// appendQuoted writes a JSON string. Bytes that are no UTF-8 become the
// replacement character, since JSON cannot carry them.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		b := s[i]
		if b < utf8.RuneSelf {
			dst = appendASCII(dst, b)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		dst = utf8.AppendRune(dst, r)
		i += n
	}
	return append(dst, '"')
}

func appendASCII(dst []byte, b byte) []byte {
	switch {
	case b == '"' || b == '\\':
		return append(dst, '\\', b)
	case b == '\n':
		return append(dst, '\\', 'n')
	case b == '\r':
		return append(dst, '\\', 'r')
	case b == '\t':
		return append(dst, '\\', 't')
	case b < 0x20:
		return append(dst, '\\', 'u', '0', '0', hexDigits[b>>4], hexDigits[b&15])
	}
	return append(dst, b)
}

// number makes a JSON number of what a model wrote ("07", "+1", ".5", "1_000").
func number(s string) (string, bool) {
	neg := false
	digits := make([]byte, 0, len(s))
	for i := range len(s) {
		switch b := s[i]; {
		case i == 0 && (b == '-' || b == '+'):
			neg = b == '-'
		case b == '_':
		default:
			digits = append(digits, b)
		}
	}
	for len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		digits = digits[1:]
	}
	if len(digits) > 0 && digits[0] == '.' {
		digits = append([]byte{'0'}, digits...)
	}
	if len(digits) > 0 && digits[len(digits)-1] == '.' {
		digits = append(digits, '0')
	}
	if len(digits) == 0 || digits[0] < '0' || digits[0] > '9' {
		return "", false
	}
	out := string(digits)
	if neg {
		out = "-" + out
	}
	if !isJSONNumber(out) {
		return "", false
	}
	return out, true
}

// isJSONNumber reports whether s is exactly a JSON number.
func isJSONNumber(s string) bool {
	i := 0
	digits := func() bool {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i > from
	}
	if i < len(s) && s[i] == '-' {
		i++
	}
	from := i
	if !digits() || s[from] == '0' && i > from+1 {
		return false
	}
	if i < len(s) && s[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(s)
}

// isWhole reports whether a JSON number has no fraction.
func isWhole(s string) bool {
	f, err := strconv.ParseFloat(s, 64)
	return err == nil && f == float64(int64(f)) && f > -1e18 && f < 1e18
}
