package builtin

import (
	"encoding/json"
	"testing"

	"moothall"
)

// TestRounded has numbers without an end, as the calculator gives them.
func TestRounded(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ sum, answer, want string }{
		{"35 / 3 ≈ 11.6666666666667 (exactly 35/3)", "Each of you pays 11.6666666666667.", "Each of you pays about 11.67."},
		{"35 / 3 ≈ 11.6666666666667 (exactly 35/3)", "35 / 3 is about 11.6666666666667.", "35 / 3 is about 11.67."},
		{"1 / 3000 ≈ 0.000333333333333333 (exactly 1/3000)", "That is 0.000333333333333333.", "That is about 0.000333333333333333."},
		{"35 / 3 ≈ 11.6666666666667 (exactly 35/3)", "They said 3.1415926535.", "They said 3.1415926535."},
		{"35 / 4 = 8.75", "That is 8.75.", "That is 8.75."},
	} {
		messages := []moothall.Message{
			{Role: moothall.RoleUser, Content: "35 for 3 of us, what each"},
			{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "a", Name: calculates, Arguments: json.RawMessage(`{"expression":"35 / 3"}`)}}},
			{Role: moothall.RoleTool, ToolName: calculates, CallID: "a", Content: c.sum},
		}
		if got := rounded(c.answer, messages); got != c.want {
			t.Errorf("%s: %q", c.answer, got)
		}
	}
	if got := rounded("about 11.6666666666667", nil); got != "about 11.6666666666667" {
		t.Errorf("without a sum: %q", got)
	}
}
