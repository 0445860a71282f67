package builtin

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall/internal/lazyregexp"
)

// dueling lets a thought that looks for the most or the least of several, two at a
// time, go on with the right one of the two: "Mira 1710 or 950?" is arithmetic, and a
// small network is wrong about one in some dozens.
type dueling struct {
	encode func([]int32, string) []int32
}

// contest is such a thought, about to decide; see train/gen. Of files the goal says
// what the word means: the oldest has the earliest date.
var contest = lazyregexp.New(`(?s)\b[Ww]anted is the (\pL+)(?:, that is the (\pL+)[^.]*)?\. (?:.*\. )?([^?]+) or ([^?]+)\?$`)

var (
	mostWords  = []string{"most", "highest", "largest", "biggest", "greatest", "longest", "latest", "heaviest", "tallest", "dearest"}
	leastWords = []string{"least", "lowest", "fewest", "smallest", "shortest", "earliest", "cheapest", "lightest"}
)

// dictate returns the tokens of the one that counts. Nil: it is no such thought, or
// the two cannot be compared.
func (d dueling) dictate(thought string) []int32 {
	m := contest.FindStringSubmatch(thought)
	if m == nil || d.encode == nil || strings.Contains(thought, "version") { // 1.10 comes after 1.9 there
		return nil
	}
	goal, named := m[1], m[2] != ""
	if named {
		goal = m[2]
	}
	up := slices.Contains(mostWords, goal)
	if !up && !slices.Contains(leastWords, goal) {
		return nil
	}
	best := m[4]
	most, ok := measured(best)
	if !ok {
		return nil
	}
	next, shown, ok := likeIt(m[3], best, most, named)
	if !ok {
		return nil
	}
	if next.much != most.much && (next.much > most.much) == up {
		best = shown
	}
	return d.encode(nil, " "+best+".")
}

// likeIt is the value in some words that is of the kind of another one: that at the
// end, where a name stands before it, else the only one.
func likeIt(text, other string, like measure, atEnd bool) (measure, string, bool) {
	words, n := strings.Fields(text), len(strings.Fields(other))
	var found []string
	for at := len(words) - n; at >= 0; at-- {
		shown := strings.Join(words[at:at+n], " ")
		if v, ok := measured(shown); ok && v.of == like.of {
			if atEnd && at == len(words)-n {
				return v, shown, true
			}
			found = append(found, shown)
		}
	}
	if len(found) != 1 {
		return measure{}, "", false
	}
	v, ok := measured(found[0])
	return v, found[0], ok
}

// measure is how much a value is, and of what.
type measure struct {
	much float64
	of   string
}

// inBytes are the units of sizes, as listings have them.
var inBytes = map[string]float64{"bytes": 1, "byte": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9}

// aNumber is a number with what stands right before it and behind it; decimal is one
// that some read as thousands. How long ago something was grows as it gets older.
var (
	decimal = lazyregexp.New(`^\D*\d{1,3}\.\d{3}\D*$`)
	ago     = lazyregexp.New(`\bago$`)
)

var aNumber = lazyregexp.New(`^([£$€]?)(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)(\D*)$`)

// measured reads a value: a date, a time of day, a number with its unit.
func measured(shown string) (measure, bool) {
	for _, layout := range []string{time.DateOnly, "2 January 2006", "2 January"} {
		if t, err := time.Parse(layout, shown); err == nil {
			return measure{float64(t.Unix()), layout}, true
		}
	}
	if at, err := time.Parse("15:04", timeOfDay(shown)); err == nil {
		return measure{float64(at.Unix()), "15:04"}, true
	}
	m := aNumber.FindStringSubmatch(shown)
	if m == nil || decimal.MatchString(shown) || ago.MatchString(shown) {
		return measure{}, false
	}
	n, err := strconv.ParseFloat(strings.ReplaceAll(m[2], ",", ""), 64)
	unit := strings.ToLower(strings.TrimSpace(m[3]))
	if size, ok := inBytes[unit]; ok {
		return measure{n * size, "bytes"}, err == nil
	}
	return measure{n, m[1] + unit}, err == nil
}
