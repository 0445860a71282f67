package bus

import (
	"context"
	"errors"

	"github.com/nats-io/nats.go"

	"moothall"
)

// apiError is how JetStream says no.
type apiError struct {
	Code        int    `json:"code"`
	ErrCode     int    `json:"err_code"`
	Description string `json:"description"`
}

// Error makes it a cause.
func (e *apiError) Error() string { return e.Description }

// The numbers of JetStream errors that are told apart.
const (
	errResources     = 10023 // the server's limits are used up
	errNoMessage     = 10037
	errStorage       = 10047 // no room on disk
	errMsgTooLarge   = 10054
	errStreamMissing = 10059
	errStoreFailed   = 10077 // writing failed, as on a full disk
)

// fault turns an error of NATS into one of the hall.
func fault(op string, err error) error {
	if err == nil {
		return nil
	}
	var own *moothall.Error
	if errors.As(err, &own) {
		return err
	}
	out := &moothall.Error{Code: moothall.CodeUnavailable, Op: op, Message: "the bus does not answer", Err: err}
	var api *apiError
	switch {
	case errors.Is(err, context.Canceled):
		out.Code, out.Message = moothall.CodeCanceled, "the caller gave up"
	case errors.Is(err, nats.ErrMaxPayload):
		out.Code, out.Message = moothall.CodeTooLarge, "the event is larger than the server takes"
	case errors.Is(err, nats.ErrConnectionClosed):
		out.Message = "the bus is closed"
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrPermissionViolation):
		out.Code, out.Message = moothall.CodeDenied, "the server refuses this identity"
		out.Remedy = "check its credentials and the users in the server's configuration"
	case errors.As(err, &api):
		apiFault(out, api)
	}
	return out
}

func apiFault(out *moothall.Error, api *apiError) {
	switch api.ErrCode {
	case errNoMessage:
		out.Code, out.Message = moothall.CodeNotFound, "there is no such event in the record"
	case errResources, errStorage, errStoreFailed:
		out.Code, out.Message = moothall.CodeExhausted, "the record cannot be written"
		out.Remedy = "free space on the disk that holds the bus"
	case errMsgTooLarge:
		out.Code, out.Message = moothall.CodeTooLarge, "the event is larger than the record takes"
	case errStreamMissing:
		out.Code, out.Message = moothall.CodeNotConfigured, "the server has no stream "+streamName
		out.Remedy = "start a process that has credentials for " + string(Admin) + ", which creates it"
	default:
		out.Code, out.Message = moothall.CodeInternal, "the record refuses the request"
	}
}

// passing reports whether trying again may help.
func passing(err error) bool {
	return errors.Is(err, nats.ErrNoResponders) || errors.Is(err, nats.ErrReconnectBufExceeded) ||
		errors.Is(err, nats.ErrDisconnected) || errors.Is(err, nats.ErrTimeout) ||
		errors.Is(err, nats.ErrStaleConnection) || errors.Is(err, context.DeadlineExceeded)
}
