package toolcall_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall/internal/engine/toolcall"
)

func TestNilOptions(t *testing.T) {
	t.Parallel()
	got := toolcall.Parse("  Yes.\n", nil)
	if diff := cmp.Diff(toolcall.Result{Content: "Yes."}, got); diff != "" {
		t.Error(diff)
	}
}

// TestPrompt checks how much of a text is held back while it streams.
func TestPrompt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		prefilled  bool
		lag        int
	}{
		{"plain", "The archive is dry and quiet, and nobody comes.", false, 1},
		{"lines", "One.\nTwo.\n\nThree: (a) and (b).", false, 2},
		{"unicode", "Grüße — 你好 🌟.", false, 4},
		{"signs", "1 < 2, a > b, {x} and [y] hold.", false, 3},
		{"tags", "<b>bold</b> and <i>not</i>", false, 6},
		{"code", "Use `x` here", false, 4},
		{"fence", "See:\n```go\nfunc main() {}\n```\nDone.", false, 8},
		{"thinking", "I should look at the shelves.", true, 1},
	} {
		r := toolcall.NewReader(&toolcall.Options{Tools: officeTools(), ThinkingPrefilled: c.prefilled})
		var pieces []toolcall.Piece
		for i := range len(c.text) {
			pieces = append(pieces, r.Write(c.text[i:i+1])...)
			content, thinking := toolcall.Join(pieces)
			if lag := i + 1 - len(content) - len(thinking); lag > c.lag {
				t.Errorf("%s: %d bytes held back after %q", c.name, lag, c.text[:i+1])
			}
		}
	}
}

// TestAfterCallPrompt checks that text after a call does not wait for the end.
func TestAfterCallPrompt(t *testing.T) {
	t.Parallel()
	r := toolcall.NewReader(&toolcall.Options{Tools: officeTools()})
	r.Write(`<tool_call>{"name":"ring_bell","arguments":{}}</tool_call>`)
	content, _ := toolcall.Join(r.Write(" It rings"))
	if content != "It rings" {
		t.Errorf("got %q", content)
	}
}

func TestRethink(t *testing.T) {
	t.Parallel()
	r := toolcall.NewReader(nil)
	pieces := r.Write("I wonder. ")
	pieces = append(pieces, r.Write("Yes.</think>It is.")...)
	want := []toolcall.Piece{
		{Kind: toolcall.Text, Text: "I wonder."},
		{Kind: toolcall.Text, Text: " Yes."},
		{Kind: toolcall.Rethink},
		{Kind: toolcall.Text, Text: "It is."},
	}
	if diff := cmp.Diff(want, pieces); diff != "" {
		t.Error(diff)
	}
	if got := r.Close(); got.Thinking != "I wonder. Yes." || got.Content != "It is." {
		t.Errorf("got %+v", got)
	}
}

// TestSplitRune checks that no piece ends within a character.
func TestSplitRune(t *testing.T) {
	t.Parallel()
	r := toolcall.NewReader(nil)
	text := "aé你🌟b"
	for i := range len(text) {
		for _, p := range r.Write(text[i : i+1]) {
			if !strings.Contains(text, p.Text) || strings.ToValidUTF8(p.Text, "?") != p.Text {
				t.Errorf("piece %q", p.Text)
			}
		}
	}
	if got := r.Close(); got.Content != text {
		t.Errorf("got %q", got.Content)
	}
}

// TestAliasNeverHidesAName checks that a tool's own name wins.
func TestAliasNeverHidesAName(t *testing.T) {
	t.Parallel()
	specs := officeTools()
	specs[0].Aliases = append(specs[0].Aliases, "ring_bell")
	got := toolcall.Parse(`{"name":"ring_bell","arguments":{}}`, &toolcall.Options{Tools: specs})
	if len(got.Calls) != 1 || got.Calls[0].Name != "ring_bell" {
		t.Errorf("got %+v", got.Calls)
	}
}
