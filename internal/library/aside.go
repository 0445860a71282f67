package library

import (
	"regexp"
	"slices"
	"strings"
)

// business is whose a question is.
type business uint8

const (
	ours   business = iota // anybody's, who looks something up
	theirs                 // a tool's, the clock's or small talk
	yours                  // the person's own, who asks: the memory knows
)

// whose says whether a question looks like a library's business. What comes
// out wrongly here costs a look that would have helped, or a text that does
// not: neither is a fault, so the rules are few.
func whose(words []string, text string) business {
	words = unpolite(words)
	switch {
	case len(words) == 0:
		return theirs
	case slices.Contains(words, manual) && !orders[words[0]]:
		return ours
	case personal(words), household(words):
		return yours
	case near(words), spoken(words), order(words), fileName.MatchString(text), sum(words), current(words), dates.MatchString(text):
		return theirs
	}
	return ours
}

// manual is a word of questions about the program, which has its manual here,
// and a tag of the manual's entries.
const manual = "moothall"

// unpolite drops what a question or an order is wrapped in.
func unpolite(words []string) []string {
	for len(words) > 0 && wrapping[words[0]] {
		words = words[1:]
	}
	for _, w := range [][]string{{"can", "you"}, {"could", "you"}, {"would", "you"}, {"will", "you"}, {"i", "want", "you", "to"}, {"i", "need", "you", "to"}} {
		if rest, ok := cut(words, w...); ok && len(rest) > 0 {
			return unpolite(rest)
		}
	}
	return words
}

var wrapping = set(`please hey hi hello ok okay so well now then thanks kindly just quickly moothall um oh`)

// cut takes words off the beginning.
func cut(words []string, first ...string) ([]string, bool) {
	if len(words) < len(first) || !slices.Equal(words[:len(first)], first) {
		return words, false
	}
	return words[len(first):], true
}

// pair reports whether one word stands directly before another.
func pair(words []string, a string, b ...string) bool {
	for i := 1; i < len(words); i++ {
		if words[i-1] == a && slices.Contains(b, words[i]) {
			return true
		}
	}
	return false
}

// personal reports whether a question is about the person's own life, which
// the memory knows, or tells of it.
func personal(words []string) bool {
	has := func(list ...string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return slices.Contains(words, w) })
	}
	manner := words[0] == "how" && (pair(words, "how", "do", "can", "should", "would", "to", "could") || pair(words, "i", "get")) || pair(words, "should", "i", "we")
	switch {
	case words[0] == "how" && manners(words), manner && pair(words, "i", "told", "tell", "said"), manner && pair(words, "do", "we") && has("our"):
		return true
	case manner && (has("my", "mine", "our") && habit(words) || pair(words, "i", "like", "prefer", "want")):
		return true
	case manner:
		return false
	case has("my", "mine", "our", "ours", "myself"), pair(words, "about", "me", "us"), pair(words, "allergic", "to") && pair(words, "what", "is"), pair(words, "for", "me", "us"), pair(words, "to", "me") && !has("explain"), pair(words, "know", "me"):
		return true
	case pair(words, "i", "like", "love", "prefer", "hate", "live", "drink", "eat"), pair(words, "are", "we"):
		return true
	case pair(words, "i", "told", "tell", "said", "mention", "mentioned", "asked"), has("remember"):
		return true
	case pair(words, "did", "i", "we"), pair(words, "am", "i"), pair(words, "have", "i", "we"), pair(words, "was", "i"), pair(words, "were", "we"), pair(words, "will", "i", "we"):
		return true
	case pair(words, "do", "i", "we") && habit(words):
		return true
	case words[0] == "i" || words[0] == "we":
		return !has("know", "wonder", "wondering", "learn", "understand", "question", "hear")
	}
	return false
}

// household reports whether a question is about a thing or a person of the
// asker's own, though it does not say so: where the spare key is, or when the
// plumber comes, only they could have told.
func household(words []string) bool {
	at := slices.Index(words, "the")
	if at < 0 || at+1 >= len(words) {
		return false
	}
	of := func(set map[string]bool) bool {
		return slices.ContainsFunc(words[at+1:], func(w string) bool { return set[w] })
	}
	switch {
	case pair(words, "where", "is", "are", "s") && len(words)-at <= 4, pair(words, "who", "has", "took", "got", "keeps", "borrowed"):
		return of(belongings)
	case of(callers):
		return of(reaching) || words[0] == "when" || words[0] == "what" && slices.Contains(words, "time")
	}
	return false
}

