package critic_test

import (
	"context"
	"fmt"
	"testing"

	"moothall"
	"moothall/internal/critic"
)

// BenchmarkHandle is the time from an event to its job on the disk, while no
// worker is at anything.
func BenchmarkHandle(b *testing.B) {
	h := open(b, func(ctx context.Context, _ moothall.GenerateRequest) (string, error) { return hangs(ctx) }, func(o *critic.Options) {
		o.Settings = with(func(s *critic.Settings) { s.PerHour = 0 })
	})
	i := 0
	for b.Loop() {
		i++
		h.handle(answered(fmt.Sprintf("q-%d", i), "A", "An answer of a few words."))
	}
}

// BenchmarkGrade is a whole job with a model that takes no time: stored,
// asked, stored, published, marked.
func BenchmarkGrade(b *testing.B) {
	h := open(b, fair, func(o *critic.Options) {
		o.Settings = with(func(s *critic.Settings) { s.PerHour = 0 })
	})
	i := 0
	for b.Loop() {
		i++
		h.handle(answered(fmt.Sprintf("q-%d", i), "A", "An answer of a few words."))
		h.next()
	}
}
