package library

import (
	"strings"
	"unicode"

	"moothall/internal/memory/terms"
)

// maxWords is how many words of a question are looked at: the longest that
// people ask is far shorter, and what was piped in is not a question.
const maxWords = 200

// maxBytes is the same in bytes.
const maxBytes = 4000

// begin is a text as far as it is looked at.
func begin(text string) string { return strings.ToValidUTF8(text[:min(len(text), maxBytes)], " ") }

// each calls f with the words of a text in small letters: letters, digits, and
// the signs that belong to names such as C++ and C#.
func each(text string, f func(word string)) {
	text = strings.ToLower(text)
	from := -1
	for i, r := range text {
		switch inWord := part(r); {
		case inWord && from < 0:
			from = i
		case !inWord && from >= 0:
			f(text[from:i])
			from = -1
		}
	}
	if from >= 0 {
		f(text[from:])
	}
}

// part reports whether a sign is part of a word.
func part(r rune) bool {
	if r < unicode.MaxASCII {
		return 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '+' || r == '#'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// divide returns the words of a text.
func divide(text string) (out []string) {
	each(text, func(w string) { out = append(out, w) })
	return out
}

// term is what a word is found by. A sign alone is found by nothing.
func term(word string) string {
	if strings.Trim(word, "+#") == "" {
		return ""
	}
	if same, ok := alikes[word]; ok {
		word = same
	}
	return terms.Term(word)
}

// alikes are words that ask for the same as another, or are spelt otherwise:
// each line has first what the others are taken for.
var alikes = func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(`invented inventor inventors invention inventions
		discovered discoverer discovery discoveries
		wrote write writes written writer author authors
		painted painter painting paint paints
		composed composer composers
		founded founder founders
		built build builds builder builders
		designed architect designer
		population inhabitants inhabitant populous
		currency money
		largest biggest bigger larger
		highest tallest
		die died dies death dead
		born birth birthplace birthday
		colour color colors colours
		metre meter meters metres
		kilometre kilometer kilometers kilometres km
		centimetre centimeter centimeters centimetres cm
		litre liter liters litres
		kilogram kilograms kg kilo kilos
		aluminium aluminum
		sulfur sulphur
		grey gray
		neighbour neighbor neighbors neighbours
		centre center
		theatre theater
		tyre tire
		flavour flavor
		football soccer
		film movie movies
		lorry truck
		licence license`) {
		words := strings.Fields(line)
		for _, w := range words[1:] {
			m[w] = words[0]
		}
	}
	return m
}()

// idle are words that do not tell what a question is about.
var idle = set(`a about actually again all also am an and another any anybody anyone anything are aren as at be because been
	before being best both briefly but by can cannot could couldn d describe detail details did didn do does doesn doing don
	done each either else ever every exactly explain fine explanation for from generally get give gives go good got had has hasn have haven
	having he hello help her here hers hey hi him his how however i if in into is isn it its just kindly know known let like ll
	lot m many may maybe me mean meaning means might mine more most much must my name named need no nor not now of off ok okay on
	one ones only or other our ours out over own please quick quickly quite re really s same say shall she short should shouldn
	simple simply so some somebody someone something still such sure t tell than thank thanks that the their theirs them then
	there these they thing things this those to too understand up us ve very want was wasn way we well were weren what which
	whichever while who whom whose why will with won word words would wouldn yes yet you your yours when where mind wonder
	wondering curious info information called refer refers define definition learn happen happens whats hows wheres whos
	interested`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// pairs returns the content words that stand beside each other in a question.
func pairs(words []string) []string {
	var out []string
	for i := 1; i < len(words); i++ {
		if !idle[words[i-1]] && !idle[words[i]] {
			out = append(out, words[i-1]+" "+words[i])
		}
	}
	return out
}

// plain returns the words of a question that stand where no name does: "the
// holiday", "to cook".
func plain(words []string) []string {
	var out []string
	for i := 1; i < len(words); i++ {
		if leading[words[i-1]] {
			out = append(out, words[i])
		}
	}
	return out
}

// leading are words that a name does not follow.
var leading = set(`i to do a an my the your we you our this that`)
