package main

import (
	"strings"
	"testing"
)

// TestChatEndsInTheMiddle: what a file says last is asked, although it ends
// where more was to come.
func TestChatEndsInTheMiddle(t *testing.T) {
	t.Parallel()
	p := newProgram(t, map[string]string{"moothall.yaml": "models: {builtin: rules}\n"})
	for _, in := range []string{"What is the capital\\\nof Japan?\\", "\"\"\"What is the\ncapital of Japan?\n"} {
		if out := p.must(in, "chat"); !strings.Contains(out, "Tokyo") {
			t.Errorf("%q: %q", in, out)
		}
	}
}
