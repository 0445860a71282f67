package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"moothall"
)

func newFeedback(a *app) *cobra.Command {
	var thumbs string
	f := moothall.Feedback{}
	cmd := &cobra.Command{
		Use:   "feedback QUERY_ID",
		Short: "Say what you think of an answer, or take it back",
		Long: "Say what you think of an answer, or take it back. Its QUERY_ID stands in moothall ask --json and\n" +
			"in moothall sessions show. What you say goes to the respondent that gave the answer, and to memory.",
		Args:    exactly(1),
		PreRunE: func(cmd *cobra.Command, _ []string) error { return filled(cmd, "respondent") },
		RunE: a.withClient("feedback", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			var err error
			if f.Thumbs, err = thumb(thumbs); err != nil {
				return err
			}
			f.Query = moothall.QueryID(args[0])
			if err := f.Validate(); err != nil {
				return err
			}
			if err := c.Feedback(cmd.Context(), f); err != nil {
				return err
			}
			fmt.Fprintln(a.out, "Noted.")
			return nil
		}),
	}
	cmd.Flags().StringVar(&thumbs, "thumbs", "", "`up` or down")
	cmd.Flags().IntVar(&f.Stars, "stars", 0, "1 to 5 `STARS`")
	cmd.Flags().StringVar(&f.Comment, "comment", "", "in your own `WORDS`")
	cmd.Flags().BoolVar(&f.Undo, "undo", false, "take back what you said of it")
	cmd.Flags().StringVar((*string)(&f.Respondent), "respondent", "", "of the answer of this `RESPONDENT`, A or B; the one that was shown when absent")
	return cmd
}

func thumb(word string) (int, error) {
	switch word {
	case "":
		return 0, nil
	case "up":
		return 1, nil
	case "down":
		return -1, nil
	}
	return 0, usageError{fmt.Errorf("--thumbs is up or down, not %q", word)}
}
