package memory

import (
	"context"
	"iter"
	"slices"

	"moothall"
)

// correlated returns what an entry links to.
func (s *Service) correlated(ctx context.Context, id moothall.MemoryID, whole bool) ([]moothall.MemoryEntry, error) {
	const op = "correlated memories"
	if s.bound(id) {
		return nil, nil // it links to nothing
	}
	found, err := s.o.Engine.Get(ctx, []moothall.MemoryID{id})
	if err != nil {
		return nil, wrap(op, err)
	}
	if len(found) == 0 || found[0].Proposed {
		return nil, unknown(op, id)
	}
	links, err := s.o.Engine.Get(ctx, found[0].Entry.Correlates)
	if err != nil {
		return nil, wrap(op, err)
	}
	var out []moothall.MemoryEntry
	for _, l := range links {
		if l.Proposed {
			continue
		}
		if !whole {
			l.Entry.Corpus = ""
		}
		out = append(out, l.Entry)
	}
	return out, nil
}

// pageSize is how many entries are read at once: no transaction stays open
// while a caller does something with them.
const pageSize = 256

// list streams entries by property. What is forgotten between two pages, by
// whoever is told of the entries or by others, ends no list.
func (s *Service) list(ctx context.Context, l moothall.MemoryList) iter.Seq2[moothall.MemoryEntry, error] {
	return func(yield func(moothall.MemoryEntry, error) bool) {
		left := l.Limit
		var last Record // that was handed out
		for more := true; more; {
			var page []Record
			var err error
			if page, more, err = s.page(ctx, &l, left, last.N > 0); err != nil {
				yield(moothall.MemoryEntry{}, wrap("list memories", err))
				return
			}
			for _, r := range page {
				if last.N > 0 && !older(&r, &last) {
					continue
				}
				if !yield(r.Entry, nil) {
					return
				}
				last = r
				left--
			}
			more = more && (l.Limit <= 0 || left > 0)
		}
		for _, e := range s.shelved(l) {
			if !yield(e, nil) {
				return
			}
		}
	}
}

// page reads the entries before l.Before, moves that on, and says whether there
// may be more. An engine knows nothing before an entry that is gone: then a
// list that is under way begins again at the newest, and one that was to begin
// there does not pass for an end.
func (s *Service) page(ctx context.Context, l *moothall.MemoryList, left int, underWay bool) (out []Record, more bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	ask := *l
	if ask.Limit = pageSize; left > 0 {
		ask.Limit = min(left, pageSize)
	}
	for r, err := range s.o.Engine.List(ctx, ask) {
		if err != nil {
			return nil, false, err
		}
		out = append(out, r)
	}
	if len(out) == ask.Limit {
		l.Before = out[len(out)-1].Entry.ID
		return out, true, nil
	}
	if len(out) > 0 || l.Before == "" {
		return out, false, nil
	}
	there, err := s.o.Engine.Get(ctx, []moothall.MemoryID{l.Before})
	if err != nil || len(there) > 0 {
		return nil, false, err
	}
	if !underWay {
		return nil, false, unknown("list memories", l.Before)
	}
	l.Before = ""
	return nil, true, nil
}

// older reports whether a record stands after another in a list.
func older(a, b *Record) bool {
	if c := a.Entry.Created.Compare(b.Entry.Created); c != 0 {
		return c < 0
	}
	return a.N < b.N
}

// annotate adds notes to the engram of a turn.
func (s *Service) annotate(ctx context.Context, who moothall.Identity, a moothall.Annotation) error {
	const op = "annotate memory"
	if a.Query == "" {
		return moothall.Fail(moothall.CodeInvalid, op, "no turn is named")
	}
	if err := s.recordWrite(ctx, who, a.Scope, "annotate", []byte(a.Query)); err != nil {
		return err
	}
	found, err := s.note(ctx, a, false)
	if err == nil && !found {
		err = moothall.Fail(moothall.CodeNotFound, op, "there is no engram of this turn")
	}
	if err != nil {
		s.recordFailed(ctx, a.Scope, "annotate")
	}
	return wrap(op, err)
}

// heldMost bounds the notes that wait: those of a turn that failed wait for
// an engram that never comes.
const heldMost = 1000

// note adds notes to the engrams of a turn, once per event. With hold, notes
// that come before their engram wait for it.
func (s *Service) note(ctx context.Context, a moothall.Annotation, hold bool) (bool, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	records, err := s.o.Engine.Turn(ctx, a.Query, a.Respondent)
	if err != nil {
		return false, err
	}
	change := &Change{}
	if a.Event != "" {
		change.Once = "note " + string(a.Event)
	}
	if len(records) == 0 {
		if !hold {
			return false, nil
		}
		event := a.Event
		if event == "" {
			event = moothall.EventID(moothall.NewID())
		}
		s.lately(a.Query)
		change.HoldMost = heldMost
		change.Hold = []Held{{Event: event, Query: a.Query, Respondent: a.Respondent, Notes: a.Notes}}
		_, err := s.o.Engine.Apply(ctx, change)
		return false, err
	}
	for i := range records {
		if err := s.noteOn(ctx, &records[i], a.Notes, change); err != nil {
			return false, err
		}
	}
	return true, s.commit(ctx, change)
}

