package library

import (
	"regexp"
	"slices"
	"strings"
)

// meaning are words that mean something said before, pointing those that may.
var (
	meaning  = set(`it its he him his she her hers they them their theirs`)
	pointing = set(`it its he him his she her hers they them their theirs that this these those there one ones same`)
)

// yonder reports whether a question ends with a place that was named before: the
// highest mountain there is not that of the world. How many planets there are is
// another matter.
func yonder(words []string) bool {
	n := len(words)
	return n > 1 && words[n-1] == "there" && !slices.Contains([]string{"is", "are", "was", "were"}, words[n-2])
}

// chooses reports whether a question is nothing but "which gate?" or "what room?":
// that is about what was said before, and no gate of the library's is meant.
func chooses(words []string) bool {
	return len(words) == 2 && (words[0] == "which" || words[0] == "what")
}

// joining are words that a question begins with when it goes on.
var joining = set(`and but also so or what how`)

// one reports whether a word is of a set.
func one(words []string, of map[string]bool) bool {
	return slices.ContainsFunc(words, func(w string) bool { return of[w] })
}

// follows reports whether a question does not stand alone otherwise: it says
// too little, or goes on.
func follows(words []string, content int) bool {
	return content < 3 || words[0] == "and" || len(words) > 2 && words[1] == "about" && joining[words[0]]
}

// goesOn reports whether a question is only what changes in the one before: "and in
// New York?", "what about Friday". It asks nothing by itself.
func goesOn(words []string) bool {
	switch {
	case len(words) > 1 && (words[0] == "and" || words[0] == "same"):
		words = words[1:]
	case len(words) > 2 && words[1] == "about" && joining[words[0]]:
		words = words[2:]
	default:
		return false
	}
	return !one(words, asking)
}

// more reports whether nothing but more of the same is asked for.
func more(words []string) bool {
	return slices.Contains(words, "more") || slices.Contains(words, "else") || slices.Contains(words, "why") || slices.Contains(words, "explain")
}

// without returns what is not in another list.
func without(list, other []sought) []sought {
	return slices.DeleteFunc(list, func(s sought) bool { return has(other, s.id) })
}

// focus divides a message into its last question and what leads up to it:
// "I am in Vienna. How many people live here?"
func focus(text string) (lead, question string) {
	text = insisting.ReplaceAllString(text, "$1")
	cut := strings.LastIndexAny(strings.TrimRight(text, " \n?!."), ".!?\n") + 1
	lead, question = text[:cut], strings.TrimSpace(text[cut:])
	words := divide(question)
	if strings.TrimSpace(lead) == "" || len(words) < 3 || !asking[words[0]] {
		return "", text
	}
	return lead, question
}

// insisting is what people say before they ask again.
var insisting = regexp.MustCompile(`(?i)^\s*(?:no|nope|sorry|ok|okay|well|hm+|so|cool|great|nice|right)?[\s,.!]*(?:i (?:asked|meant|mean|said|was asking|want to know|wanted to know|wonder))\s+((?:what|who|when|where|why|how|which)s?\b)`)

// asking are words that a question begins with.
var asking = set(`what who whom whose when where why how which whats whos wheres hows whens is are was were do does did can could tell explain and`)
