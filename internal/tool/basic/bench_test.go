package basic_test

import (
	"testing"

	"moothall/internal/tool/basic"
)

func BenchmarkEvaluate(b *testing.B) {
	for b.Loop() {
		if _, err := basic.Evaluate("round((1234.5 + 8%) * sqrt(2) / 3, 2)"); err != nil {
			b.Fatal(err)
		}
	}
}
