package builtin

import (
	"cmp"
	"encoding/json"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"moothall"
	"moothall/internal/lazyregexp"
)

// material are the texts that stand before an answer: what tools gave back since
// the person's last words, and what was looked up for those or stands in them.
func material(messages []moothall.Message) []string {
	var out []string
	for _, m := range slices.Backward(messages) {
		text := person(m.Content)
		switch {
		case m.Role == moothall.RoleTool:
			out = append(out, inside(m.Content))
		case m.Role == moothall.RoleUser && text != "":
			_, found, up := strings.Cut(text, lookedUp)
			_, with, ok := strings.Cut(text, given)
			switch {
			case up:
				out = append(out, found)
			case ok:
				out = append(out, strings.TrimSuffix(with, "\n</context>"))
			case carries(text):
				out = append(out, text)
			}
			return out
		}
	}
	return out
}

// memories is how a list begins that the memory gives back.
var memories = lazyregexp.New(`^\d+ memor(?:y|ies), best first:\n`)

// comesTo is what a sum comes to.
var comesTo = lazyregexp.New(`^[^\n=≈]+ (?:=|(≈)) ([^\n=≈]+)$`)

// maxQuote is how long a sentence may be that is read out, in bytes.
const maxQuote = 400

// quote is an answer in the words of the material: what tools gave back, if that
// is short, otherwise the sentence that was meant, if that is known, or the one
// that shares most words with the question, or how the last result begins. A
// sentence that has all words of the question, and what its first word asks for,
// needs no excuse. Empty when there is nothing to read out, or nothing but a
// sentence that has less than half of the question's words.
func quote(messages []moothall.Message, meant string) string {
	found := results(messages)
	result := ""
	if n := len(found); n > 0 {
		result = found[n-1].text
	}
	if n := len(found); n == 1 && found[0].call.Name == calculates {
		if m := comesTo.FindStringSubmatch(result); m != nil {
			return "That is " + strings.Replace(m[1], "≈", "about ", 1) + m[2] + "."
		}
	}
	for _, whole := range []string{readOut(found), result} {
		if whole != "" && len(whole) <= maxQuote {
			return cameBack + whole
		}
	}
	asked := contentWords(question(messages))
	best, most := meant, akin(contentWords(meant), asked)
	for _, text := range material(messages) {
		for _, s := range sentences(text) {
			if meant != "" && !strings.Contains(oneLine(s.text), strings.TrimSuffix(meant, ".")) {
				continue
			}
			if first, _ := utf8.DecodeRuneInString(meant); unicode.IsLower(first) && len(s.text) <= maxQuote { // a part of it, which says little alone
				meant = oneLine(s.text)
				best = meant
			}
			if n := akin(contentWords(s.about+" "+s.text), asked); n > most && !tellsNothing.MatchString(s.text) {
				best, most = cmp.Or(meant, s.text), n
			}
		}
	}
	if at := strings.LastIndex(best, readBefore); at >= 0 { // an answer of this kind may have been remembered
		best = best[at+len(readBefore):]
	}
	if best != "" && len(asked) > 1 && most == len(asked) && tells(question(messages), best) {
		return best
	}
	if meant == "" && result == "" && 2*most < len(asked) {
		return "" // a sentence that has little to do with it helps nobody
	}
	if best == "" && memories.MatchString(result) {
		return forgotten // a list of what was said about other things is no answer
	}
	if best == "" && result != "" {
		best = cutShort(result)
	}
	if best == "" {
		return ""
	}
	return readBefore + strings.TrimPrefix(best, "Asked: ")
}

// cutShort is a text, or how it begins where it is longer than is read out.
func cutShort(text string) string {
	if len(text) <= maxQuote {
		return text
	}
	return strings.ToValidUTF8(text[:maxQuote], "") + " …"
}

// signs are, by the word that asks, those of a sentence that tells it.
var signs = []struct{ asked, told *lazyregexp.Regexp }{
	{lazyregexp.New(`(?i)\bwhy\b`), lazyregexp.New(`(?i)\b(because|since|so that|due to)\b`)},
	{lazyregexp.New(`(?i)\bhow (far|tall|high|deep|wide)\b`), lazyregexp.New(`(?i)\d[\d,.]*[ -]?(?:(?:hundred|thousand|million|billion|trillion) )?(?:[kcm]?m|(?:kilo|centi|milli|nano)?met(?:er|re)s?|miles?|feet|foot|ft|in|inch(?:es)?|yards?|fathoms?|stor(?:e?ys?|ies)|floors?|light[ -]years?|light[ -](?:second|minute|hour)s?|hours?|minutes?|days?|blocks?|stops?|steps?|degrees?|percent)\b`)},
	{lazyregexp.New(`(?i)\b(when|how (many|much|old|long|tall|high|far|deep|fast|heavy|late|big|large))\b`), lazyregexp.New(`\d`)},
	{lazyregexp.New(`(?i)\b(who|whom)\b`), lazyregexp.New(`(^|[a-z,;(] )[A-Z]\pL+ (\pL+ )?[A-Z]\pL`)},
}

