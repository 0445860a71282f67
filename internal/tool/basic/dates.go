package basic

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"moothall"
)

// Sums with dates. Without them 2026-12-25 - 2026-11-16 would be a difference of
// six numbers, and nobody would notice. A date alone stays one of three numbers.
var (
	between = regexp.MustCompile(`(?i)^(\d{4}-\d\d?-\d\d?)\s*(?:-|−|–|\bminus\b)\s*(\d{4}-\d\d?-\d\d?)$`)
	weekday = regexp.MustCompile(`(?i)^weekday(?:\s+of\s+|\s*\(\s*)(\d{4}-\d\d-\d\d)\s*\)?$`)
	shifted = regexp.MustCompile(`(?i)^(\d{4}-\d\d-\d\d)\s+(\+|-|−|–|plus|minus)\s+(\d{1,6})(?:\s+(days?|weeks?))?(?:\s+(?:and\s+)?(\d{1,6})\s+days?)?$`)

	single  = regexp.MustCompile(`\b` + calendar + `\b`)
	within  = regexp.MustCompile(`(?i)\b(` + calendar + `)\s*(?:-|−|–|\bminus\b)\s*(` + calendar + `)\b`)
	addends = [2]*regexp.Regexp{regexp.MustCompile(`(?i)(?:^|[(,+]|\bplus)\s*$`), regexp.MustCompile(`(?i)^\s*(?:$|[),+−–-]|(?:plus|minus)\b)`)}
)

// calendar is a date by its form: a month and a day that there may be.
const calendar = `\d{4}-(?:0?[1-9]|1[0-2])-(?:0?[1-9]|[12]\d|3[01])`

// dated answers how many days lie between two dates, and which date is some days
// before or after another one, and on which weekday a date falls; an empty result
// when the expression asks for nothing of it.
func dated(s string) (result, unit string, exact bool, err error) {
	if m := between.FindStringSubmatch(s); m != nil {
		result, unit, err = days(m[1], m[2])
	} else if m := weekday.FindStringSubmatch(s); m != nil {
		result, err = fallsOn(m[1])
	} else if m := shifted.FindStringSubmatch(s); m != nil {
		result, unit, err = shift(m[1], strings.ToLower(m[2]), m[3], strings.ToLower(m[4]), cmp.Or(m[5], "0"))
	}
	return result, unit, true, err
}

// counted puts the days between two dates in the place of each difference of
// dates within an expression. Where there are two dates, none is left to be read
// as numbers.
func counted(s string) (string, error) {
	if len(single.FindAllString(s, 2)) < 2 {
		return s, nil
	}
	var out strings.Builder
	for m := within.FindStringSubmatchIndex(s); m != nil; m = within.FindStringSubmatchIndex(s) {
		n, _, err := days(s[m[2]:m[3]], s[m[4]:m[5]])
		if err != nil {
			return "", err
		}
		out.WriteString(s[:m[0]])
		if !addends[0].MatchString(out.String()) || !addends[1].MatchString(s[m[1]:]) {
			return "", undefined("put parentheses around " + s[m[0]:m[1]] + ", which is a number of days")
		}
		out.WriteString("(" + n + ")")
		s = s[m[1]:]
	}
	out.WriteString(s)
	if date := single.FindString(out.String()); date != "" {
		return "", undefined(date + " is a date and no number; calculate the days between two dates, as in 2026-12-25 - 2026-11-16")
	}
	return out.String(), nil
}

func days(to, from string) (result, unit string, err error) {
	end, errEnd := date(to)
	begin, errBegin := date(from)
	if err := cmp.Or(errEnd, errBegin); err != nil {
		return "", "", err
	}
	n := (end.Unix() - begin.Unix()) / (24 * 60 * 60)
	unit = " days"
	if n == 1 || n == -1 {
		unit = " day"
	}
	return strconv.FormatInt(n, 10), unit, nil
}

func shift(from, op, by, of, more string) (result, unit string, err error) {
	day, err := date(from)
	if err != nil {
		return "", "", err
	}
	n, err := strconv.Atoi(by)
	rest, errRest := strconv.Atoi(more)
	if cmp.Or(err, errRest) != nil {
		return "", "", undefined(by + " is no number of days")
	}
	if strings.HasPrefix(of, "week") {
		n *= 7
	}
	n += rest
	if op != "+" && op != "plus" {
		n = -n
	}
	day = day.AddDate(0, 0, n)
	if day.Year() < 1 || day.Year() > 9999 {
		return "", "", moothall.Fail(moothall.CodeTooLarge, "expression", "the date is too far away")
	}
	return day.Format(time.DateOnly), ", a " + day.Weekday().String(), nil
}

func fallsOn(s string) (string, error) {
	day, err := date(s)
	return day.Weekday().String(), err
}

func date(s string) (time.Time, error) {
	t, err := time.Parse("2006-1-2", s)
	if err != nil {
		return t, undefined(fmt.Sprintf("%s is no date of the calendar", s))
	}
	return t, nil
}
