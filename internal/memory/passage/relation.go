package passage

import (
	"slices"
	"strings"

	"moothall/internal/lazyregexp"
)

// Speaker stands for whoever says the text, where it says "I", "we" or "my".
const Speaker = "speaker"

// Relation is one fact that a sentence states. When is the time that the
// sentence gives, in its own words, or "".
type Relation struct {
	Subject  string
	Relation string
	Object   string
	When     string
}

// maxRelations bounds what one text can state.
const maxRelations = 128

// Relations reads the facts that the sentences of a text state in one of the
// known forms. Questions, negations and conditions state nothing.
func Relations(text string) []Relation {
	var out []Relation
	text = looked(text)
	for _, s := range sentences(text) {
		line := oneLine(s.of(text))
		if unstated.MatchString(line) || strings.HasSuffix(line, "?") {
			continue
		}
		for _, r := range stated(line) {
			if !slices.Contains(out, r) && len(out) < maxRelations {
				out = append(out, r)
			}
		}
	}
	return out
}

// unstated sentences tell of what might be.
var unstated = lazyregexp.New(`(?i)^(?:if|unless|maybe|perhaps|imagine|suppose|when|would)\b|\b(?:wish|hoped? (?:to|that)|dream of|would (?:like|love)|might|could have|if only)\b`)

// stated lists what one sentence states.
func stated(line string) []Relation {
	var out []Relation
	line = contractions.Replace(line)
	when := oneLine(times.FindString(line))
	said := words(line)
	for _, f := range forms {
		if !anyOf(said, f.cues) {
			continue // the expressions are dear
		}
		for _, m := range f.re.FindAllStringSubmatch(line, 4) {
			r := Relation{Relation: f.relation, When: when}
			for i, name := range f.re.SubexpNames() {
				switch name {
				case "s":
					r.Subject = who(m[i])
				case "o":
					r.Object = what(m[i])
				case "r":
					r.Relation = kinWord(m[i])
				}
			}
			if f.relation == "favourite" {
				r.Relation = "favourite " + r.Relation
			}
			if r.Subject != "" && r.Object != "" && r.Subject != r.Object {
				out = append(out, r)
			}
		}
	}
	return out
}

// contractions writes out the one shortened form that subjects stand in.
var contractions = strings.NewReplacer("I'm ", "I am ", "I’m ", "I am ", "I've ", "I have ", "I’ve ", "I have ")

// who names a subject: the speaker, a name, or a relative of the speaker.
func who(s string) string {
	s = strings.Trim(s, " ,")
	lower := strings.ToLower(s)
	switch lower {
	case "i", "we", "my", "our":
		return Speaker
	}
	if rest, ok := strings.CutPrefix(lower, "my "); ok {
		if _, name, found := strings.Cut(s[3:], " "); found && capital(name) {
			return name
		}
		return Speaker + "'s " + kinWord(rest)
	}
	if i := strings.IndexAny(s, " "); never(s) || i >= 0 && never(s[:i]) {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSuffix(s, "'s"), "’s")
}

// lately says that something is so by now, which every fact says, or since a month
// of nobody knows which year.
var lately = lazyregexp.New(`\s+(?:(?i:now|by now|right now|nowadays|these days|at the moment|currently)|(?:in|since|until) ` + months + `)[\s.!]*$`)

// what names an object: the words up to where the next thought begins.
func what(s string) string {
	s = lately.ReplaceAllString(times.ReplaceAllString(s, ""), "")
	if m := thought.FindStringIndex(s); m != nil {
		s = s[:m[0]]
	}
	s = strings.Trim(s, " .,;:!\"()")
	for _, a := range [...]string{"a ", "an ", "the ", "my ", "our ", "really ", "very much "} {
		if len(s) > len(a) && strings.EqualFold(s[:len(a)], a) {
			s = s[len(a):]
		}
	}
	if empty(strings.ToLower(s)) && !capital(s) {
		return ""
	}
	return shorten(s, 60)
}

var thought = lazyregexp.New(`[,;:.!]|\s(?:and|but|because|so|which|who|where|when|while|since|after|before|for|with|as|although|though|until|if|that)\s`)

// kinWord brings the words for relatives to one form.
func kinWord(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "mom", "mum":
		return "mother"
	case "dad":
		return "father"
	case "neighbor":
		return "neighbour"
	}
	return s
}
