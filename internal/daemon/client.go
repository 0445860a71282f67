package daemon

import (
	"context"
	"errors"
	"log/slog"

	"moothall"
	"moothall/internal/rpc"
)

// Connect gives a command the hall of a home: the one that runs there, or,
// when none does, one opened for this command alone. Close the client to give
// it back.
func Connect(ctx context.Context, h Home, c Config, what string, log *slog.Logger) (moothall.Client, error) {
	if _, ok := Running(h); ok {
		return dialHome(ctx, h)
	}
	hall, err := Open(ctx, Options{Home: h, Config: c, What: what, Logger: log})
	if err != nil {
		return nil, err
	}
	return &owned{Client: rpc.NewClient(hall.peer(moothall.Person)), hall: hall}, nil
}

// dialHome reaches the hall that runs on a home through its socket.
func dialHome(ctx context.Context, h Home) (moothall.Client, error) {
	conn, err := rpc.Dial(rpc.Address{Transport: rpc.Unix, Where: h.Socket()}, moothall.Person, nil)
	if err != nil {
		return nil, err
	}
	if err := conn.Ping(ctx, rpc.Front); err != nil {
		return nil, errors.Join(&moothall.Error{
			Code: moothall.CodeUnavailable, Op: "reach the hall",
			Message: "a process holds " + h.Data + " but does not answer on its socket",
			Remedy:  "it may still be starting or stopping; try again, or look at it with: moothall doctor", Err: err,
		}, conn.Close())
	}
	return rpc.NewClient(conn), nil
}

// owned is a client that brought its own hall.
type owned struct {
	moothall.Client
	hall *Hall
}

// Close also closes the hall.
func (o *owned) Close() error { return errors.Join(o.Client.Close(), o.hall.Shutdown()) }
