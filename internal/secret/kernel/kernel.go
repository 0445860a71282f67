package kernel

import (
	"context"

	"moothall"
)

// Name is the name of this store.
const Name = "kernel"

// MaxValue is the largest value that a key of type "user" holds.
const MaxValue = 32767

// Store keeps secrets in the kernel. It has no state of its own.
type Store struct{}

// New returns the store.
func New() *Store { return &Store{} }

// Name is "kernel".
func (s *Store) Name() string { return Name }

// Get returns a value.
func (s *Store) Get(ctx context.Context, name string) (value []byte, err error) {
	err = withKeys(ctx, func() (err error) {
		value, err = get(name)
		return err
	})
	return value, err
}

// Set stores a value, in place of the one before. The kernel replaces it in
// one step: who reads meanwhile gets the old one or the new one.
func (s *Store) Set(ctx context.Context, name string, value []byte) error {
	if len(value) > MaxValue {
		return moothall.Fail(moothall.CodeTooLarge, op, "the value is larger than a key of the kernel can be")
	}
	return withKeys(ctx, func() error { return set(name, value) })
}

// Delete removes a value.
func (s *Store) Delete(ctx context.Context, name string) error {
	return withKeys(ctx, func() error { return remove(name) })
}

// Ping reports whether this process may use its user's keyring.
func (s *Store) Ping(ctx context.Context) error {
	return withKeys(ctx, func() error { return nil })
}

const op = "kernel keyring"

func notFound(name string) error {
	return &moothall.Error{
		Code: moothall.CodeNotFound, Op: op, Message: "there is no secret " + name + " in the kernel's keyring",
		Remedy: "store it with: moothall secrets set " + name + " (the kernel forgets secrets at each restart of the machine)",
	}
}

func unsupported(cause error) error {
	return &moothall.Error{
		Code: moothall.CodeUnsupported, Op: op, Message: "this machine does not let the process use the kernel's keyring",
		Remedy: "allow the system calls add_key and keyctl, or use the Secret Service of a desktop session", Err: cause,
	}
}
