package history_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"moothall"
	"moothall/internal/engine/history"
)

// long is a conversation of n turns, each with a group of two calls.
func long(n int) messages {
	out := messages{msg(system, "s")}
	for i := range n {
		a, b := fmt.Sprintf("%d-a", i), fmt.Sprintf("%d-b", i)
		out = append(out, msg(user, fmt.Sprintf("question %d", i)), asks(a, "x", b, "y"),
			result(a, "x", strings.Repeat("long result ", 40)), result(b, "y", "short"), msg(assistant, "answer"))
	}
	return out
}

func TestShrinkKeepsTheLastGroups(t *testing.T) {
	t.Parallel()
	in := long(5)
	got, n := history.Shrink(in, 3)
	if n != 2 {
		t.Fatalf("%d results changed", n)
	}
	for i, m := range got {
		changed := m.Content != in[i].Content
		if wants := i == 3 || i == 8; changed != wants {
			t.Errorf("message %d changed: %v", i, changed)
		}
		if changed && (len(m.Content) > 200 || strings.Contains(m.Content, "\n") || !strings.Contains(m.Content, "480 characters")) {
			t.Errorf("no line that tells: %q", m.Content)
		}
	}
	if err := history.Validate(got); err != nil {
		t.Error(err)
	}
	if _, again := history.Shrink(got, 3); again != 0 {
		t.Errorf("the second time %d more changed", again)
	}
	if _, few := history.Shrink(long(2), 3); few != 0 {
		t.Errorf("%d results changed although there are only two groups", few)
	}
	if _, all := history.Shrink(long(2), 0); all != 2 {
		t.Errorf("%d of 2 changed when none is kept", all)
	}
}

func TestTrimNeverTearsGroups(t *testing.T) {
	t.Parallel()
	in := long(6)
	size := history.Size(in...)
	for limit := 0; limit <= size+10; limit += 50 {
		got, dropped := history.Trim(in, limit)
		if err := history.Validate(got); err != nil {
			t.Fatalf("limit %d: %v", limit, err)
		}
		if dropped+len(got) != len(in) {
			t.Fatalf("limit %d: %d dropped, %d left of %d", limit, dropped, len(got), len(in))
		}
		if got[0].Role != system || got[1].Role != user {
			t.Fatalf("limit %d: begins with %v", limit, got[:2])
		}
		if last := got[len(got)-1].Content; last != "answer" || !strings.Contains(contents(got), "question 5") {
			t.Fatalf("limit %d: the end is missing", limit)
		}
		if n := history.Size(got...); n > limit && len(got) > 6 {
			t.Fatalf("limit %d: %d bytes in %d messages", limit, n, len(got))
		}
	}
	if got, n := history.Trim(in, size); n != 0 || len(got) != len(in) {
		t.Errorf("%d messages were left out of what fits", n)
	}
}

func TestTrimWithinOneTurn(t *testing.T) {
	t.Parallel()
	in := messages{msg(user, "do much")}
	for i := range 10 {
		id := fmt.Sprint(i)
		in = append(in, asks(id, "x"), result(id, "x", strings.Repeat("r", 500)))
	}
	got, dropped := history.Trim(in, 2000)
	if err := history.Validate(got); err != nil || got[0].Content != "do much" {
		t.Fatalf("%v: %s", err, contents(got))
	}
	if history.Size(got...) > 2000 || dropped == 0 || got[len(got)-1].CallID != "9" {
		t.Errorf("%d bytes, %d dropped", history.Size(got...), dropped)
	}
	if least, _ := history.Trim(in, 0); len(least) != 3 {
		t.Errorf("the user's words and the newest group should stay: %s", contents(least))
	}
}

func contents(msgs messages) string {
	var b strings.Builder
	for _, m := range msgs {
		b.WriteString(m.Content + "\n")
	}
	return b.String()
}

func TestClip(t *testing.T) {
	t.Parallel()
	const s = "añ€😀z"
	for n := range len(s) + 2 {
		got := history.Clip(s, n)
		if !utf8.ValidString(got) || !strings.HasPrefix(s, got) || len(got) > n {
			t.Errorf("Clip(%d) = %q", n, got)
		}
	}
}

func TestMeter(t *testing.T) {
	t.Parallel()
	var m history.Meter
	if n := m.Tokens("a", 3400); n < 950 || n > 1050 {
		t.Errorf("before any measurement: %d", n)
	}
	if m.Observe("a", 10, 1) || m.Observe("a", 1_000_000, 100) || m.Observe("a", 100, 4096) {
		t.Error("an implausible measurement was taken")
	}
	if !m.Observe("a", 4000, 2000) || m.Tokens("a", 4000) != 2000 || m.Bytes("a", 2000) != 4000 {
		t.Errorf("after one: %d", m.Tokens("a", 4000))
	}
	for range 30 {
		m.Observe("a", 5000, 1000)
	}
	if n := m.Tokens("a", 5000); n < 990 || n > 1010 {
		t.Errorf("it does not follow: %d", n)
	}
	if m.Tokens("b", 3400) == m.Tokens("a", 3400) {
		t.Error("models share a ratio")
	}
}

func TestSizeCountsCallsAndImages(t *testing.T) {
	t.Parallel()
	plain := history.Size(msg(user, "a"))
	if history.Size(moothall.Message{Role: user, Content: "a", Images: [][]byte{nil}}) <= plain || history.Size(asks("1", "x")) <= history.Size(msg(assistant, "")) {
		t.Error("something is not counted")
	}
}
