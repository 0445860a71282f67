package conf_test

import (
	"fmt"
	"strings"
	"testing"

	"moothall"
)

// Files made to exhaust the reader are refused, each with its reason. That
// they are refused quickly shows in the time the whole test takes: without the
// limits several of these do not end.
func TestHostileFilesAreRefused(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ text, want string }{
		"large":        {strings.Repeat("# filler\n", 1<<17), "moothall.yaml: the file is larger than 1 MiB"},
		"long":         {strings.Repeat("a:\n", 60_000), "moothall.yaml:10001:1: the file is too long: more than 20,000 keys, values and signs"},
		"brackets":     {"labels: " + strings.Repeat("[", 60_000), "moothall.yaml:1:72: more than 64 levels inside each other"},
		"braces":       {"labels: " + strings.Repeat("{a: ", 200), "moothall.yaml:1:261: more than 64 levels inside each other"},
		"dashes":       {strings.Repeat("- ", 5000), "moothall.yaml:1:129: more than 64 levels inside each other"},
		"questions":    {strings.Repeat("? ", 5000), "moothall.yaml:1:129: more than 64 levels inside each other"},
		"indentation":  {staircase(100), "moothall.yaml:65:65: more than 64 levels inside each other"},
		"alias bomb":   {aliasBomb(), "the aliases in the file unfold to more than 50,000 values"},
		"merge bomb":   {mergeBomb(), "moothall.yaml:3:3: labels.<<: the merges in the file unfold to more than 50,000 values"},
		"endless text": {"labels: {a: \"" + strings.Repeat("x\n ", 300_000), "moothall.yaml:1:13: the opening double quote has no closing one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, _, err := load(tc.text)
			if moothall.ErrorCode(err) != moothall.CodeInvalid {
				t.Fatalf("got %v, want an error of code invalid", err)
			}
			if !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got:\n%v\nwant in it:\n%s", err, tc.want)
			}
		})
	}
}

// Within the limits, a file as long as may be is read.
func TestLargestFileIsRead(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("labels:\n")
	for i := range 6000 {
		fmt.Fprintf(&b, "  key%d: value\n", i)
	}
	cfg, _, err := load(b.String())
	if err != nil || len(cfg.Labels) != 6000 {
		t.Errorf("%d labels, error %v", len(cfg.Labels), err)
	}
}

func staircase(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

// aliasBomb is short and unfolds to 1,000 peers with 1,000 keys each.
func aliasBomb() string {
	return "x-k: &k [" + strings.Repeat("k,", 1000) + "]\n" +
		"x-p: &p {keys: *k}\n" +
		"peers: [" + strings.Repeat("*p,", 1000) + "]\n"
}

// mergeBomb merges a large mapping many times over.
func mergeBomb() string {
	var b strings.Builder
	b.WriteString("x-m: &m {")
	for i := range 2000 {
		fmt.Fprintf(&b, "k%d: v,", i)
	}
	b.WriteString("}\nlabels:\n  <<: [" + strings.Repeat("*m,", 2000) + "]\n")
	return b.String()
}
