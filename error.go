package moothall

import (
	"context"
	"errors"
	"strings"
)

// Code says what kind of failure an [Error] is. The list is closed: it only
// ever grows at its end, since codes cross processes and stand in records.
type Code string

// The codes.
const (
	CodeInternal      Code = "internal"       // a fault of ours; the default for foreign errors
	CodeInvalid       Code = "invalid"        // the request makes no sense as it stands
	CodeNotFound      Code = "not_found"      // what was named is not there
	CodeConflict      Code = "conflict"       // it is there already, or in use by somebody else
	CodeDenied        Code = "denied"         // policy or identity forbids it
	CodeNotConfigured Code = "not_configured" // no such service is set up in this hall
	CodeUnavailable   Code = "unavailable"    // it is set up but does not answer now
	CodeTimeout       Code = "timeout"        // it did not answer in time
	CodeCanceled      Code = "canceled"       // the caller gave up
	CodeTooLarge      Code = "too_large"      // more than the limit allows
	CodeExhausted     Code = "exhausted"      // a budget, rate or disk is used up
	CodeTampered      Code = "tampered"       // a record does not match its signature
	CodeCorrupt       Code = "corrupt"        // stored bytes are damaged
	CodeUnsupported   Code = "unsupported"    // this build, model or machine cannot do it
	CodeInterrupted   Code = "interrupted"    // it was cut off; what came so far is kept
)

// Codes lists the codes in their order of introduction.
func Codes() []Code {
	return []Code{
		CodeInternal, CodeInvalid, CodeNotFound, CodeConflict, CodeDenied, CodeNotConfigured,
		CodeUnavailable, CodeTimeout, CodeCanceled, CodeTooLarge, CodeExhausted, CodeTampered,
		CodeCorrupt, CodeUnsupported, CodeInterrupted,
	}
}

// Error is the one error type of the hall. Message and Remedy are safe to
// show to a person and to a model; the cause is for logs and errors.As.
type Error struct {
	Code    Code
	Op      string // the noun of the step that failed: "open audit log"
	Message string // what is wrong, for a person
	Remedy  string // what the person can do about it; may be empty
	Err     error  // the cause; never crosses a process
}

// Error joins step, message and cause.
func (e *Error) Error() string {
	var b strings.Builder
	for _, s := range []string{e.Op, e.Message} {
		if s == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(": ")
		}
		b.WriteString(s)
	}
	if e.Err != nil {
		if b.Len() > 0 {
			b.WriteString(": ")
		}
		b.WriteString(e.Err.Error())
	}
	if b.Len() == 0 {
		return string(e.Code)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Is makes errors.Is(err, &Error{Code: c}) ask for a code.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == e.Code && t.Op == "" && t.Message == "" && t.Err == nil
}

// ErrorCode returns the code of the first [Error] in err's chain. A cancelled
// or expired context has its own code; nil has none; all else is internal.
func ErrorCode(err error) Code {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	case errors.Is(err, context.Canceled):
		return CodeCanceled
	case errors.Is(err, context.DeadlineExceeded):
		return CodeTimeout
	}
	return CodeInternal
}

// ErrorRemedy returns the first remedy in err's chain, or "".
func ErrorRemedy(err error) string {
	for err != nil {
		var e *Error
		if !errors.As(err, &e) {
			return ""
		}
		if e.Remedy != "" {
			return e.Remedy
		}
		err = e.Err
	}
	return ""
}

// Fail returns an [Error] without cause or remedy: the literal, shortened.
func Fail(code Code, op, message string) *Error {
	return &Error{Code: code, Op: op, Message: message}
}
