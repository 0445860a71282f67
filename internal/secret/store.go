package secret

import (
	"context"

	"moothall"
)

// MaxValue is the largest value in bytes: what one key of the kernel holds.
const MaxValue = 32767

// Store keeps secrets. It does not judge names: [Keyring] and the functions
// of this package do, before they call it. All methods are safe for
// concurrent use.
type Store interface {
	// Name says which store it is: "secret-service", "kernel" or "memory".
	Name() string
	// Get returns a value, which the caller owns. CodeNotFound when there is
	// none, CodeUnavailable when the keyring is locked or gone.
	Get(ctx context.Context, name string) ([]byte, error)
	// Set stores a value under a name, in place of the one before. It does
	// not keep the buffer.
	Set(ctx context.Context, name string, value []byte) error
	// Delete removes a value. CodeNotFound when there is none.
	Delete(ctx context.Context, name string) error
	// Ping reports whether secrets could be read now.
	Ping(ctx context.Context) error
}

// ValidName reports whether s can name a secret: letters, digits, '-', '_'
// and '.', at most 64 of them, beginning with a letter or a digit.
func ValidName(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case i > 0 && (c == '-' || c == '_' || c == '.'):
		default:
			return false
		}
	}
	return true
}

// checkName refuses a name without repeating it: somebody may have typed the
// value where the name belongs.
func checkName(op, name string) error {
	if ValidName(name) {
		return nil
	}
	return &moothall.Error{
		Code: moothall.CodeInvalid, Op: op, Message: "this is not a name for a secret",
		Remedy: "use up to 64 letters, digits, dots, dashes and underscores, beginning with a letter or digit",
	}
}
