package calendar

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/teambition/rrule-go"
)

// Occurrence is one time at which something takes place.
type Occurrence struct {
	Summary     string    `json:"summary"`
	Start       time.Time `json:"start"`
	End         time.Time `json:"end"`
	AllDay      bool      `json:"all_day,omitempty"`
	Location    string    `json:"location,omitempty"`
	Description string    `json:"description,omitempty"`
	Organizer   string    `json:"organizer,omitempty"`
	Status      string    `json:"status,omitempty"`
	Repeats     bool      `json:"repeats,omitempty"`
	UID         string    `json:"uid,omitempty"`
	Calendar    string    `json:"calendar"`
}

const (
	maxSteps       = 200_000 // of one rule
	maxDescription = 500     // bytes
)

// event is a VEVENT that was understood.
type event struct {
	*component
	start   moment
	length  time.Duration
	days    int // of a whole-day event
	replace *moment
}

func newEvent(c *component, z *zones) (event, error) {
	e := event{component: c}
	p, ok := c.get("DTSTART")
	if !ok {
		return e, errMoment
	}
	var err error
	if e.start, err = z.moment(p); err != nil {
		return e, err
	}
	if p, ok := c.get("RECURRENCE-ID"); ok {
		m, err := z.moment(p)
		if err != nil {
			return e, err
		}
		m = e.placed(m)
		e.replace = &m
	}
	return e, e.measure(z)
}

// measure finds out how long the event takes.
func (e *event) measure(z *zones) error {
	if e.start.day {
		e.days = 1
	}
	if p, ok := e.get("DTEND"); ok {
		end, err := z.moment(p)
		if err != nil {
			return err
		}
		e.length = min(max(0, end.instant().Sub(e.start.instant())), maxDuration)
		if e.start.day {
			e.days = max(1, int(min(end.wall.Sub(e.start.wall), maxDuration).Hours())/24)
		}
		return nil
	}
	if p, ok := e.get("DURATION"); ok {
		d, err := duration(p.value)
		if err != nil {
			return err
		}
		e.length = d
		e.days = max(e.days, int(d.Hours())/24)
	}
	return nil
}

// placed is a moment in the event's own zone if it tells none.
func (e event) placed(m moment) moment {
	if m.floating {
		m.zone = e.start.zone
	}
	return m
}

func (e event) cancelled() bool { return strings.EqualFold(e.text("STATUS"), "CANCELLED") }

func (e event) end(start time.Time, wall time.Time) time.Time {
	if e.start.day {
		return e.start.zone.instant(wall.AddDate(0, 0, e.days))
	}
	return start.Add(e.length)
}

var errRule = errors.New("a recurrence rule that cannot be followed")

// starts calls visit with the moments at which the event starts, in order of
// the rule and then of the added dates, until it returns false. An added date
// is in its own zone if it tells one.
func (e event) starts(z *zones, until time.Time, visit func(moment) bool) error {
	rule, ok := e.get("RRULE")
	if !ok {
		if !visit(e.start) {
			return nil
		}
	} else if err := e.follow(rule.value, until, func(wall time.Time) bool { return visit(moment{wall: wall, zone: e.start.zone}) }); err != nil {
		return err
	}
	for _, p := range e.props {
		if p.name != "RDATE" {
			continue
		}
		added, err := z.moments(p)
		if err != nil {
			return err
		}
		for _, m := range added {
			if m = e.placed(m); e.start.day {
				m.zone = e.start.zone
			}
			if !visit(m) {
				return nil
			}
		}
	}
	return nil
}

// follow expands a rule up to a time. Rules are expanded in wall time.
func (e event) follow(value string, until time.Time, visit func(time.Time) bool) error {
	o, err := readRule(value)
	if err != nil {
		return err
	}
	o.Dtstart = e.start.wall
	o.Until = e.last(o.Until, value)
	r, err := rrule.NewRRule(*o)
	if err != nil {
		return errRule
	}
	// The first occurrence counts even when the rule does not hit it.
	if !visit(e.start.wall) {
		return nil
	}
	next := r.Iterator()
	for range maxSteps {
		wall, ok := next()
		if !ok || wall.After(until) {
			return nil
		}
		if !wall.Equal(e.start.wall) && !visit(wall) {
			return nil
		}
	}
	return errRule
}

// readRule reads a rule that the library can follow.
func readRule(value string) (*rrule.ROption, error) {
	o, err := rrule.StrToROption(value)
	if err != nil || o.Freq > rrule.HOURLY || o.Interval < 0 || endless(o) || nowhere(o) {
		return nil, errRule
	}
	return o, nil
}

// nowhere finds the rules that make the library look beyond a year, where it
// panics: the sixth Monday of a month, and days counted from Easter, which
// iCalendar does not know.
func nowhere(o *rrule.ROption) bool {
	ofMonth := o.Freq == rrule.MONTHLY || o.Freq == rrule.YEARLY && len(o.Bymonth) > 0
	return len(o.Byeaster) > 0 || ofMonth && slices.ContainsFunc(o.Byweekday, func(d rrule.Weekday) bool { return max(d.N(), -d.N()) > 5 })
}

// endless finds the rules that the library would follow for ever, or to the
// year 9999: hours that its steps never hit, and days that no month has.
func endless(o *rrule.ROption) bool {
	if o.Freq == rrule.HOURLY {
		return len(o.Bysetpos)+len(o.Bymonth)+len(o.Bymonthday)+len(o.Byyearday)+len(o.Byweekno)+
			len(o.Byweekday)+len(o.Byhour)+len(o.Byminute)+len(o.Bysecond)+len(o.Byeaster) > 0
	}
	if len(o.Bymonth) == 0 || len(o.Bymonthday) == 0 {
		return false
	}
	for _, month := range o.Bymonth {
		days := time.Date(2024, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day() // of a leap year
		for _, day := range o.Bymonthday {
			if max(day, -day) <= days {
				return false
			}
		}
	}
	return true
}

// last turns UNTIL, which is written in UTC, into a wall time.
func (e event) last(until time.Time, rule string) time.Time {
	if until.IsZero() {
		return until
	}
	upper := strings.ToUpper(rule)
	_, text, _ := strings.Cut(upper, "UNTIL=")
	text, _, _ = strings.Cut(text, ";")
	switch {
	case len(text) == 8 && !e.start.day: // a day means all of it
		return until.AddDate(0, 0, 1).Add(-time.Second)
	case strings.HasSuffix(text, "Z") && !e.start.day:
		// The wall time of an instant: what the zone adds to it.
		return until.Add(until.Sub(e.start.zone.instant(until)))
	}
	return until
}
