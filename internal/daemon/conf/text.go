package conf

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// write gives a scalar as YAML, null where it may not be written as it is.
func (s *shape) write(v reflect.Value) string {
	text := s.format(v)
	if s.check(v, text) != nil {
		return "null"
	}
	if _, f := s.parse(text); f != nil {
		return "null" // a negative duration or a number that is none
	}
	if s.kind == kindString {
		return writeText(text)
	}
	return text
}

// writeText leaves only plain words unquoted, so that no reader of YAML can
// take them for something else.
func writeText(text string) string {
	if !plain(text) || strings.HasSuffix(text, ":") {
		return quote(text)
	}
	return text
}

func writeKey(key string) string {
	if !plain(key) || strings.ContainsAny(key, ":/.@") {
		return quote(key)
	}
	return key
}

// plain tells whether text is one word that begins with a letter and that no
// version of YAML reads as a truth value or as nothing.
func plain(text string) bool {
	for i, r := range text {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || (r < '0' || r > '9') && !strings.ContainsRune("_-./:@", r)) {
			return false
		}
	}
	words := []string{"", "y", "n", "yes", "no", "on", "off", "true", "false", "null"}
	return !slices.Contains(words, strings.ToLower(text))
}

// quote writes text in double quotes, with all that is not plainly visible
// escaped.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r >= ' ' && strconv.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02X`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			fmt.Fprintf(&b, `\U%08X`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// remark gives an origin as the text of a comment, which a file's name may
// not end.
func remark(o Origin) string {
	text := o.String()
	for _, r := range text {
		if !strconv.IsPrint(r) || r == utf8.RuneError {
			return strconv.QuoteToASCII(text)
		}
	}
	return text
}
