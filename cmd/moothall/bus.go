package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"moothall/internal/daemon"
)

func newBus(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "bus", Short: "Use an existing NATS server as the event plane", Args: noArgs, RunE: showHelp}
	var dir string
	accounts := &cobra.Command{
		Use:   "accounts",
		Short: "Print what the server's configuration needs, and make the passwords",
		Long: "Print the users and permissions that a NATS server needs to carry the hall's events, and make a\n" +
			"password file for each participant in --dir. The server also needs a jetstream block with a\n" +
			"store_dir and sync_interval: always, without which a power cut loses acknowledged events.",
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			snippet, files, err := daemon.BusAccounts(dir)
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "# for the server's configuration\n%s\n# for moothall.yaml\n# bus:\n#   url: nats://HOST:4222\n#   credentials:\n", snippet)
			for _, name := range slices.Sorted(maps.Keys(files)) {
				fmt.Fprintf(a.out, "#     %s: %s\n", name, files[name])
			}
			return nil
		},
	}
	accounts.Flags().StringVar(&dir, "dir", "bus-passwords", "folder of the password files")
	cmd.AddCommand(accounts)
	return cmd
}
