package library

import (
	"cmp"
	"slices"
	"strings"
)

// candidates is how many of the best by score are looked at closely.
const candidates = 24

// pastShare is how much a word of what was said before counts.
const pastShare = 0.35

// candidate is an entry that may fit.
type candidate struct {
	entry   int
	score   float64
	cover   float64 // of the question's own content
	matched int     // its terms that the entry has
	firm    float64 // coverage by name and questions alone
	mass    float64 // and the rarity of what they have
	before  float64 // the same of what was said before
	share   float64 // of the subject that the question names
	past    float64 // of the subject that question and past name
	alike   float64 // how near the question is to one that the entry answers
}

// rank scores every entry that has a term of the question, and returns the
// best.
func (s *shelf) rank(q asked) []candidate {
	found := make([]candidate, len(s.cards))
	s.weigh(found, q.own, 1, (*candidate).have)
	s.weigh(found, q.past, pastShare, func(c *candidate, part, _ float64, _ field) { c.before += part })
	var list []candidate
	for i := range found {
		if found[i].score > 0 {
			found[i].entry = i
			list = append(list, found[i])
		}
	}
	// The order among equals is that of the entries, so that it stays.
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	list = list[:min(len(list), candidates)]
	for i := range list {
		s.judge(&list[i], q)
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return list
}

// judge says how much of an entry's subject is named, and raises its score by
// that: a subject that is named is more likely meant than one whose text
// happens to have the words.
func (s *shelf) judge(c *candidate, q asked) {
	c.share = s.index.named(c.entry, q.own)
	if c.share < 0.99 && compound(subject(s.cards[c.entry].name)) {
		c.share = 0
	}
	if s.surname(c.entry, q.own, q.plain) {
		c.share = max(c.share, minShare)
	}
	c.past = c.share
	if len(q.past) > 0 {
		c.past = max(c.past, s.index.named(c.entry, q.own, q.past))
		if s.surname(c.entry, q.past, nil) {
			c.past = 1 // a conversation rarely gives the first name again
		}
	}
	c.alike = s.index.alike(c.entry, q.own)
	c.score *= 1 + c.share + pastShare*(c.past-c.share) + c.alike
}

// have notes that the entry has a term of the question; part is the share of
// the question that the term is, by its rarity.
func (c *candidate) have(part, rarity float64, where field) {
	c.matched++
	c.cover += part
	if where != textField {
		c.firm += part
		c.mass += rarity
	}
}

// weigh adds what entries have of some terms.
func (s *shelf) weigh(found []candidate, list []sought, share float64, add func(c *candidate, part, rarity float64, where field)) {
	total := 0.0
	for _, t := range list {
		total += t.rarity
	}
	for _, t := range list {
		if t.id == none {
			continue
		}
		for _, p := range s.index.with[t.id] {
			c, part := &found[p.entry], t.rarity/total
			c.score += float64(p.score) * share
			if p.fields == textField {
				part *= textWorth
			}
			add(c, part, t.rarity, p.fields)
		}
	}
}

// compound reports whether a name is one word made of several: life is no part of
// a half-life.
func compound(name string) bool { return strings.Contains(name, "-") && !strings.Contains(name, " ") }

// named is how much of an entry's subject some terms name.
func (ix *index) named(entry int, lists ...[]sought) float64 {
	total, there := 0.0, 0.0
	for _, t := range ix.subjects[entry] {
		total += ix.rarity[t]
		if slices.ContainsFunc(lists, func(list []sought) bool { return has(list, t) }) {
			there += ix.rarity[t]
		}
	}
	if total == 0 {
		return 0
	}
	return there / total
}

// minSurname is how rare a last name must be to be one alone: Cook and Ride
// are not.
const minSurname = 5.2

// surname reports whether a person's last name is among terms, and not used as
// a plain word.
func (s *shelf) surname(entry int, list, plain []sought) bool {
	names := s.index.subjects[entry]
	if len(names) < 2 || !slices.Contains(s.cards[entry].tags, "person") {
		return false
	}
	last := names[len(names)-1]
	return s.index.rarity[last] >= minSurname && has(list, last) && !has(plain, last)
}

// alike is how near a question comes to one that the entry says it answers: 1
// when they are the same, 0 when they have nothing in common.
func (ix *index) alike(entry int, list []sought) float64 {
	asked, best := 0.0, 0.0
	for _, t := range list {
		asked += t.rarity
	}
	for _, ask := range ix.asks[entry] {
		both, all := 0.0, asked
		for _, t := range ask {
			if has(list, t) {
				both += ix.rarity[t]
			} else {
				all += ix.rarity[t]
			}
		}
		if both > 0 {
			best = max(best, both/all)
		}
	}
	return best
}
