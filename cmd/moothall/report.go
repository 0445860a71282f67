package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"moothall"
)

func newCritic(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "critic", Short: "See how far the critic can be believed", Args: noArgs, RunE: showHelp}
	cmd.AddCommand(newReport(a, "Print how far the critic and you agree, over the answers that both judged",
		func(r moothall.Report) any { return r.Calibration }, func(w io.Writer, r moothall.Report) { printCalibration(w, r.Calibration) }))
	return cmd
}

func newRespondents(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "respondents", Short: "See how models did, and which would do better", Args: noArgs, RunE: showHelp}
	cmd.AddCommand(newReport(a, "Print wins, grades, ratings, times and tokens by model and role; nothing is changed",
		func(r moothall.Report) any { return r }, printModels))
	return cmd
}

// newReport is a command that prints a part of the report on judgements.
func newReport(a *app, short string, part func(moothall.Report) any, show func(io.Writer, moothall.Report)) *cobra.Command {
	var asJSON bool
	var since string
	cmd := &cobra.Command{
		Use: "report", Short: short, Args: noArgs,
		RunE: a.withClient("report", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			from, err := parseTime(since, time.Now())
			if err != nil {
				return err
			}
			r, err := c.Report(cmd.Context(), from)
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(part(r))
			}
			show(a.out, r)
			return nil
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print it as JSON")
	cmd.Flags().StringVar(&since, "since", "", "only of what is newer than `TIME`: 2026-01-31, 2026-01-31T10:00:00Z, or an age such as 2h")
	return cmd
}

func printCalibration(w io.Writer, c moothall.Calibration) {
	fmt.Fprintf(w, "The critic was to judge %s; %d got no verdict that could be read.\n", times(c.Attempts), c.Unknown)
	if c.Pairs > 0 {
		fmt.Fprintf(w, "It compared %s; %d ended in a tie.\n", counted(c.Pairs, "pair"), c.Tied)
	}
	if c.Both == 0 {
		fmt.Fprintln(w, "No answer has both its grade and yours yet. Say what you think with: moothall feedback QUERY_ID --stars N")
		return
	}
	fmt.Fprintf(w, "Of %s that both judged, you agree on %.0f %%.\n", counted(c.Both, "answer"), 100*c.Agree)
	// No correlation can be had while one of you gives all answers the same grade.
	fmt.Fprintf(w, "Correlation %s; the critic is %s.\n", orDash(c.Correlation, "%.2f", c.Correlation != 0), kinder(c.Bias))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "you \\ critic\t1\t2\t3\t4\t5\t")
	for i := len(c.Table) - 1; i >= 0; i-- {
		fmt.Fprintf(t, "%d\t", i+1)
		for _, n := range c.Table[i] {
			fmt.Fprintf(t, "%d\t", n)
		}
		fmt.Fprintln(t)
	}
	t.Flush()
	printQueries(w, "Far harsher than you:", c.Harsh)
	printQueries(w, "Far kinder than you:", c.Kind)
}

func kinder(bias float64) string {
	switch by := fmt.Sprintf("%.2f", max(bias, -bias)); {
	case by == "0.00":
		return "as kind as you"
	case bias < 0:
		return by + " grades harsher than you"
	default:
		return by + " grades kinder than you"
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func printQueries(w io.Writer, title string, list []moothall.QueryID) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(w, title)
	for _, q := range list {
		fmt.Fprintf(w, "  %s\n", q)
	}
}

func printModels(w io.Writer, r moothall.Report) {
	if r.Answers == 0 {
		fmt.Fprintln(w, "No answers yet.")
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "ROLE\tRESPONDENT\tMODEL\tANSWERS\tFAILED\tWON\tLOST\tTIED\tGRADE\tRATING\tTIME\tFIRST\tTOKENS")
	for _, m := range r.Models {
		name := "-" // the work is that of several
		if m.Provider != "" || m.Model != "" {
			name = m.Provider + "/" + m.Model
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%s\t%s\t%.0f\n", m.Role, m.Respondent, name, m.Answers, m.Failed,
			m.Wins, m.Losses, m.Ties, orDash(m.Score, "%.2f", m.Score > 0), orDash(m.Reward, "%+.2f", m.Ratings > 0),
			seconds(m.Took), seconds(m.FirstToken), m.Prompt+m.Output)
	}
	t.Flush()
	for _, p := range r.Proposals {
		fmt.Fprintf(w, "\nFor %s, %s/%s instead of %s: %s\n  to accept: %s\n", p.Binding.Role, p.Binding.Provider, p.Binding.Model, p.Instead, p.Because, p.Command)
	}
}

func orDash(v float64, format string, known bool) string {
	if !known {
		return "-"
	}
	return fmt.Sprintf(format, v)
}
