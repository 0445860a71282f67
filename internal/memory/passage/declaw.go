package passage

import (
	"strings"
	"unicode"

	"moothall/internal/lazyregexp"
)

// Declaw takes the orders out of a foreign text before it is stored. A
// sentence that tries to steer an assistant, or orders something that has an
// effect, is dropped; mild advice to a reader ("visit the museum, which opens
// at nine") becomes a report of it, so that its facts stay; statements stay as
// they are. Comments of HTML, role marks of chat formats and invisible
// characters go as well. It works until nothing changes any more, at most
// eight times over. See the package comment for what it
// cannot do.
func Declaw(text string) string {
	text = visible(text)
	// Taking a mark out can bring the halves of another together.
	for range 8 {
		if !strings.ContainsAny(text, "<[") {
			break
		}
		next := visible(comments.ReplaceAllString(roleMarks.ReplaceAllString(text, " "), " "))
		if next == text {
			break
		}
		text = next
	}
	text = strings.NewReplacer("<!--", " ", "<|", " ", "|>", " ").Replace(text)
	for range 8 {
		next := declawOnce(text)
		if next == text {
			break
		}
		text = next
	}
	return text
}

// declawOnce goes through the sentences. What it leaves may read anew: with
// one clause gone, the next one opens the sentence.
func declawOnce(text string) string {
	var b strings.Builder
	for _, s := range sentences(text) {
		kept := declawSentence(s.of(text))
		if strings.HasSuffix(b.String(), "\n") && strings.Trim(kept, "\n") == "" {
			continue
		}
		b.WriteString(kept)
	}
	return strings.TrimSpace(b.String())
}

var (
	comments  = lazyregexp.New(`(?s)<!--.*?-->`)
	roleMarks = lazyregexp.New(`(?i)<\|[^|<>]{0,40}\|>|</?(?:system|assistant|user|instructions?|tool_call|function_call|important|admin)[^<>]{0,40}>|\[/?(?:INST|SYS|SYSTEM)\]|<</?SYS>>`)
)

// visible drops what a person would not see: control, format and private-use
// characters. A joiner between letters of a script that needs it stays.
func visible(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == 0x200c || r == 0x200d:
			return r
		case r == unicode.ReplacementChar, unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
			return -1
		}
		return r
	}, text)
}

// declawSentence returns the sentence, a report of it, or nothing but its
// line ends.
func declawSentence(s string) string {
	body := strings.TrimRightFunc(s, unicode.IsSpace)
	tail := s[len(body):]
	kept, orders := "", true
	if !steers(words(body)) {
		kept, orders = declawClauses(body)
	}
	switch {
	case orders && kept == "":
		return strings.Repeat("\n", strings.Count(tail, "\n"))
	case orders:
		return kept + "." + tail
	}
	return kept + tail
}

// declawClauses judges the parts of a sentence that could stand alone, and
// tells whether it took anything away. What follows a dangerous order in the
// same sentence belongs to it.
func declawClauses(body string) (string, bool) {
	var kept strings.Builder
	for i, c := range clauses(body) {
		text := c.of(body)
		w := words(text)
		switch judge(w) {
		case order:
			rest := strings.TrimRight(kept.String(), " ,;:-–—\n")
			if len(skipOpeners(words(rest))) == 0 {
				rest = "" // "Assistant:" alone
			}
			return rest, true
		case advice:
			if i > 0 {
				kept.WriteString(text)
				continue
			}
			kept.WriteString(report(text))
		default:
			kept.WriteString(text)
		}
	}
	return kept.String(), false
}

// clauseMarks are where an order can begin in the middle of a sentence.
var clauseMarks = lazyregexp.New(`(?i)[;:]\s+|\s[-–—]+\s|[—–]|\n|,\s+(?:(?:and|but|so)\s+)?(?:please|then|now|you\s|instead|kindly|immediately|assistant|ai\b)|\s(?:and|but|so)\s+(?:please|then|you\s+(?:must|should|have)|now\b|kindly)`)

// clauses cuts a sentence at the marks; a mark's word opens the next clause.
func clauses(body string) []extent {
	var out []extent
	start := 0
	for _, m := range clauseMarks.FindAllStringIndex(body, -1) {
		at := m[0] + strings.IndexFunc(body[m[0]:m[1]], unicode.IsSpace) + 1
		if at <= m[0] { // a dash without spaces
			at = m[1]
		}
		if at > start {
			out = append(out, extent{start, at})
			start = at
		}
	}
	return append(out, extent{start, len(body)})
}

// report turns advice into a statement about it, behind the signs of lists
// and quotations that it opens with.
func report(text string) string {
	mark := text[:max(0, strings.IndexFunc(text, wordRune))]
	rest := openers.ReplaceAllString(text[len(mark):], "")
	if you := "you "; len(rest) > len(you) && strings.EqualFold(rest[:len(you)], you) { // "you should X", "you can X"
		return mark + "The source says that readers " + rest[len(you):]
	}
	if stripped, ok := cutNot(rest); ok {
		return mark + "The source advises readers not to " + lowerFirst(stripped)
	}
	return mark + "The source advises readers to " + lowerFirst(rest)
}

var openers = lazyregexp.New(`(?i)^(?:(?:please|kindly|now|then|just|simply|also|first|next|finally)[\s,]+)+`)

func cutNot(s string) (string, bool) {
	for _, not := range [...]string{"do not ", "don't ", "don’t ", "never "} {
		if len(s) > len(not) && strings.EqualFold(s[:len(not)], not) {
			return s[len(not):], true
		}
	}
	return s, false
}

func lowerFirst(s string) string {
	for i, r := range s {
		return string(unicode.ToLower(r)) + s[i+len(string(r)):]
	}
	return s
}
