package constrain

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Month is a pattern of the months' names.
const Month = "January|February|March|April|May|June|July|August|September|October|November|December"

var months = strings.Split(strings.ToLower(Month), "|")

// spoken is a date in words, with its year or without.
var spoken = regexp.MustCompile(`(?i)\b(?:(\d{1,2})(?:st|nd|rd|th)? (?:of )?(` + Month + `)|(` + Month + `) (\d{1,2})(?:st|nd|rd|th)?)\b(?:,? (\d{4})\b)?`)

// dates are the numbers of which the dates in a text are written, 2026-12-05 of
// the 5th of December: month and day in two digits, and of a year also the next,
// in which a day comes again that is over, and the one before, in which one was
// that is still to come.
func dates(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		low := strings.ToLower(line)
		if !slices.ContainsFunc(months, func(m string) bool { return strings.Contains(low, m) }) {
			continue // most lines; the expression is slow
		}
		for _, m := range spoken.FindAllStringSubmatch(line, -1) {
			out = append(out, fmt.Sprintf("%02d", 1+slices.Index(months, strings.ToLower(m[2]+m[3]))))
			if day, err := strconv.Atoi(m[1] + m[4]); err == nil {
				out = append(out, fmt.Sprintf("%02d", day))
			}
			if year, err := strconv.Atoi(m[5]); err == nil {
				out = append(out, strconv.Itoa(year-1), strconv.Itoa(year), strconv.Itoa(year+1))
			}
		}
	}
	return out
}
