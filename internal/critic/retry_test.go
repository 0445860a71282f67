package critic_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/critic"
	"moothall/internal/store"
)

// failing fails so often in the way given, then is fair.
func failing(times int, fail func(context.Context) (string, error)) (func(context.Context, moothall.GenerateRequest) (string, error), *atomic.Int64) {
	var calls atomic.Int64
	return func(ctx context.Context, r moothall.GenerateRequest) (string, error) {
		if calls.Add(1) <= int64(times) {
			return fail(ctx)
		}
		return fair(ctx, r)
	}, &calls
}

func gone(context.Context) (string, error) {
	return "", moothall.Fail(moothall.CodeUnavailable, "generate", "the server does not answer")
}

func hangs(ctx context.Context) (string, error) {
	<-ctx.Done()
	return "", ctx.Err()
}

func dies(context.Context) (string, error) {
	return "Feedback: It is fi", errors.New("connection reset by peer")
}

func TestAModelThatComesBack(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(context.Context) (string, error){"gone": gone, "hangs": hangs, "dies in the middle": dies} {
		synctest.Test(t, func(t *testing.T) {
			say, calls := failing(3, fail)
			h := open(t, say, nil)
			h.handle(answered("q", "A", "x"))
			time.Sleep(30 * time.Minute)
			synctest.Wait()
			g, ok, err := h.Last(context.Background(), "q")
			if err != nil || !ok || g.Outcome != moothall.Graded || *g.Score != 4 || calls.Load() != 4 || len(h.events()) != 1 {
				t.Errorf("%s: %+v %v %v, %d calls, %q", name, g, ok, err, calls.Load(), h.events())
			}
			if s := h.stats(); s.Retries != 3 {
				t.Errorf("%s: %+v", name, s)
			}
		})
	}
}

func TestAModelThatStaysAway(t *testing.T) {
	t.Parallel()
	refused := func(context.Context) (string, error) {
		return "", moothall.Fail(moothall.CodeNotConfigured, "generate", "no provider")
	}
	for name, c := range map[string]struct {
		fail  func(context.Context) (string, error)
		calls int64
		why   string
	}{
		"gone": {gone, 5, "unavailable"}, "hangs": {hangs, 5, "in time"}, "dies": {dies, 5, "internal"}, "refused": {refused, 1, "not_configured"},
	} {
		synctest.Test(t, func(t *testing.T) {
			say, calls := failing(1000, c.fail)
			h := open(t, say, nil)
			h.handle(answered("q", "A", "x"))
			time.Sleep(2 * time.Hour)
			synctest.Wait()
			g, ok, err := h.Last(context.Background(), "q")
			if err != nil || !ok || g.Outcome != moothall.Unknown || g.Score != nil || calls.Load() != c.calls || !strings.Contains(g.Feedback, c.why) || strings.Contains(g.Feedback, "reset") {
				t.Errorf("%s: %+v %v %v, %d calls", name, g, ok, err, calls.Load())
			}
			if got := h.events(); len(got) != 1 {
				t.Errorf("%s: %q", name, got)
			}
		})
	}
}

func TestNothingIsAskedOffTheRecord(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		say, calls := failing(0, nil)
		h := open(t, say, nil)
		h.audit.Refuse(moothall.Fail(moothall.CodeExhausted, "append", "the disk is full"))
		h.handle(answered("q", "A", "x"))
		time.Sleep(time.Second)
		synctest.Wait()
		if calls.Load() != 0 || len(h.events()) != 0 {
			t.Errorf("%d calls, %q", calls.Load(), h.events())
		}
		h.audit.Refuse(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := h.events(); calls.Load() != 1 || len(got) != 1 {
			t.Errorf("%d calls, %q", calls.Load(), got)
		}
	})
}

func TestABusThatIsDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		say, calls := failing(0, nil)
		h := open(t, say, nil)
		h.setRefuse(errors.New("no bus"))
		h.handle(answered("q", "A", "x"))
		time.Sleep(time.Hour)
		synctest.Wait()
		if g, ok, err := h.Last(context.Background(), "q"); err != nil || !ok || g.Outcome != moothall.Graded {
			t.Errorf("%+v %v %v", g, ok, err)
		}
		h.restart()
		h.setRefuse(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := h.events(); !slices.Equal(got, []string{"critique-q-A"}) || calls.Load() != 1 {
			t.Errorf("%q, asked %d times", got, calls.Load())
		}
	})
}

