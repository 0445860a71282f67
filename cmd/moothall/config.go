package main

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"moothall/internal/daemon"
)

func newConfig(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "Show, check and describe the configuration", Args: noArgs, RunE: showHelp}
	cmd.AddCommand(newConfigShow(a), newConfigValidate(a), newConfigManifest(a), newConfigSchema(a))
	return cmd
}

// showHelp is what a command does that only has subcommands.
func showHelp(cmd *cobra.Command, _ []string) error { return cmd.Help() }

func newConfigShow(a *app) *cobra.Command {
	var asJSON, origins bool
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Print the configuration in force, as YAML that can be loaded again",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			if asJSON && origins {
				return usageError{errors.New("--origins are remarks in the YAML, and JSON has none; leave one of the two out")}
			}
			_, loaded, err := a.load()
			if err != nil {
				return err
			}
			if asJSON {
				return daemon.ConfigJSON(a.out, loaded)
			}
			return daemon.ShowConfig(a.out, loaded, origins)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	cmd.Flags().BoolVar(&origins, "origins", false, "say where each value comes from")
	return cmd
}

func newConfigValidate(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "validate [FILE]",
		Short: "Check a configuration file and say what is wrong, line by line",
		Args:  atMost(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				if err := named(cmd, args); err != nil {
					return err
				}
				a.config = args[0]
			}
			_, loaded, err := a.load()
			if err != nil {
				return err
			}
			if _, err := os.Stat(loaded.File); errors.Is(err, os.ErrNotExist) {
				fmt.Fprintf(a.out, "There is no file %s; the defaults are in force, and they are right.\n", loaded.File)
				return nil
			}
			fmt.Fprintf(a.out, "%s is right.\n", loaded.File)
			return nil
		},
	}
}

func newConfigManifest(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "manifest",
		Short: "Print the manifest in force, which says what each type of agent may use",
		Long: "Print the manifest in force, which says what each type of agent may use: the rows that the\n" +
			"program brings, and those of manifest.yaml in their place. What is printed can stand in\n" +
			"manifest.yaml; a row that you want otherwise is best copied from here and changed.",
		Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			h, _, err := a.load()
			if err != nil {
				return err
			}
			return daemon.ShowManifest(a.out, h)
		},
	}
}

func newConfigSchema(a *app) *cobra.Command {
	return &cobra.Command{
		Use:       "schema [config|manifest|personas|task]",
		Short:     "Print the JSON schema of moothall.yaml, manifest.yaml or personas.yaml, for editors, or of a task",
		ValidArgs: []string{"config", "manifest", "personas", "task"},
		Args:      cobra.MatchAll(atMost(1), known),
		RunE: func(_ *cobra.Command, args []string) error {
			schema := daemon.ConfigSchema
			switch {
			case slices.Contains(args, "manifest"):
				schema = daemon.ManifestSchema
			case slices.Contains(args, "personas"):
				schema = daemon.PersonasSchema
			case slices.Contains(args, "task"):
				schema = daemon.TaskSchema
			}
			_, err := a.out.Write(schema())
			return err
		},
	}
}

func newVersion(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and how it was built",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			b := daemon.ReadBuild()
			if asJSON {
				return a.printJSON(b)
			}
			fmt.Fprintf(a.out, "moothall %s (%s, %s)\n", b.Version, b.Go, b.Platform)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	return cmd
}
