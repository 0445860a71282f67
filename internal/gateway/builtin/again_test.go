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
