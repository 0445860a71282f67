package builtin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall"
	"moothall/internal/lazyregexp"
)

// newest lets a thought that has weighed two memories against each other, the one of
// just now and that of 20 minutes ago, quote the newer: both say nearly the same
// words, and a small network easily goes on with those of the other, or takes 34
// minutes for less than 14. Where the memory says that something is so no longer, what
// is so since then is quoted in its place, or the older to who asks how it was before.
type newest struct {
	messages []moothall.Message
	encode   func([]int32, string) []int32
}

// outdates is such a thought, about to quote.
var outdates = lazyregexp.New(`; ([^;:]+) counts and not ([^;:]+):$`)

// spans are how long ago things come, as the memory says it.
var spans = map[string]time.Duration{"minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour, "month": 30 * 24 * time.Hour, "year": 365 * 24 * time.Hour}

// longAgo is how long ago; false: it is no such words.
func longAgo(words string) (time.Duration, bool) {
	if words == "just now" {
		return 0, true
	}
	many, unit, _ := strings.Cut(strings.TrimSuffix(words, " ago"), " ")
	n, err := strconv.Atoi(many)
	span := spans[strings.TrimSuffix(unit, "s")]
	return time.Duration(n) * span, err == nil && span > 0
}

// aged is a memory in a list: where it comes from, how long ago, and what it says.
var aged = lazyregexp.New(`(?m)^\d+\. \[source: (\w+); ([^;\]]+); [^\]]*\] [^\n]*\n   (?:Asked: )?([^\n]+)$`)

// changes is the end of a memory that says what is so no longer. The one that says
// what is so since then stands before it, if it was found.
var changes = lazyregexp.New(`(?m)^   \(Changed since then: (.+)\)$`)

// earlier are words with which somebody may ask how it was; formerly those that ask
// for what was so until it changed, if they do not ask what was said.
var (
	earlier  = lazyregexp.New(`(?i)\b(?:before|previous(?:ly)?|earlier|former(?:ly)?|used to|once|old|did|was|were|had)\b`)
	formerly = lazyregexp.New(`(?i)\b(?:did|was|were|had)\b.*\b(?:before(?: that| then)?|previously|formerly)\W*$|\b(?:used to|did .*\buse to|previous|former)\b`)
	saying   = lazyregexp.New(`(?i)\b(?:said|say|told|tell|mention(?:ed)?|ask(?:ed)?|talk(?:ed)?)\b`)
)

// dated is a memory, as far as it matters here.
type dated struct {
	age, words string
	line       string // words, and what stands behind them
	outside    bool   // it came from outside, so nobody here said it
	changed    string // what is so since then
}

// datedIn reads the memories of a result.
func datedIn(result string) []dated {
	var out []dated
	found := aged.FindAllStringSubmatchIndex(result, -1)
	for i, m := range found {
		end := len(result)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		d := dated{age: result[m[4]:m[5]], line: result[m[6]:m[7]], outside: result[m[2]:m[3]] == string(moothall.TrustExternal)}
		d.words, _ = nextSentence(d.line)
		if since := changes.FindStringSubmatch(result[m[0]:end]); since != nil {
			d.changed = since[1]
		}
		out = append(out, d)
	}
	return out
}

// dictate returns the tokens of what is quoted. Nil: the thought is not there, or
// no memory of that age has a word of the question.
func (n newest) dictate(thought string) []int32 {
	counts, weighed := weighs(thought)
	unweighed := slices.ContainsFunc(toldMarks, func(m string) bool { return strings.HasSuffix(thought, m) })
	if !weighed && !unweighed || n.encode == nil {
		return nil
	}
	memories := datedIn(lastResult(n.messages))
	asked := contentWords(question(n.messages))
	best, most := -1, 0
	for i, m := range memories {
		if said := akin(contentWords(m.words), asked); (!weighed || m.age == counts) && said > most && !isQuestion(m.words) {
			best, most = i, said
		}
	}
	if best < 0 {
		return nil
	}
	words := ""
	for i := range memories {
		if i == best || formerly.MatchString(question(n.messages)) {
			words = cmp.Or(words, stands(memories, i, n.messages))
		}
	}
	if words == "" && weighed {
		words = memories[best].words
	}
	if words == "" {
		return nil
	}
	return n.encode(nil, " "+strings.TrimRight(words, " .!")+".")
}

// stands is what the person said of what they ask about, where a memory says what is
// so no longer: how it is by now, or how it was before for who asks for that. Empty:
// that memory says nothing of it.
func stands(memories []dated, i int, messages []moothall.Message) string {
	asked := question(messages)
	for fact := range strings.SplitSeq(memories[i].changed, "; ") {
		words := strings.Fields(fact)
		if len(words) < 2 || akin(contentWords(fact), contentWords(asked)) == 0 {
			continue
		}
		if formerly.MatchString(asked) && !saying.MatchString(asked) {
			return memories[i].words
		}
		if i == 0 || earlier.MatchString(asked) {
			return ""
		}
		newer := memories[i-1]
		if newer.changed == "" && !isQuestion(newer.words) && akin(contentWords(newer.words), contentWords(words[len(words)-1])) > 0 {
			return newer.words
		}
	}
	return ""
}

// standing is what a thought goes by for how it is, or was before, in the person's
// words. What a small network makes of them may be the other: both stand there.
func standing(thought string, messages []moothall.Message) string {
	memories := datedIn(lastResult(messages))
	for i := range memories {
		words := strings.TrimRight(stands(memories, i, messages), " .!")
		if words != "" && strings.HasSuffix(strings.TrimRight(thought, " .!"), ": "+words) {
			return words + "."
		}
	}
	return ""
}

// weighs reads of a thought which age counts: the less, whatever it says.
func weighs(thought string) (age string, ok bool) {
	m := outdates.FindStringSubmatch(thought)
	if m == nil {
		return "", false
	}
	one, okOne := longAgo(m[1])
	if other, ok := longAgo(m[2]); ok && okOne && other < one {
		return m[2], true
	}
	return m[1], true
}
