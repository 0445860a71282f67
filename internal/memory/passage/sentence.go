package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// extent is a part of a text by byte offsets.
type extent struct{ start, end int }

func (e extent) of(text string) string { return text[e.start:e.end] }

// sentences cuts a text into sentences; each has its trailing space. Together
// they are the text. A blank line and a list mark end a sentence as well.
func sentences(text string) []extent {
	var out []extent
	start := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if !endsSentence(text, start, i, r) {
			continue
		}
		for i < len(text) { // closing quotes, further marks and space belong to it
			r, size := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsSpace(r) && !strings.ContainsRune(`.!?"')]»”’。！？」`, r) {
				break
			}
			i += size
		}
		out = append(out, extent{start, i})
		start = i
	}
	if start < len(text) {
		out = append(out, extent{start, len(text)})
	}
	return out
}

// endsSentence tells whether the sentence from start ends with r, which stands
// right before at.
func endsSentence(text string, start, at int, r rune) bool {
	switch r {
	case '。', '！', '？', '…':
		return true
	case '!', '?':
		return at == len(text) || spaceOrClose(text[at:])
	case '.':
		return (at == len(text) || spaceOrClose(text[at:])) && !abbreviation(text[start:at-1])
	case '\n':
		return at < len(text) && newItem(text[at:])
	}
	return false
}

func spaceOrClose(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsSpace(r) || strings.ContainsRune(`"')]»”’`, r)
}

// newItem tells whether a line starts something new: it is blank, a heading,
// a list item, a quotation or a fence.
func newItem(line string) bool {
	line = strings.TrimLeft(line[:min(len(line), 16)], " \t\r")
	if line == "" || line[0] == '\n' || strings.ContainsRune("#-*+>|`~•", rune(line[0])) {
		return true
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return digits > 0 && digits < len(line) && (line[digits] == '.' || line[digits] == ')')
}

// abbreviation tells whether a dot after this is no end.
func abbreviation(before string) bool {
	before = before[max(0, len(before)-12):]
	word := before[strings.LastIndexAny(before, " \t\n(\"'")+1:]
	if len(word) == 1 && unicode.IsUpper(rune(word[0])) && word != "I" {
		return true
	}
	switch strings.ToLower(word) {
	case "mr", "mrs", "ms", "dr", "prof", "st", "jr", "sr", "e.g", "i.e", "vs", "etc", "no", "approx", "cf", "ca", "fig", "inc", "ltd", "u.s", "p":
		return true
	}
	return false
}

// oneLine folds white space and drops control characters.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// shorten cuts at a word so that at most limit characters remain, the ellipsis
// included.
func shorten(s string, limit int) string {
	count := 0
	for i := range s {
		if count == limit {
			return ellipsis(s[:i])
		}
		count++
	}
	return s
}

func ellipsis(s string) string {
	_, last := utf8.DecodeLastRuneInString(s)
	s = s[:len(s)-last]
	if at := strings.LastIndexByte(s, ' '); at > len(s)/2 {
		s = s[:at]
	}
	return strings.TrimRight(s, " ,;:-") + "…"
}
