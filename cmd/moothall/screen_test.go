package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"moothall"
)

// TestScreen writes each text as a whole and cut in two at every byte.
func TestScreen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Grüße,\t世界 🙂\n":                       "Grüße,\t世界 🙂\n",
		"before \x1b]0;pwned\a\x1b[2J after":   `before \u001b]0;pwned\u0007\u001b[2J after`,
		"rm -rf ~ \r\x1b[Kls\b\b\x7f":          `rm -rf ~ \u001b[Kls\u0008\u0008\u007f`,
		"two\r\nlines\r\n":                     "two\nlines\n",
		"\u009b2J, and as a byte \x9b2J":       `\u009b2J, and as a byte ` + "\ufffd2J",
		"ok\u202efdp.exe\u202c \u2066x\u2069.": `ok\u202efdp.exe\u202c \u2066x\u2069.`,
	} {
		for cut := range len(text) {
			var b bytes.Buffer
			s := &screen{terminal: &b}
			for _, part := range []string{text[:cut], text[cut:]} {
				if n, err := s.Write([]byte(part)); n != len(part) || err != nil {
					t.Fatal(n, err)
				}
			}
			if b.String() != want {
				t.Errorf("%q, cut at %d: %q, want %q", text, cut, b.String(), want)
			}
		}
	}
}

// TestScreenJSON: what is shown of JSON still means the same.
func TestScreenJSON(t *testing.T) {
	t.Parallel()
	want := "a\x1b[2J\u009b\x7f\u202e\r\nb"
	var b bytes.Buffer
	a := &app{out: &screen{terminal: &b}}
	if err := a.printJSON(want); err != nil {
		t.Fatal(err)
	}
	var got string
	if err := json.Unmarshal(b.Bytes(), &got); err != nil || got != want {
		t.Errorf("%q, %v", got, err)
	}
}

// TestShowerOnScreen: the program's own signs reach a terminal, a model's do
// not, whatever it puts them into.
func TestShowerOnScreen(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	s := &screen{terminal: &b}
	show := &shower{out: s, errs: s, thinking: true, live: terminal(s), color: true}
	const evil = "\x1b[2Jevil"
	plan := fmt.Appendf(nil, `{"subtasks":[{"id":"s1","agent_type":"a","task":%q,"state":"done","report":{"status":"ok","summary":%[1]q,"result_quality":"good"}}]}`, "\u009b2Jevil")
	for _, step := range []moothall.Step{
		{Kind: "status", Text: evil}, {Kind: "thinking", Text: evil}, {Kind: "delta", Text: evil},
		{Kind: "tool_call", Call: &moothall.ToolCall{Name: evil}}, {Kind: "tool_result", Result: &moothall.ToolResult{Name: evil}},
		{Kind: "persona", Deliberation: &moothall.Deliberation{Persona: evil, Response: evil}},
		{Kind: "task", Text: "planned", Task: &moothall.Task{Plan: plan}},
	} {
		show.step(step)
	}
	show.end()
	explain(s, moothall.Fail(moothall.CodeDenied, "x", evil))
	a := &app{errs: s}
	if err := a.answer(t.Context(), deaf{}, moothall.Approval{Tool: evil}, func(context.Context, string) (string, error) { return "no", nil }); err != nil {
		t.Fatal(err)
	}
	bar := &progressBar{a: a, show: true}
	bar.report(moothall.Progress{Step: evil})
	got := b.String()
	if strings.Contains(got, "\x1b[2J") || strings.Contains(got, "\u009b") {
		t.Errorf("a terminal would obey %q", got)
	}
	for _, own := range []string{dim + `\u001b[2Jevil…` + normal + erase, dim + `\u001b[2Jevil` + normal + "\n", dim + `→ \u001b[2Jevil `, dim + "(a, done)" + normal, erase + "[  "} {
		if !strings.Contains(got, own) {
			t.Errorf("%q is not in %q", own, got)
		}
	}
}

// deaf is a broker that takes any answer.
type deaf struct{ moothall.Broker }

func (deaf) Decide(context.Context, moothall.ApprovalDecision) (moothall.Approval, error) {
	return moothall.Approval{}, nil
}
