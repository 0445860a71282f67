package moottest

import (
	"bytes"
	"context"
	"sync"

	"moothall"
)

// FakeSecrets is a keyring in memory.
type FakeSecrets struct {
	mu     sync.Mutex
	values map[moothall.SecretRef][]byte
	locked bool
}

// NewSecrets returns an empty keyring.
func NewSecrets() *FakeSecrets { return &FakeSecrets{values: map[moothall.SecretRef][]byte{}} }

// Set stores a secret.
func (s *FakeSecrets) Set(ref moothall.SecretRef, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[ref] = []byte(value)
}

// Lock locks or unlocks the keyring.
func (s *FakeSecrets) Lock(locked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.locked = locked
}

// For returns the keyring as one caller sees it.
func (s *FakeSecrets) For(id moothall.Identity) moothall.Secrets { return secretsFace{s, id} }

type secretsFace struct {
	secrets *FakeSecrets
	caller  moothall.Identity
}

var _ moothall.Secrets = secretsFace{}

func (f secretsFace) GetSecret(ctx context.Context, r moothall.SecretRequest) (moothall.Secret, error) {
	if err := ctx.Err(); err != nil {
		return moothall.Secret{}, err
	}
	if f.caller != moothall.ToolBroker {
		return moothall.Secret{}, moothall.Fail(moothall.CodeDenied, "get secret", "only the broker may ask")
	}
	f.secrets.mu.Lock()
	defer f.secrets.mu.Unlock()
	if f.secrets.locked {
		return moothall.Secret{}, moothall.Fail(moothall.CodeUnavailable, "get secret", "the keyring is locked")
	}
	v, ok := f.secrets.values[r.Ref]
	if !ok {
		return moothall.Secret{}, moothall.Fail(moothall.CodeNotFound, "get secret", "there is no secret "+string(r.Ref))
	}
	return moothall.NewSecret(bytes.Clone(v)), nil
}
