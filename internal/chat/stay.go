package chat

import (
	"context"

	"moothall"
)

// said is a step on its way to who asked.
type said struct {
	step moothall.Step
	err  error
}

// stay answers a turn that goes on when who asked has gone: a page that is
// loaded anew finds it by its events. Stop and Close still end it.
func (c *Chat) stay(ctx context.Context, t *turn, yield func(moothall.Step, error) bool) {
	steps, gone := make(chan said), make(chan struct{})
	defer close(gone)
	if !c.beside(func() {
		defer close(steps)
		c.answer(context.WithoutCancel(ctx), t, func(s moothall.Step, err error) bool {
			select {
			case steps <- said{s, err}:
			case <-gone:
			}
			return true
		})
	}) {
		yield(moothall.Step{}, errClosing)
		return
	}
	for {
		select {
		case s, ok := <-steps:
			if !ok || !yield(s.step, s.err) {
				return
			}
		case <-ctx.Done():
			yield(moothall.Step{}, context.Cause(ctx))
			return
		}
	}
}

// beside does something that Close waits for; false when the chat is closed.
func (c *Chat) beside(do func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.work.Go(do)
	return true
}
