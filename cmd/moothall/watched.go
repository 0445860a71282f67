package main

import (
	"context"
	"iter"
	"strings"

	"moothall"
)

// watched is a hall that tells what it is asked.
type watched struct {
	moothall.Client
	show *storyShower
}

// Query shows the question and asks it.
func (w watched) Query(ctx context.Context, r moothall.QueryRequest) iter.Seq2[moothall.Step, error] {
	w.show.asking(r.Query)
	return w.Client.Query(ctx, r)
}

// firstLine is what a file with one value says.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(line)
}
