package passage

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of what is made and looked at.
const (
	maxName     = 80       // characters
	maxDescribe = 320      // characters
	maxLooked   = 64 << 10 // bytes: what follows no longer changes what a text is about
)

// Name returns one line that says what a text is about: its first heading, or
// the first sentence that says something, at most 80 characters. A text
// without a letter or digit has the name "".
func Name(text string) string {
	text = looked(text)
	for b := range blocks(text) {
		if b.level > 0 && b.title != "" {
			return shorten(b.title, maxName)
		}
		break
	}
	list := candidates(text)
	if len(list) == 0 {
		return ""
	}
	return shorten(strings.TrimRight(list[lead(list)].line, ".。 "), maxName)
}

// Describe returns one or two sentences out of a text, at most 320
// characters: the one that opens it, and the one that most of the text is
// about. In a longer text the words that occur most and stand in neither
// follow.
func Describe(text string) string {
	text = looked(text)
	list := candidates(text)
	if len(list) == 0 {
		return ""
	}
	weight := frequencies(list)
	first := lead(list)
	chosen := []int{first}
	if second := central(list, weight, first); second >= 0 {
		chosen = append(chosen, second)
		slices.Sort(chosen)
	}
	var parts []string
	for _, i := range chosen {
		parts = append(parts, shorten(list[i].line, maxDescribe/2-30))
	}
	out := strings.Join(parts, " ")
	if extra := keywords(weight, out); len(list) > 4 && len(extra) > 0 {
		out += " (" + strings.Join(extra, ", ") + ")"
	}
	return shorten(out, maxDescribe)
}

// looked is the part of a text that is looked at.
func looked(text string) string {
	if len(text) <= maxLooked {
		return text
	}
	return text[:wordEnd(text, maxLooked)]
}

// candidate is a sentence on one line with its telling words.
type candidate struct {
	line  string
	words []string
}

// candidates are the sentences that have a word at all, markup taken off.
func candidates(text string) []candidate {
	var out []candidate
	for b := range blocks(text) {
		if b.code {
			continue
		}
		body := b.of(text)
		for _, s := range sentences(body) {
			line := strings.TrimLeft(oneLine(s.of(body)), "#>*-+|•` ")
			if strings.ContainsFunc(line, wordRune) {
				out = append(out, candidate{line, telling(line)})
			}
		}
	}
	return out
}

// lead is the first sentence that says something, not "Hey, good to see you".
func lead(list []candidate) int {
	best := 0
	for i, c := range list[:min(len(list), 5)] {
		if len(c.words) >= 4 {
			return i
		}
		if len(c.words) > len(list[best].words) {
			best = i
		}
	}
	return best
}

// frequencies counts in how many sentences a word occurs.
func frequencies(list []candidate) map[string]int {
	out := map[string]int{}
	for _, c := range list {
		for _, w := range c.words {
			out[w]++
		}
	}
	return out
}

// central finds the sentence whose words occur in most others, -1 when no
// other says anything.
func central(list []candidate, weight map[string]int, but int) int {
	best, most := -1, 0
	for i, c := range list {
		if i == but || len(c.words) < 3 {
			continue
		}
		sum := 0
		for _, w := range c.words {
			sum += weight[w]
		}
		// long sentences would win by length alone: 12 words are enough to shine
		if score := sum * 100 / max(len(c.words), 6); score > most {
			best, most = i, score
		}
	}
	return best
}

// keywords are the words that occur most and are not said yet.
func keywords(weight map[string]int, said string) []string {
	said = strings.ToLower(said)
	words := slices.SortedFunc(maps.Keys(weight), func(a, b string) int {
		return cmp.Or(cmp.Compare(weight[b], weight[a]), cmp.Compare(a, b))
	})
	var out []string
	for _, w := range words {
		if len(out) == 5 || weight[w] < 2 {
			break
		}
		if utf8.RuneCountInString(w) > 3 && !strings.Contains(said, w) {
			out = append(out, w)
		}
	}
	return out
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// telling lists the distinct words of a sentence that are no stop words.
func telling(s string) []string {
	var out []string
	seen := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !wordRune(r) && !unicode.IsMark(r) && r != '\'' && r != '’' }) {
		w = strings.Trim(w, "'’")
		if w != "" && !seen[w] && !empty(w) {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

// empty tells whether a word says nothing alone.
func empty(w string) bool {
	if len(w) < 2 {
		return true
	}
	_, found := slices.BinarySearch(stopWords, w)
	return found
}
