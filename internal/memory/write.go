package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"moothall"
	"moothall/internal/memory/passage"
)

// immediate is how many parts of a text get their vectors before the write is
// acknowledged; the filler does the rest.
const immediate = 8

// write stores or proposes an entry.
func (s *Service) write(ctx context.Context, who moothall.Identity, r moothall.WriteRequest) (moothall.MemoryEntry, error) {
	var none moothall.MemoryEntry
	if err := s.open(ctx, opWrite); err != nil {
		return none, err
	}
	rec, err := s.prepare(ctx, who, r)
	if err != nil {
		return none, err
	}
	if known, ok, err := s.recalledBefore(ctx, r.Session, rec); err != nil || ok {
		return known, err
	}
	note := "store " + string(rec.Entry.Kind)
	if rec.Proposed {
		note = "propose " + string(rec.Entry.Kind)
	}
	if err := s.recordWrite(ctx, who, r.Scope, note, []byte(rec.Entry.Corpus)); err != nil {
		return none, err
	}
	stored, err := s.store(ctx, who, rec, "", r.Entry.ID == "")
	if err != nil {
		s.recordFailed(ctx, r.Scope, note)
		return none, wrap(opWrite, err)
	}
	s.stats.writes.Add(1)
	if stored.Entry.Kind == moothall.Engram && !stored.Proposed {
		s.tellEngram(ctx, r.Scope, stored)
	} else {
		s.tellChange(ctx, r.Scope)
	}
	return cloneEntry(stored.Entry), nil
}

// open refuses calls whose caller is gone, and calls after Close.
func (s *Service) open(ctx context.Context, op string) error {
	if err := ctx.Err(); err != nil {
		return wrap(op, err)
	}
	if s.closed.Load() {
		return errClosed()
	}
	return nil
}

// store commits a prepared record, with its parts and with what it changes in
// other entries, and makes it findable. Once names the effect, if it must be
// done once only: a record of an effect that was done before comes back with N
// 0. A fresh record, one without an id of its own, is compared with others.
func (s *Service) store(ctx context.Context, who moothall.Identity, rec *Record, once string, fresh bool) (*Record, error) {
	s.writing.Lock()
	defer s.writing.Unlock()
	if _, err := s.sources(ctx, rec.From); err != nil {
		return nil, err
	}
	old, err := s.replaced(ctx, who, rec)
	if err != nil {
		return nil, err
	}
	parts := s.divide(rec)
	if err := s.number(ctx, rec, parts, nil); err != nil {
		return nil, err
	}
	if err := s.complete(ctx, rec, parts); err != nil {
		return nil, err
	}
	change := &Change{Once: once, Put: append([]*Record{rec}, parts...), Delete: old}
	if fresh && !rec.Proposed {
		kept, err := s.compare(ctx, rec, change)
		if err != nil || kept != nil {
			return kept, err
		}
	}
	left := s.leaving(change.Put)
	if err := s.commit(ctx, change); err != nil {
		return nil, err
	}
	s.follow(ctx, append(left, change.Put...))
	return rec, nil
}

// complete adds words and vectors.
func (s *Service) complete(ctx context.Context, rec *Record, parts []*Record) error {
	before, err := s.newContexts().of(ctx, rec)
	if err != nil {
		return err
	}
	rec.Text = textOf(rec, before, len(parts) > 0)
	if !rec.Proposed {
		rec.Vectors = []Vectors{s.localVectors(rec, before)}
	}
	for i, p := range parts {
		p.Text = textOf(p, nil, false)
		if i < immediate && !p.Proposed {
			p.Vectors = []Vectors{s.localVectors(p, nil)}
		}
	}
	return nil
}

// replaced looks for the entry that a record with a given id takes the place
// of. It returns the parts of that entry, which go. Nobody may write over what
// is trusted more than his own word.
func (s *Service) replaced(ctx context.Context, who moothall.Identity, rec *Record) ([]moothall.MemoryID, error) {
	found, err := s.o.Engine.Get(ctx, []moothall.MemoryID{rec.Entry.ID})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	old := found[0]
	if rank(old.Entry.Trust) > rank(most(who)) {
		return nil, moothall.Fail(moothall.CodeDenied, opWrite, "the entry is the person's own")
	}
	if rec.Proposed && !old.Proposed { // it would vanish until somebody reviews
		return nil, moothall.Fail(moothall.CodeConflict, opWrite, "there is an entry with this id; a candidate cannot take its place")
	}
	rec.N, rec.Merged = old.N, old.Merged
	rec.Entry.Accesses, rec.Entry.Accessed = old.Entry.Accesses, old.Entry.Accessed
	return s.parts(ctx, old.Entry.ID)
}

// parts returns the ids of the parts of an entry.
func (s *Service) parts(ctx context.Context, id moothall.MemoryID) ([]moothall.MemoryID, error) {
	all, err := s.o.Engine.Derived(ctx, []moothall.MemoryID{id})
	if err != nil || len(all) < 2 {
		return nil, err
	}
	records, err := s.o.Engine.Get(ctx, all)
	var out []moothall.MemoryID
	for _, r := range records {
		if r.Whole == id {
			out = append(out, r.Entry.ID)
		}
	}
	return out, err
}

