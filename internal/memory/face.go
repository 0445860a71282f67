package memory

import (
	"context"
	"iter"

	"moothall"
)

// face is the memory as one participant sees it.
type face struct {
	s   *Service
	who moothall.Identity
}

var _ moothall.Memory = (*face)(nil)

// enter is what every call begins with.
func (f *face) enter(ctx context.Context, op string, r Right) error {
	if err := f.s.open(ctx, op); err != nil {
		return err
	}
	return allow(f.who, r)
}

// Write stores or proposes an entry.
func (f *face) Write(ctx context.Context, r moothall.WriteRequest) (moothall.MemoryEntry, error) {
	if err := f.enter(ctx, opWrite, RightWrite); err != nil {
		return moothall.MemoryEntry{}, err
	}
	if err := f.s.unbound(opWrite, r.Entry.ID); err != nil {
		return moothall.MemoryEntry{}, err
	}
	return f.s.write(ctx, f.who, r)
}

// Recall streams what is remembered about a query.
func (f *face) Recall(ctx context.Context, q moothall.MemoryQuery) iter.Seq2[moothall.Recall, error] {
	return guarded(f, ctx, opRecall, RightRead, func(yield func(moothall.Recall, error) bool) {
		if err := f.s.recordRead(ctx, f.who, q.Scope, "recall", []byte(q.Text)); err != nil {
			yield(moothall.Recall{}, err)
			return
		}
		f.s.recall(ctx, q)(yield)
	})
}

// guarded streams only what the caller may see.
func guarded[T any](f *face, ctx context.Context, op string, r Right, seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		if err := f.enter(ctx, op, r); err != nil {
			var none T
			yield(none, err)
			return
		}
		seq(yield)
	}
}

// Correlated returns what an entry links to.
func (f *face) Correlated(ctx context.Context, s moothall.Scope, id moothall.MemoryID, whole bool) ([]moothall.MemoryEntry, error) {
	if err := f.enter(ctx, "correlated memories", RightRead); err != nil {
		return nil, err
	}
	if err := f.s.recordRead(ctx, f.who, s, "correlated", []byte(id)); err != nil {
		return nil, err
	}
	return f.s.correlated(ctx, id, whole)
}

// List streams entries by property.
func (f *face) List(ctx context.Context, l moothall.MemoryList) iter.Seq2[moothall.MemoryEntry, error] {
	return guarded(f, ctx, "list memories", RightRead, func(yield func(moothall.MemoryEntry, error) bool) {
		if err := checkKinds("list memories", l.Kinds); err != nil {
			yield(moothall.MemoryEntry{}, err)
			return
		}
		if err := f.s.recordRead(ctx, f.who, l.Scope, "list", nil); err != nil {
			yield(moothall.MemoryEntry{}, err)
			return
		}
		f.s.list(ctx, l)(yield)
	})
}

// Annotate adds notes to the engram of a turn.
func (f *face) Annotate(ctx context.Context, a moothall.Annotation) error {
	if err := f.enter(ctx, "annotate memory", RightAnnotate); err != nil {
		return err
	}
	return f.s.annotate(ctx, f.who, a)
}

// changed tells of a change, where it did not fail.
func (f *face) changed(ctx context.Context, s moothall.Scope, err error) error {
	if err == nil {
		f.s.tellChange(ctx, s)
	}
	return err
}

// Review decides on a candidate.
func (f *face) Review(ctx context.Context, s moothall.Scope, id moothall.MemoryID, accept bool) error {
	if err := f.enter(ctx, "review memory", RightReview); err != nil {
		return err
	}
	return f.changed(ctx, s, f.s.review(ctx, f.who, s, id, accept))
}

// Forget removes an entry and what was made from it.
func (f *face) Forget(ctx context.Context, s moothall.Scope, id moothall.MemoryID) ([]moothall.MemoryID, error) {
	if err := f.enter(ctx, "forget memory", RightForget); err != nil {
		return nil, err
	}
	if err := f.s.unbound("forget memory", id); err != nil {
		return nil, err
	}
	gone, err := f.s.forget(ctx, f.who, s, id)
	return gone, f.changed(ctx, s, err)
}

func errNoGraph() error {
	return moothall.Fail(moothall.CodeNotConfigured, "knowledge graph", "this hall has no knowledge graph")
}

// Graph streams the facts that match.
func (f *face) Graph(ctx context.Context, q moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error] {
	return guarded(f, ctx, "knowledge graph", RightRead, func(yield func(moothall.GraphFact, error) bool) {
		err := errNoGraph()
		if f.s.o.Graph != nil {
			err = f.s.recordRead(ctx, f.who, q.Scope, "graph", []byte(q.Text))
		}
		if err != nil {
			yield(moothall.GraphFact{}, err)
			return
		}
		q.People = withSelf(q.People)
		f.s.o.Graph.Graph(ctx, q)(yield)
	})
}

// Assert adds a fact. Its trust is no higher than that of who says it, and of
// the entry that it comes from.
func (f *face) Assert(ctx context.Context, s moothall.Scope, fact moothall.GraphFact) (moothall.GraphFact, error) {
	if err := f.enter(ctx, "knowledge graph", RightWrite); err != nil {
		return fact, err
	}
	if f.s.o.Graph == nil {
		return fact, errNoGraph()
	}
	if fact.Trust == "" {
		fact.Trust = most(f.who)
	}
	fact.Trust = least(fact.Trust, most(f.who))
	if fact.Source != "" {
		from, err := f.s.o.Engine.Get(ctx, []moothall.MemoryID{fact.Source})
		if err != nil {
			return fact, wrap("knowledge graph", err)
		}
		for _, r := range from {
			fact.Trust = least(fact.Trust, r.Entry.Trust)
		}
	}
	if err := f.s.recordWrite(ctx, f.who, s, "assert", []byte(fact.Subject+" "+fact.Relation+" "+fact.Object)); err != nil {
		return fact, err
	}
	fact, err := f.s.o.Graph.Assert(ctx, s, fact)
	return fact, f.changed(ctx, s, err)
}

// Merge joins two names of one thing.
func (f *face) Merge(ctx context.Context, m moothall.GraphMerge) error {
	if err := f.enter(ctx, "knowledge graph", RightForget); err != nil {
		return err
	}
	if f.s.o.Graph == nil {
		return errNoGraph()
	}
	if err := f.s.recordWrite(ctx, f.who, m.Scope, "merge names", []byte(m.Keep+" "+m.Merge)); err != nil {
		return err
	}
	return f.changed(ctx, m.Scope, f.s.o.Graph.Merge(ctx, m))
}