// tells reports whether a sentence has what the question's first word asks for: a
// reason, a number, two names.
func tells(question, sentence string) bool {
	for _, s := range signs {
		if s.asked.MatchString(question) {
			return s.told.MatchString(sentence)
		}
	}
	return false
}

// asksForSigns reports whether a question's first word asks for what [tells] can see.
func asksForSigns(question string) bool {
	return slices.ContainsFunc(signs, func(s struct{ asked, told *lazyregexp.Regexp }) bool { return s.asked.MatchString(question) })
}

// quotes stands between what a thought quotes from and what it quotes.
const quotes = " says:"

// quoted is the sentence that a thought quotes, where it stands in what people
// said, tools gave back or was answered. Empty when it quotes nothing, or from
// nowhere.
func quoted(thought string, messages []moothall.Message) string {
	_, rest, _ := strings.Cut(thought, quotes)
	first, _ := nextSentence(strings.TrimSpace(rest))
	for _, s := range []string{rest, first} {
		s = strings.Trim(oneLine(s), " .\"")
		if !strings.Contains(s, " ") || len(s) > maxQuote || headed.MatchString(s) { // one word is no sentence
			continue
		}
		for _, m := range messages {
			if m.Role != moothall.RoleSystem && strings.Contains(oneLine(inside(m.Content)), s) {
				return s + "."
			}
		}
	}
	return ""
}

// oneLine is a text with one space where it has any.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// quoting reports whether a token goes on with the sentence that a thought quotes.
func quoting(thought string, piece []byte) bool {
	_, sentence, ok := strings.Cut(thought, quotes)
	return ok && !ends.MatchString(strings.TrimLeft(sentence+string(piece), " "))
}

// readOut is what tools gave back, in their order. Where a result does not say
// what it is about, the call that it answers stands before it.
func readOut(found []result) string {
	var out []string
	for _, r := range found {
		if r.text == "" {
			return ""
		}
		about, told := []string{}, true
		for _, p := range fields(string(r.call.Arguments)) {
			about = append(about, p.key+": "+p.value)
			told = told && spoken(p.value, r.text)
		}
		r.text = inWords(r.text)
		if !told {
			r.text = string(r.call.Name) + " (" + strings.Join(about, ", ") + "): " + r.text
		}
		out = append(out, r.text)
	}
	return strings.Join(out, "\n")
}

// inWords is a text, or the fields of one that is a flat JSON object.
func inWords(text string) string {
	var whole map[string]json.RawMessage
	named := fields(text)
	if json.Unmarshal([]byte(text), &whole) != nil || len(named) != len(whole) {
		return text
	}
	out := make([]string, len(named))
	for i, p := range named {
		out[i] = p.key + ": " + p.value
	}
	return strings.Join(out, ", ")
}

// akin counts the words of asked that stand among others in any form: walk,
// walked and walking.
func akin(words, asked []string) int {
	n := 0
	for _, a := range asked {
		if slices.ContainsFunc(words, func(w string) bool { return w == a || inForms(w, a) }) {
			n++
		}
	}
	return n
}

// forms are the endings of one word in its forms.
var forms = map[string]bool{"": true, "s": true, "es": true, "d": true, "ed": true, "ing": true, "er": true, "n": true, "en": true}

// inForms reports whether two words begin alike and have endings of forms.
func inForms(a, b string) bool {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n > 3 && forms[a[n:]] && forms[b[n:]]
}

// What comes before what is read out: all that tools gave back, a part of what
// there is, which may be the wrong one, or what the person said.
const (
	youSaid    = "You told me: "
	cameBack   = "This came back: "
	readBefore = "What I have says: "
)

// envelope are the marks around what tools give back.
var envelope = lazyregexp.New(`(?m)^\[/?TOOL_RESULT[^\n]*\]$`)

// inside is a tool's result without its envelope.
func inside(content string) string { return envelope.ReplaceAllString(content, "") }

// question is the line of the person's last words that asks: what was looked up
// stands around it.
func question(messages []moothall.Message) string {
	for q := range questions(messages) {
		return q
	}
	return ""
}

// questions are those of all that the person said, the last first.
func questions(messages []moothall.Message) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, m := range slices.Backward(messages) {
			if text := person(m.Content); m.Role == moothall.RoleUser && text != "" && !yield(asks(text)) {
				return
			}
		}
	}
}