// TestRestartWithPendingJobs: what was stored is done by the next process, and
// being stopped in the middle costs no attempt.
func TestRestartWithPendingJobs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var hang atomic.Bool
		hang.Store(true)
		h := open(t, func(ctx context.Context, r moothall.GenerateRequest) (string, error) {
			if hang.Load() {
				return hangs(ctx)
			}
			return fair(ctx, r)
		}, func(o *critic.Options) { o.Expect, o.Attempts = expecting(true), 2 })
		for _, q := range []string{"q-1", "q-2", "q-3"} {
			h.handle(answered(q, "A", "GOOD"), answered(q, "B", "POOR"))
		}
		for range 4 {
			synctest.Wait()
			h.restart()
		}
		hang.Store(false)
		h.restart()
		synctest.Wait()
		if got := h.events(); len(got) != 9 || len(slices.Compact(got)) != 9 {
			t.Errorf("%q", got)
		}
		if s := h.stats(); s.Graded != 6 || s.Compared != 3 || s.Pending != 0 {
			t.Errorf("%+v", s)
		}
	})
}

func TestOldRowsGo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, fair, nil)
		h.handle(answered("q-1", "A", "GOOD"))
		time.Sleep(25 * time.Hour)
		h.handle(answered("q-2", "A", "GOOD"))
		synctest.Wait()
		// A's text is gone, so that a very late B finds nothing to be compared with.
		h.handle(answered("q-1", "B", "POOR"))
		synctest.Wait()
		if s := h.stats(); s.Compared != 0 || s.Alone != 1 || s.Graded != 3 || s.Pending != 0 {
			t.Errorf("%+v", s)
		}
		time.Sleep(91 * 24 * time.Hour)
		h.handle(answered("q-3", "A", "GOOD"))
		synctest.Wait()
		for q, want := range map[moothall.QueryID]bool{"q-1": false, "q-2": false, "q-3": true} {
			if _, ok, err := h.Last(context.Background(), q); err != nil || ok != want {
				t.Errorf("%s: %v %v", q, ok, err)
			}
		}
	})
}

// Texts go after a day also when nobody asks anything more, and with them the
// questions to which no answer came.
func TestTextsGoByThemselves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := open(t, fair, nil)
		h.handle(answered("q-1", "A", "GOOD"), answered("q-2", "A", ""))
		texts := func() (n int) {
			t.Helper()
			if err := h.o.DB.Read(context.Background(), func(tx *store.Tx) error {
				return tx.QueryRow(context.Background(), `SELECT count(*) FROM critic_jobs WHERE question <> '' OR answer <> ''`).Scan(&n)
			}); err != nil {
				t.Fatal(err)
			}
			return n
		}
		time.Sleep(23 * time.Hour)
		synctest.Wait()
		if n := texts(); n != 2 {
			t.Errorf("the texts of %d answers are there before a day is over", n)
		}
		time.Sleep(3 * time.Hour)
		synctest.Wait()
		if n := texts(); n != 0 {
			t.Errorf("the texts of %d answers are there after a day", n)
		}
	})
}

// queued is a model for which others wait too.
type queued struct {
	moothall.Gateway
	waits, takes time.Duration
}

func (q queued) Generate(ctx context.Context, r moothall.GenerateRequest) iter.Seq2[moothall.Chunk, error] {
	return func(yield func(moothall.Chunk, error) bool) {
		for _, step := range []struct {
			note string
			then time.Duration
		}{{moothall.NoteWaiting, q.waits}, {"thinking", q.takes}} {
			if !yield(moothall.Chunk{Note: step.note}, nil) {
				return
			}
			select {
			case <-time.After(step.then):
			case <-ctx.Done():
				yield(moothall.Chunk{}, context.Cause(ctx))
				return
			}
		}
		for c, err := range (model{say: fair}).Generate(ctx, r) {
			if !yield(c, err) {
				return
			}
		}
	}
}

// TestWaitingIsNoTimeOfTheModels: a call that waits for its turn, behind a long
// task, is not given up; one that the model does not answer is.
func TestWaitingIsNoTimeOfTheModels(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		queued
		retries uint64
	}{
		"a long queue": {queued{waits: time.Hour, takes: time.Minute}, 0}, "a slow model": {queued{waits: time.Hour, takes: 3 * time.Minute}, 4},
	} {
		synctest.Test(t, func(t *testing.T) {
			h := open(t, nil, func(o *critic.Options) { o.Model = c.queued })
			h.handle(answered("q", "A", "x"))
			time.Sleep(6 * time.Hour)
			synctest.Wait()
			g, ok, err := h.Last(context.Background(), "q")
			if graded := g.Outcome == moothall.Graded; err != nil || !ok || graded != (c.retries == 0) || !graded && !strings.Contains(g.Feedback, "in time") {
				t.Errorf("%s: %+v %v %v", name, g, ok, err)
			}
			if s := h.stats(); s.Retries != c.retries {
				t.Errorf("%s: %+v", name, s)
			}
		})
	}
}
