package gateway

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"moothall"
)

// guarded turns a panic of the code behind a stream into an error. A panic of
// the caller's own loop passes.
func guarded[V any](op string, seq iter.Seq2[V, error]) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		outside, over := false, false
		defer func() {
			if outside {
				return
			}
			if v := recover(); v != nil && !over {
				var none V
				yield(none, panicked(op, v))
			}
		}()
		seq(func(v V, err error) bool {
			if over {
				return false // it was told so before
			}
			outside = true
			ok := yield(v, err)
			outside, over = false, !ok || err != nil
			return !over
		})
	}
}

// guardedCall does so for a call.
func guardedCall[V any](op string, f func() (V, error)) (v V, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked(op, r)
		}
	}()
	return f()
}

// lookPatience bounds a question about models, which takes a server that works
// a moment.
const lookPatience = time.Minute

// look asks a provider about its models. One that panics or is silent is an
// error.
func look[V any](ctx context.Context, op string, ask func(context.Context) (V, error)) (V, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, lookPatience, errSlow)
	defer cancel()
	v, err := guardedCall(op, func() (V, error) { return ask(ctx) })
	return v, coded(ctx, op, err)
}

func panicked(op string, v any) error {
	return &moothall.Error{
		Code: moothall.CodeInternal, Op: op, Message: "the model provider has a fault", Err: fmt.Errorf("panic: %v", v),
	}
}

// errSlow is the cause with which a silent server's call is ended.
var errSlow = errors.New("the server was silent for too long")

// ended is the error of a call whose context is over, by its cause.
func ended(ctx context.Context, op string) error {
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, errClosed):
		return &moothall.Error{Code: moothall.CodeUnavailable, Op: op, Message: "the hall is shutting down", Err: cause}
	case errors.Is(cause, errSlow):
		return &moothall.Error{
			Code: moothall.CodeTimeout, Op: op, Message: "the model server was silent for too long",
			Remedy: "look at the server's log; a smaller model answers sooner", Err: cause,
		}
	case errors.Is(cause, errPreempted):
		return &moothall.Error{
			Code: moothall.CodeInterrupted, Op: op, Message: "a person's call took the place of this background call",
			Remedy: "ask again later", Err: cause,
		}
	case errors.Is(cause, context.DeadlineExceeded):
		return &moothall.Error{Code: moothall.CodeTimeout, Op: op, Message: "the model did not answer in the time allowed", Err: cause}
	}
	return &moothall.Error{Code: moothall.CodeCanceled, Op: op, Message: "the caller gave up", Err: context.Canceled}
}

// coded makes an *Error of any error. When the context is over, that is the
// reason, whatever a provider makes of it.
func coded(ctx context.Context, op string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ended(ctx, op)
	}
	if _, ok := errors.AsType[*moothall.Error](err); ok {
		return err
	}
	return &moothall.Error{Code: moothall.ErrorCode(err), Op: op, Message: "the model provider failed", Err: err}
}

// afterFunc ends a call that takes longer than d; the function that it
// returns calls it off.
func afterFunc(d time.Duration, cancel context.CancelCauseFunc) (stop func() bool) {
	return time.AfterFunc(d, func() { cancel(errSlow) }).Stop
}
