package critic_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/critic"
)

func TestManySessions(t *testing.T) {
	t.Parallel()
	const sessions = 200
	h := open(t, fair, func(o *critic.Options) { o.Workers, o.Expect = 4, expecting(true) })
	var all sync.WaitGroup
	for i := range sessions {
		all.Go(func() {
			q := fmt.Sprintf("q-%d", i)
			for _, e := range []moothall.Event{answered(q, "A", "GOOD"), answered(q, "B", "POOR"), answered(q, "A", "GOOD")} {
				if err := h.Handle(context.Background(), e); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for range 3 * sessions {
		h.next()
	}
	h.Close()
	if got := h.events(); len(slices.Compact(got)) != 3*sessions {
		t.Errorf("%d results", len(got))
	}
	if s := h.stats(); s.Graded != 2*sessions || s.Compared != sessions || s.Pending != 0 || s.Waiting != 0 {
		t.Errorf("%+v", s)
	}
}
