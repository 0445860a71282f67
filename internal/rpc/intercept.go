package rpc

import (
	"context"
	"iter"
	"runtime/debug"
	"strings"
	"time"

	"google.golang.org/grpc"

	"moothall"
)

// foreign reports whether a method is not the hall's own: the health service
// makes its own statuses.
func foreign(method string) bool { return !strings.HasPrefix(method, "/moothall.") }

// unary bounds a call's time and turns its outcome into a status.
func (d *door) unary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (resp any, err error) {
	ctx, cancel := d.host.bound(ctx)
	defer cancel()
	defer func() { err = d.host.outcome(info.FullMethod, recover(), err) }()
	return next(ctx, req)
}

// stream turns a stream's outcome into a status.
func (d *door) stream(srv any, st grpc.ServerStream, info *grpc.StreamServerInfo, next grpc.StreamHandler) (err error) {
	defer func() { err = d.host.outcome(info.FullMethod, recover(), err) }()
	return next(srv, st)
}

func (h *Host) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithTimeout(ctx, h.opts.Deadline)
	}
	if limit := time.Now().Add(h.opts.MaxDeadline); deadline.After(limit) {
		return context.WithDeadline(ctx, limit)
	}
	return ctx, func() {}
}

// outcome is where errors leave the process. What the caller is not told is
// logged here and nowhere else.
func (h *Host) outcome(method string, panicked any, err error) error {
	if panicked != nil {
		h.log.Error("panic in a call", "method", method, "panic", panicked, "stack", string(debug.Stack()))
		return toStatus(moothall.Fail(moothall.CodeInternal, "", "")).Err()
	}
	if err == nil || foreign(method) {
		return err
	}
	st := toStatus(err)
	if grpcCode(moothall.ErrorCode(err)) == grpcCode(moothall.CodeInternal) {
		h.log.Error("call failed", "method", method, "error", err)
	}
	return st.Err()
}

// send streams what an iterator yields. It stops the iterator when the client
// is gone.
func send[V, M any](st grpc.ServerStreamingServer[M], seq iter.Seq2[V, error], wire func(V) *M) error {
	for v, err := range seq {
		if err != nil {
			return err
		}
		if err := st.Send(wire(v)); err != nil {
			return sendError(err)
		}
	}
	return nil
}

// sendError is for the service and the log: gRPC itself tells the client why a
// message could not be sent, if the client is still there.
func sendError(err error) error {
	e, _ := fromStatus(err)
	e.Op = "send"
	return e
}
