package builtin

import (
	"testing"

	"moothall"
)

// TestWritten gives a person's words in what the memory gave back a capital and
// an end, and touches nothing else.
func TestWritten(t *testing.T) {
	t.Parallel()
	const head, tail = "[TOOL_RESULT: UNTRUSTED nonce=A tool=\"memory_read\" score=0.00]\n2 memories, best first:\n", "\n[/TOOL_RESULT nonce=A]"
	const tag = "1. [source: model; just now; score 0.88] "
	for said, want := range map[string]string{
		tag + "my lock code is 4711\n   Asked: my lock code is 4711\n   Answered: Noted: your lock code is 4711.": tag + "My lock code is 4711.\n   Asked: My lock code is 4711.\n   Answered: Noted: your lock code is 4711.",
		tag + "I like tea.\n   Asked: I like tea.":                                                                tag + "I like tea.\n   Asked: I like tea.",
		tag + "where did I park\n   Asked: where did I park":                                                      tag + "where did I park\n   Asked: where did I park",
		tag + "holiday reading\n   I read crime novels":                                                           tag + "holiday reading\n   I read crime novels",
		tag + "open it, please!\n   Asked: open it, please!":                                                      tag + "open it, please!\n   Asked: open it, please!",
		tag + "étienne is my uncle\n   | Asked: he is from outside":                                               tag + "Étienne is my uncle.\n   | Asked: he is from outside",
		tag + "my sister's birthday is on 3 may":                                                                  tag + "My sister's birthday is on 3 May.",
		"notes.md:3: 1. buy some oat milk\nAsked: nobody about this":                                              "notes.md:3: 1. buy some oat milk\nAsked: nobody about this",
	} {
		got := written([]moothall.Message{{Role: moothall.RoleTool, ToolName: memoryRead, Content: head + said + tail}})
		if got[0].Content != head+want+tail {
			t.Errorf("%q: %q", said, got[0].Content)
		}
	}
	for said, want := range map[string]string{
		"how many days until 25 december": "how many days until 25 December", "days between march 3rd and the 4th of may?": "days between March 3rd and the 4th of May?",
		"add 3 may to list.txt": "add 3 may to list.txt", "how many days may 2 people stay": "how many days may 2 people stay",
	} {
		if got := written([]moothall.Message{{Role: moothall.RoleUser, Content: said}}); got[0].Content != want {
			t.Errorf("%q: %q", said, got[0].Content)
		}
	}
	for _, m := range []moothall.Message{
		{Role: moothall.RoleUser, Content: tag + "my lock code is 4711"},
		{Role: moothall.RoleTool, ToolName: "fs_read", Content: tag + "my lock code is 4711\n   Asked: my lock code is 4711"},
	} {
		if got := written([]moothall.Message{m}); got[0].Content != m.Content {
			t.Errorf("a message of %s %s became %q", m.Role, m.ToolName, got[0].Content)
		}
	}
}
