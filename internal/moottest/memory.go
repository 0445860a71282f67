package moottest

import (
	"context"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"moothall"
)

// FakeMemory remembers in memory. It finds by counting words.
type FakeMemory struct {
	mu       sync.Mutex
	entries  []moothall.MemoryEntry // oldest first
	proposed []moothall.MemoryEntry
	from     map[moothall.MemoryID][]moothall.MemoryID
	done     map[moothall.EventID]bool
	facts    []moothall.GraphFact
}

// NewMemory returns an empty memory.
func NewMemory() *FakeMemory {
	return &FakeMemory{from: map[moothall.MemoryID][]moothall.MemoryID{}, done: map[moothall.EventID]bool{}}
}

// For returns the memory as one caller sees it: all see the same.
func (m *FakeMemory) For(moothall.Identity) moothall.Memory { return m }

var _ moothall.Memory = (*FakeMemory)(nil)

// Write stores or proposes an entry.
func (m *FakeMemory) Write(ctx context.Context, r moothall.WriteRequest) (moothall.MemoryEntry, error) {
	if err := ctx.Err(); err != nil {
		return moothall.MemoryEntry{}, err
	}
	e := cloneEntry(r.Entry)
	if e.Name == "" && e.Corpus == "" {
		return e, moothall.Fail(moothall.CodeInvalid, "write memory", "an entry needs a name or a text")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, id := range r.From {
		source, ok := m.find(id)
		if !ok {
			return e, unknownEntry(id)
		}
		e.Trust = leastTrust(e.Trust, source.Trust)
	}
	if e.ID == "" {
		e.ID = moothall.MemoryID(moothall.NewID())
	}
	if e.Created.IsZero() {
		e.Created = time.Now().UTC()
	}
	m.from[e.ID] = slices.Clone(r.From)
	if r.Propose {
		m.proposed = append(m.proposed, e)
	} else {
		m.put(e)
	}
	return cloneEntry(e), nil
}

func (m *FakeMemory) put(e moothall.MemoryEntry) {
	for i := range m.entries {
		if m.entries[i].ID == e.ID {
			m.entries[i] = e
			return
		}
	}
	m.entries = append(m.entries, e)
}

func (m *FakeMemory) find(id moothall.MemoryID) (*moothall.MemoryEntry, bool) {
	for i := range m.entries {
		if m.entries[i].ID == id {
			return &m.entries[i], true
		}
	}
	return nil, false
}

func unknownEntry(id moothall.MemoryID) error {
	return moothall.Fail(moothall.CodeNotFound, "memory", "there is no entry "+string(id))
}

// leastTrust treats what is not said as the person's.
func leastTrust(a, b moothall.Trust) moothall.Trust {
	rising := []moothall.Trust{moothall.TrustExternal, moothall.TrustModel, moothall.TrustPerson}
	rank := func(t moothall.Trust) int {
		if i := slices.Index(rising, t); i >= 0 {
			return i
		}
		return len(rising)
	}
	if rank(a) <= rank(b) {
		return a
	}
	return b
}

func cloneEntry(e moothall.MemoryEntry) moothall.MemoryEntry {
	e.Tags, e.Correlates = slices.Clone(e.Tags), slices.Clone(e.Correlates)
	if e.Turn != nil {
		t := *e.Turn
		t.Entities = slices.Clone(t.Entities)
		t.Score, t.Reward = cloneFloat(t.Score), cloneFloat(t.Reward)
		e.Turn = &t
	}
	return e
}

func cloneFloat(f *float64) *float64 {
	if f == nil {
		return nil
	}
	v := *f
	return &v
}

// Recall ranks entries by the share of the query's words that they hold.
func (m *FakeMemory) Recall(ctx context.Context, q moothall.MemoryQuery) iter.Seq2[moothall.Recall, error] {
	return func(yield func(moothall.Recall, error) bool) {
		hits := m.rank(q)
		if q.Stages {
			stage := moothall.Recall{Stage: "names"}
			for _, h := range hits {
				stage.Candidates = append(stage.Candidates, moothall.Candidate{ID: h.Entry.ID, Name: h.Entry.Name, Score: h.Score})
			}
			if !yield(stage, nil) {
				return
			}
		}
		limit := q.Results
		if limit <= 0 {
			limit = 5
		}
		for _, h := range hits[:min(limit, len(hits))] {
			if err := ctx.Err(); err != nil {
				yield(moothall.Recall{}, err)
				return
			}
			if !yield(h, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(moothall.Recall{}, err)
		}
	}
}

func (m *FakeMemory) rank(q moothall.MemoryQuery) []moothall.Recall {
	m.mu.Lock()
	defer m.mu.Unlock()
	var hits []moothall.Recall
	for _, e := range m.entries {
		score := share(q.Text, e.Name+" "+e.Description+" "+e.Corpus)
		if score == 0 || !wanted(e, q) {
			continue
		}
		copied := cloneEntry(e)
		hits = append(hits, moothall.Recall{Stage: "fused", Entry: &copied, Segment: e.Corpus, Score: score})
	}
	slices.SortStableFunc(hits, func(a, b moothall.Recall) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return hits
}

func share(query, text string) float64 {
	words := strings.Fields(strings.ToLower(query))
	text = strings.ToLower(text)
	found := 0
	for _, w := range words {
		if strings.Contains(text, w) {
			found++
		}
	}
	if found == 0 {
		return 0
	}
	return float64(found) / float64(len(words))
}

func wanted(e moothall.MemoryEntry, q moothall.MemoryQuery) bool {
	switch {
	case len(q.Kinds) > 0 && !slices.Contains(q.Kinds, e.Kind),
		!hasAll(e.Tags, q.Tags),
		q.Thread != "" && q.Thread != e.Thread,
		!strings.Contains(strings.ToLower(e.Source), strings.ToLower(q.Source)),
		q.MinTrust != "" && leastTrust(e.Trust, q.MinTrust) != q.MinTrust,
		e.Created.Before(q.Since),
		!q.Until.IsZero() && e.Created.After(q.Until):
		return false
	}
	return true
}

func hasAll(have, want []string) bool {
	for _, w := range want {
		if !slices.Contains(have, w) {
			return false
		}
	}
	return true
}
