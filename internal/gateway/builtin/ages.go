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

// Somebody who asks for their age, and for the weekday of a date that was named
// before; a date with its year, and one on which somebody was born.
var (
	howOldAmI = lazyregexp.New(begins + `how old am i(?: now| today| by now)?` + politely)
	itsDay    = lazyregexp.New(begins + `(?:what|which) (?:week)?day(?: of the week)? (?:(?:was|were) (?:that|it|this)|(?:is|will) that(?: be)?)` + politely)
	fullDate  = lazyregexp.New(`(?i)\b(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? (` + constrain.Month + `),? (\d{4})|(` + constrain.Month + `) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})|(\d{4}-\d\d-\d\d))\b`)
	birth     = lazyregexp.New(`(?i)^\W*(?:(?:hi|hello|well|and|so|by the way|btw|remember|note|that)\W+)*(?:I was|I'm|I am|I’m) born on (?:the |a )?(?:\pL+day,? )?(?:the )?([^.;!?\n]{6,24})`)
)

// dateIn is the date with its year that a text names; the zero time: none, or several.
func dateIn(text string) time.Time {
	found := fullDate.FindAllStringSubmatch(text, -1)
	if len(found) != 1 {
		return time.Time{}
	}
	m := found[0]
	if at, err := time.Parse(time.DateOnly, m[7]); err == nil {
		return at
	}
	at, err := time.Parse("2 January 2006", cmp.Or(m[1], m[5])+" "+cmp.Or(m[2], m[4])+" "+cmp.Or(m[3], m[6])) // months in any case
	if err != nil {
		return time.Time{}
	}
	return at
}

// ageSum is the sum of the person's age, where they said when they were born in the
// conversation or in what was just recalled, and the thought that says it: a year has
// no fixed number of days, and the calculator counts these.
func ageSum(question string, now time.Time, messages []moothall.Message) (sum, thought string) {
	if !howOldAmI.MatchString(question) {
		return "", ""
	}
	born := bornOn(messages)
	if born.IsZero() || born.After(now) {
		return "", ""
	}
	sum = now.Format("2006") + " - " + born.Format("2006")
	if now.Format("0102") < born.Format("0102") {
		sum += " - 1"
	}
	return sum, "They were born on " + born.Format("2 January 2006") + ", and today is " + now.Format(time.DateOnly) + ", so I calculate " + sum + "."
}

// bornOn is when the person was born, as they said it last, or as it was recalled for
// their question. The zero time: nothing of it is known, or they named another date
// since then, which may put it right.
func bornOn(messages []moothall.Message) time.Time {
	for _, r := range results(messages) {
		for _, m := range datedIn(r.text) {
			if said := birth.FindStringSubmatch(m.line); said != nil && !m.outside && r.call.Name == memoryRead {
				return dateIn(said[1])
			}
		}
	}
	for _, m := range slices.Backward(messages) {
		if m.Role != moothall.RoleUser {
			continue
		}
		text := asks(person(m.Content))
		if said := birth.FindStringSubmatch(text); said != nil {
			return dateIn(said[1])
		}
		if fullDate.MatchString(text) {
			break
		}
	}
	return time.Time{}
}

// countedTo is a sum of the days from one date to another.
var countedTo = lazyregexp.New(`"(\d{4}-\d\d-\d\d) - \d{4}-\d\d-\d\d"`)

// daySum is the same for the weekday of the date that was named in the last exchange,
// or that days were counted to there.
func daySum(question string, messages []moothall.Message) (sum, thought string) {
	whole := strings.TrimRight(question, " ?.!")
	if i := strings.LastIndexAny(whole, ",.;:"); i >= 0 { // "I was born on 14 February 1938, what weekday was that?"
		if at := dateIn(whole[:i]); !at.IsZero() && itsDay.MatchString(whole[i+1:]) {
			return onWeekday(at)
		}
	}
	if !itsDay.MatchString(question) {
		return "", ""
	}
	said := 0
	for _, m := range slices.Backward(messages) {
		text := m.Content
		switch m.Role {
		case moothall.RoleUser:
			text = asks(person(text))
			said++
		case moothall.RoleAssistant:
			if len(m.ToolCalls) == 1 {
				if to := countedTo.FindStringSubmatch(string(m.ToolCalls[0].Arguments)); to != nil {
					text = to[1]
				}
			}
		default:
			continue
		}
		if at := dateIn(text); !at.IsZero() {
			return onWeekday(at)
		}
		if said == 2 || fullDate.MatchString(text) {
			break
		}
	}
	return "", ""
}

func onWeekday(at time.Time) (sum, thought string) {
	sum = "weekday of " + at.Format(time.DateOnly)
	return sum, "That day is " + at.Format("2 January 2006") + ", so I calculate " + sum + "."
}

// A weekday, and one that was calculated.
var (
	weekdays  = lazyregexp.New(`\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b`)
	isWeekday = lazyregexp.New(`^weekday of [^\n=]+ = (\pL+day)\s*$`)
)

// itsWeekday is the weekday that was just calculated, where the answer names another
// one. Empty: it does not.
func itsWeekday(answer string, messages []moothall.Message) string {
	found := results(messages)
	if len(found) != 1 {
		return ""
	}
	came := isWeekday.FindStringSubmatch(found[0].text)
	if came == nil || !slices.ContainsFunc(weekdays.FindAllString(answer, -1), func(day string) bool { return day != came[1] }) {
		return ""
	}
	return "That is a " + came[1] + "."
}
