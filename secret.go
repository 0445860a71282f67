package moothall

import (
	"context"
	"log/slog"
)

// SecretRef names a secret in the person's keyring. It is all that
// configuration, tools and models ever see of one.
type SecretRef string

// Secret is a value from the keyring. It prints as a placeholder everywhere;
// only [Secret.Reveal] gives the value, at the last moment before use.
type Secret struct{ value []byte }

// NewSecret wraps a value. The caller must not keep it.
func NewSecret(value []byte) Secret { return Secret{value} }

// Reveal returns the value itself.
func (s Secret) Reveal() []byte { return s.value }

const redacted = "[secret]"

// String hides the value.
func (s Secret) String() string { return redacted }

// GoString hides the value from %#v.
func (s Secret) GoString() string { return redacted }

// MarshalText hides the value from encoders.
func (s Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }

// LogValue hides the value from logs.
func (s Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// SecretRequest asks for one secret.
type SecretRequest struct {
	Scope
	Ref SecretRef
}

// Secrets hands out secrets, to the broker and to nobody else. There is no
// way to list, set or delete through it.
type Secrets interface {
	// GetSecret returns one secret. CodeDenied to any identity but the
	// broker's, CodeNotFound when there is none of that name,
	// CodeUnavailable when the keyring is locked or gone.
	GetSecret(ctx context.Context, r SecretRequest) (Secret, error)
}
