package committee

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall"
)

const (
	dim    = "\x1b[2m"
	normal = "\x1b[0m"
	width  = 78 // of a line; a terminal has two more
	badge  = 40 // of what a tool was asked
)

// Render writes a deliberation for a terminal: whose it is, which tools it
// used, and its words. With color the name has the persona's colour. What a
// model wrote can neither move the cursor nor colour anything.
func Render(w io.Writer, d moothall.Deliberation, color bool) error {
	on, faint, off := paint(d.Color), dim, normal
	if !color {
		on, faint, off = "", "", ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s%s%s · %s%s\n", on, plain(d.Persona), off, faint, headline(d), off)
	for _, t := range d.Tools {
		fmt.Fprintf(&b, "  %s[%s]%s\n", faint, toolBadge(t), off)
	}
	if d.Error != "" {
		fill(&b, "not heard: "+d.Error)
	}
	fill(&b, d.Response)
	_, err := io.WriteString(w, b.String())
	return err
}

func headline(d moothall.Deliberation) string {
	parts := []string{fmt.Sprintf("round %d", d.Round), plain(d.Status)}
	if n := d.Usage.PromptTokens + d.Usage.OutputTokens; n > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens", n))
	}
	return strings.Join(parts, " · ")
}

// toolBadge is a call in a few words: memory_read "savings": ok, 12 ms.
func toolBadge(t moothall.CalledTool) string {
	return strings.TrimSpace(fmt.Sprintf("%s %s", plain(string(t.Tool)), asked(t.Args))) + fmt.Sprintf(": %s, %d ms", plain(string(t.Status)), t.Millis)
}

// asked are the texts among the arguments.
func asked(args json.RawMessage) string {
	var m map[string]any
	if json.Unmarshal(args, &m) != nil {
		return ""
	}
	var out []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		text := fmt.Sprint(m[k])
		if s, ok := m[k].(string); ok {
			text = fmt.Sprintf("%q", s)
		}
		out = append(out, text)
	}
	text := []rune(plain(strings.Join(out, " ")))
	if len(text) > badge {
		return string(text[:badge-1]) + "…"
	}
	return string(text)
}

// fill writes text in lines of a bounded width, set in by two.
func fill(b *strings.Builder, text string) {
	for line := range strings.SplitSeq(strings.TrimSpace(breaks.Replace(text)), "\n") {
		n := 0
		for word := range strings.FieldsSeq(plain(line)) {
			size := utf8.RuneCountInString(word)
			switch {
			case n == 0:
				b.WriteString("  ")
				n = 2
			case n+1+size > width:
				b.WriteString("\n  ")
				n = 2
			default:
				b.WriteByte(' ')
				n++
			}
			b.WriteString(word)
			n += size
		}
		if n > 0 || line == "" && text != "" {
			b.WriteByte('\n')
		}
	}
}

// plain leaves out what a terminal would obey, and what turns the direction of
// text around.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t':
			return ' '
		case unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1
		}
		return r
	}, s)
}
