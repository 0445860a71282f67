package tape

import (
	"context"
	"errors"

	"moothall"
)

// Failure is an error without its cause, which may hold anything.
type Failure struct {
	Code    moothall.Code `json:"code"`
	Op      string        `json:"op,omitempty"`
	Message string        `json:"message,omitempty"`
	Remedy  string        `json:"remedy,omitempty"`
}

func failureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Code: moothall.ErrorCode(err), Remedy: moothall.ErrorRemedy(err)}
	if e, ok := errors.AsType[*moothall.Error](err); ok {
		f.Op, f.Message = e.Op, e.Message
	}
	return f
}

// err is an error that reads the same to the engine.
func (f *Failure) err() error {
	if f == nil {
		return nil
	}
	e := &moothall.Error{Code: f.Code, Op: f.Op, Message: f.Message, Remedy: f.Remedy}
	switch f.Code {
	case moothall.CodeCanceled:
		e.Err = context.Canceled
	case moothall.CodeTimeout:
		e.Err = context.DeadlineExceeded
	}
	return e
}

// ended is the error of a context that is over.
func ended(late bool) error {
	if late {
		return context.DeadlineExceeded
	}
	return context.Canceled
}