var (
	belongings = set(`key keys wallet purse passport charger remote umbrella glasses torch drill ladder hammer screwdriver scissors receipt invoice folder contract toolbox lawnmower suitcase rucksack scarf gloves helmet spare chargers receipts tickets vouchers certificate`)
	callers    = set(`landlord landlady plumber electrician caretaker neighbour neighbor neighbours babysitter nanny cleaner gardener dentist doctor vet hairdresser accountant lawyer mechanic joiner carpenter roofer painter tenant tutor coach parcel courier delivery`)
	reaching   = set(`number phone mobile email mail address name called birthday`)
)

// manners reports whether a question is how somebody does what others do in
// another way: "How does she take her tea?", "How do I usually make coffee?"
func manners(words []string) bool {
	if pair(words, "i", "usually", "always", "normally", "drink", "eat") || pair(words, "we", "usually", "always", "normally", "drink", "eat") {
		return true
	}
	return slices.ContainsFunc([]string{"like", "take", "prefer", "drink", "eat", "want", "have"}, func(verb string) bool {
		return pair(words, verb, "my", "his", "her", "their", "our")
	})
}

// near reports whether a question may be about the person's own life, though
// others ask it as well.
func near(words []string) bool {
	return pair(words, "do", "i", "we") && !pair(words, "how", "do") && !pair(words, "i", "do", "need") && !pair(words, "we", "have", "need", "get", "use", "call") ||
		pair(words, "should", "i", "we") && slices.Contains(words, "my") || pair(words, "gives", "me")
}

// distance reports whether a question is how far it is between two places, which
// hardly an entry of either tells.
func distance(words []string) bool {
	return pair(words, "how", "far") && (slices.Contains(words, "from") || slices.Contains(words, "to") || slices.Contains(words, "between"))
}

// habit reports whether "do I" asks for a habit instead of a way.
func habit(words []string) bool {
	return pair(words, "i", habits...) || pair(words, "we", habits...)
}

var habits = strings.Fields(`like take prefer drink eat want have spell feel get go usually call pronounce live work own know speak love hate keep
	park sleep play always normally drive wear study pay owe meet wake start travel ride listen smoke weigh earn look think believe remember read
	watch collect support`)

// spoken reports whether somebody talks to who answers.
func spoken(words []string) bool {
	switch {
	case pair(words, "do", "you") && !pair(words, "you", "know", "call", "say", "spell", "make", "get", "use", "cook", "play", "treat", "write", "calculate", "convert") || words[len(words)-1] == "you":
		return true
	case pair(words, "are", "you"), pair(words, "were", "you"), pair(words, "have", "you") && !pair(words, "you", "heard"), pair(words, "did", "you"), pair(words, "will", "you"):
		return true
	case slices.Contains(words, "your") && !slices.Contains(words, "how"):
		return true
	case pair(words, "you", "are", "re", "like", "feel", "think", "said", "love", "ever"):
		return true
	}
	return slices.Contains([]string{"thanks", "thank", "hello", "hi", "good", "bye", "goodbye", "sorry", "yes", "no", "cool", "great", "nice", "wow"}, words[0]) && len(words) < 6 || pair(words, "tell", "me") && (slices.Contains(words, "joke") || slices.Contains(words, "story"))
}

// orders are words that a wish for a tool begins with.
var orders = set(`read open write save append delete remove create add run execute calculate compute remind remember note forget search
	fetch download put change replace rename move copy set send print schedule book cancel turn play start stop edit update
	translate summarise summarize store keep grep draft email call message order buy browse visit insert
	find count overwrite clear reset rewrite proofread jot check post reply multiply divide subtract look`)

// lists are those that can ask for knowledge as well.
var lists = set(`list show give`)

// order reports whether a tool is to be used.
func order(words []string) bool {
	switch first := words[0]; {
	case orders[first]:
		return true
	case lists[first]:
		return slices.ContainsFunc(words, func(w string) bool { return own[w] })
	}
	return slices.ContainsFunc(words, func(w string) bool { return w == "workspace" || w == "todo" || w == "forget" }) ||
		pair(words, "in", "mind") || pair(words, "a", "note") || pair(words, "take", "note") || pair(words, "learn", "this", "that") ||
		pair(words, "the", "file", "files", "folder", "directory", "note", "notes", "calendar", "document", "attachment", "page", "link", "url", "website", "script", "meeting", "appointment") ||
		pair(words, "this", "file", "folder", "directory", "note", "document", "page", "link", "url", "website", "script", "meeting") ||
		pair(words, "what", "file", "files") || pair(words, "which", "file", "files") || pair(words, "any", "file", "files") || pair(words, "every", "line") || pair(words, "run", "it") || pair(words, "notes", "say", "about", "on") || pair(words, "the", "web", "internet") && slices.Contains(words, "search")
}

