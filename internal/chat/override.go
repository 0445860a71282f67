package chat

import (
	"cmp"
	"context"

	"moothall"
)

// override switches what the person wants switched for this question, now that
// its session is free. It is this question's alone: one that was asked before it
// does not have it, nor one that comes when this one was given up waiting.
func (t *turn) override(ctx context.Context) error {
	if t.request.Override == nil {
		return nil
	}
	if t.chat.opt.Override == nil {
		return moothall.Fail(moothall.CodeNotConfigured, "query", "nothing can be switched for a question in this hall")
	}
	o := *t.request.Override
	o.Once, o.Query, o.Level = true, t.query, cmp.Or(o.Level, "none")
	_, err := t.chat.opt.Override(ctx, moothall.Scope{Session: t.session}, o)
	return err
}

// restore takes that back, whatever happens to the caller.
func (t *turn) restore(ctx context.Context) {
	if t.request.Override == nil {
		return
	}
	ctx, cancel := detached(ctx)
	defer cancel()
	if _, err := t.chat.opt.Override(ctx, moothall.Scope{Session: t.session}, moothall.Overrides{Once: true, Query: t.query}); err != nil {
		t.chat.opt.Logger.Warn("what was switched for a question stays so for it", "query", t.query, "err", err)
	}
}
