package library

import (
	"regexp"
	"slices"
	"strings"
)

// What an entry must have of a question to be taken. The figures were found
// on the questions of the package's test, which says how well they do.
const (
	minNamed   = 0.28 // coverage, when the question names the whole subject
	minOneOf   = 0.40 // the same of a subject that shares its name with others
	minPartly  = 0.45 // coverage, when it names half of it or more
	minCovered = 0.72 // coverage, when it does not
	minFirm    = 0.60 // coverage by its name and the questions that it answers
	minMass    = 7.00 // and how rare those words must be, together
	minAlike   = 0.70 // likeness to a question that the entry answers
	minApart   = 0.55 // the same of a distance: few entries tell one
	minShare   = 0.50 // of a subject, from which it is named partly
	minBeside  = 0.80 // of the best entry's score, for a further one
	nearFirst  = 8    // entries that are looked through for the question itself
	textWorth  = 0.8  // how far a term covers that stands in the text alone
)

// middling is a score of BM25 that is written as one half.
const middling = 10.0

// Find returns the entries that fit a question, best first, most of them at
// most. It returns none when nothing fits.
func (l *Library) Find(question string, most int) []Entry { return l.FindAfter(question, "", most) }

// FindAfter is [Library.Find] for a question in a conversation: before is the
// question before, on a line of its own, and the words of its answer. It counts
// only for a question that does not stand alone.
func (l *Library) FindAfter(question, before string, most int) []Entry {
	lead, question := focus(begin(question))
	before = strings.TrimSpace(advice.ReplaceAllString(begin(before), "") + "\n" + lead)
	words := ofAll(wordsOf(question))
	if most <= 0 || len(words) == 0 || conversion(words) {
		return nil
	}
	s := l.load()
	q := asked{
		own: s.index.look(s.index.proper(words, question)), pairs: pairs(words), plain: s.index.look(plain(words)),
		points: one(words, pointing), means: one(words, meaning), chooses: chooses(words), distance: distance(words), whose: whose(words, question),
	}
	if before != "" && q.whose == ours && (q.points || follows(words, len(q.own))) {
		if whoseWas(before) != ours && goesOn(words) {
			return nil // the time in New York, after that in Sydney
		}
		q.after(s.index, before, words)
	}
	if e, ok := s.whole(q, words); ok {
		return []Entry{e}
	}
	return s.take(s.rank(q), q, words, most)
}

// advice is how an answer ends that is none: what it names is not what was spoken of.
var advice = regexp.MustCompile(`(?is)\b(?:I am|I'm) the very small model\b.*|\b(?:a|for a) larger model\b.*|\binstall ollama\b.*`)

// whole finds the entry whose own question this is, wherever it would rank: the
// tallest mountain in the world stands in many texts before the right one.
func (s *shelf) whole(q asked, words []string) (Entry, bool) {
	at, ok := s.own.find(words)
	if !ok || q.whose != ours || q.chooses || yonder(words) && len(q.past) > 0 {
		return Entry{}, false
	}
	e, ok := s.entry(at)
	if e.find(words); !ok || !e.Asked {
		return Entry{}, false
	}
	e.Score = 0.99
	return e, true
}

// after adds what was said before, unless that was no library's business: its
// first line is the question, which tells.
func (q *asked) after(ix *index, before string, words []string) {
	if whoseWas(before) != ours {
		return
	}
	q.past = without(ix.look(wordsOf(before)), q.own)
	q.more = more(words)
}

// whoseWas is whose business the question before was.
func whoseWas(before string) business {
	first, _, _ := strings.Cut(before, "\n")
	_, first = focus(first)
	return whose(wordsOf(first), first)
}

// wordsOf returns the words of a question, with short names of countries
// written out.
func wordsOf(text string) []string {
	words := divide(expand(text))
	return words[:min(len(words), maxWords)]
}

// expand writes out names that are no words of their own. In small letters
// "us" is one.
func expand(text string) string {
	if !strings.Contains(text, "U") && !strings.Contains(text, "u") {
		return text
	}
	return shortNames.Replace(" " + text + " ")
}

