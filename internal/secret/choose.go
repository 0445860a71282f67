package secret

import (
	"context"
	"log/slog"

	"moothall"
	"moothall/internal/secret/kernel"
	"moothall/internal/secret/memory"
	"moothall/internal/secret/secretservice"
)

// Kind names a store in the configuration.
type Kind string

// The kinds.
const (
	Auto          Kind = "auto" // SecretService where there is one, else Kernel
	SecretService Kind = secretservice.Name
	Kernel        Kind = kernel.Name
	Memory        Kind = memory.Name
)

var (
	_ Store = (*secretservice.Store)(nil)
	_ Store = (*kernel.Store)(nil)
	_ Store = (*memory.Store)(nil)
)

// Places says where stores are looked for.
type Places struct {
	// BusAddress is the session bus, as in DBUS_SESSION_BUS_ADDRESS. Empty
	// means the usual socket of the user who runs this process.
	BusAddress string
	// NeverPrompt keeps the desktop from asking the person to unlock a
	// keyring: a locked one is then refused at once.
	NeverPrompt bool
	// Logger says what Auto found. Nil discards.
	Logger *slog.Logger
}

// Choose returns the store of a kind ("" means [Auto]). A kind that is named
// is returned without asking whether it works: use [Store.Ping] for that.
// Auto takes the Secret Service when a session bus answers and has one, locked
// or not: a locked keyring is the person's to unlock, not a reason to look
// for the same secret elsewhere.
func Choose(ctx context.Context, kind Kind, p Places) (Store, error) {
	bus := secretservice.New(secretservice.Options{Address: p.BusAddress, NeverPrompt: p.NeverPrompt, Logger: p.Logger})
	switch kind {
	case SecretService:
		return bus, nil
	case Kernel:
		return kernel.New(), nil
	case Memory:
		return memory.New(), nil
	case Auto, "":
		return choose(ctx, bus, p.Logger)
	}
	return nil, &moothall.Error{
		Code: moothall.CodeInvalid, Op: "choose keyring", Message: "there is no such kind of keyring",
		Remedy: "use auto, secret-service, kernel or memory",
	}
}

func choose(ctx context.Context, bus *secretservice.Store, log *slog.Logger) (Store, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	found, err := bus.Present(ctx)
	if found {
		log.Debug("keyring chosen", "store", bus.Name())
		return bus, nil
	}
	if ctxErr := ctx.Err(); ctxErr != nil {
		return nil, ctxErr
	}
	k := kernel.New()
	pingErr := k.Ping(ctx)
	if pingErr == nil {
		log.Debug("keyring chosen", "store", k.Name(), "because", err)
		return k, nil
	}
	return nil, &moothall.Error{
		Code: moothall.CodeUnavailable, Op: "choose keyring",
		Message: "neither a Secret Service on the session bus nor the kernel's keyring can be used",
		Remedy:  "start a desktop keyring such as gnome-keyring, or allow this process the kernel's keyring",
		Err:     pingErr,
	}
}
