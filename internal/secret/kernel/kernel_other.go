//go:build !linux

package kernel

import "context"

// Only Linux has such a keyring.

func withKeys(ctx context.Context, _ func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return unsupported(nil)
}

func get(name string) ([]byte, error) { return nil, notFound(name) }
func set(string, []byte) error        { return unsupported(nil) }
func remove(name string) error        { return notFound(name) }
