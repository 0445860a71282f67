package search

import (
	"context"
	"sync"
	"time"

	"moothall"
)

// gate is a token bucket with a door that an engine can have shut.
type gate struct {
	every time.Duration
	burst time.Duration // as time: a full bucket
	now   func() time.Time

	mu   sync.Mutex
	next time.Time // when the bucket would be full again, were nothing taken
	shut time.Time // no query before
}

func newGate(r Rate, now func() time.Time) *gate {
	def(&r.Every, time.Second)
	def(&r.Burst, 5)
	return &gate{every: r.Every, burst: time.Duration(r.Burst) * r.Every, now: now}
}

// enter takes a token, waiting for it no longer than patience. A token that
// is further away is left to others, and the error says when to come back.
func (g *gate) enter(ctx context.Context, patience time.Duration) error {
	wait, ok := g.take(patience)
	if !ok {
		return &moothall.Error{
			Code: moothall.CodeExhausted, Op: "search", Message: "it is asked too often, and will be asked again in " + wait.Round(time.Second).String(),
			Remedy: "wait, or set up another search engine",
		}
	}
	if wait <= 0 {
		return nil
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done(): // the token is lost, which is on the safe side
		return ctx.Err()
	}
}

func (g *gate) take(patience time.Duration) (time.Duration, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.now()
	if g.next.Before(now) {
		g.next = now
	}
	wait := max(g.next.Add(g.every-g.burst).Sub(now), g.shut.Sub(now), 0)
	if wait > patience {
		return wait, false
	}
	g.next = g.next.Add(g.every)
	return wait, true
}

// closeFor keeps everybody out for a while.
func (g *gate) closeFor(d time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if until := g.now().Add(d); until.After(g.shut) {
		g.shut = until
	}
}
