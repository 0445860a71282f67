package builtin

import (
	"encoding/json"
	"strings"
	"testing"

	"moothall"
)

// TestInWeeks moves a day by weeks where weeks were said.
func TestInWeeks(t *testing.T) {
	t.Parallel()
	const soon = "Today is 2026-11-17; New Year, 1 January is past this year, so it is 2027-01-01, and I calculate 2027-01-01 - 2026-11-17."
	for _, c := range []struct{ expression, question, want, thought string }{
		{"2026-11-17 + 3", "whats the date in 3 weeks", "2026-11-17 + 3 weeks", ""}, {"2026-11-17 - 1", "What was the date 1 week ago?", "2026-11-17 - 1 weeks", ""},
		{"2026-11-17 + 3", "the date in 3 days, not 13 weeks", "2026-11-17 + 3", ""}, {"17 + 3", "17 + 3 weeks", "17 + 3", ""},
		{"2026-12-25 - 2026-11-17", "How many weeks until Christmas?", "2026-12-25 - 2026-11-17 in weeks and days", ""},
		{"2027-08-08 - 2026-11-17", "how many days until new year?", "2027-01-01 - 2026-11-17", soon}, {"2027-08-08 - 2026-11-17", "how many weeks until new year?", "2027-01-01 - 2026-11-17 in weeks and days", soon},
		{"2027-0ven-03 - 2026-11-17", "how many days until new year?", "2027-01-01 - 2026-11-17", soon},
		{"12 * 3", "what is 12 * 3?", "12 * 3", soon}, {"2027-08-08 - 2026-11-17", "days until 8 August?", "2027-08-08 - 2026-11-17", "Today is 2026-11-17; it is 2027-01-01."},
	} {
		got := asSaid(moothall.ToolCall{Name: "calculate", Arguments: json.RawMessage(`{"expression":"` + c.expression + `"}`)}, c.question, c.thought, nil)
		if string(got) != `{"expression":"`+c.want+`"}` {
			t.Errorf("%s: %s", c.question, got)
		}
	}
}

// TestDating settles whether a day without a year is past, and which one it is.
func TestDating(t *testing.T) {
	t.Parallel()
	words := []string{"past", "still", "on"}
	for name, c := range map[string]struct{ asked, thought, about, says, dictated string }{
		"to come":              {"", "Today is 2026-11-17; Christmas, 25 December is", "past", "still", ""},
		"past":                 {"", "Today is 2026-11-17; 1 May is", "still", "past", ""},
		"right already":        {"", "Today is 2026-11-17; the 3rd of December is", "still", "still", ""},
		"today itself":         {"", "Today is 2026-11-17; 17 November is", "still", "past", ""},
		"tomorrow":             {"", "Today is 2026-11-17; November 18th is", "past", "still", ""},
		"something else":       {"", "Today is 2026-11-17; 1 May is", "on", "on", ""},
		"with a year":          {"", "Today is 2026-11-17; 1 May 2025 is", "still", "still", ""},
		"no such day":          {"", "Today is 2026-11-17; 31 June is", "past", "past", ""},
		"not in a year to see": {"", "Today is 2026-11-17; 29 February is", "still", "still", ""},
		"in a leap year":       {"", "Today is 2028-01-17; 29 February is", "past", "still", ""},
		"no day at all":        {"", "Today is 2026-11-17; the exam is", "past", "past", ""},
		"no today":             {"", "Christmas, 25 December is", "past", "past", ""},
		"the day, to come":     {"", "Today is 2026-11-17; Christmas, 25 December is still to come this year, so it is", "on", "on", "2026-12-25"},
		"the day, past":        {"", "Today is 2026-11-17; May 1 is past this year, so it is", "on", "on", "2027-05-01"},
		"the day, of a year":   {"", "Today is 2026-11-17; 1 May 2025 is past this year, so it is", "on", "on", ""},
		"since":                {"how many days since 1 May?", "Today is 2026-11-17; 1 May is", "on", "on", "2026-05-01"},
		"since last year":      {"how long ago was 24 December?", "Today is 2026-11-17; 24 December is", "past", "past", "2025-12-24"},
		"since, with a year":   {"how many days since 1 May 2020?", "Today is 2026-11-17; 1 May 2020 is", "on", "on", ""},
	} {
		dictated := ""
		d := dating{func(to []int32, s string) []int32 {
			for i, w := range words {
				if " "+w == s {
					return append(to, int32(i))
				}
			}
			dictated = strings.TrimSpace(s)
			return append(to, 9)
		}, goneBy.MatchString(c.asked), ""}
		logits := make([]float32, len(words))
		for i, w := range words {
			if w == c.about {
				logits[i] = 5
			}
		}
		d.weigh(logits, c.thought)
		d.dictate(c.thought)
		if got := words[best(logits)]; got != c.says || dictated != c.dictated {
			t.Errorf("%s: it says %q, and %q is dictated", name, got, dictated)
		}
	}
}

