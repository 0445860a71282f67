package graph

import (
	"context"
	"maps"
	"slices"

	"moothall"
)

// Forget removes what a memory entry said, and with it every fact that only
// this entry supports; facts that others support as well are derived anew
// from those, and what the forgotten entry had closed is open again. Entities
// that nothing is said about any more go too, unless a person described them.
// It returns the ids of the facts that are gone, sorted. An entry that said
// nothing is no error.
func (s *Service) Forget(ctx context.Context, _ moothall.Scope, source moothall.MemoryID) ([]string, error) {
	if source == "" {
		return nil, moothall.Fail(moothall.CodeInvalid, "forget source", "name the memory entry to forget")
	}
	var gone []string
	err := s.engine.Write(ctx, func(tx Tx) error {
		said, err := tx.SaidBy(ctx, source)
		if err != nil || len(said) == 0 {
			gone = nil
			return err
		}
		gone, err = s.forget(ctx, tx, source, said)
		return err
	})
	if err != nil {
		return nil, err
	}
	return gone, nil
}

func (s *Service) forget(ctx context.Context, tx Tx, source moothall.MemoryID, said []Statement) ([]string, error) {
	groups := s.groups(said)
	before, err := factsOf(ctx, tx, groups)
	if err != nil {
		return nil, err
	}
	if err := tx.DropStatements(ctx, source); err != nil {
		return nil, err
	}
	for _, g := range groups {
		if err := s.refold(ctx, tx, g); err != nil {
			return nil, err
		}
	}
	after, err := factsOf(ctx, tx, groups)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(before, func(id string, _ bool) bool { return after[id] })
	return slices.Sorted(maps.Keys(before)), dropUnused(ctx, tx, said)
}

// factsOf are the ids of the facts of groups that have any time.
func factsOf(ctx context.Context, v View, groups []Group) (map[string]bool, error) {
	ids := map[string]bool{}
	for _, g := range groups {
		facts, err := v.Group(ctx, g, Unknown, Forever)
		if err != nil {
			return nil, err
		}
		for _, f := range facts {
			ids[f.ID] = true
		}
	}
	return ids, nil
}

// dropUnused removes the entities of statements about which nothing is said
// any more, with the merges that could bring their names back.
func dropUnused(ctx context.Context, tx Tx, said []Statement) error {
	ids := map[EntityID]bool{}
	for _, st := range said {
		ids[st.Subject], ids[st.Object] = true, true
	}
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if err := dropIfUnused(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

func dropIfUnused(ctx context.Context, tx Tx, id EntityID) error {
	who, err := tx.Entities(ctx, []EntityID{id})
	if err != nil || who[id].Stated {
		return err
	}
	used, err := tx.Used(ctx, id)
	if err != nil || used {
		return err
	}
	if err := dropMerges(ctx, tx, id); err != nil {
		return err
	}
	return tx.DropEntity(ctx, id)
}

// dropMerges removes the records of what went into an entity, and of what had
// gone into that.
func dropMerges(ctx context.Context, tx Tx, id EntityID) error {
	merges, err := tx.Merges(ctx) // newest first: what went in later comes earlier
	if err != nil {
		return err
	}
	gone := map[EntityID]bool{id: true}
	for _, m := range merges {
		if !gone[m.Keep] {
			continue
		}
		gone[m.Gone.ID] = true
		if err := tx.DropMerge(ctx, m.ID); err != nil {
			return err
		}
	}
	return nil
}
