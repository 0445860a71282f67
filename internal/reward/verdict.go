package reward

import (
	"strings"

	"moothall/internal/lazyregexp"
)

// isPositive reports whether a text is nothing but praise, thanks and filling
// words, with enough praise among them: praise that is clear, or a word that
// may be praise together with thanks and without a yes.
func isPositive(parts []clause) bool {
	var found [classes]int
	for _, c := range parts {
		if c.question || c.mark == ':' {
			return false
		}
		for rest := c.words; rest != ""; {
			n, class := next(rest)
			if n == 0 {
				return false // a request, a remark, anything
			}
			found[class]++
			rest = strings.TrimPrefix(rest[n:], " ")
		}
	}
	return found[classPraise] > 0 || found[classHint] > 0 && found[classThanks] > 0 && found[classYes] == 0
}

// The classes of phrases that praise is made of.
const (
	classPraise = iota
	classHint
	classThanks
	classYes
	classFilling
	classes
)

// next finds the longest phrase that the words begin with, 0 for none.
func next(words string) (length, class int) {
	for i, re := range [classes]*lazyregexp.Regexp{praiseRule, hintRule, thanksRule, yesRule, fillingRule} {
		if n := begins(re, words); n > length {
			length, class = n, i
		}
	}
	return length, class
}

// begins returns how many bytes of whole words the rule takes from the start.
func begins(re *lazyregexp.Regexp, words string) int {
	loc := re.FindStringIndex(words)
	if loc == nil {
		return 0
	}
	return loc[1]
}

// isNegative reports whether a text says first of all that the answer was
// wrong or no help: after a "no" and the like, its first clause says so and
// nothing else. What follows is the person's correction.
func isNegative(parts []clause) bool {
	denied := false
	for _, c := range parts {
		blamed, over := c.blames(&denied)
		if blamed || over {
			return blamed && !c.question && c.mark != ':'
		}
	}
	return false
}

// blames reports whether a clause says that the answer was wrong, and whether
// it says anything at all: what may stand before a verdict is taken off.
func (c clause) blames(denied *bool) (blamed, over bool) {
	rest := c.words
	for rest != "" {
		if begins(laterRule, rest) > 0 {
			return false, true
		}
		if tailOK(rest, begins(blameRule, rest)) {
			return true, true
		}
		// A word that may answer a question of the assistant's.
		if (*denied || c.mark == '!') && tailOK(rest, begins(doubtRule, rest)) {
			return true, true
		}
		n := begins(noRule, rest)
		*denied = *denied || n > 0
		if n = max(n, begins(beforeRule, rest), begins(thanksRule, rest)); n == 0 {
			return false, true
		}
		rest = strings.TrimPrefix(rest[n:], " ")
	}
	return false, false
}

// tailOK reports whether a verdict ends its clause, or is followed by what a
// correction begins with.
func tailOK(words string, n int) bool {
	if n == 0 {
		return false
	}
	rest := strings.TrimPrefix(words[n:], " ")
	for rest != "" {
		m := begins(afterRule, rest)
		if m == 0 {
			return begins(correctionRule, rest) > 0
		}
		rest = strings.TrimPrefix(rest[m:], " ")
	}
	return true
}
