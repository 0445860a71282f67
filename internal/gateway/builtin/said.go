package builtin

import (
	"iter"
	"slices"
	"strings"

	"moothall"
	"moothall/internal/lazyregexp"
)

// toldMarks stand before what a thought takes from the person's own words.
var toldMarks = []string{"; they said:", "; the newest counts:"}

// remembered are the words that a thought takes for the person's own: all that comes
// then, or the first sentence, where it goes on with its own.
func remembered(thought string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, mark := range toldMarks {
			_, words, _ := strings.Cut(thought, mark)
			words = strings.Trim(oneLine(words), " .!")
			if words != "" && !yield(words) {
				return
			}
			if first, rest := nextSentence(words); rest != "" && len(contentWords(first)) > 1 && !yield(strings.Trim(first, " .!")) {
				return
			}
		}
	}
}

// told is what the person said, in an earlier message, that a thought remembers.
// Empty when it remembers nothing, or what nobody said. A thought need not have
// the capital letter that a sentence begins with.
func told(thought string, messages []moothall.Message) string {
	for words := range remembered(thought) {
		asked := false
		for _, m := range slices.Backward(messages) {
			if m.Role != moothall.RoleUser || person(m.Content) == "" {
				continue
			}
			if asked && strings.Contains(strings.ToLower(oneLine(m.Content)), strings.ToLower(words)) {
				return words + "."
			}
			asked = true
		}
	}
	return ""
}

// echoed is an answer about the person with words that only they can say: "Your
// favourite name is my middle name."
var echoed = lazyregexp.New(`(?i)^you(?:r|['’]\pL+)?\b[^"“:]*\b(?:my|mine|I|I['’]\pL+)\b`)

// mine is what the person said that such an answer is made of, in the conversation
// or in what was recalled. Empty: it is another answer.
func mine(e Evidence, messages []moothall.Message) string {
	if e.Job || !echoed.MatchString(e.Answer) {
		return ""
	}
	memories := datedIn(lastResult(messages))
	for words := range remembered(e.Thought) {
		if slices.ContainsFunc(memories, func(m dated) bool {
			return !m.outside && strings.Contains(strings.ToLower(oneLine(m.line)), strings.ToLower(words))
		}) {
			return words + "."
		}
	}
	return told(e.Thought, messages)
}

// saidOf is what the person said, in an earlier message of the conversation, of
// all that they now ask about, and more: "our dog Bruno weighs 23 kilos" of "how
// much does Bruno weigh?". Empty: they said nothing of the kind.
func saidOf(messages []moothall.Message) string {
	next, stop := iter.Pull(questions(messages))
	defer stop()
	now, _ := next()
	asked := contentWords(now)
	mine := ownWords.MatchString(now)
	if len(asked) == 0 || len(asked) == 1 && !mine || !isQuestion(now) || lookingUp.MatchString(now) {
		return ""
	}
	for {
		before, ok := next()
		if !ok {
			return ""
		}
		words := contentWords(before)
		if !isQuestion(before) && len(before) <= longestSaid && !strings.Contains(before, "\n") && akin(words, asked) == len(asked) && len(words) > len(asked) &&
			(len(asked) > 1 || ownWords.MatchString(before)) {
			return strings.TrimRight(strings.TrimSpace(before), ".!") + "."
		}
	}
}

// recalledOf is the first memory of the last result that says all that is asked about,
// and more. Empty: there is none, it is so no longer, or it came from outside.
func recalledOf(messages []moothall.Message) string {
	found, asked := results(messages), contentWords(question(messages))
	if len(found) == 0 || found[len(found)-1].call.Name != memoryRead || len(asked) < 2 || !isQuestion(question(messages)) {
		return ""
	}
	for _, m := range datedIn(found[len(found)-1].text) {
		words := contentWords(m.words)
		if m.changed == "" && !isQuestion(m.words) && !m.outside && akin(words, asked) == len(asked) && len(words) > len(asked) {
			return strings.TrimRight(m.words, " .!") + "."
		}
	}
	return ""
}

// takesNote is an answer that says again what somebody said.
var takesNote = lazyregexp.New(`^(?:Noted|All right|Okay|Got it|Understood): (.+)$`)

// noteOf is such an answer in the person's own words, where the network put in
// some that they did not say, or said some twice: "Anna walks Terminal 2 at 18:40
// and Anna at 18:40" of when her flight lands. Empty: it stands as it is.
func noteOf(told, answer string) string {
	m := takesNote.FindStringSubmatch(strings.TrimSpace(answer))
	told = strings.TrimRight(strings.TrimSpace(told), ".!")
	if m == nil || told == "" || isQuestion(told) {
		return ""
	}
	said, words := contentWords(toYou(told)), contentWords(m[1])
	if akin(said, words) == len(words) && len(words) <= len(said) && !ofMe.MatchString(m[1]) {
		return ""
	}
	if len(told) > longestSaid || strings.Contains(told, "\n") {
		return "Noted."
	}
	return "Noted: " + toYou(told) + "."
}

