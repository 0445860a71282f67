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
// that nothing is said about any more go too, unless a person described them,
// and so do names that came with a merge and that nobody says any more.
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
		if err := dropIfUnused(ctx, tx, id, said); err != nil {
			return err
		}
	}
	return nil
}

func dropIfUnused(ctx context.Context, tx Tx, id EntityID, said []Statement) error {
	who, err := tx.Entities(ctx, []EntityID{id})
	if err != nil {
		return err
	}
	used := who[id].Stated
	if !used {
		if used, err = tx.Used(ctx, id); err != nil {
			return err
		}
	}
	if used {
		return dropUnsaid(ctx, tx, who[id], said)
	}
	if err := dropMerges(ctx, tx, id); err != nil {
		return err
	}
	return tx.DropEntity(ctx, id)
}

// dropUnsaid takes from an entity the names of what went into it, with the
// records of that, where the statements that are gone were the last to say one
// of them: undone, such a merge would leave an entity that nobody speaks of.
func dropUnsaid(ctx context.Context, tx Tx, e Entity, gone []Statement) error {
	merges, err := tx.Merges(ctx)
	if err != nil || !slices.ContainsFunc(merges, func(m Merge) bool { return m.Keep == e.ID }) {
		return err
	}
	left, err := tx.SaidOf(ctx, e.ID)
	if err != nil {
		return err
	}
	was, is := keysOf(gone, e.ID), keysOf(left, e.ID)
	for _, m := range merges {
		mine := func(name string) bool {
			return slices.ContainsFunc(m.Gone.Names, func(n string) bool { return Key(n) == Key(name) })
		}
		says := func(keys map[string]bool) bool {
			return slices.ContainsFunc(m.Gone.Names, func(name string) bool { return keys[Key(name)] })
		}
		if m.Keep != e.ID || !says(was) || says(is) || mine(e.Name) || stated(merges, m) {
			continue
		}
		if err := tx.DropMerge(ctx, m.ID); err != nil {
			return err
		}
		if err := dropMerges(ctx, tx, m.Gone.ID); err != nil {
			return err
		}
		e.Names = slices.DeleteFunc(e.Names, mine)
		if err := tx.PutEntity(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// keysOf are the keys of the names by which statements speak of an entity.
func keysOf(said []Statement, id EntityID) map[string]bool {
	keys := map[string]bool{}
	for _, st := range said {
		if st.Subject == id {
			keys[Key(st.SubjectName)] = true
		}
		if st.Object == id {
			keys[Key(st.ObjectName)] = true
		}
	}
	return keys
}

// stated reports whether a person described what a merge is the record of, or
// what had gone into that.
func stated(merges []Merge, m Merge) bool {
	return m.Gone.Stated || slices.ContainsFunc(into(merges, m.Gone.ID), func(m Merge) bool { return m.Gone.Stated })
}

// dropMerges removes the records of what went into an entity, and of what had
// gone into that.
func dropMerges(ctx context.Context, tx Tx, id EntityID) error {
	merges, err := tx.Merges(ctx)
	if err != nil {
		return err
	}
	for _, m := range into(merges, id) {
		if err := tx.DropMerge(ctx, m.ID); err != nil {
			return err
		}
	}
	return nil
}

// into are those of all merges by which something went into an entity, or into
// what had gone into it.
func into(merges []Merge, id EntityID) []Merge {
	var out []Merge
	gone := map[EntityID]bool{id: true}
	for _, m := range merges { // newest first: what went in later comes earlier
		if gone[m.Keep] {
			gone[m.Gone.ID] = true
			out = append(out, m)
		}
	}
	return out
}
