package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"moothall"
)

func newCommittee(a *app) *cobra.Command {
	var flags askFlags
	var personas []string
	var rounds int
	var asJSON, receipt bool
	cmd := &cobra.Command{
		Use:   "committee QUESTION...",
		Short: "Let personas deliberate on a question, and hear what they come to",
		Long: "Let personas deliberate on a question, round by round; one voice sums them up and answers.\n" +
			"Who they are is in personas.yaml (moothall config schema personas); without that file a set of inner\n" +
			"voices speaks. What comes on standard input goes along as context.",
		Args: func(_ *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, " ")) == "" {
				return usageError{errors.New(`deliberate on what? moothall committee "your question"`)}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := noLess("rounds", rounds, 0); err != nil {
				return err
			}
			err := a.ask(cmd.Context(), moothall.QueryRequest{
				Query: strings.Join(args, " "), Mode: moothall.ModeCommittee, Personas: personas, Rounds: rounds,
			}, flags, asJSON, receipt)
			if len(personas) > 0 {
				err = misnamed(err)
			}
			return err
		},
	}
	flags.add(cmd)
	cmd.Flags().StringSliceVar(&personas, "personas", nil, "only these `NAMES`, separated by commas")
	cmd.Flags().IntVar(&rounds, "rounds", 0, "let them speak `N` rounds; as configured when 0")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the whole answer as JSON, with every deliberation")
	cmd.Flags().BoolVar(&receipt, "receipt", false, "end with what it took, also where nobody watches")
	return cmd
}
