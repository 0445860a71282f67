package calendar

import (
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// zone places wall times, which are written as times in UTC.
type zone interface {
	instant(wall time.Time) time.Time
}

// location is a zone of the zone database.
type location struct{ *time.Location }

func (l location) instant(w time.Time) time.Time {
	return time.Date(w.Year(), w.Month(), w.Day(), w.Hour(), w.Minute(), w.Second(), 0, l.Location)
}

// zones finds the zones that a file names.
type zones struct {
	own     *time.Location        // of the person
	defined map[string]*component // VTIMEZONE by TZID
	known   map[string]zone
	unknown []string // ids that nobody knows
}

func newZones(own *time.Location, calendar *component) *zones {
	z := &zones{own: own, defined: map[string]*component{}, known: map[string]zone{}}
	for _, c := range calendar.children {
		if c.name == "VTIMEZONE" {
			z.defined[c.text("TZID")] = c
		}
	}
	return z
}

// find returns the zone of an id.
func (z *zones) find(id string) zone {
	if found, ok := z.known[id]; ok {
		return found
	}
	found, ok := z.lookup(id)
	if !ok {
		z.unknown = append(z.unknown, id)
		found = location{z.own}
	}
	z.known[id] = found
	return found
}

func (z *zones) lookup(id string) (zone, bool) {
	names := []string{id, windowsZones[strings.ToLower(id)]}
	// Some programs put the path of a database before the name.
	parts := strings.Split(strings.Trim(id, "/"), "/")
	for i := range parts {
		names = append(names, strings.Join(parts[i:], "/"))
	}
	for _, name := range names {
		if name == "" || name == "Local" {
			continue
		}
		if loc, err := time.LoadLocation(name); err == nil {
			return location{loc}, true
		}
	}
	if c := z.defined[id]; c != nil {
		if d := newDefined(c); len(d.turns) > 0 {
			return d, true
		}
	}
	return nil, false
}

// turn is a wall time from which an offset holds.
type turn struct {
	wall   time.Time
	offset int // seconds east
}

// defined is a zone that a file describes itself.
type defined struct {
	first int // the offset before the first turn
	turns []turn
}

// firstTurn and lastTurn bound the expansion of a zone's own rules: Windows and
// its programs begin theirs in 1601.
const firstTurn = 1900

var lastTurn = time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)

func newDefined(c *component) defined {
	var d defined
	for _, o := range c.children {
		to, ok := offset(o.text("TZOFFSETTO"))
		start, err := wallTime(o.text("DTSTART"))
		if !ok || err != nil {
			continue
		}
		d.turns = append(d.turns, turn{start, to})
		rule, err := readRule(o.text("RRULE"))
		if err != nil || rule.Freq > rrule.MONTHLY {
			continue
		}
		if years := firstTurn - start.Year(); years > 0 && rule.Count == 0 {
			start = start.AddDate(years, 0, 0)
		}
		rule.Dtstart = start
		r, err := rrule.NewRRule(*rule)
		if err != nil {
			continue
		}
		for _, t := range r.Between(start, lastTurn, false) {
			d.turns = append(d.turns, turn{t, to})
		}
	}
	slices.SortFunc(d.turns, func(a, b turn) int { return a.wall.Compare(b.wall) })
	if len(d.turns) > 0 {
		d.first = d.turns[0].offset
	}
	return d
}

func (d defined) instant(wall time.Time) time.Time {
	seconds := d.first
	for _, t := range d.turns {
		if t.wall.After(wall) {
			break
		}
		seconds = t.offset
	}
	return wall.Add(-time.Duration(seconds) * time.Second)
}

// offset reads +0100 or -053000.
func offset(s string) (int, bool) {
	if len(s) != 5 && len(s) != 7 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	total := 0
	for i, unit := range []int{3600, 60, 1}[:len(s)/2] {
		pair := s[1+2*i : 3+2*i]
		if pair[0] < '0' || pair[0] > '9' || pair[1] < '0' || pair[1] > '9' {
			return 0, false
		}
		total += (int(pair[0]-'0')*10 + int(pair[1]-'0')) * unit
	}
	if s[0] == '-' {
		total = -total
	}
	return total, true
}
