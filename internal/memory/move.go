package memory

import (
	"context"
	"fmt"

	"moothall"
)

// moveBatch is how many entries are moved at once.
const moveBatch = 256

// Moved says what [Move] copied.
type Moved struct {
	Entries, Candidates int64
	Vectors             int64 // one for each entry and embedder
}

// Move copies everything from one engine to another: entries and candidates,
// their words, the vectors of every embedder and what the service keeps beside
// them. Places are given anew, in the same order. The target must be empty or
// hold only entries of the source, as after a move that was cut off: then it
// goes on. Report may be nil.
//
// What is not copied: annotations that wait for their engram, and the names
// of changes that were made once, which engines do not list. So let nobody
// write meanwhile, and move when no turn is being answered.
//
// CodeConflict when the target holds other entries, when the source changed
// meanwhile, or when in the end the two do not hold the same numbers.
func Move(ctx context.Context, from, to Engine, report func(moothall.Progress)) (Moved, error) {
	if report == nil {
		report = func(moothall.Progress) {}
	}
	m := mover{from: from, to: to, report: report, divided: map[moothall.MemoryID]bool{}}
	before, err := from.Version(ctx)
	if err != nil {
		return Moved{}, wrap(opMove, err)
	}
	for _, step := range []func(context.Context) error{m.look, m.entries, m.vectors, m.beside, m.check} {
		if err := step(ctx); err != nil {
			return m.out, wrap(opMove, err)
		}
	}
	after, err := from.Version(ctx)
	if err != nil {
		return m.out, wrap(opMove, err)
	}
	if after != before {
		return m.out, differs("the memory was written to while it was moved")
	}
	return m.out, nil
}

const opMove = "move memory"

func differs(message string) error {
	return &moothall.Error{Code: moothall.CodeConflict, Op: opMove, Message: message, Remedy: "let nobody else use either of the two, and move again"}
}

// mover is a move under way.
type mover struct {
	from, to Engine
	report   func(moothall.Progress)
	total    int64
	divided  map[moothall.MemoryID]bool // entries whose words are in their parts
	said     *contexts                  // over the source
	out      Moved
}

// look gets to know the source and makes sure of the target.
func (m *mover) look(ctx context.Context) error {
	records, candidates, err := m.from.Count(ctx)
	if err != nil {
		return err
	}
	m.total = records + candidates
	reader := &Service{o: Options{Engine: m.from}, catalog: newCatalog()}
	for h, err := range m.from.Heads(ctx) {
		if err != nil {
			return err
		}
		reader.catalog.put(h)
	}
	m.said = reader.newContexts()
	for r, err := range m.from.Scan(ctx, 0) {
		if err != nil {
			return err
		}
		if r.Whole != "" {
			m.divided[r.Whole] = true
		}
	}
	return batched(m.to.Scan(ctx, 0), func(list []Record) error {
		ids := make([]moothall.MemoryID, len(list))
		for i, r := range list {
			ids[i] = r.Entry.ID
		}
		known, err := m.from.Get(ctx, ids)
		if err == nil && len(known) != len(list) {
			err = differs("the target holds other entries")
		}
		return err
	})
}

// batched hands a stream on in parts.
func batched[T any](seq func(func(T, error) bool), f func([]T) error) error {
	var list []T
	for v, err := range seq {
		if err != nil {
			return err
		}
		if list = append(list, v); len(list) == moveBatch {
			if err := f(list); err != nil {
				return err
			}
			list = nil
		}
	}
	if len(list) == 0 {
		return nil
	}
	return f(list)
}

// entries copies records with their words.
func (m *mover) entries(ctx context.Context) error {
	var done int64
	return batched(m.from.Scan(ctx, 0), func(list []Record) error {
		change := &Change{}
		for i := range list {
			if err := m.words(ctx, &list[i]); err != nil {
				return err
			}
			change.Put = append(change.Put, &list[i])
		}
		if _, err := m.to.Apply(ctx, change); err != nil {
			return err
		}
		done += int64(len(list))
		m.report(moothall.Progress{Step: "move entries", Done: done, Total: m.total})
		return nil
	})
}

// words makes what the index gets anew, since engines do not return it. A
// candidate has none, and nothing follows on it.
func (m *mover) words(ctx context.Context, r *Record) error {
	if r.Proposed {
		return nil
	}
	before, err := m.said.of(ctx, r)
	r.Text = textOf(r, before, m.divided[r.Entry.ID])
	return err
}

// vectors copies what embedders made, to the new places.
func (m *mover) vectors(ctx context.Context) error {
	names, err := m.from.Embedders(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		var done int64
		if err := batched(m.from.Vectors(ctx, name), func(list []Vectors) error {
			if err := m.place(ctx, list); err != nil {
				return err
			}
			if _, err := m.to.Apply(ctx, &Change{Vectors: list}); err != nil {
				return err
			}
			done += int64(len(list))
			m.out.Vectors += int64(len(list))
			m.report(moothall.Progress{Step: "move vectors of " + name, Done: done, Total: m.total})
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

// place turns places of the source into those of the target.
func (m *mover) place(ctx context.Context, list []Vectors) error {
	ns := make([]uint64, len(list))
	for i, v := range list {
		ns[i] = v.N
	}
	here, err := m.from.At(ctx, ns, false)
	if err != nil {
		return err
	}
	ids := make([]moothall.MemoryID, len(here))
	for i, r := range here {
		ids[i] = r.Entry.ID
	}
	there, err := m.to.Get(ctx, ids)
	if err != nil {
		return err
	}
	if len(here) != len(list) || len(there) != len(list) {
		return differs("the memory was written to while it was moved")
	}
	for i := range list {
		list[i].N = there[i].N
	}
	return nil
}

// beside copies what the service keeps for itself.
func (m *mover) beside(ctx context.Context) error {
	for _, key := range []string{remoteKey, statisticsKey} {
		value, err := m.from.State(ctx, key)
		if err != nil {
			return err
		}
		if value == nil {
			continue
		}
		if _, err := m.to.Apply(ctx, &Change{State: map[string][]byte{key: value}}); err != nil {
			return err
		}
	}
	return nil
}

// check counts on both sides.
func (m *mover) check(ctx context.Context) error {
	records, candidates, err := m.from.Count(ctx)
	if err != nil {
		return err
	}
	if m.out.Entries, m.out.Candidates, err = m.to.Count(ctx); err != nil {
		return err
	}
	if m.out.Entries != records || m.out.Candidates != candidates {
		return differs(fmt.Sprintf("of %d entries and %d candidates, %d and %d have arrived", records, candidates, m.out.Entries, m.out.Candidates))
	}
	names, err := m.from.Embedders(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := m.checkVectors(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (m *mover) checkVectors(ctx context.Context, name string) error {
	var counts [2]int
	for i, e := range []Engine{m.from, m.to} {
		for _, err := range e.Vectors(ctx, name) {
			if err != nil {
				return err
			}
			counts[i]++
		}
	}
	if counts[0] != counts[1] {
		return differs(fmt.Sprintf("of %d vectors of %s, %d have arrived", counts[0], name, counts[1]))
	}
	return nil
}
