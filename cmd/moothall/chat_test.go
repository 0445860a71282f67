package main

import (
	"fmt"
	"strings"
	"testing"

	"moothall"
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

// TestChatElsewhere: whoever has left a conversation is not led back into it by
// asking its last question again, and what cannot be done yet says so.
func TestChatElsewhere(t *testing.T) {
	t.Parallel()
	p := newProgram(t, map[string]string{"moothall.yaml": "models: {builtin: rules}\n"})
	out, errs, code := p.run("What is the capital of Japan?\n/session\n/compact\n/retry\nWhat is the capital of Chile?\n/compact\n", "chat")
	if code != 0 || errs != "" || strings.Count(out, "Tokyo") != 1 || !strings.Contains(out, "nothing was said yet") ||
		!strings.Contains(out, "there is no question yet") || !strings.HasSuffix(out, "it is short enough to stay as it is\n") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	for _, s := range parsed[[]moothall.Session](t, p.must("", "sessions", "--json")) {
		if s.Turns != 1 {
			t.Errorf("%q has %d turns", s.Title, s.Turns)
		}
	}
}

// TestRetryAfterFailure: a question that failed does not take the place of the
// one before it.
func TestRetryAfterFailure(t *testing.T) {
	t.Parallel()
	p := newProgram(t, map[string]string{"moothall.yaml": "models: {builtin: rules}\n"})
	tooLong := strings.Repeat("x", 150_000)
	if _, errs, _ := p.run("What is the capital of Japan?\n"+tooLong+"\n/retry\n/retry\n", "chat"); strings.Count(errs, "does not fit the window") != 3 {
		t.Fatal(errs)
	}
	list := parsed[[]moothall.Session](t, p.must("", "sessions", "--json"))
	got := parsed[moothall.SessionDetail](t, p.must("", "sessions", "show", string(list[0].ID)))
	if len(list) != 1 || !strings.Contains(fmt.Sprint(got.Messages), "Tokyo") {
		t.Errorf("of %d conversations the first has %.300v", len(list), got.Messages)
	}
}

// TestContextInOrder: the parts of a conversation are told in one order.
func TestContextInOrder(t *testing.T) {
	t.Parallel()
	p := newProgram(t, map[string]string{"moothall.yaml": "models: {builtin: rules}\n"})
	out := p.must("What is the capital of Japan?\n"+strings.Repeat("/context\n", 12), "chat")
	_, told, _ := strings.Cut(out, "\n")
	first, _, ok := strings.Cut(told, "together")
	if !ok || strings.Count(told, first) != 12 {
		t.Error(told)
	}
}
