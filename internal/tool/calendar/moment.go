package calendar

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// moment is a date or a time as a file writes it.
type moment struct {
	wall     time.Time // in UTC, whatever the zone
	day      bool      // a date without a time
	floating bool      // no zone is told, so that it is the person's
	zone     zone
}

func (m moment) instant() time.Time { return m.zone.instant(m.wall) }

var errMoment = errors.New("not a date or a time")

// wallTime reads 20261115 or 20261115T093000, with or without Z.
func wallTime(s string) (time.Time, error) {
	s = strings.TrimSuffix(strings.TrimSpace(s), "Z")
	layout := "20060102T150405"
	if len(s) == 8 {
		layout = "20060102"
	}
	t, err := time.Parse(layout, s)
	if err != nil || t.Year() < 1 {
		return time.Time{}, errMoment
	}
	return t, nil
}

// moments reads the values of a property: dates, times, or periods, of which
// the beginning counts.
func (z *zones) moments(p property) ([]moment, error) {
	var out []moment
	for s := range strings.SplitSeq(p.value, ",") {
		s, _, _ = strings.Cut(strings.TrimSpace(s), "/")
		wall, err := wallTime(s)
		if err != nil {
			return nil, err
		}
		m := moment{wall: wall, day: len(s) == 8, zone: location{z.own}}
		switch {
		case strings.HasSuffix(s, "Z"):
			m.zone = location{time.UTC}
		case p.params["TZID"] != "" && !m.day:
			m.zone = z.find(p.params["TZID"])
		default:
			m.floating = true
		}
		out = append(out, m)
	}
	return out, nil
}

func (z *zones) moment(p property) (moment, error) {
	all, err := z.moments(p)
	if err != nil || len(all) == 0 {
		return moment{}, errMoment
	}
	return all[0], nil
}

// maxDuration is longer than any appointment.
const maxDuration = 10 * 366 * 24 * time.Hour

// duration reads P1DT2H30M, P2W and the like.
func duration(s string) (time.Duration, error) {
	s = strings.ToUpper(strings.TrimSpace(s))
	s = strings.TrimPrefix(s, "+")
	rest, ok := strings.CutPrefix(s, "P")
	if !ok || rest == "" {
		return 0, errMoment
	}
	units := map[byte]time.Duration{'W': 7 * 24 * time.Hour, 'D': 24 * time.Hour, 'H': time.Hour, 'M': time.Minute, 'S': time.Second}
	var total time.Duration
	rest = strings.ReplaceAll(rest, "T", "")
	for rest != "" {
		i := strings.IndexAny(rest, "WDHMS")
		if i <= 0 {
			return 0, errMoment
		}
		n, err := strconv.ParseUint(rest[:i], 10, 32)
		if err != nil || n > uint64(maxDuration/units[rest[i]]) {
			return 0, errMoment
		}
		if total += time.Duration(n) * units[rest[i]]; total > maxDuration {
			return 0, errMoment
		}
		rest = rest[i+1:]
	}
	return total, nil
}
