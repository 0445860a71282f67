package tape_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/engine/tape"
)

func tool(name moothall.ToolName, args, result string, s moothall.CallStatus) moothall.CalledTool {
	return moothall.CalledTool{Tool: name, Args: json.RawMessage(args), Result: result, Status: s}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	base := moothall.Answer{
		Text: "The capital of France is Paris, and it has been for a long time.", Provider: "here", Model: "small", Stop: moothall.StopDone,
		Tools: []moothall.CalledTool{tool("look", `{"a":1,"b":2}`, "x", moothall.CallOK), tool("save", `{"t":"y"}`, "saved", moothall.CallOK)},
		Usage: moothall.Usage{Calls: 2, PromptTokens: 100, OutputTokens: 20},
	}
	long := strings.Repeat("one two three ", 1000)
	for name, c := range map[string]struct {
		change func(*moothall.Answer)
		want   []string
	}{
		"nothing": {func(*moothall.Answer) {}, nil},
		"a word": {func(a *moothall.Answer) { a.Text = strings.Replace(a.Text, "Paris,", "Lyon,", 1) },
			[]string{"the answer: … of France is [-Paris,-] {+Lyon,+} and it has …"}},
		"spaces":  {func(a *moothall.Answer) { a.Text += "\n" }, []string{"the answer: the spaces between words differ"}},
		"silence": {func(a *moothall.Answer) { a.Text = "" }, []string{`the answer: "The capital of France is Paris, and it has been for a long time." became nothing`}},
		"thought": {func(a *moothall.Answer) { a.Thinking = "Hm." }, []string{`the thinking: nothing became "Hm."`}},
		"much":    {func(a *moothall.Answer) { a.Text = long }, []string{"the answer: 14 words became 3000 words"}},
		"form":    {func(a *moothall.Answer) { a.Tools[0].Args = json.RawMessage(`{ "b": 2, "a": 1 }`) }, nil},
		"arguments": {func(a *moothall.Answer) { a.Tools[0].Args = json.RawMessage(`{"a":2}`) },
			[]string{`look was called with {"a":2} instead of {"a":1,"b":2}`}},
		"not called": {func(a *moothall.Answer) { a.Tools = a.Tools[:1] }, []string{`save was not called with {"t":"y"}`}},
		"called": {func(a *moothall.Answer) { a.Tools = append(a.Tools, tool("more", `{}`, "", moothall.CallOK)) },
			[]string{"more was called with {}, which it was not before"}},
		"status": {func(a *moothall.Answer) { a.Tools[1].Status, a.Tools[1].Result = moothall.CallDenied, "No." },
			[]string{"save ended with denied instead of ok: No."}},
		"result": {func(a *moothall.Answer) { a.Tools[1].Result = "kept" }, []string{"save gave another result: [-saved-] {+kept+}"}},
		"order":  {func(a *moothall.Answer) { a.Tools[0], a.Tools[1] = a.Tools[1], a.Tools[0] }, nil},
		"end": {func(a *moothall.Answer) { a.Stop, a.Flags = moothall.StopCap, []string{"f"} },
			[]string{"it ended with iteration_cap instead of done", "the flags are f instead of none"}},
		"cost": {func(a *moothall.Answer) {
			a.Model, a.Usage = "large", moothall.Usage{Calls: 3, PromptTokens: 90, OutputTokens: 20}
		},
			[]string{"here/large answered instead of here/small", "the model was asked 3 times instead of twice", "90 tokens were read and 20 written instead of 100 and 20"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := base
			other.Tools = append([]moothall.CalledTool{}, base.Tools...)
			c.change(&other)
			if d := cmp.Diff(c.want, tape.Diff(base, other)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestDiffIsShort however much differs.
func TestDiffIsShort(t *testing.T) {
	t.Parallel()
	var a, b strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&a, "word%d same same same same same same same ", i)
		fmt.Fprintf(&b, "other%d same same same same same same same ", i)
	}
	for _, n := range []int{500, 5000, a.Len()} {
		got := tape.Diff(moothall.Answer{Text: a.String()[:n]}, moothall.Answer{Text: b.String()[:n]})
		if len(got) != 1 || len(got[0]) > 700 {
			t.Errorf("%d bytes: %q", n, got)
		}
	}
}
