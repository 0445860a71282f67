package rpc

import (
	"context"
	"errors"
	"slices"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"moothall"
	pb "moothall/proto/moothall/v1"
)

// grpcCode is what a code looks like to gRPC tools that know nothing of the
// hall. The exact code travels in the details.
func grpcCode(c moothall.Code) codes.Code {
	switch c {
	case moothall.CodeInvalid:
		return codes.InvalidArgument
	case moothall.CodeNotFound:
		return codes.NotFound
	case moothall.CodeConflict:
		return codes.AlreadyExists
	case moothall.CodeDenied:
		return codes.PermissionDenied
	case moothall.CodeNotConfigured:
		return codes.FailedPrecondition
	case moothall.CodeUnavailable:
		return codes.Unavailable
	case moothall.CodeTimeout:
		return codes.DeadlineExceeded
	case moothall.CodeCanceled:
		return codes.Canceled
	case moothall.CodeTooLarge, moothall.CodeExhausted:
		return codes.ResourceExhausted
	case moothall.CodeTampered, moothall.CodeCorrupt:
		return codes.DataLoss
	case moothall.CodeUnsupported:
		return codes.Unimplemented
	case moothall.CodeInterrupted:
		return codes.Aborted
	}
	return codes.Internal
}

// hallCode is the inverse for a status without details: one that gRPC itself
// made, not a service.
func hallCode(s *status.Status) moothall.Code {
	switch s.Code() {
	case codes.InvalidArgument, codes.OutOfRange:
		return moothall.CodeInvalid
	case codes.NotFound:
		return moothall.CodeNotFound
	case codes.AlreadyExists:
		return moothall.CodeConflict
	case codes.PermissionDenied, codes.Unauthenticated:
		return moothall.CodeDenied
	case codes.FailedPrecondition:
		return moothall.CodeNotConfigured
	case codes.Unavailable:
		return moothall.CodeUnavailable
	case codes.DeadlineExceeded:
		return moothall.CodeTimeout
	case codes.Canceled:
		return moothall.CodeCanceled
	case codes.ResourceExhausted:
		if strings.Contains(s.Message(), "larger than max") {
			return moothall.CodeTooLarge
		}
		return moothall.CodeExhausted
	case codes.DataLoss:
		return moothall.CodeCorrupt
	case codes.Unimplemented:
		return moothall.CodeUnsupported
	case codes.Aborted:
		return moothall.CodeInterrupted
	case codes.Internal:
		if strings.Contains(s.Message(), "invalid UTF-8") {
			return moothall.CodeInvalid
		}
	}
	return moothall.CodeInternal
}

// toStatus makes what the other side may know of err. Causes stay here: of an
// error that is none of ours only the fact that it happened crosses.
func toStatus(err error) *status.Status {
	wire := &pb.Error{Code: string(moothall.ErrorCode(err)), Remedy: text(moothall.ErrorRemedy(err))}
	var e *moothall.Error
	switch {
	case errors.As(err, &e):
		wire.Op, wire.Message = text(e.Op), text(e.Message)
	case errors.Is(err, context.Canceled):
		wire.Message = "the call was canceled"
	case errors.Is(err, context.DeadlineExceeded):
		wire.Message = "the time for the call is over"
	}
	if !slices.Contains(moothall.Codes(), moothall.Code(wire.Code)) {
		wire.Code = string(moothall.CodeInternal)
	}
	if wire.Message == "" && wire.Code == string(moothall.CodeInternal) {
		wire.Message = "internal error"
	}
	plain := status.New(grpcCode(moothall.Code(wire.Code)), wire.Message)
	full, err := plain.WithDetails(wire)
	if err != nil {
		return plain
	}
	return full
}

// fromStatus makes the hall's error of what came over the wire. The second
// result tells whether a service spoke, or gRPC itself.
func fromStatus(err error) (*moothall.Error, bool) {
	s, ok := status.FromError(err)
	if !ok {
		return &moothall.Error{Code: moothall.ErrorCode(err), Err: err}, false
	}
	for _, d := range s.Details() {
		w, ok := d.(*pb.Error)
		if !ok {
			continue
		}
		e := &moothall.Error{Code: moothall.Code(w.Code), Op: w.Op, Message: w.Message, Remedy: w.Remedy}
		if !slices.Contains(moothall.Codes(), e.Code) {
			e.Code = moothall.CodeInternal
		}
		e.Err = contextCause(e.Code)
		return e, true
	}
	return &moothall.Error{Code: hallCode(s), Message: s.Message(), Err: contextCause(hallCode(s))}, false
}

// contextCause lets errors.Is find the context's own errors on this side of
// the wire, as in process.
func contextCause(c moothall.Code) error {
	switch c {
	case moothall.CodeCanceled:
		return context.Canceled
	case moothall.CodeTimeout:
		return context.DeadlineExceeded
	}
	return nil
}
