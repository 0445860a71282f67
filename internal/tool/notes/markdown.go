package notes

import (
	"iter"
	"path/filepath"
	"strings"
)

// section is a heading and what stands below it.
type section struct {
	heading string
	line    int // where it begins, from 1
	text    string
}

// sections divides a note at its headings. Lines in fenced code that begin
// with "#" are no headings.
func sections(text string) iter.Seq[section] {
	return func(yield func(section) bool) {
		s := section{line: 1}
		var b strings.Builder
		fence := ""
		n := 0
		for line := range strings.Lines(text) {
			n++
			fence = fenced(fence, line)
			h, ok := heading(line)
			if !ok || fence != "" {
				b.WriteString(line)
				continue
			}
			s.text = b.String()
			if (s.heading != "" || strings.TrimSpace(s.text) != "") && !yield(s) {
				return
			}
			b.Reset()
			s = section{heading: h, line: n}
		}
		s.text = b.String()
		if s.heading != "" || strings.TrimSpace(s.text) != "" {
			yield(s)
		}
	}
}

// fenced follows the fences of code: it returns the one that is open.
func fenced(open, line string) string {
	line = strings.TrimLeft(line, " ")
	switch {
	case open != "" && strings.HasPrefix(line, open):
		return ""
	case open != "":
		return open
	case strings.HasPrefix(line, "```"):
		return "```"
	case strings.HasPrefix(line, "~~~"):
		return "~~~"
	}
	return ""
}

// heading reads a line such as "## Words".
func heading(line string) (string, bool) {
	rest := strings.TrimLeft(line, "#")
	depth := len(line) - len(rest)
	if depth == 0 || depth > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' && rest[0] != '\n' && rest[0] != '\r' {
		return "", false
	}
	h := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(rest), "#"))
	return h, h != ""
}

// title is what a note is called: a title in its front matter, its first
// heading of the highest level, or the name of its file.
func title(path, text string) string {
	if front, ok := strings.CutPrefix(text, "---\n"); ok {
		front, _, _ = strings.Cut(front, "\n---")
		for line := range strings.Lines(front) {
			if t, ok := strings.CutPrefix(line, "title:"); ok {
				return strings.Trim(strings.TrimSpace(t), `"'`)
			}
		}
	}
	fence := ""
	for line := range strings.Lines(text) {
		fence = fenced(fence, line)
		if h, ok := heading(line); ok && fence == "" && !strings.HasPrefix(line, "##") {
			return h
		}
	}
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}
