//go:build linux

package kernel_test

import "testing"

func BenchmarkGet(b *testing.B) {
	s := open(b)
	name := fresh(b, s)
	if err := s.Set(b.Context(), name, []byte(canary)); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := s.Get(b.Context(), name); err != nil {
			b.Fatal(err)
		}
	}
}
