package reward_test

import (
	_ "embed"
	"strings"
	"testing"

	"moothall/internal/reward"
)

//go:embed testdata/said.txt
var saidCases string

// TestSaid measures the rules on a list of what people say. The list was read
// while the rules were written: it guards them, it does not measure how they
// do in the world.
func TestSaid(t *testing.T) {
	t.Parallel()
	var hit, missed, invented, wrongSide, none int
	for line := range strings.Lines(saidCases) {
		want, text, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || want == "#" {
			continue
		}
		f, said := reward.Said(text)
		got := "0"
		if said {
			got = map[int]string{1: "+", -1: "-"}[f.Thumbs]
			if f.Comment != text || !f.Said || f.Query != "" {
				t.Errorf("%q gives %+v", text, f)
			}
		}
		switch {
		case got == want && want == "0":
			none++
		case got == want:
			hit++
		case want == "0":
			invented++
			t.Errorf("%q is no feedback, got %s", text, got)
		case got == "0":
			missed++
			t.Logf("missed: %s %q", want, text)
		default:
			wrongSide++
			t.Errorf("%q is %s, got %s", text, want, got)
		}
	}
	all := hit + missed + invented + wrongSide + none
	precision, recall := float64(hit)/float64(hit+invented+wrongSide), float64(hit)/float64(hit+missed+wrongSide)
	t.Logf("%d texts: precision %.3f, recall %.3f", all, precision, recall)
	if all < 150 || precision < 1 || recall < 0.95 {
		t.Errorf("%d texts: precision %.3f, recall %.3f", all, precision, recall)
	}
}
