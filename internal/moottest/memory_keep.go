package moottest

import (
	"context"
	"iter"
	"slices"

	"moothall"
)

// Correlated returns what an entry links to.
func (m *FakeMemory) Correlated(ctx context.Context, _ moothall.Scope, id moothall.MemoryID, whole bool) ([]moothall.MemoryEntry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.find(id)
	if !ok {
		return nil, unknownEntry(id)
	}
	var out []moothall.MemoryEntry
	for _, link := range e.Correlates {
		if l, ok := m.find(link); ok {
			c := cloneEntry(*l)
			if !whole {
				c.Corpus = ""
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// List streams entries, newest first.
func (m *FakeMemory) List(ctx context.Context, l moothall.MemoryList) iter.Seq2[moothall.MemoryEntry, error] {
	return func(yield func(moothall.MemoryEntry, error) bool) {
		n := 0
		for _, e := range m.newestFirst(l.Proposed, l.Before) {
			if err := ctx.Err(); err != nil {
				yield(moothall.MemoryEntry{}, err)
				return
			}
			if !listed(e, l) || l.Limit > 0 && n == l.Limit {
				continue
			}
			n++
			if !yield(e, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(moothall.MemoryEntry{}, err)
		}
	}
}

// newestFirst copies the entries, from the one before the given id on.
func (m *FakeMemory) newestFirst(proposed bool, before moothall.MemoryID) []moothall.MemoryEntry {
	m.mu.Lock()
	defer m.mu.Unlock()
	from := m.entries
	if proposed {
		from = m.proposed
	}
	var out []moothall.MemoryEntry
	for _, e := range slices.Backward(from) {
		if before != "" && e.ID == before {
			before, out = "", nil
			continue
		}
		out = append(out, cloneEntry(e))
	}
	return out
}

func listed(e moothall.MemoryEntry, l moothall.MemoryList) bool {
	switch {
	case len(l.IDs) > 0 && !slices.Contains(l.IDs, e.ID),
		len(l.Kinds) > 0 && !slices.Contains(l.Kinds, e.Kind),
		!hasAll(e.Tags, l.Tags),
		l.Session != "" && (e.Turn == nil || e.Turn.Session != l.Session):
		return false
	}
	return true
}

// Annotate sets the fields of a turn that the notes have.
func (m *FakeMemory) Annotate(ctx context.Context, a moothall.Annotation) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if a.Event != "" && m.done[a.Event] {
		return nil
	}
	for i := range m.entries {
		t := m.entries[i].Turn
		if t == nil || t.Query != a.Query || a.Respondent != "" && t.Respondent != a.Respondent {
			continue
		}
		note(t, a.Notes)
		m.done[a.Event] = true
		return nil
	}
	return moothall.Fail(moothall.CodeNotFound, "annotate memory", "there is no engram of this turn")
}

func note(t *moothall.TurnNotes, n moothall.TurnNotes) {
	set := func(to *string, from string) {
		if from != "" {
			*to = from
		}
	}
	set(&t.Feedback, n.Feedback)
	set(&t.Sentiment, n.Sentiment)
	set(&t.Intent, n.Intent)
	set((*string)(&t.Winner), string(n.Winner))
	if n.Score != nil {
		t.Score = cloneFloat(n.Score)
	}
	if n.Reward != nil {
		t.Reward = cloneFloat(n.Reward)
	}
	if len(n.Entities) > 0 {
		t.Entities = slices.Clone(n.Entities)
	}
}

// Review moves a proposed entry among the others, or drops it.
func (m *FakeMemory) Review(ctx context.Context, _ moothall.Scope, id moothall.MemoryID, accept bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	i := slices.IndexFunc(m.proposed, func(e moothall.MemoryEntry) bool { return e.ID == id })
	if i < 0 {
		return unknownEntry(id)
	}
	if accept {
		m.put(m.proposed[i])
	}
	m.proposed = slices.Delete(m.proposed, i, i+1)
	return nil
}

// Forget removes an entry and what was made from it.
func (m *FakeMemory) Forget(ctx context.Context, _ moothall.Scope, id moothall.MemoryID) ([]moothall.MemoryID, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.find(id); !ok {
		return nil, unknownEntry(id)
	}
	gone := []moothall.MemoryID{id}
	for i := 0; i < len(gone); i++ {
		for child, sources := range m.from {
			if slices.Contains(sources, gone[i]) && !slices.Contains(gone, child) {
				gone = append(gone, child)
			}
		}
	}
	drop := func(e moothall.MemoryEntry) bool { return slices.Contains(gone, e.ID) }
	m.entries = slices.DeleteFunc(m.entries, drop)
	m.proposed = slices.DeleteFunc(m.proposed, drop)
	m.facts = slices.DeleteFunc(m.facts, func(f moothall.GraphFact) bool { return slices.Contains(gone, f.Source) })
	for _, g := range gone {
		delete(m.from, g)
	}
	return gone, nil
}
