package library

import (
	"hash/maphash"
	"regexp"
	"slices"
	"strings"
)

// fillers are words without which a question still asks the same.
var fillers = set("a an the is are was were do does did of s please hi hello hey me tell what whats i you we they there in which has have had")

// forms are words that say in a question what another says.
var forms = map[string]string{
	"biggest": "largest", "tallest": "highest", "big": "large", "tall": "high", "run": "flow", "movie": "film",
	"kilometer": "kilometre", "meter": "metre", "soccer": "football", "ii": "2", "color": "colour",
}

// makers are nouns for who did something.
var makers = map[string]string{
	"author": "wrote", "writer": "wrote", "inventor": "invented", "discoverer": "discovered", "painter": "painted", "composer": "composed",
	"director": "directed", "founder": "founded", "creator": "created", "designer": "designed",
}

// core is what two questions must have in common, word by word, to be the same:
// all but their fillers. What is left stands as it was asked: with no, or with
// a year, it is another question. The person whom they are about goes by the
// last name as well as by all of them; with some of them it may be another.
func core(words, person []string) []string {
	words = identity(words)
	var first []string
	if len(person) > 0 && contains(words, person) {
		first = person[:len(person)-1]
	}
	var out []string
	for _, w := range words {
		if fillers[w] || slices.Contains(first, w) {
			continue
		}
		w = singular(w)
		if same, ok := forms[w]; ok {
			w = same
		}
		out = append(out, w)
	}
	return out
}

// questions are those of all entries by their core, each with the one entry that
// has it. What several have is not there.
type questions struct {
	seed  maphash.Seed
	entry map[uint64]int32
}

const several = -1

func newQuestions() questions { return questions{maphash.MakeSeed(), map[uint64]int32{}} }

func (q questions) key(words []string) uint64 {
	return maphash.String(q.seed, strings.Join(core(words, nil), " "))
}

func (q questions) add(question string, entry int) {
	k := q.key(ofAll(wordsOf(question)))
	if other, ok := q.entry[k]; ok && other != int32(entry) {
		entry = several
	}
	q.entry[k] = int32(entry)
}

func (q questions) find(words []string) (int, bool) {
	entry, ok := q.entry[q.key(words)]
	return int(entry), ok && entry != several
}

// defined reports whether a question asks for no more than what the entry is
// about: "What is Mount Everest?"
func (e *Entry) defined(words []string) bool {
	words = unpolite(words)
	for _, lead := range definitions {
		if rest, ok := cut(words, lead...); ok {
			return len(rest) > 0 && slices.Equal(bare(rest), bare(divide(subject(e.Name))))
		}
	}
	return false
}

// definitions are how one asks what something is, the longer ones first.
var definitions = [][]string{
	{"what", "do", "you", "know", "about"}, {"tell", "me", "something", "about"}, {"tell", "me", "what"}, {"tell", "me", "about"}, {"do", "you", "know"}, {"explain", "to", "me"}, {"explain"}, {"describe"}, {"define"},
	{"what", "is"}, {"what", "are"}, {"what", "was"}, {"what", "were"}, {"what", "s"}, {"whats"}, {"who", "is"}, {"who", "was"}, {"who", "are"}, {"who", "were"}, {"who", "s"}, {"whos"},
}

// bare leaves an article out, and the is of "tell me what a geyser is".
func bare(words []string) []string {
	if len(words) > 1 && (words[0] == "the" || words[0] == "a" || words[0] == "an") {
		words = words[1:]
	}
	if n := len(words) - 1; n > 0 && (words[n] == "is" || words[n] == "are") {
		words = words[:n]
	}
	return words
}

// A full stop after these ends no sentence: an abbreviation, and the letter of a
// name, which stands after another name or letter, or before one ("J. K. Rowling").
var (
	abbreviation = regexp.MustCompile(`(?:^|\s)(?:St|Dr|Mt|Mr|Mrs|Jr|[A-Z]\S* [A-HJ-UW-Z])$`)
	initial      = regexp.MustCompile(`(?:^|\s)[A-Z]$`)
	nextInitial  = regexp.MustCompile(`^[A-Z]\. `)
)

// opening is the first sentence of a text.
func opening(text string) string {
	for at := 0; ; {
		i := strings.Index(text[at:], ". ")
		if i < 0 {
			return text
		}
		end := at + i
		at = end + 2
		if !abbreviation.MatchString(text[:end]) && !(initial.MatchString(text[:end]) && nextInitial.MatchString(text[at:])) {
			return text[:end+1]
		}
	}
}

// asks finds a question among the entry's own, and returns -1 where it is none
// of them.
func (e *Entry) asks(words []string) int {
	var person []string
	if slices.Contains(e.Tags, "person") {
		person = divide(e.Name)
	}
	q := core(words, person)
	if len(q) == 0 {
		return -1
	}
	return slices.IndexFunc(e.Asks, func(a [2]string) bool { return slices.Equal(q, core(ofAll(wordsOf(a[0])), person)) })
}

// contains reports whether words have all of some others.
func contains(words, all []string) bool {
	return !slices.ContainsFunc(all, func(w string) bool { return !slices.Contains(words, w) })
}

// identity writes a question for who or what something is like the bare phrase:
// "who is the god of thunder", "god of thunder"; and the author of a book like
// who wrote it.
func identity(words []string) []string {
	if len(words) > 2 && words[0] == "who" && (words[1] == "is" || words[1] == "was" || words[1] == "s" || words[1] == "are" || words[1] == "were") {
		words = words[2:]
	}
	for i, w := range words {
		if did, ok := makers[w]; ok && i+1 < len(words) && words[i+1] == "of" {
			return append([]string{"who", did}, words[i+2:]...)
		}
		if !fillers[w] {
			break
		}
	}
	return words
}

// ofAll leaves out that something is the largest "on Earth", or "in the world":
// the largest of all is meant in any case, and the Earth is not.
func ofAll(words []string) []string {
	superlative := func(w string) bool { return w == "most" || w == "best" || len(w) > 5 && strings.HasSuffix(w, "est") }
	for _, tail := range [][]string{{"on", "earth"}, {"in", "the", "world"}, {"of", "the", "world"}} {
		if rest := len(words) - len(tail); rest > 1 && slices.Equal(words[rest:], tail) && slices.ContainsFunc(words[:rest], superlative) {
			return words[:rest]
		}
	}
	return words
}

// singular takes the s of a plural away. What has no vowel is no word but
// letters, of which each counts: HTTPS is not HTTP.
func singular(w string) string {
	if len(w) < 4 || !strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is") || !strings.ContainsAny(w, "aeiou") {
		return w
	}
	return strings.TrimSuffix(w, "s")
}
