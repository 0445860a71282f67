package memory

import "context"

// follow indexes the turns after those just stored again, since what was said
// before them has changed: a turn that comes late, or is corrected. It is for
// turns that were there before; in order, nothing is to be done. The index is
// derived, so a failure only costs quality. The caller holds writing.
func (s *Service) follow(ctx context.Context, stored []*Record) {
	ns := s.followers(stored)
	if len(ns) == 0 {
		return
	}
	ctx, cancel := detached(ctx)
	defer cancel()
	if err := s.reindexTurns(ctx, ns); err != nil {
		s.o.Logger.Warn("turns after a late one could not be indexed again", "err", err)
	}
}

func (s *Service) followers(stored []*Record) []uint64 {
	fresh := make(map[uint64]bool, len(stored))
	for _, r := range stored {
		fresh[r.N] = true
	}
	var out []uint64
	for _, r := range stored {
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
	change := &Change{Index: map[uint64]Text{}}
	for i := range records {
		r := &records[i]
		before, err := s.newContexts().of(ctx, r)
		if err != nil {
			return err
		}
		v := s.localVectors(r, before)
		v.N = r.N
		change.Index[r.N], change.Vectors = textOf(r, before, false), append(change.Vectors, v)
	}
	if _, err := s.o.Engine.Apply(ctx, change); err != nil {
		return err
	}
	for _, v := range change.Vectors {
		if err := s.local.put(v); err != nil {
			return err
		}
	}
	return nil
}
