package passage_test

import (
	"strings"
	"testing"

	"moothall/internal/memory/passage"
)

// page is a plain page of about 64 KiB.
var page = strings.Repeat("# Harbour\n\nAna lives in Porto since 2010. The lighthouse, which Tom Berg repaired, opens at nine; entry is free. Visit the museum beside it.\n\n", 460)

func BenchmarkSplit(b *testing.B) {
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		passage.Split(page, 1200)
	}
}

func BenchmarkDescribe(b *testing.B) {
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		passage.Describe(page)
	}
}

func BenchmarkBest(b *testing.B) {
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		passage.Best("Who repaired the lighthouse?", page, 600, nil)
	}
}

func BenchmarkDeclaw(b *testing.B) {
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		passage.Declaw(page)
	}
}

func BenchmarkRelations(b *testing.B) {
	b.SetBytes(int64(len(page)))
	for b.Loop() {
		passage.Relations(page)
	}
}
