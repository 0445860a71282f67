package memory

import (
	"context"

	"moothall"
)

// follow indexes the turns after those just stored or forgotten again, since
// what was said before them has changed: a turn that comes late, is corrected
// or is gone. It is for turns that were there before; in order, nothing is to
// be done. The gateway's vectors of those turns go, and are made again by the
// filler: they have the old words in them. The index is derived, so a failure
// only costs quality. The caller holds writing.
func (s *Service) follow(ctx context.Context, changed []*Record) {
	ns := s.followers(changed)
	if len(ns) == 0 {
		return
	}
	ctx, cancel := detached(ctx)
	defer cancel()
	defer s.wake() // what was being embedded with the old words is not kept
	if err := s.reindexTurns(ctx, ns); err != nil {
		s.o.Logger.Warn("turns after a changed one could not be indexed again", "err", err)
	}
}

// leaving returns the turns that what is to be put takes from their places in
// a thread, as they stand.
func (s *Service) leaving(put []*Record) []*Record {
	var out []*Record
	for _, r := range put {
		h, ok := s.catalog.head(r.N)
		if e := &r.Entry; ok && h.Thread != "" && (h.Thread != e.Thread || h.Place != e.Place || !h.Created.Equal(e.Created)) {
			out = append(out, &Record{N: r.N, Entry: moothall.MemoryEntry{Thread: h.Thread, Place: h.Place, Created: h.Created}})
		}
	}
	return out
}

func (s *Service) followers(changed []*Record) []uint64 {
	fresh := make(map[uint64]bool, len(changed))
	for _, r := range changed {
		fresh[r.N] = true
	}
	var out []uint64
	for _, r := range changed {
		e := &r.Entry
		if e.Thread == "" || r.Proposed {
			continue
		}
		for _, n := range s.catalog.after(e.Thread, e.Place, e.Created, contextTurns) {
			if !fresh[n] {
				fresh[n] = true
				out = append(out, n)
			}
		}
	}
	return out
}

func (s *Service) reindexTurns(ctx context.Context, ns []uint64) error {
	records, err := s.o.Engine.At(ctx, ns, true)
	if err != nil {
		return err
	}
	change := &Change{}
	for i := range records {
		r := &records[i]
		before, err := s.newContexts().of(ctx, r)
		if err != nil {
			return err
		}
		parts, err := s.parts(ctx, r.Entry.ID)
		if err != nil {
			return err
		}
		r.Text, r.Vectors = textOf(r, before, len(parts) > 0), []Vectors{s.localVectors(r, before)}
		change.Put = append(change.Put, r)
	}
	if _, err := s.o.Engine.Apply(ctx, change); err != nil {
		return err
	}
	for _, r := range change.Put {
		if err := s.place(r); err != nil {
			return err
		}
	}
	return nil
}