var shortNames = strings.NewReplacer(
	" US ", " United States ", " US?", " United States", " US.", " United States", " US'", " United States '", "U.S.A.", "United States", "U.S.", "United States",
	" USA", " United States", " usa ", " united states ", " usa?", " united states", " UK", " United Kingdom", " uk ", " united kingdom ", " uk?", " united kingdom",
	"U.K.", "United Kingdom", " UAE", " United Arab Emirates",
)

// asked is what is looked for.
type asked struct {
	own  []sought // the content of the question
	past []sought // of what was said before, for a question that needs it
	// plain are those of its words that are no names where they stand.
	plain []sought
	// pairs are content words that stand beside each other.
	pairs []string
	more  bool // it asks for more of the same
	named bool // question and past name a whole subject
	// points says that the question may mean something that it does not
	// name, means that it does.
	points, means bool
	chooses       bool // it asks which one of what was said before
	distance      bool // it asks how far it is between two places
	whose         business
}

// take keeps those that fit.
func (s *shelf) take(list []candidate, q asked, words []string, most int) []Entry {
	var out []Entry
	best := 0.0
	q.named = slices.ContainsFunc(list, func(c candidate) bool { return c.past > 0.99 })
	if i := s.asked(list, q, words); i > 0 {
		list = slices.Concat(list[i:i+1], list[:i], list[i+1:])
	}
	for _, c := range list {
		if len(out) == most || c.score < minBeside*best {
			break
		}
		if !s.fits(&c, q) && (len(q.past) == 0 || !c.follows(q)) {
			continue
		}
		if e, ok := s.entry(c.entry); ok {
			best = max(best, c.score)
			e.Score = c.score / (c.score + middling)
			e.find(words)
			out = append(out, e)
		}
	}
	return out
}

// asked finds an entry that has this very question, among the first few.
func (s *shelf) asked(list []candidate, q asked, words []string) int {
	return slices.IndexFunc(list[:min(len(list), nearFirst)], func(c candidate) bool {
		if !s.fits(&c, q) {
			return false
		}
		e, ok := s.entry(c.entry)
		return ok && e.asks(words) >= 0
	})
}

// quotes reports whether an entry has two words of the question beside each
// other, as names have them: single words are in many texts.
func (s *shelf) quotes(entry int, q asked) bool {
	e, _ := s.entry(entry)
	text := strings.ToLower(e.Text)
	return slices.ContainsFunc(q.pairs, func(p string) bool { return strings.Contains(text, p) })
}

// fits reports whether a question is about the entry.
func (s *shelf) fits(c *candidate, q asked) bool {
	e := &s.cards[c.entry]
	switch {
	case q.chooses, q.distance && c.alike < minApart:
		return false
	case q.whose != ours:
		// Only an entry that says itself that it answers this.
		return c.alike >= minAlike && c.matched > 1 && (q.whose == theirs || slices.Contains(e.tags, manual))
	case c.alike >= minAlike && c.matched > 1 && len(q.past) == 0:
		return true
	case c.share < minShare && (q.means || q.points && len(q.past) > 0):
		return false // it is about what was said before, or about nothing
	case c.alike >= minAlike:
		return true
	case c.share > 0.99 && e.name == subject(e.name):
		return c.cover >= minNamed
	case c.share > 0.99:
		return c.cover >= minOneOf
	case c.share >= minShare:
		return c.cover >= minPartly
	}
	return c.firm >= minFirm && c.mass >= minMass && len(q.own) > 1 || c.cover >= minCovered && (c.matched > 2 || s.quotes(c.entry, q))
}

// follows reports whether a question that needs what was said before is about
// the entry: the conversation was, and the entry has what is asked for.
func (c *candidate) follows(q asked) bool {
	about := c.past > 0.99 || c.before >= minCovered && !q.named
	return about && !q.distance && (c.matched > 0 || q.points && (len(q.own) > 0 || c.past > 0.99) || q.more && len(q.own) == 0)
}
