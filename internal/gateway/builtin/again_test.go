package builtin

import (
	"encoding/json"
	"testing"

	"moothall"
)

// TestDaysAgain has the last sum about days, with the days that the person names now.
func TestDaysAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ last, question, want string }{
		{"weekday of 1976-07-04", "and 1 january 2000", "weekday of 2000-01-01"},
		{"weekday of 1976-07-04", "What about the 14th of February 1938?", "weekday of 1938-02-14"},
		{"weekday of 1976-07-04", "and my birthday, 14 February 1938, how old is that", ""},
		{"weekday of 1976-07-04", "and 1 january", ""},
		{"weekday of 1976-07-04", "and 31 february 2000", ""},
		{"2026-03-20 - 2026-03-03", "what about 3 march to 3 april", "2026-04-03 - 2026-03-03"},
		{"2026-03-20 - 2026-03-03", "and between 20 December and 6 January?", "2027-01-06 - 2026-12-20"},
		{"2026-03-20 - 2026-03-03", "and from 3 March 2025 until 3 March 2026", "2026-03-03 - 2025-03-03"},
		{"2026-03-20 - 2026-03-03", "and 3 May?", ""},
		{"12 * 7", "and 1 january 2000", ""},
	} {
		arguments, _ := json.Marshal(map[string]string{"expression": c.last})
		messages := []moothall.Message{
			{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "a", Name: calculates, Arguments: arguments}}},
			{Role: moothall.RoleTool, ToolName: calculates, Content: c.last + " = Sunday"},
			{Role: moothall.RoleAssistant, Content: "That is a Sunday."},
			{Role: moothall.RoleUser, Content: c.question},
		}
		if got := daysAgain(c.question, messages); got != c.want {
			t.Errorf("%s, then %s: %q", c.last, c.question, got)
		}
	}
	read := moothall.ToolCall{ID: "b", Name: "fs_read", Arguments: json.RawMessage(`{"path":"a"}`)}
	if got := daysAgain("and 1 january 2000", []moothall.Message{{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{read}}}); got != "" {
		t.Errorf("after another tool: %q", got)
	}
	own := "my grandad was born on 14 february 1938, what weekday was that"
	if sum, _ := daySum(own, nil); sum != "weekday of 1938-02-14" {
		t.Errorf("%s: %q", own, sum)
	}
}

// TestDaysThere has the days between two that the person said just before.
func TestDaysThere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ said, question, want string }{
		{"we fly to Rome on 12 june and come back on 26 june :)", "how many nights is that", "2026-06-26 - 2026-06-12"},
		{"the camp is from 28 December to 3 January", "So how long is it?", "2027-01-03 - 2026-12-28"},
		{"we fly to Rome on 12 june and come back on 26 june", "how many nights is that in a hotel for four", ""},
		{"we fly to Rome on 12 june", "how many nights is that", ""},
		{"we fly to Rome on 12 june and come back on 26 june", "how many days until we go", ""},
	} {
		messages := []moothall.Message{
			{Role: moothall.RoleUser, Content: c.said}, {Role: moothall.RoleAssistant, Content: "Noted."},
			{Role: moothall.RoleUser, Content: "It is Wednesday, 18 November 2026, 16:20.\n\n" + c.question},
		}
		if got := daysThere(c.question, messages); got != c.want {
			t.Errorf("%s, then %s: %q", c.said, c.question, got)
		}
		if c.want != "" {
			r := moothall.GenerateRequest{Messages: messages, Tools: []moothall.ToolSpec{{Name: calculates}}}
			if s := newSumming(nil, c.question, r); s.thought != "They said both days, so I calculate "+c.want+"." {
				t.Errorf("%s: it thinks %q", c.question, s.thought)
			}
		}
	}
}
