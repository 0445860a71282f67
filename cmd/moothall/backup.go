package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"moothall/internal/daemon"
)

func newBackup(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "backup FILE",
		Short: "Write the whole home into one file, while the hall runs or not",
		Long:  "Write configuration, database, record, events and workspace into FILE (a gzipped tar), then read it\nback and check it. The file holds the record's signing key: keep it as you keep the home.",
		Args:  exactly(1),
		RunE:  func(cmd *cobra.Command, args []string) error { return a.backup(cmd.Context(), args[0]) },
	}
}

func (a *app) backup(ctx context.Context, file string) (err error) {
	client, err := a.connect(ctx, "backup")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.leave(client)) }()
	var total int64
	missing, err := daemon.BackupTo(ctx, client, file, a.bytesShown(&total))
	if err != nil {
		return err
	}
	fmt.Fprintf(a.out, "Backed up to %s (%s), read back and checked.\n", file, bytesText(total))
	if n := len(missing.LeftOut); n > 0 {
		fmt.Fprintf(a.out, "Left out, as links are, what cannot be read and a configuration outside the home (%d): %s\n", n, shortened(fmt.Sprintf("%q", missing.LeftOut), 400))
	}
	if len(missing.Elsewhere) > 0 {
		fmt.Fprintf(a.out, "Not in it, and to be backed up where it is kept: %s\n", strings.Join(missing.Elsewhere, "; "))
	}
	return nil
}

// bytesShown counts, and shows the count on a person's terminal.
func (a *app) bytesShown(total *int64) func(int64) {
	show := terminal(a.errs)
	return func(n int64) {
		if show && n>>20 != *total>>20 {
			fmt.Fprintf(bare(a.errs), "\r%s written", bytesText(n))
		}
		*total = n
	}
}

func bytesText(n int64) string {
	if n < 1<<20 {
		return fmt.Sprintf("%d KiB", (n+1023)>>10)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

func newRestore(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put a backup in place of the home",
		Long:  "Check FILE, then put it in place of the home. The hall must not be running. With --force what is\nthere is moved aside first, into a folder named before-restore-TIME; nothing is deleted.",
		Args:  exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			home, err := a.homeDir()
			if err != nil {
				return err
			}
			done, err := daemon.Restore(cmd.Context(), home, args[0], force)
			if err != nil {
				return misnamed(err)
			}
			fmt.Fprintf(a.out, "Restored %s into %s.\n", args[0], home.Data)
			for _, dir := range done.Aside {
				fmt.Fprintf(a.out, "What was there before is in %s.\n", dir)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "move an existing home aside first")
	return cmd
}
