package daemon

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"moothall"
	"moothall/internal/bus"
	"moothall/internal/rpc"
)

// How long a command waits for a home that another one holds, for a hall that does
// not answer, when it says so, and how often it looks. Commands that bring their
// own hall take moments; where every flush takes a fifth of a second, many seconds.
const (
	turnPatience = time.Minute
	homePatience = 10 * time.Second
	homeQuiet    = time.Second
	homeLook     = 50 * time.Millisecond
)

// Connect gives a command the hall of a home: the one that runs there, or,
// when none does, one opened for this command alone. A home that another
// command holds just now is waited for. Close the client to give it back.
func Connect(ctx context.Context, h Home, c Config, what string, log *slog.Logger) (moothall.Client, error) {
	var by holder
	since, told := time.Now(), false
	for {
		client, err := connect(ctx, h, c, what, log)
		code := moothall.ErrorCode(err)
		if code != moothall.CodeConflict && code != moothall.CodeUnavailable {
			return client, err
		}
		if now, ok := held(h); ok && now != by {
			by, since = now, time.Now() // patience is with each of those who come before
		}
		waited, patience := time.Since(since), homePatience
		if by.alone() {
			patience = turnPatience
		}
		if waited > patience {
			return nil, err
		}
		if waited > homeQuiet && !told && by.alone() && log != nil {
			log.Warn("waiting for another command, which has the hall for itself", "command", by.What, "process", by.PID)
			told = true
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(homeLook):
		}
	}
}

func connect(ctx context.Context, h Home, c Config, what string, log *slog.Logger) (moothall.Client, error) {
	if by, ok := held(h); ok {
		if by.alone() {
			return nil, heldBy(h, by)
		}
		return dialHome(ctx, h)
	}
	hall, err := Open(ctx, Options{Home: h, Config: c, What: what, Logger: log})
	if err != nil {
		return nil, err
	}
	return &owned{Client: rpc.NewClient(hall.peer(moothall.Person)), hall: hall, stopped: ctx}, nil
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
			Remedy:  "look at it with: moothall doctor", Err: err,
		}, conn.Close())
	}
	return rpc.NewClient(conn), nil
}

// owned is a client that brought its own hall.
type owned struct {
	moothall.Client
	hall    *Hall
	stopped context.Context // the command's, which Ctrl-C ends
}

// Lone reports whether a client brought its own hall, which nobody else
// reaches and which ends with it.
func Lone(c moothall.Client) bool {
	_, own := c.(*owned)
	return own
}

// Close also closes the hall, once the memory and the score have heard of what
// was done. Commands are short: what their observers left over would come to
// the next one, which looks before it is heard, and one event a command at best.
// Who is tired of that ends it with Ctrl-C; one that ended the command does not.
func (o *owned) Close() error {
	if o.hall.chat != nil {
		o.hall.chat.Close() // what has happened is told by then
	}
	ctx := o.stopped
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	o.hall.settle(ctx, ingest, scoring)
	return errors.Join(o.Client.Close(), o.hall.Shutdown())
}

// How long a command waits at its end for observers that get no further, and
// how often it looks. A model that names memories takes seconds, a busy machine
// as well; less would leave every command's work to the next one.
const (
	settlePatience = 10 * time.Second
	settleLook     = 5 * time.Millisecond
)

// settle waits until observers have answered all events, those of each other
// too, or get no further: then they go on with the next command.
func (h *Hall) settle(ctx context.Context, observers ...bus.Durable) {
	left, since := -1, time.Now()
	for ctx.Err() == nil && time.Since(since) < settlePatience {
		n := 0
		for _, d := range observers {
			behind, err := h.bus.Behind(context.Background(), d)
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				return // nobody here can know
			}
			n += behind
			if err != nil {
				n++ // a busy bus may have something for it
			}
		}
		if n == 0 {
			return
		}
		if n != left {
			left, since = n, time.Now()
		}
		time.Sleep(settleLook)
	}
}
