package passage

import (
	"iter"
	"strings"
)

// block is a heading, a fenced code block or a paragraph.
type block struct {
	extent
	level int // of a heading, 1 to 6
	title string
	code  bool
}

// maxTitle bounds a heading's title, which every piece below it repeats.
const maxTitle = 120

// blocks walks the blocks of a Markdown or plain text in order.
func blocks(text string) iter.Seq[block] {
	return func(yield func(block) bool) {
		var open block
		fence, inside := "", false
		for line := range lineSeq(text) {
			s := strings.TrimSpace(line.of(text))
			mark := fenceMark(s)
			switch {
			case fence != "": // inside code
				open.end = line.end
				if mark != "" && mark[0] == fence[0] && len(mark) >= len(fence) && len(mark) == len(s) {
					fence, inside = "", false
					if !yield(open) {
						return
					}
				}
				continue
			case inside && (s == "" || mark != "" || headingLevel(s) > 0):
				inside = false
				if !yield(open) {
					return
				}
			}
			switch level := headingLevel(s); {
			case mark != "":
				open, fence, inside = block{extent: line, code: true}, mark, true
			case level > 0:
				if !yield(block{extent: line, level: level, title: title(s)}) {
					return
				}
			case s != "" && inside:
				open.end = line.end
			case s != "":
				open, inside = block{extent: line}, true
			}
		}
		if inside {
			yield(open)
		}
	}
}

// fenceMark returns the backticks or tildes that open or close a code block.
func fenceMark(s string) string {
	for _, c := range [...]string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, c)); n >= 3 {
			return s[:n]
		}
	}
	return ""
}

// headingLevel is the number of hashes before a title, 0 for other lines.
func headingLevel(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "#"))
	if n == 0 || n > 6 || n == len(s) || s[n] != ' ' {
		return 0
	}
	return n
}

func title(s string) string {
	return shorten(oneLine(strings.Trim(s[:min(len(s), 8*maxTitle)], "# ")), maxTitle)
}

func lineSeq(text string) iter.Seq[extent] {
	return func(yield func(extent) bool) {
		for start := 0; start < len(text); {
			end := len(text)
			if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
				end = start + i + 1
			}
			if !yield(extent{start, end}) {
				return
			}
			start = end
		}
	}
}

func lineExtents(text string) []extent {
	var out []extent
	for l := range lineSeq(text) {
		out = append(out, l)
	}
	return out
}
