package kernel

import (
	"context"
	"errors"
	"runtime"

	"golang.org/x/sys/unix"

	"moothall"
)

// keyType is the kernel's plain type: bytes that the possessor can read.
const keyType = "user"

// possessorOnly gives the possessor view, read, write, search, link and
// setattr, and nobody else anything.
const possessorOnly = 0x3f000000

// withKeys runs do on a thread that possesses the user keyring. Possession is
// what the permissions of the keys ask for; see the package comment. Threads
// have credentials of their own, so the goroutine stays on one meanwhile.
func withKeys(ctx context.Context, do func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_THREAD_KEYRING, true); err != nil {
		return translate(err)
	}
	if _, err := unix.KeyctlInt(unix.KEYCTL_LINK, unix.KEY_SPEC_USER_KEYRING, unix.KEY_SPEC_THREAD_KEYRING, 0, 0); err != nil {
		return translate(err)
	}
	// A link that stays would do no harm but to let other goroutines on this
	// thread possess the keys, so a failure is not worth an error.
	defer unix.KeyctlInt(unix.KEYCTL_CLEAR, unix.KEY_SPEC_THREAD_KEYRING, 0, 0, 0)
	return do()
}

// description is a key's name in the kernel.
func description(name string) string { return "moothall:" + name }

// find returns a secret's key, linked to the thread keyring: it stays
// possessed when another process takes it out of the user's meanwhile.
func find(name string) (int, error) {
	id, err := unix.KeyctlSearch(unix.KEY_SPEC_USER_KEYRING, keyType, description(name), unix.KEY_SPEC_THREAD_KEYRING)
	return id, keyError(name, err)
}

func get(name string) ([]byte, error) {
	id, err := find(name)
	if err != nil {
		return nil, err
	}
	size, err := unix.KeyctlBuffer(unix.KEYCTL_READ, id, nil, 0)
	for err == nil {
		buf := make([]byte, size)
		var n int
		if n, err = unix.KeyctlBuffer(unix.KEYCTL_READ, id, buf, 0); err == nil && n <= size {
			return buf[:n], nil
		}
		// Somebody set a longer value between the two calls.
		clear(buf)
		size = n
	}
	return nil, keyError(name, err)
}

func set(name string, value []byte) error {
	id, err := unix.AddKey(keyType, description(name), value, unix.KEY_SPEC_USER_KEYRING)
	for tries := 0; tries < 3 && errors.Is(err, unix.EKEYREVOKED); tries++ {
		// Somebody deleted the key that was about to be updated.
		id, err = unix.AddKey(keyType, description(name), value, unix.KEY_SPEC_USER_KEYRING)
	}
	if err != nil {
		return translate(err)
	}
	// A new key starts with the possessor's permissions and view for its
	// user, so there is no moment at which somebody else could read it.
	err = unix.KeyctlSetperm(id, possessorOnly)
	if errors.Is(err, unix.ENOKEY) || errors.Is(err, unix.EKEYREVOKED) || errors.Is(err, unix.EACCES) {
		return nil // it was set, and deleted since, which ends possession too
	}
	return keyError(name, err)
}

// remove revokes before it unlinks: revoking frees the value at once, also
// where another keyring holds a link to the key.
func remove(name string) error {
	id, err := find(name)
	if err != nil {
		return err
	}
	if _, err := unix.KeyctlInt(unix.KEYCTL_REVOKE, id, 0, 0, 0); err != nil {
		return keyError(name, err)
	}
	_, err = unix.KeyctlInt(unix.KEYCTL_UNLINK, id, unix.KEY_SPEC_USER_KEYRING, 0, 0)
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOKEY) {
		return nil // somebody else deleting it was faster
	}
	return keyError(name, err)
}

// keyError translates the error of a call on one secret's key.
func keyError(name string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.ENOKEY), errors.Is(err, unix.EKEYEXPIRED), errors.Is(err, unix.EKEYREVOKED):
		return notFound(name)
	}
	return translate(err)
}

// translate gives a system call's error the hall's type.
func translate(err error) error {
	e := &moothall.Error{Code: moothall.CodeInternal, Op: op, Message: "the kernel refused", Err: err}
	switch {
	case errors.Is(err, unix.EPERM), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EOPNOTSUPP):
		return unsupported(err)
	case errors.Is(err, unix.EACCES):
		e.Code, e.Message = moothall.CodeUnavailable, "the kernel does not let this process at the key"
		e.Remedy = "run the hall as the user who set the secret, in the same container"
	case errors.Is(err, unix.EDQUOT):
		e.Code, e.Message = moothall.CodeExhausted, "the user's share of the kernel's key memory is used up"
		e.Remedy = "delete secrets that are no longer needed, or raise kernel.keys.maxbytes and kernel.keys.maxkeys with sysctl"
	case errors.Is(err, unix.ENOMEM), errors.Is(err, unix.ENFILE):
		e.Code, e.Message = moothall.CodeExhausted, "the kernel has no room for the key"
	case errors.Is(err, unix.EKEYREJECTED), errors.Is(err, unix.EKEYREVOKED), errors.Is(err, unix.EKEYEXPIRED):
		e.Code, e.Message = moothall.CodeUnavailable, "the user's keyring is revoked or expired"
		e.Remedy = "log in anew"
	}
	return e
}
