package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"moothall/internal/daemon"
)

func newDoctor(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look at everything the hall needs, and say what to do",
		Args:  noArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.doctor(cmd.Context(), asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON")
	return cmd
}

// doctor fails when a finding does: scripts look at the exit code.
func (a *app) doctor(ctx context.Context, asJSON bool) error {
	home, err := a.homeDir()
	if err != nil {
		return err
	}
	loaded, confErr := daemon.LoadConfig(home, a.config, a.environ, a.set)
	if confErr != nil {
		loaded.Config = daemon.DefaultConfig() // look at the rest all the same
	}
	findings := daemon.Doctor(ctx, daemon.Examination{
		Home: home, Config: loaded.Config, ConfErr: confErr, File: loaded.File, Env: a.getenv,
	})
	healthy := true
	for _, f := range findings {
		healthy = healthy && f.Status != "fail"
	}
	if asJSON {
		err = a.printJSON(map[string]any{"healthy": healthy, "findings": findings})
	} else {
		a.printFindings(findings)
	}
	if err == nil && !healthy {
		err = errSaid
	}
	return err
}

func (a *app) printFindings(findings []daemon.Finding) {
	for _, f := range findings {
		fmt.Fprintf(a.out, "%-4s  %-13s  %s\n", f.Status, f.Check, f.Detail)
		if f.Remedy != "" {
			fmt.Fprintf(a.out, "%21stry: %s\n", "", f.Remedy)
		}
	}
}
