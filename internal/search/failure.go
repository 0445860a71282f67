package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"moothall"
)

// coded gives every error a code; the caller's context goes before all.
func coded(ctx context.Context, op string, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.Canceled):
		return &moothall.Error{Code: moothall.CodeCanceled, Op: op, Message: "the caller gave up", Err: context.Canceled}
	case ctx.Err() != nil:
		return &moothall.Error{Code: moothall.CodeTimeout, Op: op, Message: "the time for this is over", Err: ctx.Err()}
	}
	if e, ok := errors.AsType[*moothall.Error](err); ok {
		return e
	}
	return &moothall.Error{Code: moothall.ErrorCode(err), Op: op, Message: "the work failed", Err: err}
}

func panicked(provider string, v any) error {
	return &moothall.Error{Code: moothall.CodeInternal, Op: "search", Message: provider + " has a fault", Err: fmt.Errorf("panic: %v", v)}
}

// reasons collects why there is nothing to show.
type reasons struct {
	texts []string
	errs  []error
}

func (r *reasons) add(provider string, hits int, err error) {
	switch e, ok := errors.AsType[*moothall.Error](err); {
	case ok && e.Message != "":
		r.texts = append(r.texts, provider+": "+e.Message)
	case err != nil:
		r.texts = append(r.texts, provider+" failed")
	case hits > 0:
		r.texts = append(r.texts, provider+" has nothing recent enough")
	default:
		r.texts = append(r.texts, provider+" has no results")
	}
	if err != nil {
		r.errs = append(r.errs, err)
	}
}

// err is CodeNotFound when some provider answered. When none did, it has the
// code of the first failure: that nothing exists would be a lie.
func (r *reasons) err() error {
	e := &moothall.Error{Code: moothall.CodeNotFound, Op: "search", Message: strings.Join(r.texts, "; ")}
	if len(r.errs) == len(r.texts) {
		e.Code, e.Err = moothall.ErrorCode(r.errs[0]), errors.Join(r.errs...)
		e.Remedy = moothall.ErrorRemedy(r.errs[0])
		return e
	}
	e.Message = "nothing was found: " + e.Message
	e.Remedy = "try other words"
	return e
}

// retryAfter is the cause that carries an engine's wish to be left alone.
type retryAfter struct{ wait time.Duration }

func (r *retryAfter) Error() string { return "retry after " + r.wait.String() }

// RetryAfter returns how long the engine behind err wants to be left alone.
func RetryAfter(err error) (time.Duration, bool) {
	r, ok := errors.AsType[*retryAfter](err)
	if !ok {
		return 0, false
	}
	return r.wait, true
}

const (
	maxRetryAfter = 24 * time.Hour // keeps a silly header from being a silly duration
	httpDate      = "Mon, 02 Jan 2006 15:04:05 GMT"
)

// Later returns the cause for an error whose engine sent this Retry-After
// header: seconds, or a date as seen from now. It is nil for what is neither.
func Later(header string, now time.Time) error {
	header = strings.TrimSpace(header)
	if secs, err := strconv.ParseFloat(header, 64); err == nil {
		if !(secs >= 0) || math.IsInf(secs, 0) { // NaN fails the comparison
			return nil
		}
		return &retryAfter{time.Duration(min(secs, maxRetryAfter.Seconds()) * float64(time.Second))}
	}
	at, err := time.Parse(httpDate, header)
	if err != nil {
		return nil
	}
	return &retryAfter{min(max(at.Sub(now), 0), maxRetryAfter)}
}
