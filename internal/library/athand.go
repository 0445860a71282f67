package library

import "slices"

// aimless are words of a question that say nothing of what it is about.
var aimless = set(`how much many who whom whose when where why long old far big high ok about can could should will would my your his her its it he she them him this that these those and or with for on to from at by as be not no any some get need want most least more less very which`)

// topics are the words of a question that say what it is about.
func topics(words []string) []string {
	return slices.DeleteFunc(core(words, nil), func(w string) bool { return aimless[w] || len(w) < 2 })
}

// rather keeps the entries that a question is about, and not about a text that is
// at hand: as many of its words stand there. How much the invoice was is told by
// the mail that somebody pasted. An entry's very own question is about the entry
// all the same. Whether it comes in white is asked of what was spoken of, and of no
// entry that nobody has named.
func rather(question, before, text string, found []Entry) []Entry {
	if text == "" || len(found) == 0 {
		return found
	}
	words := wordsOf(question)
	about := topics(words)
	there := shared(about, text)
	said := core(slices.Concat(words, wordsOf(before)), nil)
	return slices.DeleteFunc(found, func(e Entry) bool {
		if e.Asked {
			return false
		}
		unnamed := one(words, meaning) && slices.ContainsFunc(core(divide(subject(e.Name)), nil), func(w string) bool { return !slices.Contains(said, w) })
		return unnamed || there > 0 && there >= shared(about, e.Name+" "+e.Text)
	})
}

// shared counts the topics that a text has.
func shared(topics []string, text string) int {
	has := core(wordsOf(text), nil)
	n := 0
	for _, t := range topics {
		if slices.Contains(has, t) {
			n++
		}
	}
	return n
}
