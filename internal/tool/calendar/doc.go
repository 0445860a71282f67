// Package calendar holds the tool calendar_read, which answers what stands in
// a person's iCalendar files (.ics) between two days.
//
//	tool := calendar.New(roots, &calendar.Options{Paths: []string{"/home/me/calendars"}})
//
// Recurrence rules are expanded by github.com/teambition/rrule-go, the one
// library of those that were compared which does only that; the lines of the
// files are read by this package, because github.com/emersion/go-ical panics
// on a truncated parameter and takes excluded dates for added ones, and
// github.com/arran4/golang-ical does not expand recurrences.
//
// # Words
//
//   - An event is a VEVENT. To-dos, journals and alarms are left out.
//   - An occurrence is one time at which an event takes place; only
//     occurrences have a time zone that is known, and only they are returned.
//   - A wall time is what a clock on the wall shows; rules are expanded in
//     wall time and placed in their zone afterwards, so that a meeting at nine
//     stays at nine when the clocks change.
//
// Zones are looked up by their IANA name, by the names that Windows uses, and
// last by the VTIMEZONE in the file; a zone that nobody knows counts as the
// person's own, and the result says so.
//
// # Concurrency
//
// [Tool] is safe for concurrent use; there is no goroutine and nothing is
// kept between calls.
//
// # What it refuses
//
// Paths that are not in the folders of the call; files over the size limit;
// ranges of more than five years; rules that repeat every minute or second,
// every hour with conditions, on a day that no month has, or by Easter (the library
// would follow some of them for ever, or panic; each is named in the result); changes of
// a whole series from one date on (RANGE=THISANDFUTURE), which count for that
// one date only, and the result says so.
package calendar
