package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// screen is a person's terminal. What is written to it is shown and never
// obeyed: what a model, a tool or the name of a file says could otherwise wipe
// out what stands above a question, or make the question read like another. The
// program's own signs go to what is behind it, see bare.
type screen struct {
	terminal io.Writer

	mu   sync.Mutex // the log and a command write at once
	rest []byte     // of a character whose other bytes come with the next write
}

// shown makes a stream of the program one that a command may write anything to.
// Programs get what was written; only a terminal would obey it.
func shown(w io.Writer) io.Writer {
	if terminal(w) {
		return &screen{terminal: w}
	}
	return w
}

// bare is the stream behind a screen, for what the program itself has a terminal
// do. Words of others never go there.
func bare(w io.Writer) io.Writer {
	if s, ok := w.(*screen); ok {
		return s.terminal
	}
	return w
}

// Write shows what a terminal would obey, and what turns the direction of text
// around, as JSON escapes it: so JSON stays the same. The returns of lines that
// end as on Windows are left out.
func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := append(s.rest, p...)
	var out []byte
	for utf8.FullRune(text) {
		r, n := utf8.DecodeRune(text)
		text = text[n:]
		switch {
		case r == '\r':
		case r != '\n' && r != '\t' && unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			out = fmt.Appendf(out, `\u%04x`, r)
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	s.rest = text
	if _, err := s.terminal.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// oneLine is text for a list or table in which each thing has its own line: a
// name that somebody else chose must not begin another, which would read like a
// thing that there is.
func oneLine(text string) string {
	return strings.NewReplacer("\n", `\n`, "\r", `\r`, "\t", `\t`, "\v", `\v`, "\f", `\f`).Replace(text)
}

// The terminal's ways to say "less important", "back to normal" and "never
// mind".
const (
	dim    = "\x1b[2m"
	normal = "\x1b[0m"
	erase  = "\r\x1b[K"
)

// faint shows text as less important, where there is colour.
func faint(w io.Writer, color bool, text string) {
	if !color {
		fmt.Fprint(w, text)
		return
	}
	fmt.Fprint(bare(w), dim)
	fmt.Fprint(w, text)
	fmt.Fprint(bare(w), normal)
}
