package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"moothall"
)

func newMemorySearch(a *app) *cobra.Command {
	var q moothall.MemoryQuery
	var kinds []string
	var trust, since, until string
	var asJSON, batch bool
	cmd := &cobra.Command{
		Use:   "search QUERY...",
		Short: "Search what is remembered, and see how it was found",
		Long: "Search what is remembered, and see how it was found.\n\n" +
			"With --batch, questions come as JSON lines on standard input and answers go out in their order:\n" +
			`  in   {"id", "query", "thread"?, "k"?}` + "\n" +
			`  out  {"id", "results": [{"id", "score", "stage"}], "ms"}`,
		Args: func(cmd *cobra.Command, args []string) error {
			if batch != (len(args) == 0) {
				return usageError{fmt.Errorf("usage: %s, or --batch and questions on standard input", cmd.UseLine())}
			}
			return nil
		},
		RunE: a.withClient("memory", func(cmd *cobra.Command, c moothall.Client, args []string) error {
			if err := errors.Join(noLess("k", q.Results, 1), noLess("top", q.TopK, 0)); err != nil {
				return err
			}
			for _, k := range kinds {
				q.Kinds = append(q.Kinds, moothall.MemoryKind(k))
			}
			q.MinTrust = moothall.Trust(trust)
			var err error
			if q.Since, err = parseTime(since, time.Now()); err != nil {
				return err
			}
			if q.Until, err = parseTime(until, time.Now()); err != nil {
				return err
			}
			if batch {
				return a.searchBatch(cmd.Context(), c.Memory(), q)
			}
			q.Text = strings.Join(args, " ")
			return a.searchOnce(cmd.Context(), c.Memory(), q, asJSON)
		}),
	}
	f := cmd.Flags()
	f.IntVar(&q.Results, "k", 5, "so many results")
	f.IntVar(&q.TopK, "top", 0, "so many candidates in the first stage; 20 when 0")
	f.StringVar(&q.Mode, "mode", "", "`MODE`: auto, staged or fused")
	f.BoolVar(&q.Rerank, "rerank", false, "order the last stage by the whole text")
	f.BoolVar(&q.Weigh, "weigh", false, "let critic, reward and age count")
	f.BoolVar(&q.Whole, "whole", false, "whole texts instead of the parts that answer")
	f.StringVar(&q.Thread, "thread", "", "only the dialogue `ID`")
	f.StringSliceVar(&kinds, "kind", nil, "only this `KIND`")
	f.StringSliceVar(&q.Tags, "tag", nil, "only with this `TAG`")
	f.StringVar(&trust, "trust", "", "at least this `TRUST`: external, model or person")
	f.StringVar(&q.Source, "source", "", "only what comes from here: a part of the `SOURCE`, such as a site or a session")
	f.StringVar(&since, "since", "", "only from `TIME` on: 2026-01-31, 2026-01-31T10:00:00Z, or an age such as 2h")
	f.StringVar(&until, "until", "", "only up to `TIME`")
	f.BoolVar(&q.Stages, "stages", false, "show the candidates of every stage")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	f.BoolVar(&batch, "batch", false, "read questions from standard input")
	return cmd
}

func (a *app) searchOnce(ctx context.Context, m moothall.Memory, q moothall.MemoryQuery, asJSON bool) error {
	began := time.Now()
	stages, results := []moothall.Recall{}, []moothall.Recall{}
	for r, err := range m.Recall(ctx, q) {
		if err != nil {
			return err
		}
		if r.Entry == nil {
			stages = append(stages, r)
		} else {
			results = append(results, r)
		}
	}
	if asJSON {
		return a.printJSON(map[string]any{"query": q.Text, "stages": stages, "results": results, "ms": millis(began)})
	}
	for _, s := range stages {
		fmt.Fprintf(a.out, "stage %s\n", s.Stage)
		for _, c := range s.Candidates {
			fmt.Fprintf(a.out, "  %.3f  %s  %s\n", c.Score, c.ID, clip(c.Name, 70))
		}
	}
	if len(results) == 0 {
		fmt.Fprintln(a.out, "Nothing like that is remembered.")
	}
	for i, r := range results {
		fmt.Fprintf(a.out, "%d. %s  (%.3f, %s, %s, %s)\n   %s\n", i+1, r.Entry.Name, r.Score, r.Stage, r.Entry.Trust,
			r.Entry.Created.Local().Format(time.DateOnly), clip(strings.Join(strings.Fields(r.Segment), " "), 400))
		for _, f := range r.Since {
			fmt.Fprintf(a.out, "   changed since then: %s\n", clip(f.Words(), 200))
		}
	}
	return nil
}

func millis(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }

// foundLine is one result of a batch.
type foundLine struct {
	ID    moothall.MemoryID `json:"id"`
	Score float64           `json:"score"`
	Stage string            `json:"stage"`
}

// searchBatch answers questions one after the other. A line that is no
// question gets a line with an error.
func (a *app) searchBatch(ctx context.Context, m moothall.Memory, base moothall.MemoryQuery) error {
	in := bufio.NewReaderSize(a.input(ctx), 1<<16)
	out := json.NewEncoder(a.out)
	out.SetEscapeHTML(false)
	for {
		line, err := in.ReadBytes('\n')
		if len(strings.TrimSpace(string(line))) > 0 {
			if err := out.Encode(answerLine(ctx, m, base, line)); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func answerLine(ctx context.Context, m moothall.Memory, q moothall.MemoryQuery, line []byte) any {
	var in struct {
		ID     json.RawMessage `json:"id"`
		Query  string          `json:"query"`
		Thread string          `json:"thread"`
		K      int             `json:"k"`
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return map[string]any{"id": nil, "results": []foundLine{}, "error": moothall.Misread(err)}
	}
	if in.ID == nil {
		in.ID = json.RawMessage("null")
	}
	if in.K < 0 {
		return map[string]any{"id": in.ID, "results": []foundLine{}, "error": fmt.Sprintf("k is at least 1, not %d", in.K)}
	}
	q.Text, q.Whole, q.Stages = in.Query, true, false // ids and scores are all that is printed
	if in.Thread != "" {
		q.Thread = in.Thread
	}
	if in.K > 0 {
		q.Results = in.K
	}
	began := time.Now()
	results := []foundLine{}
	for r, err := range m.Recall(ctx, q) {
		if err != nil {
			return map[string]any{"id": in.ID, "results": results, "error": err.Error()}
		}
		if r.Entry != nil {
			results = append(results, foundLine{r.Entry.ID, r.Score, r.Stage})
		}
	}
	return map[string]any{"id": in.ID, "results": results, "ms": millis(began)}
}
