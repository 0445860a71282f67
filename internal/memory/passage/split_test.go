package passage_test

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"moothall/internal/memory/passage"
	"moothall/internal/moottest"

	"github.com/google/go-cmp/cmp"
)

func TestSplitFollowsStructure(t *testing.T) {
	t.Parallel()
	text := "Before all.\n\n# Garden\n\n## Roses\n\nRoses want sun. They hate wet feet.\n\n```go\nfunc main() {\n\n}\n```\n\n# Kitchen\n\nSoup is hot.\n"
	got := passage.Split(text, 100)
	want := []passage.Piece{
		{Text: "Before all.", Offset: 0},
		{Text: "# Garden\n\n## Roses\n\nRoses want sun. They hate wet feet.\n\n```go\nfunc main() {\n\n}\n```", Heading: "Garden > Roses", Offset: 13},
		{Text: "# Kitchen\n\nSoup is hot.", Heading: "Kitchen", Offset: 98},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestSplitKeepsCodeWhole(t *testing.T) {
	t.Parallel()
	code := "```\n" + strings.Repeat("x := 1. And\n", 20) + "```"
	for _, p := range passage.Split("Intro sentence.\n\n"+code+"\n\nEnd.", 64) {
		if strings.HasPrefix(p.Text, "```") && p.Text != code {
			t.Errorf("code was cut: %q", p.Text)
		}
	}
}

func TestSplitSentences(t *testing.T) {
	t.Parallel()
	text := "Dr. Mora came at 3.30 p.m. from the U.S. embassy with her bag. She left soon after that without a word. Nobody knows why she had come."
	got := passage.Split(text, 70)
	var texts []string
	for _, p := range got {
		texts = append(texts, p.Text)
	}
	want := []string{
		"Dr. Mora came at 3.30 p.m. from the U.S. embassy with her bag.",
		"She left soon after that without a word.",
		"Nobody knows why she had come.",
	}
	if d := cmp.Diff(want, texts); d != "" {
		t.Error(d)
	}
}

// checkPieces holds what every split promises.
func checkPieces(t *testing.T, text string, max int, pieces []passage.Piece) {
	t.Helper()
	end := 0
	for _, p := range pieces {
		if p.Text == "" || p.Offset < end || p.Offset+len(p.Text) > len(text) || text[p.Offset:p.Offset+len(p.Text)] != p.Text {
			t.Fatalf("piece %q at %d is not in the text after %d", p.Text, p.Offset, end)
		}
		if gap := strings.TrimFunc(text[end:p.Offset], unicode.IsSpace); gap != "" {
			t.Fatalf("lost %q before %d", gap, p.Offset)
		}
		if len(p.Text) > 8*max {
			t.Fatalf("piece of %d bytes, limit %d", len(p.Text), max)
		}
		end = p.Offset + len(p.Text)
	}
	if gap := strings.TrimFunc(text[end:], unicode.IsSpace); gap != "" {
		t.Fatalf("lost %q at the end", gap)
	}
}

// hostile texts of 10 MB; each must take about as long as any other.
func hostile() map[string]string {
	const size = 10 << 20
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	return map[string]string{
		"no spaces": fill("x"), "newlines": fill("\n"), "fences": fill("```\n"), "headings": fill("# a\n"),
		"dots": fill("."), "dots and spaces": fill(". "), "han": fill("漢字"), "bad utf-8": fill("\xff\xfe"),
		"capitals": fill("Ana Mora "), "comments": fill("<!--"), "orders": fill("please send "), "apostrophes": fill("a'"),
	}
}

func TestHostileTextsTakeLinearTime(t *testing.T) {
	if testing.Short() || moottest.Race {
		t.Skip("ten megabytes many times over; run without -short and without the race detector")
	}
	for name, text := range hostile() {
		start := time.Now()
		checkPieces(t, text, 1200, passage.Split(text, 1200))
		passage.Name(text)
		passage.Describe(text)
		passage.Best("where does Ana live", text, 500, nil)
		passage.Entities(text)
		passage.Relations(text)
		passage.Intent(text)
		passage.Declaw(text[:1<<20])
		// Quadratic work on this size takes hours; the limit is for slow machines.
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s took %v", name, took)
		} else {
			t.Logf("%s took %v", name, took.Round(time.Millisecond))
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("# A\n\nb. c\n```\nx\n```", 64)
	f.Add("漢字。かな！", 1)
	f.Add("\xff\r\n\u2028 a", 70)
	f.Add("```\n# not a heading", 0)
	f.Fuzz(func(t *testing.T, text string, max int) {
		pieces := passage.Split(text, max)
		if max <= 0 {
			max = passage.DefaultPiece
		}
		if max < 1<<40 {
			checkPieces(t, text, maxOf(max, 64), pieces)
		}
	})
}

func maxOf(a, b int) int { return max(a, b) }