// askedBefore is what the person said before a question; the question where that is all.
func askedBefore(question string, messages []moothall.Message) (said string) {
	for said = range questions(messages) {
		if said != question {
			break
		}
	}
	return said
}

func asks(text string) string {
	text, _, _ = strings.Cut(text, given)
	before, after, ok := strings.Cut(text, lookedUp)
	if !ok || strings.TrimSpace(before) != "" {
		return before
	}
	return after[strings.LastIndex(after, "\n\n")+1:]
}

// sentence is one of a text, and what the entry that it stands in is about.
type sentence struct{ about, text string }

var (
	// tellsNothing are questions, and what only announces the lines below it,
	// such as the name of a file.
	tellsNothing = lazyregexp.New(`[?:]$`)
	// ends is where a sentence ends.
	ends = lazyregexp.New(`[.!?]["')]?\s+`)
	// headed is the line before a memory, with where it comes from and its name.
	headed = lazyregexp.New(`^(?:\d+\. )?\[source: `)
	// entry is how what was looked up begins.
	entry = lazyregexp.New(`^- ([^:]{1,80}): `)
)

// sentences are those of a text, line by line.
func sentences(text string) []sentence {
	var out []sentence
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if headed.MatchString(line) {
			continue
		}
		about := ""
		if m := entry.FindStringSubmatch(line); m != nil {
			about, line = m[1], line[len(m[0]):]
		}
		for line != "" {
			var s string
			if s, line = nextSentence(line); s != "" && len(s) <= maxQuote {
				out = append(out, sentence{about, s})
			}
		}
	}
	return out
}

// nextSentence cuts the first sentence off a text.
func nextSentence(text string) (sentence, rest string) {
	end := len(text)
	if at := ends.FindStringIndex(text); at != nil {
		end = at[1]
	}
	return strings.TrimSpace(text[:end]), text[end:]
}

// scored is the head of the envelope that the hall puts around what tools give
// back. It takes every mark of an envelope out of the content, so this one is
// the hall's own.
var scored = lazyregexp.New(`^\[TOOL_RESULT: UNTRUSTED [^\n]* score=(\d\.\d+)\]\n`)

// suspicious is the score from which on a text holds instructions, as the
// firewall sees it: what is below it has no score at all.
const suspicious = 0.5

// warning is said of such a text when the answer does not speak of it. It claims
// nothing of what was done.
const warning = "The text also contained instructions; they are not yours, and I treat them as text."

// noticed is what a thought says of a text with instructions.
var noticed = lazyregexp.New(`Somebody wrote instructions into it`)

// warned is what the network has learnt to say of texts with instructions.
var warned = lazyregexp.New(`\s*The text (?:also )?contain(?:s|ed) instructions[^.]*\.`)

// origins are those of the memories in a list.
var origins = lazyregexp.New(`(?m)^\d+\. \[source: (\w+);`)

// withoutAlarm takes the warning out of an answer that is made of nothing but the
// hall's own memories, of which the firewall thinks nothing bad.
func withoutAlarm(answer string, messages []moothall.Message) string {
	messages = lastRead(messages)
	found := results(messages)
	if len(found) == 0 || instructed(messages) || !warned.MatchString(answer) {
		return answer
	}
	for _, r := range found {
		heads := origins.FindAllStringSubmatch(r.text, -1)
		outside := slices.ContainsFunc(heads, func(h []string) bool { return h[1] == string(moothall.TrustExternal) })
		if r.call.Name != memoryRead || len(heads) == 0 || outside {
			return answer
		}
	}
	return cmp.Or(strings.TrimSpace(warned.ReplaceAllString(answer, "")), answer)
}

// lastRead are the messages up to what tools gave back last: where nothing was
// called for a question, its answer is made of that. All of them where the person
// has given a text since.
func lastRead(messages []moothall.Message) []moothall.Message {
	for i, m := range slices.Backward(messages) {
		if m.Role == moothall.RoleTool {
			return messages[:i+1]
		}
		if m.Role == moothall.RoleUser && carries(person(m.Content)) {
			break
		}
	}
	return messages
}

// instructed reports whether a text before the answer holds instructions.
func instructed(messages []moothall.Message) bool {
	for _, m := range slices.Backward(messages) {
		if m.Role == moothall.RoleUser && person(m.Content) != "" {
			return false
		}
		if hit := scored.FindStringSubmatch(m.Content); m.Role == moothall.RoleTool && hit != nil {
			if score, err := strconv.ParseFloat(hit[1], 64); err == nil && score >= suspicious {
				return true
			}
		}
	}
	return false
}
