package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moothall"
	"moothall/internal/daemon"
)

func newGraph(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "graph", Short: "See and mend what the hall knows about people, places and things", Args: noArgs, RunE: showHelp}
	cmd.AddCommand(newGraphShow(a), newGraphHistory(a), newGraphAdd(a), newGraphMerge(a), newGraphExport(a))
	return cmd
}

// showFacts prints what a question to the graph gives.
func (a *app) showFacts(cmd *cobra.Command, c moothall.Client, q moothall.GraphQuery, asJSON bool) error {
	facts := []moothall.GraphFact{}
	for f, err := range c.Memory().Graph(cmd.Context(), q) {
		if err != nil {
			return err
		}
		facts = append(facts, f)
	}
	if q.History { // what has ended comes last
		ended := func(f moothall.GraphFact) int {
			if f.To.IsZero() || f.To.After(time.Now()) {
				return 0
			}
			return 1
		}
		slices.SortStableFunc(facts, func(a, b moothall.GraphFact) int { return ended(a) - ended(b) })
	}
	if asJSON {
		return a.printJSON(facts)
	}
	if len(facts) == 0 {
		fmt.Fprintln(a.out, "The graph knows nothing about that.")
	}
	for _, line := range daemon.GraphLines(facts) {
		fmt.Fprintln(a.out, line)
	}
	return nil
}

func newGraphShow(a *app) *cobra.Command {
	var q moothall.GraphQuery
	var asJSON bool
	var at string
	cmd := &cobra.Command{
		Use: "show [NAME...]", Short: "Print what holds now about somebody, somewhere or something; about everything without a name",
		RunE: a.withClient("graph", func(cmd *cobra.Command, c moothall.Client, args []string) (err error) {
			if err := noLess("depth", q.Depth, 0); err != nil {
				return err
			}
			if at != "" {
				if q.At, err = time.Parse(time.DateOnly, at); err != nil {
					return usageError{fmt.Errorf("%q is not a day like 2026-01-31", at)}
				}
			}
			q.People = args
			return a.showFacts(cmd, c, q, asJSON)
		}),
	}
	cmd.Flags().IntVar(&q.Depth, "depth", 1, "how far to follow what they are connected with")
	cmd.Flags().StringVar(&q.Text, "about", "", "facts with these `WORDS` instead of a name")
	cmd.Flags().StringVar(&at, "at", "", "what held on the `DAY`, 2026-01-31")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newGraphHistory(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "history NAME", Short: "Print what holds, what has held and what is still to come", Args: exactly(1),
		RunE: a.withClient("graph", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			end := time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC) // seen from there everything has begun
			return a.showFacts(cmd, c, moothall.GraphQuery{People: args, History: true, At: end}, asJSON)
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newGraphAdd(a *app) *cobra.Command {
	var since string
	cmd := &cobra.Command{
		Use: "add SUBJECT RELATION OBJECT", Short: "State a fact: moothall graph add Ana lives_in Lisbon", Args: exactly(3),
		RunE: a.withClient("graph", func(cmd *cobra.Command, c moothall.Client, args []string) (err error) {
			f := moothall.GraphFact{
				Subject: args[0], Relation: args[1], Object: args[2], Confidence: 1, Trust: moothall.TrustPerson, Observed: time.Now(), Source: "person",
			}
			if since != "" {
				if f.From, err = time.Parse(time.DateOnly, since); err != nil {
					return usageError{fmt.Errorf("%q is not a day like 2026-01-31", since)}
				}
			}
			got, err := c.Memory().Assert(cmd.Context(), moothall.Scope{}, f)
			if err != nil {
				return err
			}
			fmt.Fprintln(a.out, strings.Join(daemon.GraphLines([]moothall.GraphFact{got}), "\n"))
			return nil
		}),
	}
	cmd.Flags().StringVar(&since, "since", "", "it has held since the `DAY`, 2026-01-31")
	return cmd
}

func newGraphMerge(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "merge KEEP OTHER", Short: "Say that two names are one", Args: exactly(2),
		RunE: a.withClient("graph", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			if err := c.Memory().Merge(cmd.Context(), moothall.GraphMerge{Keep: args[0], Merge: args[1]}); err != nil {
				return err
			}
			fmt.Fprintf(a.out, "%s is also called %s.\n", args[0], args[1])
			return nil
		}),
	}
}

func newGraphExport(a *app) *cobra.Command {
	var format, file string
	cmd := &cobra.Command{
		Use: "export", Short: "Write the whole graph, for drawing or for moving it", Args: noArgs,
		RunE: a.withClient("graph", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			return a.export(file, func(w io.Writer) error { return daemon.ExportGraph(cmd.Context(), c, format, w) })
		}),
	}
	cmd.Flags().StringVar(&format, "format", "json", "`FORMAT`: json or graphml")
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to `FILE`, which must not exist")
	return cmd
}
