package builtin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"moothall"
	"moothall/internal/gateway/builtin/constrain"
	"moothall/internal/lazyregexp"
)

// dating settles whether a day that was said without its year is still to come.
// A thought says so before it says the year ("Today is 2026-11-17; Christmas,
// 25 December is still to come this year, so it is 2026-12-25"), and a small
// network is bad at it; a calendar is not.
type dating struct {
	encode func([]int32, string) []int32
	ago    bool   // the person asks about what has been, so it is the last day of that name
	day    string // the one that it is about, as a thought says it; empty: the network says it
}

// newDating is for a question after other messages.
func newDating(encode func([]int32, string) []int32, question string, messages []moothall.Message) dating {
	day := feast(question)
	if that := then(question, messages); day == "" && that != "" {
		day = "that day, " + that
	}
	return dating{encode, goneBy.MatchString(question), day}
}

// feasts are days that people call by a name, each with how a thought says it. A
// longer name comes before one that it begins with.
var feasts = []struct {
	name *lazyregexp.Regexp
	day  string
}{
	{lazyregexp.New(`(?i)\bnew year['’]?s eve\b`), "New Year's Eve, 31 December"},
	{lazyregexp.New(`(?i)\bnew year(?:['’]?s(?: day)?)?\b`), "New Year, 1 January"},
	{lazyregexp.New(`(?i)\bchristmas eve\b`), "Christmas Eve, 24 December"},
	{lazyregexp.New(`(?i)\b(?:christmas|xmas)\b`), "Christmas, 25 December"},
	{lazyregexp.New(`(?i)\bboxing day\b`), "Boxing Day, 26 December"},
	{lazyregexp.New(`(?i)\bhallowe['’]?en\b`), "Halloween, 31 October"},
	{lazyregexp.New(`(?i)\bvalentine['’]?s\b`), "Valentine's Day, 14 February"},
	{lazyregexp.New(`(?i)\bst\.? patrick['’]?s\b`), "St Patrick's Day, 17 March"},
}

// feast is the day of such a name in a question that names no other. The network
// knows few of them.
func feast(question string) string {
	if namedDay.MatchString(question) {
		return ""
	}
	for _, f := range feasts {
		if f.name.MatchString(question) {
			return f.day
		}
	}
	return ""
}

// Somebody who asks about a day that was named before, and a day without its year.
var (
	thatDay  = lazyregexp.New(`(?i)\b(?:then|that day|that date)\b\W*$`)
	namedDay = lazyregexp.New(`(?i)\b(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? (` + constrain.Month + `)|(` + constrain.Month + `) (\d{1,2})(?:st|nd|rd|th)?)\b(?:,? \d{4}\b)?`)
)

// then is the day that such a question means: the last one that the person
// named, if it was the only one of its message. The network has none for
// "then", and takes some feast.
func then(question string, messages []moothall.Message) string {
	if !thatDay.MatchString(question) || namedDay.MatchString(question) {
		return ""
	}
	for _, m := range slices.Backward(messages) {
		if m.Role != moothall.RoleUser {
			continue
		}
		if text := asks(person(m.Content)); namedDay.MatchString(text) {
			return dayIn(text)
		}
	}
	return ""
}

// dayIn is the day without its year that a text names. Empty: none, or several.
func dayIn(text string) string {
	days := namedDay.FindAllStringSubmatch(text, -1)
	if len(days) != 1 || yearly.MatchString(days[0][0]) {
		return ""
	}
	month := strings.ToLower(cmp.Or(days[0][2], days[0][3]))
	name := cmp.Or(days[0][1], days[0][4]) + " " + strings.ToUpper(month[:1]) + month[1:]
	if _, err := time.Parse("2 January", name); err != nil {
		return ""
	}
	return name
}

// past are the words of what has been.
var past = lazyregexp.New(`(?i)\b(?:was|were|had|did|met|came|went|ago|last)\b`)

// justSaid is the day to come that the last answer names, for who asks how far off it
// is.
func justSaid(messages []moothall.Message) string {
	for _, m := range slices.Backward(messages) {
		if m.Role == moothall.RoleAssistant && m.Content != "" {
			if past.MatchString(m.Content) {
				return ""
			}
			return dayIn(m.Content)
		}
	}
	return ""
}

// yearly is a day that has its year.
var yearly = lazyregexp.New(`\d{4}$`)

// counts is a thought that is about to say which day it is about.
var counts = lazyregexp.New(`^Today is \d{4}-\d\d-\d\d;$`)

