package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"moothall/bench/vector/data"
	"moothall/bench/vector/peer"
)

type options struct {
	rows, dim, queries, k, rounds, block int
	out                                  string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "vector:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var o options
	flag.IntVar(&o.rows, "rows", 100_000, "vectors")
	flag.IntVar(&o.dim, "dim", 768, "dimensions")
	flag.IntVar(&o.k, "k", 20, "results of a query")
	flag.IntVar(&o.queries, "queries", 40, "different queries")
	flag.IntVar(&o.block, "block", 8, "queries of one turn")
	flag.IntVar(&o.rounds, "rounds", 3, "how often all queries are asked; once more goes before")
	flag.StringVar(&o.out, "out", "", "write the table to this file as well")
	flag.Parse()
	text, err := compare(ctx, o)
	if err != nil {
		return err
	}
	fmt.Print(text)
	if o.out == "" {
		return nil
	}
	return os.WriteFile(o.out, []byte(text), 0o644)
}

// compare runs the contest and returns the table.
func compare(ctx context.Context, o options) (string, error) {
	tmp, err := os.MkdirTemp("", "bench-vector-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	set := data.Set{Rows: o.rows, Dim: o.dim}
	truth := data.Truth(set.Vectors(), set.Queries(o.queries), o.k)
	entries := make([]*entry, len(contestants))
	for i, c := range contestants {
		fmt.Fprintln(os.Stderr, "filling", c.dir)
		entries[i] = &entry{contestant: c}
		entries[i].process, entries[i].err = c.start(ctx, o, tmp)
	}
	for round := range o.rounds + 1 {
		for from := 0; from < o.queries; from += o.block {
			job := peer.Job{From: from, To: min(from+o.block, o.queries)}
			for _, e := range entries {
				e.turn(job, truth, round > 0)
			}
		}
	}
	for _, e := range entries {
		if e.err == nil {
			e.err = e.process.stop()
		}
	}
	return table(o, entries), ctx.Err()
}