// ofMe are the words for somebody who speaks, and ofYou those for who is spoken to.
var (
	ofMe  = lazyregexp.New(`(?i)\b(?:i am|i'm|i was|i|we|my|our|mine|ours|me|us|myself)\b`)
	ofYou = map[string]string{
		"i am": "you are", "i'm": "you're", "i was": "you were", "i": "you", "we": "you",
		"my": "your", "our": "your", "mine": "yours", "ours": "yours", "me": "you", "us": "you", "myself": "yourself",
	}
)

// toYou is what somebody said of themselves, said to them.
func toYou(told string) string {
	return ofMe.ReplaceAllStringFunc(told, func(w string) string { return ofYou[strings.ToLower(w)] })
}

// Words of somebody who speaks of himself, and of who wants the web to be asked.
var (
	ownWords  = lazyregexp.New(`(?i)\b(?:i|i'm|i've|my|our|we|mine|ours)\b`)
	lookingUp = lazyregexp.New(`(?i)\b(?:search|look (?:it |that )?up|google|web|online|internet|find out)\b`)
)

// longestSaid is how many bytes of what somebody said are told them again.
const longestSaid = 240

func isQuestion(text string) bool {
	return strings.Contains(text, "?") || wonders.MatchString(strings.ToLower(text))
}

// neverSaid reports whether a thought takes something for the person's own words
// that is nothing but a question of theirs, or stands nowhere: that somebody
// asked how many keys are on a piano does not tell where their keys are.
func neverSaid(thought string, messages []moothall.Message) bool {
	heard := false
	for words := range remembered(thought) {
		heard = true
		words = strings.ToLower(words)
		for _, m := range messages {
			if m.Role == moothall.RoleSystem {
				continue
			}
			for line := range strings.Lines(inside(m.Content)) {
				if line = strings.ToLower(oneLine(listed.ReplaceAllString(line, ""))); strings.Contains(line, words) && !wonders.MatchString(line) {
					return false
				}
			}
			// What somebody said may go over several lines.
			if text := strings.ToLower(oneLine(inside(m.Content))); len(words) > 40 && strings.Contains(text, words) {
				return false
			}
		}
	}
	return heard
}

// inOtherWords reports whether what a thought takes for the person's own words has
// no content word that is not in one line of what was said, and not as a question.
// What they said of their cat is not said of their dog.
func inOtherWords(thought string, messages []moothall.Message) bool {
	for words := range remembered(thought) {
		said := contentWords(words)
		for _, m := range messages {
			if m.Role == moothall.RoleSystem {
				continue
			}
			for line := range strings.Lines(inside(m.Content)) {
				line = strings.ToLower(oneLine(listed.ReplaceAllString(line, "")))
				if len(said) > 0 && akin(contentWords(line), said) == len(said) && !wonders.MatchString(line) {
					return true
				}
			}
		}
	}
	return false
}

var (
	// listed is what stands before a line of what the memory gave back.
	listed = lazyregexp.New(`^[\s|]*(\d+\. )?(\[[^\]]*\] ?)?(Asked: )?`)
	// wonders are lines that ask something.
	wonders = lazyregexp.New(`^(what|who|whose|whom|when|where|why|which|how|is|are|am|was|were|do|does|did|can|could|will|would|should|has|have|had|tell me|show me|find|search)\b|^[^.!?]*\?\W*$`)
)

// sumsUp is the thought before all that somebody told of themselves; see train/gen.
var sumsUp = lazyregexp.New(`^I sum up what they told me\b`)

// mostTold is how many things that somebody said are told them again at once.
const mostTold = 5

// toldSoFar is what the person said of themselves in the conversation, the last of it,
// or that they have said nothing.
func toldSoFar(messages []moothall.Message) string {
	var said []string
	for text := range questions(messages) {
		text = strings.TrimRight(strings.TrimSpace(text), ".!")
		if len(said) < mostTold && !isQuestion(text) && ownWords.MatchString(text) && len(text) <= longestSaid && !strings.Contains(text, "\n") {
			said = append(said, text+".")
		}
	}
	if len(said) == 0 {
		return "You have told me nothing about yourself in this conversation. What I keep of others is on the page under Memory, or: moothall memory list"
	}
	slices.Reverse(said)
	return youSaid + strings.Join(said, " ")
}
