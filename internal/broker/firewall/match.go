package firewall

import "slices"

// sign is one match of a pattern.
type sign struct {
	rule       *rule
	start, end int // words
}

// maxSigns bounds what one view may report; the score is decided long before.
const maxSigns = 64

// maxSteps bounds the ways of filling the gaps of one pattern that are tried
// at one word, so that no text can make matching slow.
const maxSteps = 100

// signs matches every pattern at every word. Patterns are short and gaps
// bounded, so the time is linear.
func (v *view) signs(lex *lexicon) []sign {
	var out []sign
	for i := range v.words {
		set := v.words[i].set
		if set == 0 || !lex.begins[set] {
			continue
		}
		for _, a := range lex.sets[set] {
			for _, p := range lex.starts[a] {
				end := v.match(lex, p, i)
				if end < 0 || v.mentioned(lex, i, end) || seen(out, p.rule, i) {
					continue
				}
				if out = append(out, sign{p.rule, i, end}); len(out) == maxSigns {
					return out
				}
			}
		}
	}
	return out
}

func seen(out []sign, r *rule, i int) bool {
	return slices.ContainsFunc(out, func(s sign) bool { return s.rule == r && i < s.end })
}

// match tries p at word i and returns the word after the match, or -1.
func (v *view) match(lex *lexicon, p *pattern, i int) int {
	if p.commands && !v.commanding(lex, i) {
		return -1
	}
	v.budget = maxSteps
	end := v.from(lex, p.elems, i, true)
	if end >= 0 && p.ends && end < len(v.words) && v.words[end].flags&afterStop == 0 {
		return -1
	}
	return end
}

// from matches elems from word i on; first says that i may begin a sentence.
func (v *view) from(lex *lexicon, elems []element, i int, first bool) int {
	if len(elems) == 0 {
		return i
	}
	if v.budget--; v.budget < 0 {
		return -1
	}
	e := &elems[0]
	for skip := 0; skip <= e.gap; skip++ {
		at := i + skip
		if at >= len(v.words) || !(first && skip == 0) && v.words[at].flags&afterStop != 0 {
			break
		}
		set := v.words[at].set
		if e.may[set/64]&(1<<(set%64)) == 0 {
			if e.own && lex.possessive[set] {
				break
			}
			continue
		}
		for _, alt := range e.alts {
			if !v.holds(lex, alt, at) {
				continue
			}
			if end := v.from(lex, elems[1:], at+len(alt), false); end >= 0 {
				return end
			}
		}
		if e.own && lex.possessive[v.words[at].set] {
			break
		}
	}
	if e.optional {
		return v.from(lex, elems[1:], i, first)
	}
	return -1
}

// holds reports whether the atoms of alt stand at word i in a row.
func (v *view) holds(lex *lexicon, alt []atom, i int) bool {
	if i+len(alt) > len(v.words) {
		return false
	}
	for k, a := range alt {
		w := v.words[i+k]
		if k > 0 && w.flags&afterStop != 0 || !slices.Contains(lex.sets[w.set], a) {
			return false
		}
	}
	return true
}

// commanding reports whether a verb at word i is a command: it begins a
// sentence or a clause, or follows words like "please" and "you must".
func (v *view) commanding(lex *lexicon, i int) bool {
	if i == 0 || v.loose || v.words[i].flags&(afterStop|afterClause) != 0 {
		return true
	}
	return lex.polite[v.words[i-1].set]
}

// How far back mentioned looks: inside the sentence, and for a quotation
// also before it.
const (
	mentionReach = 30
	quoteReach   = 60
)

// mentioned reports whether the words from start to end are talked about and
// not said: the sentence before them speaks of attacks or phrases, or they
// stand in quotation marks in a text that does.
func (v *view) mentioned(lex *lexicon, start, end int) bool {
	if v.words[start].flags&afterStop == 0 {
		for i := start - 1; i >= max(0, start-mentionReach); i-- {
			if lex.discussed[v.words[i].set] {
				return true
			}
			if v.words[i].flags&afterStop != 0 {
				break
			}
		}
	}
	if !v.quoted(start, end) {
		return false
	}
	for i := start - 1; i >= max(0, start-quoteReach); i-- {
		if lex.discussed[v.words[i].set] {
			return true
		}
	}
	return false
}

// quoted reports quotation marks around the words, or close to them.
func (v *view) quoted(start, end int) bool {
	opened := false
	for i := max(0, start-4); i <= start; i++ {
		opened = opened || v.words[i].flags&afterQuote != 0
	}
	if !opened {
		return false
	}
	for i := end - 1; i < min(len(v.words), end+12); i++ {
		if v.words[i].flags&beforeQuote != 0 {
			return true
		}
	}
	return false
}
