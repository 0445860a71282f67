package daemon

import (
	"context"
	"iter"

	"moothall"
)

// noMemory stands where a memory could not be opened, so that no caller meets a
// nil service and nothing pretends to work: it refuses everything, and says why.
type noMemory struct{ why error }

var _ moothall.Memory = noMemory{}

func (m noMemory) err() error {
	return &moothall.Error{Code: moothall.CodeNotConfigured, Op: "memory", Message: "this hall has no memory service", Remedy: m.why.Error()}
}

// none is a stream that is nothing but the refusal.
func none[T any](m noMemory) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		yield(zero, m.err())
	}
}

func (m noMemory) Write(context.Context, moothall.WriteRequest) (moothall.MemoryEntry, error) {
	return moothall.MemoryEntry{}, m.err()
}

func (m noMemory) Recall(context.Context, moothall.MemoryQuery) iter.Seq2[moothall.Recall, error] {
	return none[moothall.Recall](m)
}

func (m noMemory) Correlated(context.Context, moothall.Scope, moothall.MemoryID, bool) ([]moothall.MemoryEntry, error) {
	return nil, m.err()
}

func (m noMemory) List(context.Context, moothall.MemoryList) iter.Seq2[moothall.MemoryEntry, error] {
	return none[moothall.MemoryEntry](m)
}

func (m noMemory) Annotate(context.Context, moothall.Annotation) error { return m.err() }

func (m noMemory) Review(context.Context, moothall.Scope, moothall.MemoryID, bool) error {
	return m.err()
}

func (m noMemory) Forget(context.Context, moothall.Scope, moothall.MemoryID) ([]moothall.MemoryID, error) {
	return nil, m.err()
}

func (m noMemory) Graph(context.Context, moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error] {
	return none[moothall.GraphFact](m)
}

func (m noMemory) Assert(context.Context, moothall.Scope, moothall.GraphFact) (moothall.GraphFact, error) {
	return moothall.GraphFact{}, m.err()
}

func (m noMemory) Merge(context.Context, moothall.GraphMerge) error { return m.err() }
