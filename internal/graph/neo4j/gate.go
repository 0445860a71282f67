package neo4j

import (
	"context"
	"sync"
)

// gate lets reads run together and commits alone. Unlike sync.RWMutex it can
// be waited for with a context.
type gate struct {
	mu      sync.Mutex
	readers int
	commits int           // running or waiting; new reads wait for them
	busy    bool          // a commit runs
	changed chan struct{} // closed when anything above changes
}

func (g *gate) read(ctx context.Context) error {
	return g.wait(ctx, func() bool { return g.commits == 0 }, func() { g.readers++ })
}

func (g *gate) done() { g.change(func() { g.readers-- }) }

func (g *gate) commit(ctx context.Context) error {
	g.change(func() { g.commits++ })
	err := g.wait(ctx, func() bool { return g.readers == 0 && !g.busy }, func() { g.busy = true })
	if err != nil {
		g.change(func() { g.commits-- })
	}
	return err
}

func (g *gate) committed() { g.change(func() { g.commits--; g.busy = false }) }

func (g *gate) change(f func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f()
	if g.changed != nil {
		close(g.changed)
		g.changed = nil
	}
}

// wait takes what it waits for as soon as it may.
func (g *gate) wait(ctx context.Context, may func() bool, take func()) error {
	for {
		g.mu.Lock()
		if may() {
			take()
			g.mu.Unlock()
			return nil
		}
		if g.changed == nil {
			g.changed = make(chan struct{})
		}
		changed := g.changed
		g.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return failure(ctx, "wait for reads", ctx.Err())
		}
	}
}
