package sandbox_test

import (
	"testing"

	"moothall/internal/tool/sandbox"
)

// BenchmarkNothing is a command that does nothing, cage included.
func BenchmarkNothing(b *testing.B) {
	for _, l := range []sandbox.Level{sandbox.Bubblewrap, sandbox.Landlock} {
		b.Run(string(l), func(b *testing.B) {
			s := cage(b, l)
			for b.Loop() {
				if _, err := s.Run(b.Context(), sandbox.Command{Argv: []string{"true"}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSelfTest is what each start of the hall pays, in the background.
func BenchmarkSelfTest(b *testing.B) {
	for _, l := range []sandbox.Level{sandbox.Bubblewrap, sandbox.Landlock} {
		b.Run(string(l), func(b *testing.B) {
			s := cage(b, l)
			for b.Loop() {
				if _, err := s.SelfTest(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
