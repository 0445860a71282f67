package basic

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Sums with times of the day.
var (
	span  = regexp.MustCompile(`(?i)^(\d{1,2}:\d\d)\s+(?:-|−|–|minus)\s+(\d{1,2}:\d\d)$`)
	later = regexp.MustCompile(`(?i)^(\d{1,2}:\d\d)\s+(\+|-|−|–|plus|minus)\s+(?:(\d{1,4})\s*(?:h|hours?)\b)?\s*(?:and\s+)?(?:(\d{1,5})\s*(?:min|minutes?)\b)?$`)
)

const minutesOfDay = 24 * 60

// timed answers how long it is from one time of the day to another one, and which
// time is some hours and minutes before or after one; an empty result when the
// expression asks for neither.
func timed(s string) (result, unit string, exact bool, err error) {
	if m := span.FindStringSubmatch(s); m != nil {
		result, err = length(m[1], m[2])
	} else if m := later.FindStringSubmatch(s); m != nil && m[3]+m[4] != "" {
		result, err = moved(m[1], strings.ToLower(m[2]), m[3], m[4])
	}
	return result, "", true, err
}

// length is how long it is until to from from on, over midnight where to is the
// earlier one: a train that leaves at 22:30 and comes at 6:15 is seven hours on
// its way and not minus sixteen.
func length(to, from string) (string, error) {
	end, errEnd := minutes(to)
	begin, errBegin := minutes(from)
	if err := cmp.Or(errEnd, errBegin); err != nil {
		return "", err
	}
	n, over := end-begin, ""
	if n < 0 {
		n, over = n+minutesOfDay, ", over midnight"
	}
	return inHours(60*int64(n)) + over, nil
}

func moved(from, op, hours, some string) (string, error) {
	at, err := minutes(from)
	if err != nil {
		return "", err
	}
	h, errHours := strconv.Atoi(cmp.Or(hours, "0"))
	n, errSome := strconv.Atoi(cmp.Or(some, "0"))
	if err := cmp.Or(errHours, errSome); err != nil {
		return "", undefined(from + " cannot be moved by that")
	}
	by := h*60 + n
	if op != "+" && op != "plus" {
		by = -by
	}
	at += by
	left := (at%minutesOfDay + minutesOfDay) % minutesOfDay
	return fmt.Sprintf("%02d:%02d%s", left/60, left%60, away((at-left)/minutesOfDay)), nil
}

// away is what is said of a time that is on another day.
func away(days int) string {
	switch {
	case days == 0:
		return ""
	case days == 1:
		return ", the next day"
	case days == -1:
		return ", the day before"
	case days > 0:
		return fmt.Sprintf(", %d days later", days)
	}
	return fmt.Sprintf(", %d days before", -days)
}

// minutes is a time of the day.
func minutes(s string) (int, error) {
	h, m, _ := strings.Cut(s, ":")
	hour, errHour := strconv.Atoi(h)
	minute, errMinute := strconv.Atoi(m)
	if cmp.Or(errHour, errMinute) != nil || hour > 23 || minute > 59 {
		return 0, undefined(s + " is no time of the day")
	}
	return hour*60 + minute, nil
}
