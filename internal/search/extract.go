package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxSentences  = 400 // of a page that are looked at
	keptSentences = 3
	maxSentence   = 500 // bytes
	minSentence   = 20  // bytes; less is a label
)

// extract returns the sentence of a text with most of the query's words, and
// the best few in the order of the text. It always returns something for a
// text that is not empty.
func extract(query, text string) (claim, summary string) {
	all := sentences(text)
	if len(all) == 0 {
		line := clip(oneLine(text), maxSentence)
		return clip(line, maxClaim), line
	}
	want := unique(terms(query))
	scores := make([]float64, len(all))
	order := make([]int, len(all))
	for i, s := range all {
		order[i] = i
		scores[i] = overlap(s, want) + 0.3/float64(i+1) // articles begin with their point
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	best := order[:min(len(order), keptSentences)]
	claim = clip(all[best[0]], maxClaim)
	slices.Sort(best)
	parts := make([]string, len(best))
	for i, n := range best {
		parts[i] = all[n]
	}
	return claim, strings.Join(parts, " ")
}

// overlap is how many words of the query a sentence has.
func overlap(sentence string, want []string) float64 {
	have := terms(sentence)
	n := 0.0
	for _, w := range want {
		if slices.ContainsFunc(have, func(t string) bool { return alike(t, w) }) {
			n++
		}
	}
	return n
}

// sentences splits a text at line ends and at full stops before a space.
func sentences(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		for line = strings.TrimSpace(line); line != "" && len(out) < maxSentences; {
			n := sentenceEnd(line)
			if s := clip(strings.TrimSpace(line[:n]), maxSentence); len(s) >= minSentence {
				out = append(out, s)
			}
			line = strings.TrimSpace(line[n:])
		}
	}
	return out
}

func sentenceEnd(line string) int {
	for i, r := range line {
		end := i + utf8.RuneLen(r)
		switch {
		case r == '。', r == '！', r == '？':
			return end
		case (r == '.' || r == '!' || r == '?') && end < len(line) && line[end] == ' ' && !abbreviation(line[:i]):
			return end
		}
	}
	return len(line)
}

// abbreviation says whether a full stop after this is likely none: after one
// or two characters, as in initials, "Dr" and the days of dates.
func abbreviation(before string) bool {
	return utf8.RuneCountInString(before[strings.LastIndexByte(before, ' ')+1:]) <= 2
}
