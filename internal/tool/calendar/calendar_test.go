package calendar_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"moothall"
	"moothall/internal/tool/calendar"
	"moothall/internal/tool/fs"
)

// ics writes a calendar around its entries.
func ics(body string) string {
	return strings.ReplaceAll("BEGIN:VCALENDAR\nVERSION:2.0\n"+strings.TrimSpace(body)+"\nEND:VCALENDAR\n", "\n", "\r\n")
}

func vevent(lines ...string) string {
	return "BEGIN:VEVENT\nUID:u1\nSUMMARY:x\n" + strings.Join(lines, "\n") + "\nEND:VEVENT\n"
}

func zoneOf(t testing.TB, name string) *time.Location {
	t.Helper()
	loc, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return loc
}

const ownZone = `BEGIN:VTIMEZONE
TZID:Our Zone
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
END:DAYLIGHT
END:VTIMEZONE
`

func TestRead(t *testing.T) {
	t.Parallel()
	berlin := zoneOf(t, "Europe/Berlin")
	for name, c := range map[string]struct {
		body     string
		from, to string
		want     string // starts in Berlin
	}{
		"single":            {vevent("DTSTART:20261116T080000Z", "DTEND:20261116T090000Z"), "2026-11-15", "2026-11-22", "11-16 09:00"},
		"outside":           {vevent("DTSTART:20261122T080000Z"), "2026-11-15", "2026-11-22", ""},
		"touches":           {vevent("DTSTART:20261114T220000Z", "DURATION:PT3H"), "2026-11-15", "2026-11-22", "11-14 23:00"},
		"ends at begin":     {vevent("DTSTART:20261114T210000Z", "DURATION:PT2H"), "2026-11-15", "2026-11-22", ""},
		"floating":          {vevent("DTSTART:20261116T090000"), "2026-11-15", "2026-11-22", "11-16 09:00"},
		"zone":              {vevent("DTSTART;TZID=America/New_York:20261116T090000"), "2026-11-15", "2026-11-22", "11-16 15:00"},
		"windows zone":      {vevent("DTSTART;TZID=\"Pacific Standard Time\":20261116T090000"), "2026-11-15", "2026-11-22", "11-16 18:00"},
		"path zone":         {vevent("DTSTART;TZID=/example.org/Europe/London:20261116T090000"), "2026-11-15", "2026-11-22", "11-16 10:00"},
		"own zone winter":   {ownZone + vevent("DTSTART;TZID=Our Zone:20261116T090000"), "2026-11-15", "2026-11-22", "11-16 09:00"},
		"own zone summer":   {ownZone + vevent("DTSTART;TZID=Our Zone:20260716T090000"), "2026-07-15", "2026-07-22", "07-16 09:00"},
		"zone since 1601":   {strings.NewReplacer("19701025", "16010101", "19700329", "16010101").Replace(ownZone) + vevent("DTSTART;TZID=Our Zone:20260716T090000"), "2026-07-15", "2026-07-22", "07-16 09:00"},
		"its winter":        {strings.NewReplacer("19701025", "16010101", "19700329", "16010101").Replace(ownZone) + vevent("DTSTART;TZID=Our Zone:20261116T090000"), "2026-11-15", "2026-11-22", "11-16 09:00"},
		"all day":           {vevent("DTSTART;VALUE=DATE:20261116"), "2026-11-16", "2026-11-17", "11-16 00:00"},
		"all day, many":     {vevent("DTSTART;VALUE=DATE:20261101", "DTEND;VALUE=DATE:20261117"), "2026-11-16", "2026-11-17", "11-01 00:00"},
		"all day, over":     {vevent("DTSTART;VALUE=DATE:20261101", "DTEND;VALUE=DATE:20261116"), "2026-11-16", "2026-11-17", ""},
		"weekly":            {vevent("DTSTART;TZID=Europe/Berlin:20261005T090000", "RRULE:FREQ=WEEKLY;BYDAY=MO,WE"), "2026-11-15", "2026-11-22", "11-16 09:00,11-18 09:00"},
		"over clock change": {vevent("DTSTART;TZID=Europe/Berlin:20261019T090000", "RRULE:FREQ=WEEKLY"), "2026-10-19", "2026-11-01", "10-19 09:00,10-26 09:00"},
		"count":             {vevent("DTSTART:20261114T080000Z", "RRULE:FREQ=DAILY;COUNT=3"), "2026-11-15", "2026-11-22", "11-15 09:00,11-16 09:00"},
		"until utc":         {vevent("DTSTART;TZID=Europe/Berlin:20261115T090000", "RRULE:FREQ=DAILY;UNTIL=20261117T080000Z"), "2026-11-15", "2026-11-22", "11-15 09:00,11-16 09:00,11-17 09:00"},
		"until utc, before": {vevent("DTSTART;TZID=Europe/Berlin:20261115T090000", "RRULE:FREQ=DAILY;UNTIL=20261117T075959Z"), "2026-11-15", "2026-11-22", "11-15 09:00,11-16 09:00"},
		"until day":         {vevent("DTSTART;TZID=Europe/Berlin:20261115T090000", "RRULE:FREQ=DAILY;UNTIL=20261116"), "2026-11-15", "2026-11-22", "11-15 09:00,11-16 09:00"},
		"excluded":          {vevent("DTSTART;TZID=Europe/Berlin:20261115T090000", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE;TZID=Europe/Berlin:20261116T090000"), "2026-11-15", "2026-11-22", "11-15 09:00,11-17 09:00"},
		"excluded day":      {vevent("DTSTART;TZID=Europe/Berlin:20261115T090000", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE;VALUE=DATE:20261115,20261116"), "2026-11-15", "2026-11-22", "11-17 09:00"},
		"excluded, no zone": {vevent("DTSTART;TZID=America/New_York:20261115T090000", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20261116T090000"), "2026-11-15", "2026-11-22", "11-15 15:00,11-17 15:00"},
		"added":             {vevent("DTSTART:20261115T080000Z", "RDATE:20261118T100000Z,20261119T100000Z"), "2026-11-15", "2026-11-22", "11-15 09:00,11-18 11:00,11-19 11:00"},
		"added in UTC":      {vevent("DTSTART;TZID=Europe/Berlin:20261115T090000", "RDATE:20261118T080000Z"), "2026-11-15", "2026-11-22", "11-15 09:00,11-18 09:00"},
		"added in zone":     {vevent("DTSTART:20261115T080000Z", "RRULE:FREQ=DAILY;COUNT=1", "RDATE;TZID=America/New_York:20261119T090000"), "2026-11-15", "2026-11-22", "11-15 09:00,11-19 15:00"},
		"added, no zone":    {vevent("DTSTART;TZID=America/New_York:20261115T090000", "RDATE:20261119T090000"), "2026-11-15", "2026-11-22", "11-15 15:00,11-19 15:00"},
		"added twice":       {vevent("DTSTART;TZID=Europe/Berlin:20261115T090000", "RDATE:20261115T080000Z,20261116T080000Z,20261116T080000Z"), "2026-11-15", "2026-11-22", "11-15 09:00,11-16 09:00"},
		"added day":         {vevent("DTSTART;VALUE=DATE:20261115", "RDATE;VALUE=DATE:20261119"), "2026-11-15", "2026-11-22", "11-15 00:00,11-19 00:00"},
		"last friday":       {vevent("DTSTART;TZID=Europe/Berlin:20260130T090000", "RRULE:FREQ=MONTHLY;BYDAY=-1FR"), "2026-11-01", "2026-12-01", "11-27 09:00"},
		"moved":             {vevent("DTSTART:20261115T080000Z", "RRULE:FREQ=DAILY;COUNT=2") + vevent("RECURRENCE-ID:20261116T080000Z", "DTSTART:20261116T120000Z"), "2026-11-15", "2026-11-22", "11-15 09:00,11-16 13:00"},
		"moved, no zone":    {vevent("DTSTART;TZID=America/New_York:20261115T090000", "RRULE:FREQ=DAILY;COUNT=2") + vevent("RECURRENCE-ID:20261116T090000", "DTSTART;TZID=America/New_York:20261116T120000"), "2026-11-15", "2026-11-22", "11-15 15:00,11-16 18:00"},
		"one cancelled":     {vevent("DTSTART:20261115T080000Z", "RRULE:FREQ=DAILY;COUNT=2") + vevent("RECURRENCE-ID:20261116T080000Z", "DTSTART:20261116T080000Z", "STATUS:CANCELLED"), "2026-11-15", "2026-11-22", "11-15 09:00"},
		"cancelled":         {vevent("DTSTART:20261115T080000Z", "STATUS:CANCELLED"), "2026-11-15", "2026-11-22", ""},
		"birthday":          {vevent("DTSTART;VALUE=DATE:19850229", "RRULE:FREQ=YEARLY"), "2028-01-01", "2029-01-01", ""},
		"leap birthday":     {vevent("DTSTART;VALUE=DATE:19840229", "RRULE:FREQ=YEARLY"), "2028-01-01", "2029-01-01", "02-29 00:00"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			day := func(s string) time.Time {
				at, err := time.ParseInLocation(time.DateOnly, s, berlin)
				if err != nil {
					t.Fatal(err)
				}
				return at
			}
			list, notes, err := calendar.Read(ics(c.body), "f.ics", berlin, day(c.from), day(c.to))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range list {
				got = append(got, o.Start.In(berlin).Format("01-02 15:04"))
			}
			if strings.Join(got, ",") != c.want {
				t.Errorf("got %v, want %s (notes %v)", got, c.want, notes)
			}
		})
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	body := vevent("DTSTART:20261116T080000Z", "LOCATION:Room 5\\, left", "DESCRIPTION:one\\ntwo \\\\ three", "ORGANIZER;CN=\"Doe; Ann\":mailto:ann@example.org") // "SUMMARY:x" is folded below
	body = strings.Replace(body, "SUMMARY:x", "SUMMARY:a long\n  title", 1)
	list, _, err := calendar.Read(ics(body), "work.ics", time.UTC, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	o := list[0]
	if o.Summary != "a long title" || o.Location != "Room 5, left" || o.Description != "one\ntwo \\ three" || o.Organizer != "Doe; Ann" || o.Calendar != "work" {
		t.Errorf("%+v", o)
	}
}

func TestWhatCannotBeFollowedIsSaid(t *testing.T) {
	t.Parallel()
	from, to := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for _, lines := range [][]string{
		{"DTSTART:20261101T080000Z", "RRULE:FREQ=SECONDLY"}, {"DTSTART:20261101T080000Z", "RRULE:FREQ=MINUTELY;INTERVAL=5"},
		{"DTSTART:00010101T080000Z", "RRULE:FREQ=HOURLY"}, {"DTSTART:20261101T080000Z", "RRULE:FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30"},
		{"DTSTART:20261101T080000Z", "RRULE:FREQ=HOURLY;INTERVAL=24;BYHOUR=5"}, {"DTSTART:20261101T080000Z", "RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30"},
		{"DTSTART:20261101T080000Z", "RRULE:FREQ=MONTHLY;BYDAY=-9MO"}, {"DTSTART:20261101T080000Z", "RRULE:FREQ=YEARLY;BYMONTH=12;BYDAY=53MO"},
		{"DTSTART:20261101T080000Z", "RRULE:FREQ=DAILY;BYEASTER=400"}, {"DTSTART:20261101T080000Z", "RRULE:nonsense"}, {"DTSTART:never"}, {"DTSTART;TZID=Mars/Olympus:20261102T080000"}, {"DTSTART:20261101T080000Z", "DURATION:long"},
	} {
		_, notes, err := calendar.Read(ics(vevent(lines...)), "f.ics", time.UTC, from, to)
		if err != nil || len(notes) != 1 {
			t.Errorf("%v: notes %v, %v", lines, notes, err)
		}
	}
}

func TestChangeFromADayOnIsSaid(t *testing.T) {
	t.Parallel()
	series := vevent("DTSTART:20261102T080000Z", "RRULE:FREQ=WEEKLY;COUNT=3")
	from, to := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		id   string
		to   time.Time
		want int
	}{
		"from a day on":  {"RECURRENCE-ID;RANGE=THISANDFUTURE:20261109T080000Z", to, 1},
		"one day":        {"RECURRENCE-ID:20261109T080000Z", to, 0},
		"after the days": {"RECURRENCE-ID;RANGE=THISANDFUTURE:20261109T080000Z", from.AddDate(0, 0, 7), 0},
	} {
		_, notes, err := calendar.Read(ics(series+vevent(c.id, "DTSTART:20261109T140000Z")), "f.ics", time.UTC, from, c.to)
		if err != nil || len(notes) != c.want || c.want > 0 && notes[0] != "a change of f from 2026-11-09 on is shown for that day only: x" {
			t.Errorf("%s: notes %q, %v", name, notes, err)
		}
	}
}

func TestTool(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	roots := fs.NewRoots(nil)
	defer roots.Close()
	body := ""
	for i := range 5 {
		body += fmt.Sprintf("BEGIN:VEVENT\nUID:%d\nSUMMARY:Meeting %d\nDTSTART:202611%02dT080000Z\nDTEND:202611%02dT083000Z\nEND:VEVENT\n", i, i, 15+i, 15+i)
	}
	for name, text := range map[string]string{"a.ics": ics(body), "broken.ics": "hello", "other.txt": "x"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)
	tool := calendar.New(roots, &calendar.Options{Paths: []string{dir}, Zone: time.UTC, Now: func() time.Time { return now }})
	call := func(args string, reads ...string) moothall.ToolResult {
		r, err := tool.Run(t.Context(), moothall.ToolRun{Call: moothall.ToolCall{Arguments: json.RawMessage(args)}, Reads: reads})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for args, want := range map[string]int{
		`{}`: 4, `{"from":"today","to":"today"}`: 1, `{"from":"tomorrow","to":"2026-11-18"}`: 2, `{"from":"2026-11-01","to":"2026-11-30"}`: 5,
		`{"from":"2026-11-01","to":"2026-11-30","query":"meeting 3"}`: 1, `{"from":"2026-11-16T08:10:00Z","to":"2026-11-16T08:20:00Z"}`: 1, `{"from":"2027-01-01"}`: 0,
	} {
		r := call(args, dir)
		var d calendar.Data
		if err := json.Unmarshal(r.Data, &d); err != nil || d.Total != want || r.Labels != moothall.Private|moothall.Untrusted || len(d.Notes) != 1 {
			t.Errorf("%s: %d entries %q %v", args, d.Total, r.Text, err)
		}
	}
	if r := call(`{"limit":1}`, dir); !strings.Contains(r.Cut, "offset 2") || !strings.Contains(r.Text, "Monday 2026-11-16\n08:00-08:30 Meeting 1") {
		t.Errorf("%q cut %q", r.Text, r.Cut)
	}
	for args, want := range map[string]string{`{"from":"soon"}`: "like 2026", `{"from":"2026-11-05","to":"2026-11-01"}`: "before the first", `{"to":"2050-01-01"}`: "five years"} {
		if r := call(args, dir); r.Status != moothall.CallFailed || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %q", args, r.Text)
		}
	}
	if r := call(`{}`, t.TempDir()); r.Status != moothall.CallFailed || !strings.Contains(r.Text, "outside") {
		t.Errorf("a calendar outside of the folders: %q", r.Text)
	}
	if r, err := calendar.New(roots, nil).Run(t.Context(), moothall.ToolRun{}); moothall.ErrorCode(err) != moothall.CodeNotConfigured || moothall.ErrorRemedy(err) == "" {
		t.Errorf("no calendar: %+v, %v", r, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(ics(vevent("DTSTART;TZID=Europe/Berlin:20261019T090000", "RRULE:FREQ=WEEKLY;BYDAY=MO", "EXDATE:20261026T080000Z")))
	f.Add(ics(ownZone + vevent("DTSTART;TZID=Our Zone:20261116T090000", "DURATION:P1DT2H")))
	f.Add(ics(strings.Replace(ownZone, "BYDAY=-1SU", "BYDAY=-25SU", 1) + vevent("DTSTART;TZID=Our Zone:20261116T090000")))
	f.Add("BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART;X=")
	f.Add("BEGIN:VCALENDAR\r\n folded\nDTSTART;A=\"x:20261116\n")
	from := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		list, _, err := calendar.Read(text, "f.ics", time.UTC, from, from.AddDate(0, 1, 0))
		if err != nil {
			return
		}
		for _, o := range list {
			if o.End.Before(o.Start) || !o.Start.Before(from.AddDate(0, 1, 0)) {
				t.Fatalf("%+v", o)
			}
		}
	})
}
