package main

import (
	"fmt"
	"os"
	"path/filepath"

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
	var play func(*cobra.Command, []string) error
	cmd := &cobra.Command{
		Use:   "run [FILE|FOLDER]...",
		Short: "Play stories and say which passed; the exit code tells",
		Long: "Play stories and say which passed; the exit code tells. When no hall runs on the home and no\n" +
			"search is configured, the pages in the file web.json beside the stories stand for the web.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"stories"}
			}
			if err := a.useCannedWeb(args); err != nil {
				return err
			}
			return play(cmd, args)
		},
	}
	play = a.withClient("story", func(cmd *cobra.Command, c moothall.Client, args []string) error {
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
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the report as JSON")
	cmd.Flags().StringVar(&model, "model", "", "ask this `MODEL` instead of the one for chat")
	return cmd
}

// useCannedWeb lets the pages beside the stories stand for the web, unless
// the person has configured the real one.
func (a *app) useCannedWeb(args []string) error {
	_, loaded, err := a.load()
	if err != nil || loaded.Search.Any() {
		return err
	}
	for _, arg := range args {
		for _, file := range []string{filepath.Join(arg, "web.json"), filepath.Join(filepath.Dir(arg), "web.json")} {
			if _, err := os.Stat(file); err == nil {
				a.set["search.canned"] = file
				return nil
			}
		}
	}
	return nil
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
