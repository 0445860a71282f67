package graph

import (
	"bytes"
	"context"

	"moothall"
)

const opMove = "move graph"

// Move copies a whole graph from one engine to another and counts on both
// sides. The target must be empty, or hold as much as the source after a move
// that was made before. It is one transaction in the target: a move that is
// cut off leaves nothing. The options are those of the service, whose rules say
// which facts follow; they and report may be nil.
//
// CodeConflict when the target holds another graph, or when in the end the
// counts differ, as when the source was written to meanwhile.
func Move(ctx context.Context, from, to Engine, opts *Options, report func(moothall.Progress)) (Counts, error) {
	if report == nil {
		report = func(moothall.Progress) {}
	}
	source, err := counted(ctx, from)
	if err != nil {
		return Counts{}, err
	}
	there, err := counted(ctx, to)
	if err != nil {
		return Counts{}, err
	}
	if there != (Counts{}) && there != source {
		return Counts{}, uneven("the target holds another graph")
	}
	report(moothall.Progress{Step: "read graph", Total: source.Statements})
	var file bytes.Buffer
	if err := New(from, opts).Export(ctx, &file, JSON); err != nil {
		return Counts{}, err
	}
	report(moothall.Progress{Step: "write graph", Total: source.Statements})
	if _, err := New(to, opts).Import(ctx, &file); err != nil {
		return Counts{}, err
	}
	if source, err = counted(ctx, from); err != nil {
		return Counts{}, err
	}
	if there, err = counted(ctx, to); err != nil {
		return Counts{}, err
	}
	report(moothall.Progress{Step: "write graph", Done: there.Statements, Total: source.Statements})
	if there != source {
		return there, uneven("not everything has arrived, or the graph was written to while it was moved")
	}
	return there, nil
}

func counted(ctx context.Context, e Engine) (c Counts, err error) {
	err = e.Read(ctx, func(v View) (err error) { c, err = v.Counts(ctx); return err })
	return c, err
}

func uneven(message string) error {
	return &moothall.Error{Code: moothall.CodeConflict, Op: opMove, Message: message, Remedy: "let nobody else use either of the two, and move into an empty one"}
}
