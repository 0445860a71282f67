package moottest

import (
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"moothall"
)

// Graph streams the facts that name what is asked for. The depth is ignored.
func (m *FakeMemory) Graph(ctx context.Context, q moothall.GraphQuery) iter.Seq2[moothall.GraphFact, error] {
	return func(yield func(moothall.GraphFact, error) bool) {
		m.mu.Lock()
		facts := slices.Clone(m.facts)
		m.mu.Unlock()
		for _, f := range facts {
			if err := ctx.Err(); err != nil {
				yield(moothall.GraphFact{}, err)
				return
			}
			if asked(f, q) && !yield(f, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(moothall.GraphFact{}, err)
		}
	}
}

func asked(f moothall.GraphFact, q moothall.GraphQuery) bool {
	names := append(slices.Clone(q.People), q.Locations...)
	named := len(names) == 0
	for _, n := range names {
		named = named || strings.EqualFold(n, f.Subject) || strings.EqualFold(n, f.Object)
	}
	if !named || q.Text != "" && share(q.Text, f.Subject+" "+f.Relation+" "+f.Object) == 0 {
		return false
	}
	if q.History {
		return true
	}
	if q.At.IsZero() {
		return f.To.IsZero()
	}
	return !f.From.After(q.At) && (f.To.IsZero() || f.To.After(q.At))
}

// Assert adds a fact and closes the one of the same subject and relation.
func (m *FakeMemory) Assert(ctx context.Context, _ moothall.Scope, f moothall.GraphFact) (moothall.GraphFact, error) {
	if err := ctx.Err(); err != nil {
		return f, err
	}
	if f.Subject == "" || f.Relation == "" || f.Object == "" {
		return f, moothall.Fail(moothall.CodeInvalid, "assert fact", "a fact needs a subject, a relation and an object")
	}
	now := time.Now().UTC()
	if f.ID == "" {
		f.ID = moothall.NewID()
	}
	if f.Observed.IsZero() {
		f.Observed = now
	}
	if f.From.IsZero() {
		f.From = f.Observed
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.facts {
		old := &m.facts[i]
		if old.Subject == f.Subject && old.Relation == f.Relation && old.Object != f.Object && old.To.IsZero() {
			old.To = f.From
		}
	}
	m.facts = append(m.facts, f)
	return f, nil
}

// Merge renames one thing to another in all facts.
func (m *FakeMemory) Merge(ctx context.Context, g moothall.GraphMerge) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if g.Keep == "" || g.Merge == "" || g.Keep == g.Merge {
		return moothall.Fail(moothall.CodeInvalid, "merge", "two names are needed")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	found := false
	for i := range m.facts {
		for _, name := range []*string{&m.facts[i].Subject, &m.facts[i].Object} {
			if *name == g.Merge {
				*name, found = g.Keep, true
			}
		}
	}
	if !found {
		return moothall.Fail(moothall.CodeNotFound, "merge", "there is nothing named "+g.Merge)
	}
	return nil
}
