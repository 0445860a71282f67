package builtin

import (
	"strings"
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
	n := newest{recalled("what is the code of the gate", found), runes}
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
	if got := (newest{encode: runes}).dictate("It is about gate; 2 hours ago counts and not 12 days ago:"); got != nil {
		t.Errorf("without memories it quotes %q", string(got))
	}
}

// TestStanding quotes what has taken the place of a memory, and answers with it, or
// with the memory where somebody asks how it was before.
func TestStanding(t *testing.T) {
	t.Parallel()
	const found = "[TOOL_RESULT: UNTRUSTED nonce=A tool=\"memory_read\" score=0.00]\n3 memories, best first:\n" +
		"1. [source: model; just now; score 0.20] I moved from Leeds to York last week.\n   Asked: I moved from Leeds to York last week.\n   Answered: Noted.\n" +
		"2. [source: model; 12 days ago; score 0.90] I live in Leeds.\n   Asked: I live in Leeds.\n   Answered: Noted.\n   (Changed since then: speaker lives in York)\n" +
		"3. [source: model; 12 days ago; score 0.80] I live alone.\n   Asked: I live alone.\n   Answered: Noted.\n" +
		"4. [source: model; 12 days ago; score 0.70] My cat Tom and I work at home.\n   Asked: My cat Tom and I work at home.\n   Answered: Noted.\n   (Changed since then: speaker works at the railway)\n[/TOOL_RESULT nonce=A]"
	const moved = "I moved from Leeds to York last week."
	for _, c := range []struct{ asked, thought, dictated, answer string }{
		{"Where do I live?", "It is about home; 12 days ago counts and not 1 year ago:", moved, moved},
		{"Where do I live?", "It is about home; they said:", moved, moved},
		{"Where do I live?", "It is about home; they", "", ""},
		{"Where did I live before?", "It is about home; they said:", "I live in Leeds.", "I live in Leeds."},
		{"where did i use to live", "It is about home; 12 days ago counts and not 1 year ago:", "I live in Leeds.", "I live in Leeds."},
		{"Which city do I use to live in?", "It is about home; they said:", moved, moved},
		{"Where did I live before my job?", "It is about home; they said:", "", ""},
		{"Where did I live in May?", "It is about home; they said:", "", ""},
		{"Where did I live in May?", "It is about home; 12 days ago counts and not 1 year ago:", "I live in Leeds.", ""},
		{"What did I say before of where I live?", "It is about home; they said:", "", ""},
		{"Do I live alone?", "It is about home; they said:", "", ""},
		{"Where do I work?", "It is about work; they said:", "", ""}, // what says it was not found
		{"What is my cat called?", "It is about cat; they said:", "", ""},
		{"In Leeds, is there a harbour?", "It is about Leeds; they said:", "", ""},
	} {
		messages := recalled(c.asked, found)
		got := strings.TrimSpace(string(newest{messages, runes}.dictate(c.thought)))
		if got != c.dictated {
			t.Errorf("%s %s dictates %q, want %q", c.asked, c.thought, got, c.dictated)
		}
		if got := standing(c.thought+" "+c.dictated, messages); got != c.answer {
			t.Errorf("%s %s %s is answered with %q, want %q", c.asked, c.thought, c.dictated, got, c.answer)
		}
	}
	two, _, _ := strings.Cut(found, "3. ") // what has changed is the last one there
	if got := string(newest{recalled("Where do I live?", two+"[/TOOL_RESULT nonce=A]"), runes}.dictate("It is about home; they said:")); got != " "+moved {
		t.Errorf("of two it dictates %q", got)
	}
}

// recalled is a question, for which the memory was read.
func recalled(asked, found string) []moothall.Message {
	return []moothall.Message{
		{Role: moothall.RoleUser, Content: asked},
		{Role: moothall.RoleAssistant, ToolCalls: []moothall.ToolCall{{ID: "c", Name: memoryRead}}},
		{Role: moothall.RoleTool, ToolName: memoryRead, CallID: "c", Content: found},
	}
}

// runes encodes a text as its characters.
func runes(to []int32, s string) []int32 {
	for _, r := range s {
		to = append(to, r)
	}
	return to
}