// TestThen finds the day that "until then" means.
func TestThen(t *testing.T) {
	t.Parallel()
	flight := moothall.Message{Role: moothall.RoleUser, Content: "My flight leaves on December 3rd at 7:40 from gate B12"}
	between := moothall.Message{Role: moothall.RoleUser, Content: "which gate?"}
	other := moothall.Message{Role: moothall.RoleAssistant, Content: "Christmas is on 25 December."}
	for name, c := range map[string]struct {
		question string
		messages []moothall.Message
		want     string
	}{
		"then":             {"how many days until then?", []moothall.Message{flight, other, between}, "3 December"},
		"material":         {"how many days until then?", []moothall.Message{flight, {Role: moothall.RoleUser, Content: "how many days until then?" + lookedUp + "\n- Christmas: Christmas is on 25 December."}}, "3 December"},
		"that day":         {"days to that day", []moothall.Message{flight}, "3 December"},
		"small letters":    {"how long until then", []moothall.Message{{Role: moothall.RoleUser, Content: "my exam is on the 14th of january"}}, "14 January"},
		"another meaning":  {"then how many days until Easter?", []moothall.Message{flight}, ""},
		"a day of its own": {"is 4 May before then", []moothall.Message{flight}, ""},
		"with a year":      {"how many days until then?", []moothall.Message{{Role: moothall.RoleUser, Content: "the lease ends on 3 May 2031"}}, ""},
		"two days":         {"how many days until then?", []moothall.Message{{Role: moothall.RoleUser, Content: "we leave on 3 May and are back on 9 May"}}, ""},
		"none":             {"how many days until then?", []moothall.Message{between}, ""},
		"no such day":      {"how many days until then?", []moothall.Message{{Role: moothall.RoleUser, Content: "it is on 45 May"}}, ""},
	} {
		if got := then(c.question, c.messages); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	d := dating{encode: func(to []int32, s string) []int32 { return append(to, int32(len(s))) }, day: "that day, 3 December"}
	if got := d.dictate("Today is 2026-11-17;"); len(got) != 1 || int(got[0]) != len(" that day, 3 December is") {
		t.Errorf("dictated: %v", got)
	}
	if got := d.dictate("Today is 2026-11-17; that"); got != nil {
		t.Errorf("dictated again: %v", got)
	}
}

// TestFeasts: a day that people call by a name is said with its date.
func TestFeasts(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"how many weeks until new year?": "New Year, 1 January", "days till new year's eve": "New Year's Eve, 31 December", "How many days to New Year’s Day?": "New Year, 1 January",
		"how long until Christmas Eve": "Christmas Eve, 24 December", "days until xmas": "Christmas, 25 December", "how many days to valentines day": "Valentine's Day, 14 February",
		"how many days until my exam?": "", "how many days from 3 May until Christmas?": "",
	} {
		if got := feast(question); got != want {
			t.Errorf("%s: %q, want %q", question, got, want)
		}
	}
	encode := func(to []int32, s string) []int32 { return append(to, int32(len(s))) }
	d := newDating(encode, "days until new year?", nil)
	if got := d.dictate("Today is 2026-11-17;"); len(got) != 1 || int(got[0]) != len(" New Year, 1 January is") {
		t.Errorf("dictated: %v", got)
	}
}