// goneBy are the words of who asks about what has been.
var goneBy = lazyregexp.New(`(?i)\b(since|ago|gone by|have passed|has passed)\b`)

// undated is such a thought, where it is about to say whether the day is past,
// or which day it is.
var undated = lazyregexp.New(`^Today is (\d{4}-\d\d-\d\d); [^;]*\b(?:(\d{1,2})(?:st|nd|rd|th)?(?: of)? (` + constrain.Month + `)|(` + constrain.Month + `) (\d{1,2})(?:st|nd|rd|th)?),? is((?: past| still to come) this year, so it is)?$`)

// weigh changes the logits where a thought is about to say whether the day is
// past: a thought that is about to say anything else is not about that.
func (d dating) weigh(logits []float32, thought string) {
	today, day, decided := d.find(thought)
	if day.IsZero() || decided || d.ago {
		return
	}
	past, come := d.encode(nil, " past")[0], d.encode(nil, " still")[0]
	right := come
	if day.Year() != today.Year() {
		right = past
	}
	if next := best(logits); next == past || next == come {
		logits[right] += tied
	}
}

// dictate returns the tokens of the day that a thought is about to say.
func (d dating) dictate(thought string) []int32 {
	if d.day != "" && counts.MatchString(thought) {
		return d.encode(nil, " "+d.day+" is")
	}
	if _, day, decided := d.find(thought); decided || d.ago && !day.IsZero() {
		return d.encode(nil, " "+day.Format(time.DateOnly))
	}
	return nil
}

// moves is a sum that moves a day by a number without a unit, which are days.
var moves = lazyregexp.New(`^\d{4}-\d\d-\d\d [+-] (\d{1,4})$`)

// apart is a sum that counts the days between two.
var apart = lazyregexp.New(`^\d{4}-\d\d-\d\d - \d{4}-\d\d-\d\d$`)

// settled is a thought that has settled which day it is, and says the sum.
var settled = lazyregexp.New(`^Today is (\d{4}-\d\d-\d\d);.* so it is (\d{4}-\d\d-\d\d), and I calculate (\d{4}-\d\d-\d\d) - (\d{4}-\d\d-\d\d)\.`)

// asThought is a sum that counts days, as the thought before it has it: the
// network may write down another day, or none. Empty: the thought has settled none.
func asThought(sum, thought string) string {
	m := settled.FindStringSubmatch(thought)
	if m == nil || !strings.HasSuffix(sum, " - "+m[1]) && !strings.HasPrefix(sum, m[1]+" - ") || m[3]+m[4] != m[2]+m[1] && m[3]+m[4] != m[1]+m[2] {
		return ""
	}
	return m[3] + " - " + m[4]
}

// A number of weeks, said and asked for.
var (
	someWeeks = lazyregexp.New(`(?i)\b(\d{1,4}) weeks?\b`)
	manyWeeks = lazyregexp.New(`(?i)\bhow many weeks\b`)
)

// inWeeks is a sum that moves a day by weeks, or counts them, where that is what
// the person said: the network takes them for days. Empty: it does not.
func inWeeks(sum, question string) string {
	if apart.MatchString(sum) && manyWeeks.MatchString(question) {
		return sum + " in weeks and days"
	}
	m := moves.FindStringSubmatch(sum)
	if m == nil {
		return ""
	}
	for _, w := range someWeeks.FindAllStringSubmatch(question, -1) {
		if w[1] == m[1] {
			return sum + " weeks"
		}
	}
	return ""
}

// find is the day of that name that is meant, and whether the thought has said
// already that it is past or to come. The zero time: there is none.
func (d dating) find(thought string) (today, day time.Time, decided bool) {
	m := undated.FindStringSubmatch(thought)
	if m == nil {
		return today, day, false
	}
	today, err := time.Parse(time.DateOnly, m[1])
	month, errMonth := time.Parse("January", cmp.Or(m[3], m[4]))
	n, errDay := strconv.Atoi(cmp.Or(m[2], m[5]))
	if cmp.Or(err, errMonth, errDay) != nil {
		return today, day, false
	}
	step := 1
	if d.ago {
		step = -1
	}
	for year := today.Year(); year != today.Year()+2*step; year += step {
		at := time.Date(year, month.Month(), n, 0, 0, 0, 0, time.UTC)
		if at.Compare(today) == step && at.Day() == n { // there is no 31 June, and a 29 February only some years
			return today, at, m[6] != ""
		}
	}
	return today, day, false
}