// own are things that tools deal with.
var own = set(`file files folder folders directory notes note calendar appointments events meetings web online internet url page lines logs
	tasks reminders emails mail messages todo todos`)

// fileName is a file or an address.
var fileName = regexp.MustCompile(`(?i)\b[\w-]+\.(txt|md|go|json|jsonl|ya?ml|csv|py|log|pdf|html?|toml|ini|conf|cfg|sh|xml|docx?|xlsx?|png|jpe?g|sql|rs|c|h|java|ts|ics|env)\b|https?://|www\.|(^|\s)\.{0,2}/\w`)

var (
	operators = set(`times plus minus divided multiplied percent x over add added sum squared cubed power modulo`)
	digits    = regexp.MustCompile(`^[0-9]+$`)
)

// sum reports whether numbers are to be reckoned with.
func sum(words []string) bool {
	numbers := 0
	for _, w := range words {
		if digits.MatchString(w) {
			numbers++
		}
	}
	return numbers > 1 && (len(words) <= 2*numbers+1 || slices.ContainsFunc(words, func(w string) bool { return operators[w] }))
}

// conversion reports whether an amount of one unit is wanted in another one,
// which a calculator tells. How many ounces a pound has stands in books.
func conversion(words []string) bool {
	amount, of := false, map[int]int{}
	for i, w := range words {
		if digits.MatchString(w) && w != "1" && i+1 < len(words) && measures[words[i+1]] > 0 {
			amount = true
		}
		if m := measures[w]; m > 0 {
			of[m]++
		}
	}
	return amount && (of[1] > 1 || of[2] > 1 || of[3] > 1)
}

// measures are units of length, mass and volume.
var measures = func() map[string]int {
	out := map[string]int{}
	for i, list := range []string{
		"m metre metres meter meters km kilometre kilometres kilometer kilometers cm centimetre centimetres centimeter centimeters mm inch inches foot feet ft yard yards mile miles",
		"kg kilogram kilograms kilo kilos g gram grams pound pounds lb lbs ounce ounces oz stone tonne tonnes",
		"l litre litres liter liters ml millilitre millilitres milliliter milliliters gallon gallons pint pints cup cups",
	} {
		for w := range strings.FieldsSeq(list) {
			out[w] = i + 1
		}
	}
	return out
}()

// dates are signs that days are to be counted: from or to a date, from today, or
// to what was named before.
var dates = regexp.MustCompile(`(?i)\bdays? (?:until|till|to|between|before|since|from|are there between|is it (?:until|till|to|since)) .*\b\d{1,2}(?:st|nd|rd|th)?(?: of)? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:date|day|weekday) (?:is |will )?(?:it )?(?:be )?in \d+ (?:days|weeks)\b|\b\d+ (?:days|weeks) (?:from|before|after) (?:now|today)\b|\b(?:days?|weeks?|months?|long) (?:is it )?(?:until|till|to|since|before) (?:then|that)\b|\bhow (?:many|much) (?:years|months|weeks|days|hours|minutes) (?:is|was|are|would) (?:that|it|this)\b`)

// current reports whether a question is about now, which no book knows.
func current(words []string) bool {
	joined := " " + strings.Join(words, " ") + " "
	return slices.ContainsFunc(moments, func(m string) bool { return strings.Contains(joined, m) }) ||
		pair(words, "who", "is", "s") && inOffice.MatchString(joined)
}

// inOffice are those who hold an office now, and may not tomorrow; a king may be
// one of gods.
var inOffice = regexp.MustCompile(` (president|vice president|prime minister|chancellor|mayor|governor|ceo|foreign minister|finance minister|secretary general|head of state|pope) (of|in) | (president|prime minister|chancellor|pope) $`)

var moments = []string{
	" today ", " tomorrow ", " tonight ", " yesterday ", " this morning ", " this afternoon ", " this evening ", " right now ", " this week ", " next week ",
	" last week ", " this weekend ", " this month ", " what time ", " the time ", " time is it ", " time it is ", " time in ", " time zone ", " local time ", " current time ",
	" exact time ", " how late ", " is it late ", " is it night ", " is it still ", " what day is ", " what date is ", " what s the date ",
	" weather in ", " weather like ", " what s the weather ", " how s the weather ", " will it rain ", " is it raining ", " news ", " latest ", " current ", " currently ", " on friday ",
	" on monday ", " on tuesday ", " on wednesday ", " on thursday ", " on saturday ", " on sunday ", " stock price ", " price of ",
}
