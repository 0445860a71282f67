package readable

import (
	"regexp"
	"strings"
	"time"
)

// layouts are the forms in which pages write dates for programs, and the few
// for people that mean the same everywhere. 03/04/2024 is not among them: it
// is a different day in different countries.
var layouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05.000Z0700", "2006-01-02T15:04:05",
	"2006-01-02T15:04", "2006-01-02 15:04:05 Z0700", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02", "2006/01/02", "20060102",
	time.RFC1123, time.RFC1123Z, "Mon, 2 Jan 2006 15:04:05 MST", "Mon, 2 Jan 2006 15:04:05 -0700", time.RFC850, time.ANSIC, time.UnixDate,
	"January 2, 2006", "Jan 2, 2006", "Jan. 2, 2006", "2 January 2006", "2 Jan 2006", "Monday, January 2, 2006", "02.01.2006", "2.1.2006",
}

// parseDate reads a date, or returns the zero time. Years that no page of the
// web can be from are mistakes.
func parseDate(s string) time.Time {
	s = strings.TrimSpace(s)
	if len(s) < 8 || len(s) > 60 {
		return time.Time{}
	}
	for _, l := range layouts {
		if t, err := time.Parse(l, s); err == nil && plausible(t) {
			return t
		}
	}
	// A date with more behind it, such as a zone in a form of its own.
	if day := leadingDay.FindString(s); day != "" {
		if t, err := time.Parse("2006-01-02", day); err == nil && plausible(t) {
			return t
		}
	}
	return time.Time{}
}

func plausible(t time.Time) bool { return t.Year() >= 1990 && t.Year() <= 2100 }

var (
	leadingDay = regexp.MustCompile(`^(?:19|20)\d\d-\d\d-\d\d`)
	pathDay    = regexp.MustCompile(`(?:^|[/_-])((?:19|20)\d\d)[/_-](0[1-9]|1[0-2])[/_-](0[1-9]|[12]\d|3[01])(?:[/_.-]|$)`)
)

// dateOfPath finds the day that many sites put into their addresses.
func dateOfPath(path string) time.Time {
	m := pathDay.FindStringSubmatch(path)
	if m == nil {
		return time.Time{}
	}
	t, err := time.Parse("2006-01-02", m[1]+"-"+m[2]+"-"+m[3])
	if err != nil || !plausible(t) {
		return time.Time{}
	}
	return t
}
