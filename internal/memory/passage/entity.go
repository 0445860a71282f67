package passage

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall/internal/lazyregexp"
)

// Kinds of entities.
const (
	Person       = "person"
	Place        = "place"
	Organisation = "organisation"
	Date         = "date"
	Thing        = "thing" // a name whose kind the words beside it do not tell
)

// Entity is something that a text names.
type Entity struct {
	Name string
	Kind string
}

// maxEntities bounds what one text can name.
const maxEntities = 256

// Entities lists the names and dates in a text, each once, in the order in
// which they first occur. A kind once told by context holds for every mention.
func Entities(text string) []Entity {
	var out []Entity
	at := map[string]int{}
	text = looked(text)
	for _, s := range sentences(text) {
		for _, e := range named(s.of(text)) {
			i, seen := at[e.Name]
			switch {
			case !seen && len(out) < maxEntities:
				at[e.Name] = len(out)
				out = append(out, e)
			case seen && out[i].Kind == Thing:
				out[i].Kind = e.Kind
			}
		}
	}
	return out
}

// named lists the entities of one sentence.
func named(s string) []Entity {
	var out []Entity
	for _, d := range dates.FindAllString(s, -1) {
		out = append(out, Entity{oneLine(d), Date})
	}
	s = dates.ReplaceAllString(s, " ; ")
	list := strings.Fields(s)
	for i := 0; i < len(list); {
		n := nameLength(list, i)
		if n == 0 {
			i++
			continue
		}
		if e, ok := newEntity(list, i, n); ok {
			out = append(out, e)
		}
		i += n
	}
	return out
}

// dates are the forms of calendar dates that stand for themselves.
var dates = lazyregexp.New(`\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}(?:st|nd|rd|th)? (?:of )?` + months + `,?(?: \d{4})?|` + months + ` \d{1,2}(?:st|nd|rd|th)?(?:, ?\d{4})?|` + months + `,? \d{4})\b`)

const months = `(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\.?`

// nameLength counts the words from i on that are one name.
func nameLength(list []string, i int) int {
	n := 0
	for i+n < len(list) && n < 6 {
		word := list[i+n]
		bare := trimWord(word)
		switch {
		case capital(bare) && !never(bare):
			n++
		case n > 0 && i+n+1 < len(list) && particle(word) && capital(trimWord(list[i+n+1])) && !never(trimWord(list[i+n+1])):
			n++
			continue
		default:
			return n
		}
		if closes(word) {
			return n
		}
	}
	return n
}

// closes tells whether a name cannot go on after this word: a mark or a
// possessive follows it.
func closes(word string) bool {
	bare := trimWord(word)
	rest := word[strings.Index(word, bare)+len(bare):]
	return rest != "" && !(rest == "." && titles[strings.ToLower(bare)])
}

func trimWord(w string) string {
	w = strings.TrimFunc(w, func(r rune) bool { return !wordRune(r) })
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	return w
}

func capital(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

// never are capitalised words that are no names.
func never(w string) bool {
	if w == "I" || strings.HasPrefix(w, "I'") || strings.HasPrefix(w, "I’") {
		return true
	}
	return empty(strings.ToLower(w)) || noNames[strings.ToLower(w)]
}

func particle(w string) bool {
	return slices.Contains([]string{"of", "de", "da", "van", "von", "der", "del", "la", "the"}, w)
}

// newEntity decides whether the words are a name, and of what kind.
func newEntity(list []string, i, n int) (Entity, bool) {
	parts := make([]string, n)
	for k := range parts {
		parts[k] = trimWord(list[i+k])
	}
	title := titles[strings.ToLower(parts[0])]
	if title && n > 1 {
		parts = parts[1:]
	}
	before, after := neighbour(list, i-1), neighbour(list, i+n)
	name := strings.Join(parts, " ")
	kind := kindOf(parts, before, after, title, strings.HasSuffix(list[i+n-1], "'s") || strings.HasSuffix(list[i+n-1], "’s"))
	// A capital that opens a sentence proves nothing without a context.
	if i == 0 && len(parts) == 1 && kind == Thing && !nameShaped(name) {
		return Entity{}, false
	}
	return Entity{name, kind}, utf8.RuneCountInString(name) > 1
}

// nameShaped tells whether a word is a name by its letters alone: an acronym
// or a word with a capital inside.
func nameShaped(w string) bool {
	_, first := utf8.DecodeRuneInString(w)
	return strings.ContainsFunc(w[first:], unicode.IsUpper)
}

func neighbour(list []string, i int) string {
	if i < 0 || i >= len(list) {
		return ""
	}
	return strings.ToLower(trimWord(list[i]))
}

func kindOf(parts []string, before, after string, title, possessive bool) string {
	last := strings.ToLower(parts[len(parts)-1])
	switch {
	case title || kin[before]:
		return Person
	case orgWords[last]:
		return Organisation
	case placeWords[last] || places[strings.ToLower(strings.Join(parts, " "))]:
		return Place
	case employer[before]:
		return Organisation
	case before == "in" || before == "near":
		return Place
	case nameShaped(parts[0]):
		return Thing
	case personVerbs[after] || greeting[before] || possessive && len(parts) <= 2 && before == "":
		return Person
	}
	return Thing
}
