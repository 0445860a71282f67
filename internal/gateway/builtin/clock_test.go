package builtin

import (
	"encoding/json"
	"testing"

	"moothall"
)

// TestByClock has days beside today and times of day, which the clock alone does
// not tell, and questions that only look like one.
func TestByClock(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"what's tomorrow's date": "2026-11-18 + 1", "What day is tomorrow?": "2026-11-18 + 1", "and what day was it yesterday": "2026-11-18 - 1", "what was yesterday's date?": "2026-11-18 - 1",
		"What is the date the day after tomorrow?": "2026-11-18 + 2", "which weekday was the day before yesterday": "2026-11-18 - 2", "what will the date be tomorrow": "2026-11-18 + 1", "what date will it be tomorrow please": "2026-11-18 + 1",
		"how long is it until 6 pm": "18:00 - 16:20", "How many minutes until 17:05?": "17:05 - 16:20", "how long till noon": "12:00 - 16:20", "how much time is left until midnight?": "00:00 - 16:20",
		"how many hours until 9 o'clock": "09:00 - 16:20", "how long do I have before 5:30 p.m.": "17:30 - 16:20", "how long until 12 am": "00:00 - 16:20",
		"how long ago was 1989": "2026 - 1989", "how many years is it since the year 1815?": "2026 - 1815", "how many years since 2026": "2026 - 2026", "how long since 2031": "",
		"how many days until then": "", "how long ago was 1989 that they met": "", "how long was she ill before then": "", "how far is it away?": "",
		"what is tomorrow": "", "what is the weather tomorrow": "", "what do I have tomorrow?": "", "what day is it today": "", "how long until 6": "", "how long is it until 6 June": "", "how many days until 1 March": "",
		"how long until 25:10": "", "how long do I cook rice until 6 pm tomorrow": "", "what was yesterday's meeting about": "",
	} {
		messages := []moothall.Message{{Role: moothall.RoleUser, Content: "It is Wednesday, 18 November 2026, 16:20.\n\n" + question}}
		sum, thought := byClock(question, messages)
		if sum != want || (thought == "") != (want == "") {
			t.Errorf("%s: %q, %q", question, sum, thought)
		}
		r := moothall.GenerateRequest{Messages: messages, Tools: []moothall.ToolSpec{{Name: calculates}}}
		if s := newSumming(nil, question, r); s.thought != thought {
			t.Errorf("%s: it thinks %q", question, s.thought)
		}
		call := moothall.ToolCall{Name: calculates, Arguments: json.RawMessage(`{"expression":"2027-06-18 - 2026-11-18"}`)}
		if got := asMeant(call, question, "", r); want != "" && string(got.Arguments) != `{"expression":"`+want+`"}` {
			t.Errorf("%s: %s", question, got.Arguments)
		}
		if sum, _ := byClock(question, []moothall.Message{{Role: moothall.RoleUser, Content: question}}); sum != "" {
			t.Errorf("%s: %q without a clock", question, sum)
		}
	}
}

// TestAges has the age of who said when they were born, here or in what was recalled,
// and the weekday of the date that was named last.
func TestAges(t *testing.T) {
	t.Parallel()
	says := func(role moothall.Role, text string) moothall.Message {
		return moothall.Message{Role: role, Content: text}
	}
	recalls := moothall.Message{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "a", Name: memoryRead}}}
	now := func(question string) moothall.Message {
		return says(moothall.RoleUser, "It is Wednesday, 18 November 2026, 16:20.\n\n"+question)
	}
	for name, c := range map[string]struct {
		messages []moothall.Message
		want     string
	}{
		"this year":      {[]moothall.Message{says(moothall.RoleUser, "I was born on 12 May 1990"), now("how old am I?")}, "2026 - 1990"},
		"not yet":        {[]moothall.Message{says(moothall.RoleUser, "I was born on the 24th of December, 1990 in Graz"), now("so how old am i now")}, "2026 - 1990 - 1"},
		"today":          {[]moothall.Message{says(moothall.RoleUser, "I am born on 1990-11-18."), now("How old am I today?")}, "2026 - 1990"},
		"recalled":       {[]moothall.Message{now("how old am I?"), recalls, {Role: moothall.RoleTool, ToolName: memoryRead, CallID: "a", Content: "1. [source: model; just now; score 0.65] born\n   I was born on November 30, 1990."}}, "2026 - 1990 - 1"},
		"to come":        {[]moothall.Message{says(moothall.RoleUser, "I was born on 12 May 2090"), now("how old am I?")}, ""},
		"somebody else":  {[]moothall.Message{says(moothall.RoleUser, "Anna was born on 12 May 1990"), now("how old am I?")}, ""},
		"put right":      {[]moothall.Message{says(moothall.RoleUser, "I was born on 12 May 1990"), says(moothall.RoleUser, "sorry, it was 12 May 1991"), now("how old am I?")}, ""},
		"quoted":         {[]moothall.Message{says(moothall.RoleUser, "Translate to German: I was born on 3 May 1815 in Graz."), now("how old am I?")}, ""},
		"from outside":   {[]moothall.Message{now("how old am I?"), recalls, {Role: moothall.RoleTool, ToolName: memoryRead, CallID: "a", Content: "1. [source: external; just now; score 0.65] born\n   I was born on November 30, 1990."}}, ""},
		"today's":        {[]moothall.Message{says(moothall.RoleUser, "I was born on 12 May 1990"), says(moothall.RoleAssistant, "Noted."), now("ok, what day is it?")}, ""},
		"which this is":  {[]moothall.Message{says(moothall.RoleUser, "I was born on 12 May 1990"), says(moothall.RoleAssistant, "Noted."), now("which day is this")}, ""},
		"long before":    {[]moothall.Message{says(moothall.RoleUser, "I was born on 12 May 1990"), says(moothall.RoleUser, "I had soup"), says(moothall.RoleAssistant, "Noted."), now("what day was that")}, ""},
		"not their age":  {[]moothall.Message{says(moothall.RoleUser, "I was born on 12 May 1990"), now("how old is my cat?")}, ""},
		"its weekday":    {[]moothall.Message{says(moothall.RoleUser, "I was born on 12 May 1990"), says(moothall.RoleAssistant, "Noted."), now("what day of the week was that?")}, "weekday of 1990-05-12"},
		"what was found": {[]moothall.Message{now("when did he die"), says(moothall.RoleAssistant, "He died on 3 May 1955, at home."), now("and which day was it")}, "weekday of 1955-05-03"},
		"counted to":     {[]moothall.Message{says(moothall.RoleUser, "how many days until then"), {Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "a", Name: calculates, Arguments: json.RawMessage(`{"expression":"2026-12-03 - 2026-11-18"}`)}}}, says(moothall.RoleAssistant, "It is 15 days until then."), now("what day of the week is that")}, "weekday of 2026-12-03"},
		"of two days":    {[]moothall.Message{says(moothall.RoleUser, "from 1 May 2020 to 3 May 2020"), now("what day was that")}, ""},
		"no such day":    {[]moothall.Message{says(moothall.RoleUser, "it was 31 June 2020"), now("what day was that")}, ""},
		"no day":         {[]moothall.Message{now("what day is it")}, ""},
	} {
		question := question(c.messages)
		sum, thought := byClock(question, c.messages)
		if sum != c.want || (thought == "") != (sum == "") {
			t.Errorf("%s: %q, %q", name, sum, thought)
		}
		if s := newSumming(nil, question, moothall.GenerateRequest{Messages: c.messages, Tools: []moothall.ToolSpec{{Name: calculates}}}); s.thought != thought {
			t.Errorf("%s: it thinks %q", name, s.thought)
		}
	}
}

