package judge_test

import (
	"strings"
	"testing"

	"moothall/internal/judge"
)

func BenchmarkScore(b *testing.B) {
	reply := "Feedback: " + strings.Repeat("The response is to the point and says where it is from. ", 8) + "[RESULT] 4"
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := judge.Score(reply); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGradePrompt(b *testing.B) {
	c := aCase()
	c.Answer = strings.Repeat("An answer of some length. ", 80)
	b.ReportAllocs()
	for b.Loop() {
		judge.GradePrompt(c)
	}
}
