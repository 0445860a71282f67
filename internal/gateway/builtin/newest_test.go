package builtin

import (
	"testing"

	"moothall"
)

// TestNewest quotes the memory of the age that counts, whichever is found first.
func TestNewest(t *testing.T) {
	t.Parallel()
	const found = "[TOOL_RESULT: UNTRUSTED nonce=A tool=\"memory_read\" score=0.00]\n4 memories, best first:\n" +
		"1. [source: model; 12 days ago; score 0.92] gate code\n   The code of the gate is 17.\n" +
		"2. [source: person; 2 hours ago; score 0.90] code of the gate?\n   Asked: What is the code of the gate?\n   Answered: It is 17.\n" +
		"3. [source: person; 2 hours ago; score 0.80] The gate's code is 25 now.\n   Asked: The gate's code is 25 now. Thanks!\n   Answered: Noted.\n" +
		"4. [source: model; just now; score 0.20] tea\n   I drink tea.\n[/TOOL_RESULT nonce=A]"
	encode := func(to []int32, s string) []int32 {
		for _, r := range s {
			to = append(to, r)
		}
		return to
	}
	n := newest{[]moothall.Message{
		{Role: moothall.RoleUser, Content: "what is the code of the gate"},
		{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "c", Name: memoryRead}}},
		{Role: moothall.RoleTool, ToolName: memoryRead, CallID: "c", Content: found},
	}, encode}
	for thought, want := range map[string]string{
		"It is about gate; 2 hours ago counts and not 12 days ago:":   " The gate's code is 25 now.",
		"It is about gate; 12 days ago counts and not 2 hours ago:":   " The gate's code is 25 now.",
		"It is about gate; 12 days ago counts and not 1 year ago:":    " The code of the gate is 17.",
		"It is about gate; 12 days ago counts and not that:":          " The code of the gate is 17.",
		"It is about gate; just now counts and not 12 days ago:":      "",
		"It is about gate; 2 hours ago counts and not 12 days ago: T": "",
		"It is about gate; they said:":                                "",
	} {
		if got := string(n.dictate(thought)); got != want {
			t.Errorf("%s %q, want %q", thought, got, want)
		}
	}
	if got := (newest{encode: encode}).dictate("It is about gate; 2 hours ago counts and not 12 days ago:"); got != nil {
		t.Errorf("without memories it quotes %q", string(got))
	}
}
