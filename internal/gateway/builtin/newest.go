package builtin

import (
	"strconv"
	"strings"
	"time"

	"moothall"
	"moothall/internal/lazyregexp"
)

// newest lets a thought that has weighed two memories against each other, the one of
// just now and that of 20 minutes ago, quote the newer: both say nearly the same
// words, and a small network easily goes on with those of the other, or takes 34
// minutes for less than 14.
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

// aged is a memory in a list: how long ago it came, and what it says.
var aged = lazyregexp.New(`(?m)^\d+\. \[source: \w+; ([^;\]]+); [^\]]*\] [^\n]*\n   (?:Asked: )?([^\n]+)$`)

// dictate returns the tokens of what is quoted. Nil: the thought is not there, or
// no memory of that age has a word of the question.
func (n newest) dictate(thought string) []int32 {
	m := outdates.FindStringSubmatch(thought)
	if m == nil || n.encode == nil {
		return nil
	}
	counts := m[1]
	one, okOne := longAgo(m[1])
	if other, ok := longAgo(m[2]); ok && okOne && other < one {
		counts = m[2]
	}
	asked := contentWords(question(n.messages))
	best, most := "", 0
	for _, memory := range aged.FindAllStringSubmatch(lastResult(n.messages), -1) {
		words, _ := nextSentence(memory[2])
		if said := akin(contentWords(words), asked); memory[1] == counts && said > most && !isQuestion(words) {
			best, most = words, said
		}
	}
	if best == "" {
		return nil
	}
	return n.encode(nil, " "+strings.TrimRight(best, " .!")+".")
}
