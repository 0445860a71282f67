package passage_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"moothall/internal/memory/passage"
)

func TestName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \n--- \n", ""},
		{"# Care of roses\n\nThey want sun.", "Care of roses"},
		{"Hey! Good to see you. Ana adopted a grey puppy from the shelter last week.", "Ana adopted a grey puppy from the shelter last week"},
		{"- milk\n- bread", "milk"},
		{"東京に住んでいます。猫が好きです。", "東京に住んでいます"},
		{strings.Repeat("every ", 40), strings.TrimSpace(strings.Repeat("every ", 13)) + "…"},
	} {
		if got := passage.Name(c.text); got != c.want {
			t.Errorf("Name(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	text := "The mill stands by the river Lim. It was built of stone. A wheel turned two stones, and the stones ground grain. " +
		"Grain came by boat. The river drove the wheel all year. Today the mill is a museum of grain and river trade. Entry is free."
	got := passage.Describe(text)
	if !strings.HasPrefix(got, "The mill stands by the river Lim.") {
		t.Errorf("no lead: %q", got)
	}
	if !strings.Contains(got, "museum of grain") && !strings.Contains(got, "river drove the wheel") {
		t.Errorf("no central sentence: %q", got)
	}
	if short := passage.Describe("Ana likes tea."); short != "Ana likes tea." {
		t.Errorf("a short text describes itself, got %q", short)
	}
}

func FuzzDescribe(f *testing.F) {
	f.Add("# A\nb. c d e f g. h")
	f.Add("\x00\xff\u202eabc")
	f.Fuzz(func(t *testing.T, text string) {
		for limit, got := range map[int]string{80: passage.Name(text), 320: passage.Describe(text)} {
			if utf8.RuneCountInString(got) > limit || strings.ContainsAny(got, "\n\r\x00") || !utf8.ValidString(got) {
				t.Errorf("bad line %q", got)
			}
		}
	})
}
