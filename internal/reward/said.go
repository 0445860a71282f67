package reward

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"moothall"
	"moothall/internal/lazyregexp"
)

const (
	longest = 240 // characters of a text that may be feedback
	thumbUp = "👍"
	thumbDn = "👎"
)

// Said reports whether a person's words are feedback on the answer before
// them, and which, by rules alone. The query that it speaks of is left for the
// caller to fill in. It prefers to miss feedback over inventing it; ask it
// about words that follow an answer, not about the first of a conversation.
func Said(text string) (moothall.Feedback, bool) {
	text = strings.TrimSpace(text)
	f := moothall.Feedback{Comment: text, Said: true}
	switch thumb(text) {
	case 1:
		f.Thumbs = 1
		return f, true
	case -1:
		f.Thumbs = -1
		return f, true
	}
	if !mayBeSaid(text) {
		return moothall.Feedback{}, false
	}
	parts, ok := clauses(text)
	switch {
	case !ok:
	case isNegative(parts):
		f.Thumbs = -1
		return f, true
	case isPositive(parts):
		f.Thumbs = 1
		return f, true
	}
	return moothall.Feedback{}, false
}

// thumb reads a text that is nothing but thumbs.
func thumb(text string) int {
	bare := strings.Map(func(r rune) rune {
		if r >= 0x1F3FB && r <= 0x1F3FF || r == 0xFE0F || unicode.IsSpace(r) { // tones of skin, form of display
			return -1
		}
		return r
	}, short(text, longest))
	switch {
	case bare == "":
		return 0
	case strings.ReplaceAll(bare, thumbUp, "") == "":
		return 1
	case strings.ReplaceAll(bare, thumbDn, "") == "":
		return -1
	}
	return 0
}

// mayBeSaid leaves out what is too long, cited, or code.
func mayBeSaid(text string) bool {
	switch {
	case text == "" || len(text) > 4*longest || utf8.RuneCountInString(text) > longest:
		return false
	case strings.Count(text, "\n") > 3 || strings.HasPrefix(text, ">") || strings.Contains(text, "\n>"):
		return false
	}
	return !strings.ContainsAny(text, "`{}<>=|")
}

// clause is a piece of a text between marks: words in small letters without
// accents and apostrophes, and the mark that ends it.
type clause struct {
	words    string
	mark     rune // 0 at the end of the text
	question bool // its sentence ends in a question mark
}

// clauses divides a text. Quotations become a word that fits no rule; the
// second result is false when one is not closed.
func clauses(text string) ([]clause, bool) {
	text, ok := unquote(fold(text))
	if !ok {
		return nil, false
	}
	var out []clause
	var words strings.Builder
	runes := []rune(text)
	end := func(mark rune) {
		if w := strings.Join(strings.Fields(words.String()), " "); w != "" {
			out = append(out, clause{words: w, mark: mark})
		} else if n := len(out); n > 0 && mark != 0 && mark != ',' {
			out[n-1].mark = stronger(out[n-1].mark, mark)
		}
		words.Reset()
	}
	for i, r := range runes {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			words.WriteRune(r)
		case r == '\'':
		case isMark(r) && !inside(runes, i):
			end(r)
		default:
			words.WriteRune(' ')
		}
	}
	end(0)
	markQuestions(out)
	return out, true
}

// stronger keeps the question of "?!" and "!?".
func stronger(a, b rune) rune {
	if a == '?' || b == '?' {
		return '?'
	}
	if a == '!' || b == '!' {
		return '!'
	}
	return b
}

func isMark(r rune) bool {
	return strings.ContainsRune(".,;:!?…\n—–", r)
}

// inside reports whether a mark stands within a number or a name: 3.5, v1.2.
func inside(runes []rune, i int) bool {
	if runes[i] != '.' && runes[i] != ',' && runes[i] != ':' || i == 0 || i+1 == len(runes) {
		return false
	}
	a, b := runes[i-1], runes[i+1]
	return unicode.IsDigit(a) && unicode.IsDigit(b) || runes[i] == '.' && unicode.IsLetter(a) && unicode.IsLetter(b)
}

// markQuestions carries a question mark back to the beginning of its sentence.
func markQuestions(all []clause) {
	asked := false
	for i := len(all) - 1; i >= 0; i-- {
		switch all[i].mark {
		case '?':
			asked = true
		case '.', '!', '…', '\n', 0:
			asked = false
		}
		all[i].question = asked
	}
}

// fold makes letters small and takes their accents off.
func fold(text string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(strings.ToLower(text)) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == '’' || r == '‘' || r == '´' || r == 'ʼ':
			b.WriteByte('\'')
		case strings.ContainsRune("“”„«»", r):
			b.WriteByte('"')
		case r == '¡' || r == '¿':
			b.WriteByte(' ')
		case r == 'ß':
			b.WriteString("ss")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// cited stands for a quotation; no rule knows it.
const cited = " qqcitedqq "

// singleQuoted finds a quotation between apostrophes: one opens before a word,
// another closes after one.
var singleQuoted = lazyregexp.New(`(?s)(?:^|[\s(])'\pL.*[\pL.!?,]'(?:$|[\s.,!?;:)])`)

// unquote replaces what stands between quotation marks. Between apostrophes
// it cannot be told which one closes: such a text is given up.
func unquote(s string) (string, bool) {
	parts := strings.Split(s, `"`)
	if len(parts)%2 == 0 || singleQuoted.MatchString(s) {
		return "", false
	}
	for i := 1; i < len(parts); i += 2 {
		parts[i] = cited
	}
	return strings.Join(parts, ""), true
}
