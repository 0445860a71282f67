package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// short are abbreviations whose full stop ends no sentence.
var short = words(`e.g i.e etc vs cf al approx ca dr mr mrs ms prof st jr sr inc ltd corp est dept incl excl resp a.m p.m
	u.s u.k z.b d.h u.a bzw usw vgl ggf evtl inkl sog`)

// counting are those that are abbreviations only before a number: "No. 5".
var counting = words(`no nos nr fig eq sec ch vol pp p ed v ver jan feb mar apr jun jul aug sep sept oct nov dec`)

func words(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}

// Sentences returns the first n sentences of a text, in one line of words.
// It knows abbreviations, decimals, versions, paths and quotation marks; what
// it is unsure of it does not take for an end.
func Sentences(text string, n int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	ends := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !strings.ContainsRune(".!?…。！？", r) {
			i += size
			continue
		}
		next := i + size
		for next < len(text) { // "?!", "...", a closing quotation mark
			c, width := utf8.DecodeRuneInString(text[next:])
			if !strings.ContainsRune(".!?…。！？\"'”’»)]", c) {
				break
			}
			next += width
		}
		if closes(text, i, next, r) {
			if ends++; ends == n {
				return text[:next]
			}
		}
		i = next
	}
	return text
}

// closes reports whether the mark at i, whose run ends at next, ends a
// sentence.
func closes(text string, i, next int, mark rune) bool {
	if strings.ContainsRune("。！？", mark) || next >= len(text) {
		return true
	}
	if text[next] != ' ' { // 3.14, main.go, example.org
		return false
	}
	after, _ := utf8.DecodeRuneInString(text[next+1:])
	if unicode.IsLower(after) {
		return false
	}
	if mark != '.' {
		return true
	}
	word := strings.ToLower(lastWord(text[:i]))
	if short[word] || initial(text[:i]) || counting[word] && unicode.IsDigit(after) {
		return false
	}
	// "3. October" in a list, but "It was 2024. Then" ends.
	return !number(word) || len(word) > 2
}

func lastWord(s string) string {
	if at := strings.LastIndexByte(s, ' '); at >= 0 {
		s = s[at+1:]
	}
	return strings.TrimLeft(s, "(\"'“‘«[")
}

// initial reports whether a text ends with a single capital: "J. Smith".
func initial(s string) bool {
	w := []rune(lastWord(s))
	return len(w) == 1 && unicode.IsUpper(w[0]) && w[0] != 'I'
}

func number(w string) bool {
	return w != "" && strings.IndexFunc(w, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
}

// Clip cuts a text to so many bytes, between characters.
func Clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	const dots = "…"
	cut := max(0, most-len(dots))
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return strings.TrimSpace(s[:cut]) + dots
}
