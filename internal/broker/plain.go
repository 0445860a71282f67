package broker

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"moothall"
)

// What a plain question to a search engine may have at most besides words
// that the person typed.
const (
	maxQuestion  = 256 // bytes
	maxFresh     = 16  // words
	maxDigits    = 4   // years apart
	maxWordRunes = 24
	maxCodeRunes = 8 // of a word with a digit in it
)

// plainDoubt says why a text is not a plain question; "" when it is one. It
// cannot find everything: who chooses words freely can say anything with them.
// It finds what is quoted, numbers, keys and the encodings of them.
func (s *session) plainDoubt(text string) string {
	const long, code = "is longer than a question", "has a number or code in it that nobody typed"
	if len(text) > maxQuestion {
		return long
	}
	fresh, digits := 0, 0
	for f := range strings.FieldsSeq(text) {
		w := strings.Trim(f, around)
		if w == "" || s.known.hasWord(f) {
			continue
		}
		fresh++
		if !year(w) && !date(w) {
			n := digitsIn(w)
			if digits += n; digits > maxDigits || odd(w, n) {
				return code
			}
		}
	}
	switch {
	case fresh > maxFresh:
		return long
	case s.held.quotes(text, s.known.hasWord):
		return "quotes private text"
	}
	return ""
}

// odd reports whether a word with n digits looks like a code more than like a
// word.
func odd(w string, n int) bool {
	runes, humps, before := 0, 0, rune(0)
	for _, r := range w {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-'’.+#&", r) {
			return true
		}
		if unicode.IsLower(before) && unicode.IsUpper(r) {
			humps++
		}
		runes, before = runes+1, r
	}
	single := runes == 1 && before < utf8.RuneSelf && unicode.IsLetter(before) && !strings.ContainsRune("aAiI", before)
	return single || runes > maxWordRunes || n > 0 && runes > maxCodeRunes || humps > 2
}

func digitsIn(w string) int {
	n := 0
	for _, r := range w {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// year reports whether a word is a year that people ask about.
func year(w string) bool {
	return len(w) == 4 && (w[:2] == "19" || w[:2] == "20") && digitsIn(w[2:]) == 2
}

// date reports whether a word is a day in such a year.
func date(w string) bool {
	_, err := time.Parse(time.DateOnly, w)
	return err == nil && year(w[:4])
}

// told reports whether a call tells its tool nothing but what the person typed
// or a search found: the texts and numbers among the arguments, and the names
// of arguments that the tool does not have.
func (c *call) told(fields map[string]json.RawMessage) bool {
	for name, raw := range fields {
		if !c.toldOne(name, raw) {
			return false
		}
	}
	return true
}

// toldOne is told for one argument.
func (c *call) toldOne(name string, raw json.RawMessage) bool {
	if c.entry.spelling[fold(name)] != name && !c.agent.session.known.knows(name) {
		return false
	}
	var v any
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	return d.Decode(&v) == nil && c.says(v)
}

// says is told for one value.
func (c *call) says(v any) bool {
	known := &c.agent.session.known
	switch v := v.(type) {
	case string:
		return v == "" || known.knows(v)
	case json.Number:
		return known.knows(v.String())
	case []any:
		return !slices.ContainsFunc(v, func(e any) bool { return !c.says(e) })
	case map[string]any:
		for k, e := range v {
			if !known.knows(k) || !c.says(e) {
				return false
			}
		}
	}
	return true
}

// finds reports whether a tool asks the person's search engine.
func (b *Broker) finds(spec moothall.ToolSpec) bool {
	return builtIn(spec) && slices.Contains(b.opt.Finds, spec.Name)
}
