package library_test

import (
	"testing"

	"moothall/internal/library"
)

// BenchmarkFirstUse reads and indexes the program's own entries.
func BenchmarkFirstUse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if library.Open().Len() == 0 {
			b.Fatal("no entries")
		}
	}
}

func BenchmarkFind(b *testing.B) {
	l := library.Open()
	for name, question := range map[string]string{"fits": "What is the capital city of France?", "other": "Who is coming to the wedding of the neighbours?", "aside": "What is my name?"} {
		b.Run(name, func(b *testing.B) {
			l.Find(question, 2)
			for b.Loop() {
				l.Find(question, 2)
			}
		})
	}
	b.Run("follow-up", func(b *testing.B) {
		l.Find("x", 1)
		for b.Loop() {
			l.FindAfter("What is its currency?", "What is the capital of France?\nThe capital of France is Paris.", 2)
		}
	})
}