// divide makes the parts of a long text: entries of their own along its
// structure. The whole keeps the text as it was. They have no ids yet, see
// number.
func (s *Service) divide(rec *Record) []*Record {
	if len(rec.Entry.Corpus) <= s.o.Limits.Part*3/2 || rec.Proposed {
		return nil
	}
	pieces := passage.Split(rec.Entry.Corpus, s.o.Limits.Part)
	if len(pieces) < 2 {
		return nil
	}
	out := make([]*Record, 0, len(pieces))
	for i, p := range pieces {
		e := moothall.MemoryEntry{
			Kind: rec.Entry.Kind, Corpus: p.Text, Created: rec.Entry.Created,
			Source: rec.Entry.Source, Trust: rec.Entry.Trust, Speaker: rec.Entry.Speaker, Tags: slices.Clone(rec.Entry.Tags),
		}
		e.Name = short(strings.TrimSuffix(rec.Entry.Name+": "+oneLine(p.Heading), ": "), s.o.Limits.Name-24)
		e.Name += fmt.Sprintf(" (%d of %d)", i+1, len(pieces))
		s.nameByRule(&e)
		out = append(out, &Record{Entry: e, Whole: rec.Entry.ID, From: []moothall.MemoryID{rec.Entry.ID}, Print: printOf(e.Name, e.Corpus)})
	}
	return out
}

// number gives the parts of an entry ids that nobody else has, in the engine
// or among those taken, and links them with each other and with the whole. The
// caller holds writing.
func (s *Service) number(ctx context.Context, rec *Record, parts []*Record, taken map[moothall.MemoryID]bool) error {
	if len(parts) == 0 {
		return nil
	}
	ids, err := s.partIDs(ctx, rec.Entry.ID, len(parts), taken)
	if err != nil {
		return err
	}
	for i, p := range parts {
		e := &p.Entry
		e.ID, e.Correlates = ids[i], []moothall.MemoryID{rec.Entry.ID}
		if i > 0 {
			e.Correlates = append(e.Correlates, ids[i-1])
		}
		if i+1 < len(parts) {
			e.Correlates = append(e.Correlates, ids[i+1])
		}
	}
	if !slices.Contains(rec.Entry.Correlates, ids[0]) {
		rec.Entry.Correlates = append(rec.Entry.Correlates, ids[0])
	}
	return nil
}

// partIDs returns ids for the parts of an entry: id#1, id#2 and so on, with
// more signs when somebody has used one of these for an entry of his own.
func (s *Service) partIDs(ctx context.Context, id moothall.MemoryID, n int, taken map[moothall.MemoryID]bool) ([]moothall.MemoryID, error) {
	out := make([]moothall.MemoryID, n)
	for prefix := id + "#"; ; prefix += "#" {
		for i := range out {
			out[i] = prefix + moothall.MemoryID(strconv.Itoa(i+1))
		}
		found, err := s.o.Engine.Get(ctx, out)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(found, func(r Record) bool { return r.Whole != id }) &&
			!slices.ContainsFunc(out, func(id moothall.MemoryID) bool { return taken[id] }) {
			return out, nil
		}
	}
}

// commit makes a change durable, then brings what is held in memory in step.
// The caller holds writing.
func (s *Service) commit(ctx context.Context, c *Change) error {
	gone, err := s.o.Engine.Get(ctx, c.Delete)
	if err != nil {
		return err
	}
	over, err := s.overwritten(ctx, c.Put)
	if err != nil {
		return err
	}
	done, err := s.o.Engine.Apply(ctx, c)
	if err != nil || !done {
		return err
	}
	for _, r := range gone {
		s.vanish(&r)
	}
	for _, r := range over {
		s.builtin.Forget(observed(&r))
	}
	lacking := false
	for _, r := range c.Put {
		if r.Proposed {
			continue
		}
		s.appear(r)
		lacking = lacking || len(r.Vectors) == 0
	}
	for _, r := range c.Notes {
		if !r.Proposed {
			s.catalog.put(headOf(r))
			s.cache.written(r)
		}
	}
	if lacking || s.o.Embed != nil && len(c.Put) > 0 {
		s.wake()
	}
	return nil
}

// overwritten returns the entries whose place is kept by what is put.
func (s *Service) overwritten(ctx context.Context, put []*Record) ([]Record, error) {
	var ns []uint64
	for _, r := range put {
		if _, ok := s.catalog.head(r.N); ok {
			ns = append(ns, r.N)
		}
	}
	if len(ns) == 0 {
		return nil, nil
	}
	return s.o.Engine.At(ctx, ns, true)
}

// appear makes a stored record findable.
func (s *Service) appear(r *Record) {
	s.catalog.put(headOf(r))
	if err := s.place(r); err != nil {
		s.o.Logger.Error("an entry cannot be indexed", "id", r.Entry.ID, "err", err)
	}
	s.builtin.Observe(observed(r))
	s.cache.written(r)
}

// place puts the vectors that a record has in the place of those that it had.
func (s *Service) place(r *Record) (failed error) {
	spaces := s.spaces()
	for _, sp := range spaces {
		sp.remove(r.N)
	}
	for _, v := range r.Vectors {
		v.N = r.N
		for _, sp := range spaces {
			if sp.embedder == v.Embedder {
				failed = cmp.Or(failed, sp.put(v))
			}
		}
	}
	return failed
}

// vanish forgets a record that the engine has deleted.
func (s *Service) vanish(r *Record) {
	s.catalog.remove(r.N)
	for _, sp := range s.spaces() {
		sp.remove(r.N)
	}
	if !r.Proposed { // the words of a candidate were never counted
		s.builtin.Forget(observed(r))
	}
	s.cache.forgotten(r.N)
}

func (s *Service) tellEngram(ctx context.Context, scope moothall.Scope, r *Record) {
	s.tell(ctx, moothall.SubjectMemoryEngram, scope, r.Entry.Turn, map[string]any{
		"id": r.Entry.ID, "name": r.Entry.Name, "trust": r.Entry.Trust, "turn": r.Entry.Turn,
	})
}
