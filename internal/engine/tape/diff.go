package tape

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moothall"
)

// Diff says in words for people how b differs from a: the answer, the tools,
// the end, and what it took. Nothing is said about times.
func Diff(a, b moothall.Answer) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if a.Text != b.Text {
		say("the answer: %s", words(a.Text, b.Text))
	}
	if a.Thinking != b.Thinking {
		say("the thinking: %s", words(a.Thinking, b.Thinking))
	}
	out = append(out, diffTools(a.Tools, b.Tools)...)
	if a.Stop != b.Stop {
		say("it ended with %s instead of %s", b.Stop, a.Stop)
	}
	if !slices.Equal(a.Flags, b.Flags) {
		say("the flags are %s instead of %s", listed(b.Flags), listed(a.Flags))
	}
	if a.Provider != b.Provider || a.Model != b.Model {
		say("%s answered instead of %s", named(b), named(a))
	}
	if a.Usage.Calls != b.Usage.Calls {
		say("the model was asked %s instead of %s", times(b.Usage.Calls), times(a.Usage.Calls))
	}
	if u, v := a.Usage, b.Usage; u.PromptTokens != v.PromptTokens || u.OutputTokens != v.OutputTokens {
		say("%d tokens were read and %d written instead of %d and %d", v.PromptTokens, v.OutputTokens, u.PromptTokens, u.OutputTokens)
	}
	return out
}

func listed(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, "; ")
}

func named(a moothall.Answer) string {
	if a.Model == "" {
		return "an unnamed model"
	}
	return strings.TrimPrefix(a.Provider+"/"+a.Model, "/")
}

// diffTools pairs calls: equal ones first, then those of one tool, in order.
func diffTools(a, b []moothall.CalledTool) []string {
	var out []string
	partner, taken := make([]int, len(a)), make([]bool, len(b))
	pair := func(alike func(x, y *moothall.CalledTool) bool) {
		for i := range a {
			for j := range b {
				if partner[i] == 0 && !taken[j] && alike(&a[i], &b[j]) {
					partner[i], taken[j] = j+1, true
				}
			}
		}
	}
	pair(func(x, y *moothall.CalledTool) bool { return keyOf(x.Tool, x.Args) == keyOf(y.Tool, y.Args) })
	pair(func(x, y *moothall.CalledTool) bool { return x.Tool == y.Tool })
	for i := range a {
		if partner[i] == 0 {
			out = append(out, fmt.Sprintf("%s was not called with %s", a[i].Tool, short(string(a[i].Args))))
			continue
		}
		out = append(out, diffCall(&a[i], &b[partner[i]-1])...)
	}
	for j := range b {
		if !taken[j] {
			out = append(out, fmt.Sprintf("%s was called with %s, which it was not before", b[j].Tool, short(string(b[j].Args))))
		}
	}
	return out
}

func diffCall(a, b *moothall.CalledTool) []string {
	var out []string
	if keyOf(a.Tool, a.Args) != keyOf(b.Tool, b.Args) {
		out = append(out, fmt.Sprintf("%s was called with %s instead of %s", a.Tool, short(string(b.Args)), short(string(a.Args))))
	}
	switch {
	case a.Status != b.Status:
		out = append(out, fmt.Sprintf("%s ended with %s instead of %s: %s", a.Tool, b.Status, a.Status, short(b.Result)))
	case a.Result != b.Result:
		out = append(out, fmt.Sprintf("%s gave another result: %s", a.Tool, words(a.Result, b.Result)))
	}
	return out
}

func times(n int) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// count is a number with a noun, or bare without one.
func count(n int, noun string) string {
	switch {
	case noun == "":
		return strconv.Itoa(n)
	case n == 1:
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}
