package builtin

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/lazyregexp"
)

// A day with or without its year, and a sum of a weekday.
var (
	anyDate   = lazyregexp.New(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? (` + constrain.Month + `)(?:,? (\d{4}))?\b`)
	ofWeekday = lazyregexp.New(`"weekday of [^"]+"`)
)

// besideDates are the words around the dates of somebody who asks the same of others.
var besideDates = strings.Fields("and what about how was is it the same for of on or then ok okay now also from to until till between days day weekday please that")

// daysAgain is the last sum about days with those that the person names now: "and 1
// January 2000", after a weekday. Empty: the last sum was none, or they ask more.
func daysAgain(question string, messages []moothall.Message) string {
	rest := strings.FieldsFunc(strings.ToLower(anyDate.ReplaceAllString(question, " ")), func(c rune) bool { return strings.ContainsRune(" ,.?!:", c) })
	if len(rest) > 6 || slices.ContainsFunc(rest, func(w string) bool { return !slices.Contains(besideDates, w) }) {
		return ""
	}
	last := lastCall(messages)
	found := anyDate.FindAllStringSubmatch(question, -1)
	if at := dateIn(question); len(found) == 1 && !at.IsZero() && ofWeekday.MatchString(last) {
		return "weekday of " + at.Format(time.DateOnly)
	}
	was := countedTo.FindStringSubmatch(last)
	if len(found) != 2 || was == nil {
		return ""
	}
	return daysFrom(found, was[1][:4])
}

// lastCall is the arguments of the last sum, where it was the last call of all.
func lastCall(messages []moothall.Message) string {
	for _, m := range slices.Backward(messages) {
		if n := len(m.ToolCalls); n > 0 {
			if m.ToolCalls[n-1].Name != calculates {
				return ""
			}
			return string(m.ToolCalls[n-1].Arguments)
		}
	}
	return ""
}

// nights is how somebody asks for the days between the two that they just said.
var nights = lazyregexp.New(begins + `how (?:many (?:days|nights)|long) (?:is|are|will|would|does|do|was|were)\b(?: (?:it|that|this|we|i|they|she|he))*(?: (?:be|stay|gone|away|there|last|between|in between|altogether|in all|then))*` + politely)

// daysThere is the sum of the days between the two days of the person's last message
// but one: "we fly on 12 June and come back on 26 June", "how many nights is that?"
// Empty: they said more or fewer, or ask something else.
func daysThere(question string, messages []moothall.Message) string {
	now := clockOf(messages)
	if !nights.MatchString(question) || now.IsZero() {
		return ""
	}
	said := askedBefore(question, messages)
	found := anyDate.FindAllStringSubmatch(said, -1)
	if len(found) != 2 || said == question {
		return ""
	}
	return daysFrom(found, now.Format("2006"))
}

// daysFrom is the sum of the days between two that were said, the first of them of this
// year where it was said without one. Empty: there is no such day, or the second comes first.
func daysFrom(said [][]string, year string) string {
	var days [2]time.Time
	for i, m := range said {
		at, err := time.Parse("2 January 2006", m[1]+" "+m[2]+" "+cmp.Or(m[3], year)) // months in any case
		if err != nil {
			return ""
		}
		days[i] = at
	}
	if days[1].Before(days[0]) {
		if said[1][3] != "" {
			return ""
		}
		days[1] = days[1].AddDate(1, 0, 0)
	}
	return days[1].Format(time.DateOnly) + " - " + days[0].Format(time.DateOnly)
}
