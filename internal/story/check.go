package story

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"moothall"
)

// Check lists what is not as expected of an answer.
func (e Expect) Check(a moothall.Answer) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	low := strings.ToLower(a.Text)
	for _, want := range e.Contains {
		if !strings.Contains(low, strings.ToLower(want)) {
			say("the answer does not contain %q", want)
		}
	}
	for _, not := range e.Lacks {
		if strings.Contains(low, strings.ToLower(not)) {
			say("the answer contains %q", not)
		}
	}
	if e.Matches != "" {
		if re, err := regexp.Compile(e.Matches); err != nil {
			say("the story's own expression is wrong: %v", err)
		} else if !re.MatchString(a.Text) {
			say("the answer does not match %s", e.Matches)
		}
	}
	if some := a.Thinking != ""; e.Thinking != "" && some != (e.Thinking == "some") {
		say("thinking: want %s, got %q", e.Thinking, a.Thinking)
	}
	if e.Stop != "" && string(a.Stop) != e.Stop {
		say("it stopped for %q, want %q", a.Stop, e.Stop)
	}
	var tools, events []string
	for _, c := range a.Tools {
		tools = append(tools, string(c.Tool))
	}
	for _, s := range a.Subjects {
		events = append(events, string(s))
	}
	if missing := firstMissing(e.Tools, tools); missing != "" {
		say("tool %s was not called in its place; called: %v", missing, tools)
	}
	if missing := firstMissing(e.Events, events); missing != "" {
		say("event %s was not seen in its place; seen: %v", missing, events)
	}
	return out
}

// firstMissing returns the first of want that got does not have in order.
func firstMissing(want, got []string) string {
	for _, w := range want {
		i := slices.Index(got, w)
		if i < 0 {
			return w
		}
		got = got[i+1:]
	}
	return ""
}
