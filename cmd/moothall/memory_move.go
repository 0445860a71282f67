package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"moothall"
	"moothall/internal/daemon"
)

func newMemoryExport(a *app) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: "export", Short: "Write every memory as JSON lines, as import reads them", Args: noArgs,
		RunE: a.withClient("memory", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			return a.export(file, func(w io.Writer) error { return daemon.ExportMemories(cmd.Context(), c, w) })
		}),
	}
	cmd.Flags().StringVarP(&file, "output", "o", "", "write to `FILE`, which must not exist")
	return cmd
}

func newMemoryImport(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Remember what a file of JSON lines holds; - reads standard input",
		Long: "Remember what a file of JSON lines holds; - reads standard input. A line is\n" +
			`  {"id"?, "text", "name"?, "description"?, "tags"?, "speaker"?, "time"?, "thread"?, "seq"?, "source"?}` + "\n" +
			"A dialogue is one thread, its turns in order. Ids are kept; a line whose id is there already\n" +
			"replaces it, so that an import that was cut off can be made again.",
		Args: exactly(1),
		RunE: a.withClient("memory", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			in := a.input(cmd.Context())
			if args[0] != "-" {
				f, err := os.Open(args[0])
				if err != nil {
					return usageError{err}
				}
				defer f.Close()
				in = f
			}
			bar := &progressBar{a: a, show: terminal(a.errs)}
			report, err := daemon.ImportMemories(cmd.Context(), c, in, bar.report)
			bar.end()
			if err != nil {
				return err
			}
			if asJSON {
				return a.printJSON(report)
			}
			fmt.Fprintf(a.out, "%d of %d are new, %d were there already.\n", report.Stored, report.Lines, report.Unchanged)
			return nil
		}),
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a report as JSON")
	return cmd
}

// settingsOf returns the settings of a participant.
func settingsOf(cmd *cobra.Command, c moothall.Client, name string) (json.RawMessage, error) {
	all, err := c.Participants(cmd.Context())
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.Name == name {
			return p.Settings, nil
		}
	}
	return nil, moothall.Fail(moothall.CodeNotConfigured, name, "the service runs elsewhere")
}

func newMemoryStats(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "stats", Short: "Print how much is remembered, with which embedder, and how the cache does", Args: noArgs,
		RunE: a.withClient("memory", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			raw, err := settingsOf(cmd, c, "memory")
			if err != nil {
				return err
			}
			return a.printJSON(raw)
		}),
	}
}

func newMemoryReindex(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "reindex", Short: "Make all embeddings anew, while the old ones serve", Args: noArgs,
		RunE: a.withClient("memory", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			bar := &progressBar{a: a, show: terminal(a.errs)}
			err := daemon.ReindexMemories(cmd.Context(), c, bar.report)
			bar.end()
			if err != nil {
				return err
			}
			fmt.Fprintln(a.out, "All embeddings are new.")
			return nil
		}),
	}
}

func newMemoryMove(a *app) *cobra.Command {
	var to daemon.MemoryEngineConfig
	var graph daemon.GraphConfig
	cmd := &cobra.Command{
		Use:   "move",
		Short: "Copy memories and graph to other engines, and count on both sides",
		Long: "Copy memories and graph from the engines that are configured to others, and count on both sides.\n" +
			"Nothing is deleted. Set memory.engine and memory.graph to the new ones afterwards.",
		Args: noArgs,
		RunE: a.withClient("memory", func(cmd *cobra.Command, c moothall.Client, _ []string) error {
			bar := &progressBar{a: a, show: terminal(a.errs)}
			entries, facts, err := daemon.MoveMemory(cmd.Context(), c, to, graph, bar.report)
			bar.end()
			if err != nil {
				return err
			}
			fmt.Fprintf(a.out, "%d memories and %d statements are there now.\n", entries, facts)
			return nil
		}),
	}
	f := cmd.Flags()
	f.StringVar(&to.Kind, "to", "sqlite", "keep memories in this `ENGINE`: sqlite, duckdb or chroma")
	f.StringVar(&to.URL, "url", "", "`ADDRESS` of the Chroma server")
	f.StringVar(&to.Path, "path", "", "`FILE` of DuckDB")
	f.StringVar(&to.Token, "token", "", "`NAME` of Chroma's token in the keyring")
	f.StringVar(&graph.Kind, "graph-to", "sqlite", "keep facts in this `ENGINE`: sqlite or neo4j")
	f.StringVar(&graph.URL, "graph-url", "", "`ADDRESS` of the Neo4j server")
	f.StringVar(&graph.User, "graph-user", "", "its `USER`")
	f.StringVar(&graph.Password, "graph-password", "", "`NAME` of the password in the keyring")
	return cmd
}
