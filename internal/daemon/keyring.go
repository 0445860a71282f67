package daemon

import (
	"context"
	"io"
	"log/slog"
	"sync"

	"moothall"
	"moothall/internal/rpc"
	"moothall/internal/secret"
)

// SecretsConfig says where secrets are kept.
type SecretsConfig struct {
	Keyring string `yaml:"keyring" doc:"The keyring: the desktop's, the kernel's (which forgets when the machine is switched off), or the first of them that is there. Memory forgets with the program." enum:"auto,secret-service,kernel,memory"`
	Bus     string `yaml:"bus" doc:"Address of the session bus of the desktop's keyring; DBUS_SESSION_BUS_ADDRESS when empty."`
}

// openSecrets starts the keyring's service. The keyring itself is looked for
// when the first secret is asked for: most halls never need one.
func (h *Hall) openSecrets(context.Context) (func(context.Context) error, error) {
	record, err := h.peer(moothall.SecretKeeper).Audit()
	if err != nil {
		return nil, err
	}
	ring := secret.New(secret.Options{Store: &lazyStore{conf: h.conf.Secrets, log: h.log}, Audit: record, Logger: h.log})
	h.here.Secrets = ring.For
	return nothingToStop, nil
}

// nothingToStop is the end of a service without goroutines or files.
func nothingToStop(context.Context) error { return nil }

// lazyStore is the keyring that is chosen at its first use.
type lazyStore struct {
	conf  SecretsConfig
	log   *slog.Logger
	mu    sync.Mutex
	found secret.Store
}

func (s *lazyStore) store(ctx context.Context) (secret.Store, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found != nil {
		return s.found, nil
	}
	found, err := chooseKeyring(ctx, s.conf, s.log)
	if err == nil {
		s.found = found
	}
	return found, err
}

func chooseKeyring(ctx context.Context, c SecretsConfig, log *slog.Logger) (secret.Store, error) {
	return secret.Choose(ctx, secret.Kind(c.Keyring), secret.Places{BusAddress: c.Bus, Logger: log})
}

// Name says which keyring it is, or that none was needed yet.
func (s *lazyStore) Name() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.found == nil {
		return "not opened yet"
	}
	return s.found.Name()
}

// Get returns a value.
func (s *lazyStore) Get(ctx context.Context, name string) ([]byte, error) {
	store, err := s.store(ctx)
	if err != nil {
		return nil, err
	}
	return store.Get(ctx, name)
}

// Set is the person's, whose command opens the keyring itself.
func (s *lazyStore) Set(context.Context, string, []byte) error { return errPersonOnly }

// Delete is the person's too.
func (s *lazyStore) Delete(context.Context, string) error { return errPersonOnly }

var errPersonOnly = moothall.Fail(moothall.CodeDenied, "keyring", "only the person's own command changes it")

// Ping reports whether secrets could be read now.
func (s *lazyStore) Ping(ctx context.Context) error {
	store, err := s.store(ctx)
	if err != nil {
		return err
	}
	return store.Ping(ctx)
}

// Keyring is the person's own hand on the keyring: what the commands under
// "moothall secrets" use. No service has it.
type Keyring struct{ store secret.Store }

// OpenKeyring finds the keyring that the configuration names.
func OpenKeyring(ctx context.Context, c Config) (*Keyring, error) {
	if at := c.Services.address(rpc.Secrets); at.Transport != rpc.Here {
		return nil, &moothall.Error{
			Code: moothall.CodeUnsupported, Op: "keyring", Message: "the keyring is kept at " + at.String(),
			Remedy: "run this command on that machine",
		}
	}
	store, err := chooseKeyring(ctx, c.Secrets, nil)
	if err != nil {
		return nil, err
	}
	return &Keyring{store}, nil
}

// Where names the keyring.
func (k *Keyring) Where() string { return "the " + k.store.Name() + " keyring" }

// Set keeps what r holds under a name.
func (k *Keyring) Set(ctx context.Context, name string, r io.Reader) error {
	value, err := secret.Read(r, 0)
	if err != nil {
		return err
	}
	defer clear(value.Reveal())
	return secret.Set(ctx, k.store, name, value)
}

// Delete removes a secret.
func (k *Keyring) Delete(ctx context.Context, name string) error {
	return secret.Delete(ctx, k.store, name)
}

// Test says how long a secret is.
func (k *Keyring) Test(ctx context.Context, name string) (int, error) {
	r, err := secret.Test(ctx, k.store, name)
	return r.Length, err
}

// Close gives the keyring back.
func (k *Keyring) Close() error {
	if c, ok := k.store.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
