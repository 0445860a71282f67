package builtin

import (
	"slices"
	"strings"
	"time"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/lazyregexp"
)

// A day with or without its year, and what the last sum about days was.
var (
	anyDate   = lazyregexp.New(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? (` + constrain.Month + `)(?:,? (\d{4}))?\b`)
	ofWeekday = lazyregexp.New(`"weekday of [^"]+"`)
	ofDays    = lazyregexp.New(`"(\d{4})-\d\d-\d\d - \d{4}-\d\d-\d\d"`)
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
	was := ofDays.FindStringSubmatch(last)
	if len(found) != 2 || was == nil {
		return ""
	}
	var days [2]time.Time
	for i, m := range found {
		year := m[3]
		if year == "" {
			year = was[1]
		}
		month := strings.ToLower(m[2])
		at, err := time.Parse("2 January 2006", m[1]+" "+strings.ToUpper(month[:1])+month[1:]+" "+year)
		if err != nil {
			return ""
		}
		days[i] = at
	}
	if days[1].Before(days[0]) {
		if found[1][3] != "" {
			return ""
		}
		days[1] = days[1].AddDate(1, 0, 0)
	}
	return days[1].Format(time.DateOnly) + " - " + days[0].Format(time.DateOnly)
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
