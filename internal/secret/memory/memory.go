package memory

import (
	"bytes"
	"context"
	"sync"

	"moothall"
)

// Name is the name of this store.
const Name = "memory"

// Store keeps secrets in this process.
type Store struct {
	mu     sync.Mutex
	values map[string][]byte
	closed bool
}

// New returns an empty store.
func New() *Store { return &Store{values: map[string][]byte{}} }

// Name is "memory".
func (s *Store) Name() string { return Name }

// Get returns a copy of a value.
func (s *Store) Get(ctx context.Context, name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(ctx); err != nil {
		return nil, err
	}
	v, ok := s.values[name]
	if !ok {
		return nil, notFound(name)
	}
	return bytes.Clone(v), nil
}

// Set keeps a copy of a value.
func (s *Store) Set(ctx context.Context, name string, value []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(ctx); err != nil {
		return err
	}
	clear(s.values[name])
	s.values[name] = bytes.Clone(value)
	return nil
}

// Delete forgets a value.
func (s *Store) Delete(ctx context.Context, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.usable(ctx); err != nil {
		return err
	}
	v, ok := s.values[name]
	if !ok {
		return notFound(name)
	}
	clear(v)
	delete(s.values, name)
	return nil
}

// Ping fails only when the store is closed.
func (s *Store) Ping(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.usable(ctx)
}

// Close overwrites and forgets everything. The store answers no more.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.values {
		clear(v)
	}
	clear(s.values)
	s.closed = true
	return nil
}

func (s *Store) usable(ctx context.Context) error {
	if s.closed {
		return moothall.Fail(moothall.CodeUnavailable, "keyring", "the keyring in memory is closed")
	}
	return ctx.Err()
}

func notFound(name string) error {
	return &moothall.Error{
		Code: moothall.CodeNotFound, Op: "keyring", Message: "there is no secret " + name + " in the keyring in memory",
		Remedy: "store it with: moothall secrets set " + name,
	}
}