// noteOn adds notes to one engram. A question that comes after its answer
// becomes part of the text, which is then indexed again.
func (s *Service) noteOn(ctx context.Context, r *Record, n moothall.TurnNotes, c *Change) error {
	t := r.Entry.Turn
	late := t.Question == "" && n.Question != ""
	addNotes(t, n)
	if !late {
		c.Notes = append(c.Notes, r)
		return nil
	}
	r.Entry.Corpus = question(t) + r.Entry.Corpus
	r.Entry.Name = short(oneLine(n.Question), 200)
	declaw(&r.Entry)
	r.Print = printOf(r.Entry.Name, r.Entry.Corpus)
	if err := s.complete(ctx, r, nil); err != nil {
		return err
	}
	parts, err := s.parts(ctx, r.Entry.ID)
	if err != nil {
		return err
	}
	if len(parts) > 0 {
		r.Text.Corpus = "" // they stay, and have the words of the answer
	}
	c.Put = append(c.Put, r)
	return nil
}

// addNotes sets the fields that the notes have.
func addNotes(t *moothall.TurnNotes, n moothall.TurnNotes) {
	set := func(to *string, from string) {
		if from != "" {
			*to = from
		}
	}
	set(&t.Question, n.Question)
	set(&t.Intent, n.Intent)
	set(&t.Feedback, n.Feedback)
	set(&t.Sentiment, n.Sentiment)
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

// review accepts or rejects a candidate.
func (s *Service) review(ctx context.Context, who moothall.Identity, scope moothall.Scope, id moothall.MemoryID, accept bool) error {
	const op = "review memory"
	note := "reject a candidate"
	if accept {
		note = "accept a candidate"
	}
	if err := s.recordWrite(ctx, who, scope, note, []byte(id)); err != nil {
		return err
	}
	err := s.decide(ctx, id, accept)
	if err != nil {
		s.recordFailed(ctx, scope, note)
	}
	return wrap(op, err)
}

func (s *Service) decide(ctx context.Context, id moothall.MemoryID, accept bool) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	found, err := s.o.Engine.Get(ctx, []moothall.MemoryID{id})
	if err != nil {
		return err
	}
	if len(found) == 0 || !found[0].Proposed {
		return &moothall.Error{
			Code: moothall.CodeNotFound, Op: "review memory", Message: "there is no candidate " + short(string(id), 80),
			Remedy: "moothall memory review lists those that wait",
		}
	}
	if !accept {
		return s.commit(ctx, &Change{Delete: []moothall.MemoryID{id}})
	}
	rec := &found[0]
	rec.Proposed = false
	parts := s.divide(rec)
	if err := s.number(ctx, rec, parts, nil); err != nil {
		return err
	}
	if err := s.complete(ctx, rec, parts); err != nil {
		return err
	}
	change := &Change{Put: append([]*Record{rec}, parts...)}
	n := rec.N
	rec.N = 0 // it is compared as a new entry is
	kept, err := s.compare(ctx, rec, change)
	if err != nil {
		return err
	}
	if kept != nil {
		return s.commit(ctx, &Change{Delete: []moothall.MemoryID{id}})
	}
	rec.N = n
	if err := s.commit(ctx, change); err != nil {
		return err
	}
	s.follow(ctx, change.Put)
	return nil
}

// forget removes an entry, what was made from it and what is known by it.
func (s *Service) forget(ctx context.Context, who moothall.Identity, scope moothall.Scope, id moothall.MemoryID) ([]moothall.MemoryID, error) {
	const op = "forget memory"
	if err := s.recordWrite(ctx, who, scope, "forget", []byte(id)); err != nil {
		return nil, err
	}
	gone, err := s.remove(ctx, id)
	if err != nil {
		s.recordFailed(ctx, scope, "forget")
	}
	return gone, wrap(op, err)
}

func (s *Service) remove(ctx context.Context, id moothall.MemoryID) ([]moothall.MemoryID, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	gone, err := s.o.Engine.Derived(ctx, []moothall.MemoryID{id})
	if err != nil {
		return nil, err
	}
	if len(gone) == 0 {
		return nil, unknown("forget memory", id)
	}
	// The graph first: when it fails, the entries are still there and the
	// caller can try again.
	if s.o.Graph != nil {
		for _, g := range gone {
			if err := s.o.Graph.Forget(ctx, g); err != nil {
				return nil, err
			}
		}
	}
	records, err := s.o.Engine.Get(ctx, gone)
	if err != nil {
		return nil, err
	}
	change := &Change{Delete: gone}
	if change.Release, err = s.silenced(ctx, records); err != nil {
		return nil, err
	}
	if change.Notes, err = s.settledBy(ctx, records); err != nil {
		return nil, err
	}
	if err := s.commit(ctx, change); err != nil {
		return nil, err
	}
	changed := make([]*Record, len(records))
	for i := range records {
		changed[i] = &records[i]
	}
	s.follow(ctx, changed)
	return gone, nil
}

// silenced returns the turns that have no engram left when these entries are
// gone: notes that came before their answer, the question first of all, may
// still be held for them.
func (s *Service) silenced(ctx context.Context, gone []Record) ([]moothall.QueryID, error) {
	stays := func(r Record) bool { return !slices.ContainsFunc(gone, func(g Record) bool { return g.N == r.N }) }
	var out []moothall.QueryID
	for _, r := range gone {
		if r.Entry.Turn == nil || slices.Contains(out, r.Entry.Turn.Query) {
			continue
		}
		q := r.Entry.Turn.Query
		left, err := s.o.Engine.Turn(ctx, q, "")
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(left, stays) {
			out = append(out, q)
		}
	}
	return out, nil
}
