package secret

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"

	"moothall"
)

// Read takes a value from a terminal or a pipe. One newline at its end (with
// the carriage return before it, if any) is not part of the value. max 0
// means [MaxValue]. An empty value is CodeInvalid, a longer one CodeTooLarge.
// The buffer is the secret's own: clear it after use.
func Read(r io.Reader, max int) (moothall.Secret, error) {
	const op = "read secret"
	if max <= 0 || max > MaxValue {
		max = MaxValue
	}
	// One buffer of the full size: a growing one would leave copies behind.
	// Two bytes more than the limit are for the newline.
	buf := make([]byte, max+3)
	n, err := io.ReadFull(r, buf)
	value := cutNewline(buf[:n])
	switch {
	case err != nil && err != io.EOF && err != io.ErrUnexpectedEOF:
		err = moothall.Fail(moothall.CodeUnavailable, op, "the value could not be read")
	case len(value) > max:
		err = tooLarge(op, max)
	case len(value) == 0:
		err = empty(op)
	default:
		return moothall.NewSecret(value), nil
	}
	clear(buf)
	return moothall.Secret{}, err
}

func cutNewline(b []byte) []byte {
	if rest, ok := bytes.CutSuffix(b, []byte("\n")); ok {
		return bytes.TrimSuffix(rest, []byte("\r"))
	}
	return b
}

func empty(op string) error {
	return &moothall.Error{Code: moothall.CodeInvalid, Op: op, Message: "the value is empty", Remedy: "type the value, or pipe it in"}
}

func tooLarge(op string, max int) error {
	return &moothall.Error{
		Code: moothall.CodeTooLarge, Op: op, Message: "the value is longer than " + strconv.Itoa(max) + " bytes",
		Remedy: "keep large things in a file that is encrypted under a key, and keep the key here",
	}
}

// Set stores a value under a name. The value stays the caller's to clear.
func Set(ctx context.Context, s Store, name string, value moothall.Secret) error {
	const op = "set secret"
	if err := checkName(op, name); err != nil {
		return err
	}
	switch n := len(value.Reveal()); {
	case n == 0:
		return empty(op)
	case n > MaxValue:
		return tooLarge(op, MaxValue)
	}
	if err := s.Set(ctx, name, value.Reveal()); err != nil {
		return failure(op, err)
	}
	return nil
}

// Delete removes a secret. CodeNotFound when there is none of this name.
func Delete(ctx context.Context, s Store, name string) error {
	const op = "delete secret"
	if err := checkName(op, name); err != nil {
		return err
	}
	if err := s.Delete(ctx, name); err != nil {
		return failure(op, err)
	}
	return nil
}

// Report says that a secret is there, without saying what it is.
type Report struct {
	Name   string `json:"name"`
	Store  string `json:"store"`
	Length int    `json:"length"` // bytes
}

// String is one line for the person.
func (r Report) String() string {
	return fmt.Sprintf("%s: %d bytes, in the %s keyring", r.Name, r.Length, r.Store)
}

// Test reads a secret as a tool would and says only how long it is.
func Test(ctx context.Context, s Store, name string) (Report, error) {
	const op = "test secret"
	if err := checkName(op, name); err != nil {
		return Report{}, err
	}
	value, err := s.Get(ctx, name)
	if err != nil {
		return Report{}, failure(op, err)
	}
	defer clear(value)
	return Report{Name: name, Store: s.Name(), Length: len(value)}, nil
}
