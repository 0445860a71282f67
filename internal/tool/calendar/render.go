package calendar

import (
	"fmt"
	"strings"
	"time"

	"moothall"
)

// maxSpan is the longest range that can be asked for.
const maxSpan = 5 * 366 * 24 * time.Hour

// span reads the range. A last day counts as a whole.
func (t *Tool) span(args arguments) (from, to time.Time, err error) {
	now := t.o.Now().In(t.o.Zone)
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, t.o.Zone)
	from, to = today, today.AddDate(0, 0, 7)
	if args.From != "" {
		if from, _, err = t.day(args.From, today); err != nil {
			return from, to, err
		}
		to = from.AddDate(0, 0, 7)
	}
	if args.To != "" {
		var whole bool
		if to, whole, err = t.day(args.To, today); err != nil {
			return from, to, err
		}
		if whole {
			to = to.AddDate(0, 0, 1)
		}
	}
	switch {
	case !from.Before(to):
		return from, to, moothall.Fail(moothall.CodeInvalid, "range", "the last day lies before the first")
	case to.Sub(from) > maxSpan:
		return from, to, moothall.Fail(moothall.CodeInvalid, "range", "more than five years at once cannot be read")
	}
	return from, to, nil
}

// day reads a date, a time, or a word for a day.
func (t *Tool) day(s string, today time.Time) (at time.Time, whole bool, err error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "today", "now":
		return today, true, nil
	case "tomorrow":
		return today.AddDate(0, 0, 1), true, nil
	case "yesterday":
		return today.AddDate(0, 0, -1), true, nil
	}
	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return at, false, nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if at, err := time.ParseInLocation(layout, strings.TrimSpace(s), t.o.Zone); err == nil {
			return at, layout == time.DateOnly, nil
		}
	}
	return time.Time{}, false, &moothall.Error{Code: moothall.CodeInvalid, Op: "range", Message: "a date cannot be understood",
		Remedy: "write it like 2026-11-15"}
}

// text lists the entries by day.
func (d *Data) text() string {
	var b strings.Builder
	last := d.To.Add(-time.Nanosecond)
	if d.Total == 0 {
		fmt.Fprintf(&b, "Nothing from %s to %s.\n", d.From.Format(time.DateOnly), last.Format(time.DateOnly))
	} else {
		fmt.Fprintf(&b, "%d entries from %s to %s (%s):\n", d.Total, d.From.Format(time.DateOnly), last.Format(time.DateOnly), d.Zone)
	}
	day := ""
	for _, o := range d.Entries {
		if head := o.Start.Format("Monday 2006-01-02"); head != day {
			day = head
			b.WriteString(head + "\n")
		}
		b.WriteString(o.line())
	}
	for _, n := range d.Notes {
		b.WriteString("Note: " + n + ".\n")
	}
	return b.String()
}

// line writes one entry on one line, whatever is in its texts.
func (o Occurrence) line() string {
	var b strings.Builder
	b.WriteString("  " + o.when() + " " + o.Summary)
	if o.Location != "" {
		b.WriteString(" @ " + o.Location)
	}
	if o.Status != "" {
		b.WriteString(" (" + o.Status + ")")
	}
	if o.Repeats {
		b.WriteString(" (repeats)")
	}
	b.WriteString(" [" + o.Calendar + "]")
	if o.Description != "" {
		b.WriteString(": " + cut(o.Description, 160))
	}
	return strings.Join(strings.Fields(b.String()), " ") + "\n"
}

func (o Occurrence) when() string {
	if o.AllDay {
		if last := o.End.AddDate(0, 0, -1); last.After(o.Start) {
			return "all day until " + last.Format(time.DateOnly)
		}
		return "all day"
	}
	layout := "15:04"
	if o.End.Format(time.DateOnly) != o.Start.Format(time.DateOnly) {
		layout = "2006-01-02 15:04"
	}
	if o.End.Equal(o.Start) {
		return o.Start.Format("15:04")
	}
	return o.Start.Format("15:04") + "-" + o.End.Format(layout)
}
