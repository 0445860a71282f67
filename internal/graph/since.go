package graph

import (
	"context"
	"slices"

	"moothall"
)

// Since returns, for each of these memory entries that says what is so no more,
// the facts that have taken the place of what it says: somebody lives elsewhere
// by now. What one of less trust says takes no place.
func (s *Service) Since(ctx context.Context, sources []moothall.MemoryID) (map[moothall.MemoryID][]moothall.GraphFact, error) {
	out := map[moothall.MemoryID][]moothall.GraphFact{}
	err := s.engine.Read(ctx, func(v View) error {
		clear(out)
		for _, source := range sources {
			said, err := v.SaidBy(ctx, source)
			if err != nil {
				return err
			}
			var facts []Fact
			for _, st := range said {
				f, replaced, err := s.since(ctx, v, st)
				if err != nil {
					return err
				}
				if replaced && !slices.ContainsFunc(facts, func(g Fact) bool { return g.ID == f.ID }) {
					facts = append(facts, f)
				}
			}
			if len(facts) == 0 {
				continue
			}
			if out[source], err = present(ctx, v, facts); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// since returns the fact that holds now in place of what a statement says to
// be so.
func (s *Service) since(ctx context.Context, v View, st Statement) (Fact, bool, error) {
	rule, now := s.rules.of(st.Relation), s.now()
	if !rule.Functional || st.To <= now {
		return Fact{}, false, nil
	}
	facts, err := v.Group(ctx, rule.group(st.Subject, st.Object), now, Forever)
	if err != nil {
		return Fact{}, false, err
	}
	var best Fact
	for _, f := range facts {
		switch {
		case f.Start > now:
		case f.Object == st.Object: // so it is, still or again
			return Fact{}, false, nil
		case rank(f.Trust) >= rank(st.Trust) && rank(f.Trust) > rank(best.Trust):
			best = f
		}
	}
	return best, best.ID != "", nil
}
