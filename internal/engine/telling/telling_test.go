package telling_test

import (
	"bytes"
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"moothall"
	"moothall/internal/engine/telling"
)

// TestBusThatDoesNotAnswer: what does not fit and what is left at the end is
// dropped and counted, and nobody waits for longer than the end may take.
func TestBusThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		dead := func(ctx context.Context, _ moothall.Event) error { <-ctx.Done(); return ctx.Err() }
		teller := telling.New(t.Context(), dead, 2, slog.New(slog.NewTextHandler(&log, nil)))
		began := time.Now()
		teller.Push(moothall.Event{})
		synctest.Wait() // it is being published
		for range 3 {
			teller.Push(moothall.Event{})
		}
		if took := time.Since(began); took > 0 {
			t.Errorf("a push took %s", took)
		}
		teller.Close()
		teller.Close()
		teller.Push(moothall.Event{})
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("the end took %s", took)
		}
		if !strings.Contains(log.String(), "events=3") {
			t.Errorf("three were dropped: %s", &log)
		}
	})
}

// TestBusThatIsSlow: at the end a bus that takes one event after another is waited
// for, and not for long.
func TestBusThatIsSlow(t *testing.T) {
	t.Parallel()
	for events, want := range map[int]int{6: 6, 9: 7} { // one goes on when the rest is given up
		synctest.Test(t, func(t *testing.T) {
			told := 0
			teller := telling.New(t.Context(), func(context.Context, moothall.Event) error {
				time.Sleep(900 * time.Millisecond) // of the bubble's clock
				told++
				return nil
			}, events, slog.New(slog.DiscardHandler))
			for range events {
				teller.Push(moothall.Event{})
			}
			teller.Close()
			if told != want {
				t.Errorf("%d of %d were told, want %d", told, events, want)
			}
		})
	}
}

// TestEndOfTheCaller: events of a caller who gave up are told all the same, in
// order.
func TestEndOfTheCaller(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		var told []moothall.EventID
		teller := telling.New(ctx, func(ctx context.Context, e moothall.Event) error {
			time.Sleep(100 * time.Millisecond) // of the bubble's clock
			told = append(told, e.ID)
			return ctx.Err()
		}, 8, slog.New(slog.DiscardHandler))
		teller.Push(moothall.Event{ID: "a"})
		cancel()
		teller.Push(moothall.Event{ID: "b"})
		teller.Close()
		if len(told) != 2 || told[0] != "a" || told[1] != "b" {
			t.Errorf("told %q", told)
		}
	})
}
