package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"moothall"
	"moothall/internal/daemon"
)

func newStory(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "story", Short: "Play acceptance stories", Args: noArgs, RunE: showHelp}
	cmd.AddCommand(newStoryRun(a))
	return cmd
}

func newStoryRun(a *app) *cobra.Command {
	var asJSON bool
	var model string
	cmd := &cobra.Command{
		Use:   "run [FILE|FOLDER]...",
		Short: "Play stories and say which passed; the exit code tells",
		RunE: a.withClient("story", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			if len(args) == 0 {
				args = []string{"stories"}
			}
			report, err := daemon.RunStories(cmd.Context(), c, args, model, func(o daemon.StoryOutcome) {
				if !asJSON {
					a.printOutcome(o)
				}
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = a.printJSON(report)
			} else {
				fmt.Fprintf(a.out, "%d passed, %d failed\n", report.Passed, report.Failed)
			}
			if err == nil && report.Failed > 0 {
				err = errSaid
			}
			return err
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	cmd.Flags().StringVar(&model, "model", "", "ask this `MODEL` instead of the one for chat")
	return cmd
}

func (a *app) printOutcome(o daemon.StoryOutcome) {
	verdict := "ok  "
	if !o.Passed {
		verdict = "FAIL"
	}
	fmt.Fprintf(a.out, "%s  %s  %s (%d ms)\n", verdict, o.Name, o.About, o.Took.Milliseconds())
	for _, t := range o.Turns {
		for _, f := range t.Failures {
			fmt.Fprintf(a.out, "        %q: %s\n          answer: %.200s\n", t.Query, f, t.Answer)
		}
	}
}
