package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"moothall/internal/daemon"
)

func newSecrets(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "secrets",
		Short: "Put keys and passwords into your keyring, where only the broker reaches them",
		Args:  noArgs, RunE: showHelp,
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "set NAME", Short: "Keep a secret; its value is read from the terminal or standard input", Args: exactly(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.withKeyring(cmd.Context(), func(k *daemon.Keyring) error {
					value, err := a.secretValue(cmd.Context(), args[0])
					if err != nil {
						return err
					}
					if err := k.Set(cmd.Context(), args[0], value); err != nil {
						return err
					}
					fmt.Fprintf(a.out, "%s is in %s.\n", args[0], k.Where())
					return nil
				})
			},
		},
		&cobra.Command{
			Use: "delete NAME", Short: "Take a secret out of the keyring", Args: exactly(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.withKeyring(cmd.Context(), func(k *daemon.Keyring) error {
					if err := k.Delete(cmd.Context(), args[0]); err != nil {
						return err
					}
					fmt.Fprintf(a.out, "%s is gone from %s.\n", args[0], k.Where())
					return nil
				})
			},
		},
		&cobra.Command{
			Use: "test NAME", Short: "Say whether a secret is there, never what it is", Args: exactly(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.withKeyring(cmd.Context(), func(k *daemon.Keyring) error {
					n, err := k.Test(cmd.Context(), args[0])
					if err != nil {
						return err
					}
					fmt.Fprintf(a.out, "%s is in %s, %d bytes.\n", args[0], k.Where(), n)
					return nil
				})
			},
		},
	)
	return cmd
}

// withKeyring opens the person's keyring. No hall is needed for it, and none
// can do what these commands do.
func (a *app) withKeyring(ctx context.Context, f func(*daemon.Keyring) error) error {
	_, loaded, err := a.load()
	if err != nil {
		return err
	}
	k, err := daemon.OpenKeyring(ctx, loaded.Config)
	if err != nil {
		return err
	}
	defer k.Close()
	return f(k)
}

// secretValue reads a value without showing it, or from a pipe.
func (a *app) secretValue(ctx context.Context, name string) (io.Reader, error) {
	if !terminal(a.in) {
		return a.input(ctx), nil
	}
	fd := int(a.in.(*os.File).Fd())
	state, err := term.GetState(fd)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(a.errs, "value of %s (not shown): ", name)
	b, err := awaited(ctx, func() ([]byte, error) { return term.ReadPassword(fd) })
	if ctx.Err() != nil {
		err = errors.Join(err, term.Restore(fd, state)) // the read that is left behind does not
	}
	fmt.Fprintln(a.errs)
	return bytes.NewReader(b), err
}
