package calendar

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// window is what was asked for.
type window struct {
	from, to time.Time
	query    string // lower case
	limit    int    // occurrences that are kept
}

// found collects occurrences and what could not be understood.
type found struct {
	window
	stop  func() error // asked between events: one file can hold many slow rules
	list  []Occurrence
	notes []string
	full  bool
}

func (f *found) note(s string) {
	if len(f.notes) < 10 && !slices.Contains(f.notes, s) {
		f.notes = append(f.notes, s)
	}
}

// Read returns what stands in the text of an iCalendar file between two
// times, in order, and notes about what could not be understood. Dates
// without a zone are in own.
func Read(text, name string, own *time.Location, from, to time.Time) ([]Occurrence, []string, error) {
	f := &found{window: window{from: from, to: to, limit: 10_000}, stop: func() error { return nil }}
	if err := f.file(text, name, own); err != nil {
		return nil, nil, err
	}
	f.sort()
	return f.list, f.notes, nil
}

func (f *found) sort() {
	slices.SortStableFunc(f.list, func(a, b Occurrence) int {
		return cmp.Or(a.Start.Compare(b.Start), a.End.Compare(b.End), strings.Compare(a.Summary, b.Summary))
	})
}

// file adds the occurrences of one file.
func (f *found) file(text, name string, own *time.Location) error {
	calendars, err := parse(text)
	if err != nil {
		return err
	}
	for _, c := range calendars {
		title := cmp.Or(c.text("X-WR-CALNAME"), c.text("NAME"), strings.TrimSuffix(path.Base(name), ".ics"))
		f.calendar(c, title, newZones(own, c))
	}
	return nil
}

func (f *found) calendar(c *component, title string, z *zones) {
	var events []event
	replaced := map[string]bool{} // what an exception stands in for
	for _, child := range c.children {
		if child.name != "VEVENT" {
			continue
		}
		e, err := newEvent(child, z)
		if err != nil {
			f.note(fmt.Sprintf("an entry of %s could not be read: %s", title, cut(child.text("SUMMARY"), 60)))
			continue
		}
		if e.replace != nil {
			replaced[occurrenceKey(e.text("UID"), e.replace.instant())] = true
			if p, _ := e.get("RECURRENCE-ID"); strings.EqualFold(p.params["RANGE"], "THISANDFUTURE") && e.replace.instant().Before(f.to) && f.wants(e) {
				f.note(fmt.Sprintf("a change of %s from %s on is shown for that day only: %s", title, e.replace.wall.Format(time.DateOnly), cut(e.text("SUMMARY"), 60)))
			}
		}
		events = append(events, e)
	}
	for _, e := range events {
		if f.stop() != nil {
			return
		}
		if err := f.event(e, title, z, replaced); err != nil {
			f.note(fmt.Sprintf("an entry of %s repeats in a way that could not be followed: %s", title, cut(e.text("SUMMARY"), 60)))
		}
	}
	for _, id := range z.unknown {
		f.note("the time zone " + cut(id, 60) + " is not known; its times count as local")
	}
}

func occurrenceKey(uid string, at time.Time) string { return fmt.Sprint(uid, "\x00", at.Unix()) }

// event adds the occurrences of one event.
func (f *found) event(e event, title string, z *zones, replaced map[string]bool) error {
	if e.cancelled() || !f.wants(e) {
		return nil
	}
	excluded, err := e.excluded(z)
	if err != nil {
		return err
	}
	_, repeats := e.get("RRULE")
	uid := e.text("UID")
	seen := map[int64]bool{} // an added date may be one of the rule's
	add := func(at moment) bool {
		start := at.instant()
		end := e.end(start, at.wall)
		if !f.holds(start, end) || excluded[start.Unix()] || seen[start.Unix()] || e.replace == nil && replaced[occurrenceKey(uid, start)] {
			return true
		}
		if len(f.list) >= f.limit {
			f.full = true
			return false
		}
		seen[start.Unix()] = true
		f.list = append(f.list, e.occurrence(start, end, title, repeats || e.replace != nil))
		return true
	}
	if e.replace != nil {
		add(e.start)
		return nil
	}
	// Two days more than asked for: wall times are not in the window's zone.
	return e.starts(z, f.to.UTC().AddDate(0, 0, 2), add)
}

// holds reports whether a time touches the window. What ends when the window
// begins does not, unless it takes no time at all.
func (f *found) holds(start, end time.Time) bool {
	return start.Before(f.to) && (end.After(f.from) || start.Equal(end) && !start.Before(f.from))
}

func (f *found) wants(e event) bool {
	if f.query == "" {
		return true
	}
	for _, name := range []string{"SUMMARY", "LOCATION", "DESCRIPTION", "ORGANIZER"} {
		if strings.Contains(strings.ToLower(e.text(name)), f.query) {
			return true
		}
	}
	return false
}

func (e event) excluded(z *zones) (map[int64]bool, error) {
	out := map[int64]bool{}
	for _, p := range e.props {
		if p.name != "EXDATE" {
			continue
		}
		all, err := z.moments(p)
		if err != nil {
			return nil, err
		}
		for _, m := range all {
			if m.day && !e.start.day { // the whole day of a timed event
				clock := e.start.wall.Sub(e.start.wall.Truncate(24 * time.Hour))
				m = moment{wall: m.wall.Add(clock), zone: e.start.zone}
			}
			m = e.placed(m)
			out[m.instant().Unix()] = true
		}
	}
	return out, nil
}

func (e event) occurrence(start, end time.Time, title string, repeats bool) Occurrence {
	status := strings.ToLower(e.text("STATUS"))
	if status == "confirmed" {
		status = ""
	}
	organizer, _ := e.get("ORGANIZER")
	return Occurrence{
		Summary: cut(cmp.Or(e.text("SUMMARY"), "(no title)"), 200), Start: start, End: end, AllDay: e.start.day,
		Location: cut(e.text("LOCATION"), 200), Description: cut(e.text("DESCRIPTION"), maxDescription),
		Organizer: cut(cmp.Or(organizer.params["CN"], strings.TrimPrefix(strings.ToLower(organizer.value), "mailto:")), 100),
		Status:    status, Repeats: repeats, UID: cut(e.text("UID"), 200), Calendar: title,
	}
}

// cut shortens a text for people, between characters.
func cut(s string, limit int) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "�")
	if len(s) <= limit {
		return s
	}
	for i := range s {
		if i > limit-4 {
			return s[:i] + "…"
		}
	}
	return s
}
