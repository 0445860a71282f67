package builtin

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"moothall"
	"moothall/internal/lazyregexp"
)

// instant is how the hall says the time before what a person says.
const instant = "It is Monday, 2 January 2006, 15:04."

// clockOf is what time it was when the person said the last words; the zero time
// where the hall did not say it.
func clockOf(messages []moothall.Message) time.Time {
	for _, m := range slices.Backward(messages) {
		if m.Role != moothall.RoleUser || person(m.Content) == "" {
			continue
		}
		at, err := time.Parse(instant, strings.TrimSpace(said.FindString(m.Content)))
		if err != nil {
			return time.Time{}
		}
		return at
	}
	return time.Time{}
}

// nextDays are the days beside today that have a name.
var nextDays = map[string]string{"tomorrow": " + 1", "yesterday": " - 1", "the day after tomorrow": " + 2", "the day before yesterday": " - 2"}

// Somebody who asks which day that is, how long it is until a time of day or until a
// day that was named before, and how long ago a year was.
var (
	untilDay = lazyregexp.New(begins + `how (?:many (?:more )?days|long)\b[^\d?.]{0,20}\b(?:until|till|to) (?:then|that day|that date)` + politely)
	fromNow  = lazyregexp.New(begins + `how (?:many days|long) (?:(?:is|are) (?:that|it|this|those) (?:(?:away )?from (?:now|today)|away)|from (?:now|today) is (?:that|it|this))` + politely)
	yearsAgo = lazyregexp.New(begins + `how (?:long|many years) (?:ago (?:was|is|were)|(?:is it |has it been |have passed )?since)(?: the year)? (\d{4})` + politely)

	besideToday = lazyregexp.New(begins + `(?:what|which)(?:['’]?s| is| was| will)?(?:(?: the)?(?: week)?(?: ?day| date)(?: of the week)?(?: is| was| will)?(?: it)?(?: be)?(?: on)? ((?:the day (?:after|before) )?(?:tomorrow|yesterday))` +
		`|(?: be)? ((?:the day (?:after|before) )?(?:tomorrow|yesterday))['’]?s (?:week ?day|day|date))` + politely)
	untilClock = lazyregexp.New(begins + `(?:how (?:long|much time|much longer|many hours|many minutes))\b[^\d?.]{0,20}\b(?:until|till|to|before) (\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\b\.?| o['’]?clock)?|noon|midday|midnight)` + politely)
)

// byClock is the sum that leads to a day beside today, or to how long it is until
// a time of day or that day, or since a year, and the thought that says it. The clock
// alone tells none of it, and the network says today, takes 6 pm for a date and a year
// for a number of days.
func byClock(question string, messages []moothall.Message) (sum, thought string) {
	now := clockOf(messages)
	if now.IsZero() {
		return "", ""
	}
	if m := besideToday.FindStringSubmatch(question); m != nil {
		today := now.Format(time.DateOnly)
		sum = today + nextDays[strings.ToLower(cmp.Or(m[1], m[2]))]
		return sum, "Today is " + today + ", so I calculate " + sum + "."
	}
	if m := yearsAgo.FindStringSubmatch(question); m != nil && m[1] <= now.Format("2006") {
		sum = now.Format("2006") + " - " + m[1]
		return sum, "The year is " + now.Format("2006") + ", so I calculate " + sum + "."
	}
	if sum, thought := ageSum(question, now, messages); sum != "" {
		return sum, thought
	}
	if sum, thought := daySum(question, messages); sum != "" {
		return sum, thought
	}
	if untilDay.MatchString(question) {
		return untilThen(now, then(question, messages))
	}
	if fromNow.MatchString(question) {
		return untilThen(now, justSaid(messages))
	}
	m := untilClock.FindStringSubmatch(question)
	if m == nil {
		return "", ""
	}
	if then := timeOfDay(m[1]); then != "" {
		sum = then + " - " + now.Format("15:04")
		return sum, "From " + now.Format("15:04") + " to " + then + ", so I calculate " + sum + "."
	}
	return "", ""
}

// untilThen is the same for a day without its year, of which the next is meant.
func untilThen(now time.Time, day string) (sum, thought string) {
	today := now.Format(time.DateOnly)
	if day == now.Format("2 January") {
		sum = today + " - " + today
		return sum, "Today is " + today + ", and that day is today, so I calculate " + sum + "."
	}
	_, at, _ := dating{}.find("Today is " + today + "; that day, " + day + " is")
	if day == "" || at.IsZero() {
		return "", ""
	}
	when := "still to come"
	if at.Year() != now.Year() {
		when = "past"
	}
	sum = at.Format(time.DateOnly) + " - " + today
	return sum, "Today is " + today + "; that day, " + day + " is " + when + " this year, so it is " + at.Format(time.DateOnly) + ", and I calculate " + sum + "."
}

// timeOfDay is one as the calculator reads it, where somebody says it as people do.
// Empty: it is none; a bare number may count anything.
func timeOfDay(words string) string {
	words = strings.NewReplacer(" ", "", ".", "", "’", "'", "noon", "12:00", "midday", "12:00", "midnight", "0:00").Replace(strings.ToLower(words))
	if hour, ok := strings.CutSuffix(strings.Replace(words, "oclock", "o'clock", 1), "o'clock"); ok {
		words = hour + ":00"
	}
	for _, layout := range []string{"3:04pm", "3pm", "15:04"} {
		if at, err := time.Parse(layout, words); err == nil {
			return at.Format("15:04")
		}
	}
	return ""
}
