package calendar_test

import (
	"strings"
	"testing"
	"time"

	"moothall/internal/tool/calendar"
)

func BenchmarkReadThousandEvents(b *testing.B) {
	text := ics(strings.Repeat(vevent("DTSTART;TZID=Europe/Berlin:20200106T090000", "RRULE:FREQ=WEEKLY;BYDAY=MO"), 1000))
	from := time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)
	for b.Loop() {
		if _, _, err := calendar.Read(text, "f.ics", time.UTC, from, from.AddDate(0, 0, 7)); err != nil {
			b.Fatal(err)
		}
	}
}