// TestItsWeekday has an answer that names other days than the one that came out.
func TestItsWeekday(t *testing.T) {
	t.Parallel()
	asked := func(result string) []moothall.Message {
		return []moothall.Message{{Role: moothall.RoleUser, Content: "what day is that"}, {Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "a", Name: calculates}}},
			{Role: moothall.RoleTool, ToolName: calculates, CallID: "a", Content: result}}
	}
	for _, c := range []struct{ result, answer, want string }{
		{"weekday of 2026-12-03 = Thursday", "That is Thursday, Friday and Sunday.", "That is a Thursday."},
		{"weekday of 2026-12-03 = Thursday", "It is a Thursday.", ""},
		{"weekday of 2026-12-03 = Thursday", "That is it.", ""},
		{"2026-12-03 - 2026-11-18 = 15 days", "That is Friday.", ""},
	} {
		if got := itsWeekday(c.answer, asked(c.result)); got != c.want {
			t.Errorf("%s, %s: %q", c.result, c.answer, got)
		}
	}
}

// TestPastDays counts no days to one that is said to have been.
func TestPastDays(t *testing.T) {
	t.Parallel()
	messages := []moothall.Message{{Role: moothall.RoleUser, Content: "when did we meet?"}, {Role: moothall.RoleAssistant, Content: "You met on 4 March."},
		{Role: moothall.RoleUser, Content: "It is Wednesday, 18 November 2026, 16:20.\n\nhow many days is that from now"}}
	if _, thought := byClock(question(messages), messages); thought != "" {
		t.Errorf("it thinks %q", thought)
	}
}

// TestUntilThen counts the days to one that was named before, this year or the next.
func TestUntilThen(t *testing.T) {
	t.Parallel()
	for told, want := range map[string]string{
		"my sister's birthday is on the 4th of march":            "Today is 2026-11-18; that day, 4 March is past this year, so it is 2027-03-04, and I calculate 2027-03-04 - 2026-11-18.",
		"we leave on December 3rd":                               "Today is 2026-11-18; that day, 3 December is still to come this year, so it is 2026-12-03, and I calculate 2026-12-03 - 2026-11-18.",
		"the party is on 18 November":                            "Today is 2026-11-18, and that day is today, so I calculate 2026-11-18 - 2026-11-18.",
		"we leave soon":                                          "",
		"it was on 4 March 2019":                                 "",
		"my birthday is on 4 March and my wife's is on 15 April": "",
	} {
		for _, question := range []string{"how many days until then", "And how long is it until that day?"} {
			messages := []moothall.Message{{Role: moothall.RoleUser, Content: told}, {Role: moothall.RoleAssistant, Content: "Noted."}, {Role: moothall.RoleUser, Content: "It is Wednesday, 18 November 2026, 16:20.\n\n" + question}}
			if _, thought := byClock(question, messages); thought != want {
				t.Errorf("%s, %s: %q, want %q", told, question, thought, want)
			}
		}
		for _, question := range []string{"how many days is that from now", "how long is it away?", "and how many days from today is that"} {
			messages := []moothall.Message{{Role: moothall.RoleUser, Content: "when?"}, {Role: moothall.RoleAssistant, Content: told}, {Role: moothall.RoleUser, Content: "It is Wednesday, 18 November 2026, 16:20.\n\n" + question}}
			if _, thought := byClock(question, messages); thought != want {
				t.Errorf("answered %s, %s: %q, want %q", told, question, thought, want)
			}
		}
	}
}
