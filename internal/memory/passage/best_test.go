package passage_test

import (
	"fmt"
	"strings"
	"testing"

	"moothall/internal/memory/passage"
)

func TestBestFindsTheAnswer(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "Paragraph %d tells of boats, nets and weather on the coast, as the others do.\n\n", i)
		if i == 31 {
			b.WriteString("The lighthouse keeper's daughter Mira sold it to a baker in 1931.\n\n")
		}
	}
	text := b.String()
	got := passage.Best("Who sold the lighthouse?", text, 400, nil)
	if len(got) != 1 || !strings.Contains(got[0].Text, "Mira sold it") {
		t.Fatalf("got %+v", got)
	}
	if text[got[0].Start:got[0].End] != got[0].Text {
		t.Error("offsets do not match the text")
	}
}

func TestBestUsesTheScoreInTextOrder(t *testing.T) {
	t.Parallel()
	pad := strings.Repeat("Nothing here of note. ", 40)
	text := "beta end.\n\n" + pad + "\n\nalpha end.\n\n" + pad
	got := passage.Best("q", text, 400, func(_, p string) float64 {
		switch {
		case strings.Contains(p, "alpha"):
			return 1
		case strings.Contains(p, "beta"):
			return 0.9
		}
		return 0.1
	})
	if len(got) != 2 || !strings.Contains(got[0].Text, "beta") || !strings.Contains(got[1].Text, "alpha") {
		t.Errorf("got %+v", got)
	}
	if none := passage.Best("q", text, 400, func(_, _ string) float64 { return 0 }); len(none) != 0 {
		t.Errorf("nothing scores, got %+v", none)
	}
}

func TestBestBoundsTheCallersWork(t *testing.T) {
	t.Parallel()
	calls := 0
	text := strings.Repeat("A line of some length about a goat on a hill, far from the road.\n\n", 5000)
	passage.Best("goat", text, 400, func(_, _ string) float64 { calls++; return 1 })
	if calls == 0 || calls > 256 {
		t.Errorf("%d calls", calls)
	}
}

func FuzzBest(f *testing.F) {
	f.Add("who", "A. B.\n\nC who", 100)
	f.Add("", "", -1)
	f.Fuzz(func(t *testing.T, query, text string, budget int) {
		end, total := 0, 0
		for _, s := range passage.Best(query, text, budget, nil) {
			if s.Start < end || s.End <= s.Start || text[s.Start:s.End] != s.Text || s.Score <= 0 {
				t.Fatalf("bad span %+v after %d", s, end)
			}
			end, total = s.End, total+len(s.Text)
		}
		if budget > 64 && total > budget {
			t.Fatalf("%d bytes, budget %d", total, budget)
		}
	})
}
