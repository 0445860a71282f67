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

// BenchmarkHidden is the same in a home folder with hidden places in it.
func BenchmarkHidden(b *testing.B) {
	h := newHouse(b)
	s := h.box(b, sandbox.Bubblewrap)
	c := sandbox.Command{Argv: []string{"true"}, Reads: []string{h.home}, Writes: h.places(".share/hall/workspace")}
	for b.Loop() {
		if _, err := s.Run(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
}
