package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"moothall"
)

func newMemory(a *app) *cobra.Command {
	cmd := &cobra.Command{Use: "memory", Short: "See, search and change what the hall remembers", Args: noArgs, RunE: showHelp}
	cmd.AddCommand(
		newMemoryAdd(a), newMemoryList(a), newMemoryShow(a), newMemorySearch(a), newMemoryForget(a),
		newMemoryExport(a), newMemoryImport(a), newMemoryReview(a), newMemoryStats(a), newMemoryReindex(a), newMemoryMove(a),
	)
	return cmd
}

func newMemoryAdd(a *app) *cobra.Command {
	var e moothall.MemoryEntry
	var kind string
	cmd := &cobra.Command{
		Use: "add TEXT...", Short: "Remember something", Args: atLeast(1),
		RunE: a.withClient("memory", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			e.Corpus, e.Kind, e.Trust, e.Source = strings.Join(args, " "), moothall.MemoryKind(kind), moothall.TrustPerson, "person"
			got, err := c.Memory().Write(cmd.Context(), moothall.WriteRequest{Entry: e})
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "%s  %s\n", got.ID, got.Name)
			return nil
		}),
	}
	cmd.Flags().StringVar(&e.Name, "name", "", "its `NAME`; made from the text when not given")
	cmd.Flags().StringVar(&e.Description, "description", "", "a `SENTENCE` about it; made from the text when not given")
	cmd.Flags().StringSliceVar(&e.Tags, "tag", nil, "a `TAG`; can be given several times")
	cmd.Flags().StringVar(&kind, "kind", string(moothall.Fact), "fact or document")
	return cmd
}

func newMemoryList(a *app) *cobra.Command {
	var l moothall.MemoryList
	var kinds []string
	var asJSON bool
	cmd := &cobra.Command{
		Use: "list", Short: "List memories, newest first", Args: noArgs,
		RunE: a.withClient("memory", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			if err := noLess("limit", l.Limit, 1); err != nil {
				return err
			}
			for _, k := range kinds {
				l.Kinds = append(l.Kinds, moothall.MemoryKind(k))
			}
			all := []moothall.MemoryEntry{}
			for e, err := range c.Memory().List(cmd.Context(), l) {
				if err != nil {
					return err
				}
				all = append(all, e)
			}
			if asJSON {
				return a.printJSON(all)
			}
			if len(all) == 0 && len(l.Kinds)+len(l.Tags) > 0 {
				fmt.Fprintln(a.out, "Nothing like that is remembered.")
				return nil
			}
			a.printMemories(all)
			return nil
		}),
	}
	cmd.Flags().StringSliceVar(&kinds, "kind", nil, "only this `KIND`: engram, fact or document")
	cmd.Flags().StringSliceVar(&l.Tags, "tag", nil, "only with this `TAG`")
	cmd.Flags().IntVar(&l.Limit, "limit", 50, "at most so many")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	return cmd
}

func (a *app) printMemories(all []moothall.MemoryEntry) {
	if len(all) == 0 {
		fmt.Fprintln(a.out, "Nothing is remembered yet. Add something with: moothall memory add \"…\"")
		return
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tKIND\tWHEN\tTRUST\tNAME")
	for _, e := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", e.ID, e.Kind, e.Created.Local().Format("2006-01-02"), e.Trust, clip(e.Name, 70))
	}
	w.Flush()
}

func newMemoryShow(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Print one memory and what it is linked to, as JSON", Args: exactly(1),
		RunE: a.withClient("memory", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			d, err := moothall.ShowMemory(cmd.Context(), c.Memory(), moothall.MemoryID(args[0]))
			if err != nil {
				return err
			}
			return a.printJSON(d)
		}),
	}
}

func newMemoryForget(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "forget ID", Short: "Forget a memory and everything that was made from it", Args: exactly(1),
		RunE: a.withClient("memory", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			gone, err := c.Memory().Forget(cmd.Context(), moothall.Scope{}, moothall.MemoryID(args[0]))
			if err != nil {
				return err
			}
			for _, id := range gone {
				fmt.Fprintln(a.out, id)
			}
			return nil
		}),
	}
}

func newMemoryReview(a *app) *cobra.Command {
	var accept, reject []string
	cmd := &cobra.Command{
		Use: "review", Short: "Look through what agents want remembered, and accept or reject it", Args: noArgs,
		RunE: a.withClient("memory", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			m := c.Memory()
			decide := func(ids []string, yes bool) error {
				for _, id := range ids {
					if err := m.Review(cmd.Context(), moothall.Scope{}, moothall.MemoryID(id), yes); err != nil {
						return err
					}
				}
				return nil
			}
			if err := decide(accept, true); err != nil {
				return err
			}
			if err := decide(reject, false); err != nil {
				return err
			}
			return a.printQueue(cmd.Context(), m)
		}),
	}
	cmd.Flags().StringSliceVar(&accept, "accept", nil, "remember `ID`")
	cmd.Flags().StringSliceVar(&reject, "reject", nil, "drop `ID`")
	return cmd
}

// printQueue shows what waits for a decision.
func (a *app) printQueue(ctx context.Context, m moothall.Memory) error {
	n := 0
	for e, err := range m.List(ctx, moothall.MemoryList{Proposed: true, Limit: 100}) {
		if err != nil {
			return err
		}
		n++
		fmt.Fprintf(a.out, "%s  %s, from %s, %s\n  %s\n", e.ID, e.Trust, e.Source, e.Created.Local().Format(time.DateTime), clip(e.Corpus, 300))
	}
	if n == 0 {
		fmt.Fprintln(a.out, "Nothing waits to be reviewed.")
	}
	return nil
}
