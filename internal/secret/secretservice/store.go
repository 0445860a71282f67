package secretservice

import (
	"context"
	"log/slog"
	"time"

	"moothall"
)

// Name is the name of this store.
const Name = "secret-service"

// MaxValue is the largest value taken or returned, in bytes.
const MaxValue = 32767

const op = "secret service"

// Options configure a [Store].
type Options struct {
	// Address is the session bus, as in DBUS_SESSION_BUS_ADDRESS. Empty means
	// the socket "bus" in the runtime folder of the process's user.
	Address string
	// CallTimeout is how long the service may take for one operation, apart
	// from waiting for the person. 0 means 10 seconds.
	CallTimeout time.Duration
	// PromptTimeout is how long the person may take to unlock the keyring.
	// 0 means a minute.
	PromptTimeout time.Duration
	// NeverPrompt refuses a locked keyring instead of having the person asked.
	NeverPrompt bool
	// Plain accepts a service that cannot encrypt; the values then stand in
	// the bus's messages as they are.
	Plain bool
	// Logger hears of a plain session. Nil discards.
	Logger *slog.Logger
}

// Store keeps secrets in the Secret Service. It holds no connection.
type Store struct{ o Options }

// New returns the store; it does not connect.
func New(o Options) *Store {
	if o.CallTimeout <= 0 {
		o.CallTimeout = 10 * time.Second
	}
	if o.PromptTimeout <= 0 {
		o.PromptTimeout = time.Minute
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Store{o}
}

// Name is "secret-service".
func (s *Store) Name() string { return Name }

// Get returns a value.
func (s *Store) Get(ctx context.Context, name string) (value []byte, err error) {
	err = s.during(ctx, func(l *link) error {
		item, err := l.find(name)
		if err != nil {
			return err
		}
		value, err = l.read(item)
		return err
	})
	return value, err
}

// Set stores a value, in place of the one before.
func (s *Store) Set(ctx context.Context, name string, value []byte) error {
	if len(value) > MaxValue {
		return moothall.Fail(moothall.CodeTooLarge, op, "the value is too large for a keyring")
	}
	return s.during(ctx, func(l *link) error { return l.write(name, value) })
}

// Delete removes a value from every collection.
func (s *Store) Delete(ctx context.Context, name string) error {
	return s.during(ctx, func(l *link) error { return l.remove(name) })
}

// Ping reports whether secrets could be read now: a service answers, and its
// default collection is there and not locked. It never has the person asked.
func (s *Store) Ping(ctx context.Context) error {
	return s.during(ctx, func(l *link) error {
		c, err := l.collection()
		if err != nil {
			return err
		}
		locked, err := l.isLocked(c)
		if err == nil && locked {
			err = errLocked()
		}
		return err
	})
}

// Present reports whether a session bus answers and a Secret Service is on it,
// locked or not. The error says why not.
func (s *Store) Present(ctx context.Context) (bool, error) {
	err := s.during(ctx, func(*link) error { return nil })
	return err == nil, err
}

// during runs one operation on a link of its own.
func (s *Store) during(ctx context.Context, do func(*link) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l, err := s.dial(ctx)
	if err == nil {
		defer l.close()
		err = do(l)
	}
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // whatever else it looks like, the caller left
	}
	return err
}

func notFound(name string) error {
	return &moothall.Error{
		Code: moothall.CodeNotFound, Op: op, Message: "there is no secret " + name + " in the desktop's keyring",
		Remedy: "store it with: moothall secrets set " + name,
	}
}

func errLocked() error {
	return &moothall.Error{
		Code: moothall.CodeUnavailable, Op: op, Message: "the desktop's keyring is locked",
		Remedy: "unlock the keyring (log in to the desktop, or open its password manager) and try again",
	}
}
