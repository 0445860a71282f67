package calendar

import (
	"errors"
	"strings"
)

const (
	maxLines = 500_000
	maxDeep  = 8
)

// property is one content line: a name, its parameters, a raw value.
type property struct {
	name   string
	params map[string]string
	value  string
}

// component is what stands between BEGIN and END.
type component struct {
	name     string
	props    []property
	children []*component
}

// get returns the first property of a name.
func (c *component) get(name string) (property, bool) {
	for _, p := range c.props {
		if p.name == name {
			return p, true
		}
	}
	return property{}, false
}

// text returns the first property of a name as plain text.
func (c *component) text(name string) string {
	p, _ := c.get(name)
	return unescape(p.value)
}

var errForm = errors.New("not an iCalendar file")

// parse reads the components of a file. Lines that make no sense are left
// out, since one broken line should not hide a year of appointments; a file
// that is no calendar at all is an error.
func parse(text string) ([]*component, error) {
	top := &component{}
	stack := []*component{top}
	n := 0
	for line := range logical(text) {
		if n++; n > maxLines {
			return nil, errForm
		}
		p, ok := content(line)
		if !ok {
			continue
		}
		current := stack[len(stack)-1]
		switch p.name {
		case "BEGIN":
			if len(stack) > maxDeep {
				return nil, errForm
			}
			child := &component{name: strings.ToUpper(strings.TrimSpace(p.value))}
			current.children = append(current.children, child)
			stack = append(stack, child)
		case "END":
			// An END of something else closes nothing.
			if current != top && strings.EqualFold(strings.TrimSpace(p.value), current.name) {
				stack = stack[:len(stack)-1]
			}
		default:
			current.props = append(current.props, p)
		}
	}
	var calendars []*component
	for _, c := range top.children {
		if c.name == "VCALENDAR" {
			calendars = append(calendars, c)
		}
	}
	if len(calendars) == 0 {
		return nil, errForm
	}
	return calendars, nil
}

// logical joins folded lines: one that begins with a blank goes on.
func logical(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var b strings.Builder
		begun := false
		for raw := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
			raw = strings.TrimRight(raw, "\r\n")
			if begun && raw != "" && (raw[0] == ' ' || raw[0] == '\t') {
				b.WriteString(raw[1:])
				continue
			}
			if begun && !yield(b.String()) {
				return
			}
			b.Reset()
			b.WriteString(raw)
			begun = true
		}
		if begun {
			yield(b.String())
		}
	}
}

// content reads NAME;PARAM=VALUE;PARAM="QUOTED":VALUE.
func content(line string) (property, bool) {
	end := strings.IndexAny(line, ";:")
	if end <= 0 {
		return property{}, false
	}
	p := property{name: strings.ToUpper(line[:end])}
	rest := line[end:]
	for rest[0] == ';' {
		at := outside(rest[1:], ";:")
		if at < 0 {
			return property{}, false
		}
		name, value, _ := strings.Cut(rest[1:1+at], "=")
		if p.params == nil {
			p.params = map[string]string{}
		}
		p.params[strings.ToUpper(name)] = strings.Trim(value, `"`)
		rest = rest[1+at:]
	}
	p.value = rest[1:]
	return p, true
}

// outside finds one of the bytes that is not within quotes.
func outside(s, bytes string) int {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case !quoted && strings.IndexByte(bytes, s[i]) >= 0:
			return i
		}
	}
	return -1
}

var unescaper = strings.NewReplacer(`\\`, `\`, `\;`, `;`, `\,`, `,`, `\n`, "\n", `\N`, "\n")

func unescape(s string) string { return unescaper.Replace(s) }
