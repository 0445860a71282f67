package builtin

import (
	"strings"
	"unicode/utf8"

	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/lazyregexp"
)

// betweenUs reports whether an answer claims nothing about the world or the
// person: each of its sentences asks back, is a courtesy, or is about the one
// who says it, and no name or number in it is new.
func betweenUs(e Evidence) bool {
	text, all := strings.TrimSpace(e.Answer), ""
	for text != "" {
		var sentence string
		sentence, text = nextSentence(text)
		if !strings.HasSuffix(sentence, "?") && !courtesy.MatchString(sentence) {
			return false
		}
		all += courtesy.ReplaceAllStringFunc(sentence, strings.ToLower) + " " // the capital of "Goodbye" is no name's
	}
	return constrain.NewFacts(e.Question, e.Earlier).Unsaid(all) == ""
}

// kindly are the thoughts before a kind word; see train/gen. There are more ways to be
// kind than can be listed.
var kindly = lazyregexp.New(`^[^;\n]{3,60}; (?:that is all right|nothing is (?:asked|to be done)|I (?:say (?:a kind word|goodbye|sorry|that I am sorry|that they are welcome)|am (?:glad|sorry for them)|thank them|greet|congratulate|wish them|agree|listen)\b)`)

// isKind reports whether an answer is no more than that: it is short, and has no
// number, and no name that was not said.
func isKind(e Evidence) bool {
	if e.Material || len(e.Answer) > maxCourtesy || strings.ContainsAny(e.Answer, "0123456789") || !kindly.MatchString(strings.TrimSpace(e.Thought)) {
		return false
	}
	all, rest := "", strings.TrimSpace(e.Answer)
	for rest != "" {
		var sentence string
		sentence, rest = nextSentence(rest)
		_, first := utf8.DecodeRuneInString(sentence)
		all += strings.ToLower(sentence[:first]) + sentence[first:] + " "
	}
	return constrain.NewFacts(e.Question, e.Earlier).Unsaid(all) == ""
}

// maxCourtesy is how long a kind word is, in bytes.
const maxCourtesy = 120

// courtesy are sentences that somebody says of himself, or to be polite.
var courtesy = lazyregexp.New(`(?i)^\W*((but |and |that is kind, |sorry, |well, |good, |thanks, |thank you, )?(i|i'm|i’m|i'll|i’ll|my|we|let's|let me)\b` +
	`|(hi|hello|hey|welcome|you're welcome|you’re welcome|you are welcome|thanks|thank you|good (morning|afternoon|evening|night|luck|bye)|goodbye|bye|see you|until|take care|sleep well|have a|enjoy|rest well` +
	`|congratulations|well done|happy|all right|alright|sure|gladly|with pleasure|any ?time|go ahead|no problem|never mind|of course|understood|noted|okay|ok|good|great|fine|nice|right|sorry|that (happens|sounds|is (good|kind|fine|hard|great|nice))|tell me|ask me|please (check|tell|say|ask|try)|just (ask|say|tell)|say the word|glad|it was)\b)`)
