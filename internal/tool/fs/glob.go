package fs

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"moothall"
)

// globExpression translates a glob into a regular expression without
// anchors: "*" and "?" stop at a slash, "**" does not. Regular expressions
// match in linear time, which hand-written globs with "**" easily do not.
func globExpression(glob string) string {
	var b strings.Builder
	literal := func(s string) int {
		r, n := utf8.DecodeRuneInString(s)
		b.WriteString(regexp.QuoteMeta(string(r)))
		return n
	}
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case strings.HasPrefix(glob[i:], "**/"):
			b.WriteString(`(?:.*/)?`)
			i += 2
		case strings.HasPrefix(glob[i:], "**"):
			b.WriteString(`.*`)
			i++
		case c == '*':
			b.WriteString(`[^/]*`)
		case c == '?':
			b.WriteString(`[^/]`)
		case c == '[':
			i += class(&b, glob[i:])
		case c == '{' && strings.ContainsRune(glob[i:], '}'):
			end := strings.IndexByte(glob[i:], '}')
			b.WriteString(alternatives(glob[i+1 : i+end]))
			i += end
		case c == '\\' && i+1 < len(glob):
			i += literal(glob[i+1:])
		default:
			i += literal(glob[i:]) - 1
		}
	}
	return b.String()
}

func alternatives(list string) string {
	parts := strings.Split(list, ",")
	for i, p := range parts {
		parts[i] = globExpression(strings.ReplaceAll(p, "{", ""))
	}
	return "(?:" + strings.Join(parts, "|") + ")"
}

// class writes a character class and returns how far to move on.
func class(b *strings.Builder, s string) int {
	end := strings.IndexByte(s[1:], ']')
	if end < 1 {
		b.WriteString(`\[`)
		return 0
	}
	body := s[1 : 1+end]
	negated := body[0] == '!' || body[0] == '^'
	if negated {
		body = body[1:]
	}
	if body == "" {
		b.WriteString(`\[`)
		return 0
	}
	body = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `^`, `\^`).Replace(body)
	b.WriteString("[")
	if negated {
		b.WriteString("^/")
	}
	b.WriteString(body + "]")
	return 1 + end
}

// glob matches names, or whole paths when the pattern holds a slash.
type glob struct {
	re    *regexp.Regexp
	whole bool
}

func compileGlob(pattern string) (*glob, error) {
	if pattern == "" {
		return nil, nil
	}
	re, err := regexp.Compile(`^` + globExpression(strings.TrimPrefix(pattern, "./")) + `$`)
	if err != nil {
		return nil, &moothall.Error{Code: moothall.CodeInvalid, Op: "glob", Message: "the glob cannot be understood", Remedy: "write something like *.md", Err: err}
	}
	return &glob{re: re, whole: strings.Contains(pattern, "/")}, nil
}

// match takes a slash-separated path below the searched folder.
func (g *glob) match(path string) bool {
	if g == nil {
		return true
	}
	if !g.whole {
		path = path[strings.LastIndexByte(path, '/')+1:]
	}
	return g.re.MatchString(path)
}
