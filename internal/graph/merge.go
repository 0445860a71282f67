package graph

import (
	"context"
	"maps"
	"slices"
	"time"

	"moothall"
)

const (
	opMerge   = "merge entities"
	opUnmerge = "undo merge"
)

// Merge makes two names one thing: everything said about the second is said
// about the first, whose name is shown; the names of both find it. No
// statement is lost, and [Service.Unmerge] takes it back. Names that are one
// thing already are left as they are. CodeNotFound names the one that is not
// there.
func (s *Service) Merge(ctx context.Context, m moothall.GraphMerge) error {
	return s.engine.Write(ctx, func(tx Tx) error {
		keep, err := find(ctx, tx, opMerge, m.Keep)
		if err != nil {
			return err
		}
		gone, err := find(ctx, tx, opMerge, m.Merge)
		if err != nil || keep.ID == gone.ID {
			return err
		}
		record := Merge{ID: moothall.NewID(), At: s.now(), Keep: keep.ID, Gone: gone}
		if err := tx.PutMerge(ctx, record); err != nil {
			return err
		}
		return s.join(ctx, tx, keep, gone)
	})
}

func (s *Service) join(ctx context.Context, tx Tx, keep, gone Entity) error {
	moved, err := tx.SaidOf(ctx, gone.ID)
	if err != nil {
		return err
	}
	before := s.groups(moved)
	if err := tx.MoveStatements(ctx, gone.ID, keep.ID, nil); err != nil {
		return err
	}
	if err := tx.DropEntity(ctx, gone.ID); err != nil {
		return err
	}
	keep.Names = names(keep.Names, gone.Names)
	if keep.Kind == Thing && gone.Kind != Value {
		keep.Kind = gone.Kind
	}
	if err := tx.PutEntity(ctx, keep); err != nil {
		return err
	}
	return s.regroup(ctx, tx, before, rename(moved, gone.ID, keep.ID, nil))
}

// regroup derives anew what moved statements were part of and are part of.
func (s *Service) regroup(ctx context.Context, tx Tx, before []Group, moved []Statement) error {
	done := map[Group]bool{}
	for _, g := range slices.Concat(before, s.groups(moved)) {
		if done[g] {
			continue
		}
		done[g] = true
		if err := s.refold(ctx, tx, g); err != nil {
			return err
		}
	}
	return nil
}

// rename is statements as MoveStatements leaves them.
func rename(said []Statement, from, to EntityID, keys []string) []Statement {
	out := slices.Clone(said)
	for i := range out {
		st := &out[i]
		if st.Subject == from && (keys == nil || slices.Contains(keys, Key(st.SubjectName))) {
			st.Subject = to
		}
		if st.Object == from && (keys == nil || slices.Contains(keys, Key(st.ObjectName))) {
			st.Object = to
		}
	}
	return out
}

// names joins lists of names: one a key, the first spelling wins, by key.
func names(lists ...[]string) []string {
	byKey := map[string]string{}
	for _, name := range slices.Concat(lists...) {
		if key := Key(name); byKey[key] == "" {
			byKey[key] = name
		}
	}
	var out []string
	for _, key := range slices.Sorted(maps.Keys(byKey)) {
		out = append(out, byKey[key])
	}
	return out
}

// MergeRecord says what was merged.
type MergeRecord struct {
	ID    string    `json:"id"`
	At    time.Time `json:"at"`
	Keep  string    `json:"keep"`
	Gone  string    `json:"gone"`
	Names []string  `json:"names"` // that came with it
}

// Merges lists what was merged and can be undone, newest first.
func (s *Service) Merges(ctx context.Context) ([]MergeRecord, error) {
	var out []MergeRecord
	err := s.engine.Read(ctx, func(v View) error {
		out = nil
		all, err := v.Merges(ctx)
		if err != nil {
			return err
		}
		for _, m := range all {
			who, err := v.Entities(ctx, []EntityID{m.Keep})
			if err != nil {
				return err
			}
			out = append(out, MergeRecord{ID: m.ID, At: m.At.Time(), Keep: who[m.Keep].Name, Gone: m.Gone.Name, Names: m.Gone.Names})
		}
		return nil
	})
	return out, err
}

// Unmerge takes a merge back: the entity is there again with its names, and
// with what was said by those names, before the merge or since. CodeConflict
// when a later merge has to be undone first.
func (s *Service) Unmerge(ctx context.Context, _ moothall.Scope, id string) error {
	return s.engine.Write(ctx, func(tx Tx) error {
		m, err := mergeByID(ctx, tx, id)
		if err != nil {
			return err
		}
		who, err := tx.Entities(ctx, []EntityID{m.Keep})
		if err != nil {
			return err
		}
		keep, ok := who[m.Keep]
		if !ok {
			return &moothall.Error{
				Code: moothall.CodeConflict, Op: opUnmerge, Message: "what it was merged into has itself been merged since",
				Remedy: "undo the later merge first",
			}
		}
		return s.part(ctx, tx, m, keep)
	})
}

func mergeByID(ctx context.Context, v View, id string) (Merge, error) {
	all, err := v.Merges(ctx)
	if err != nil {
		return Merge{}, err
	}
	i := slices.IndexFunc(all, func(m Merge) bool { return m.ID == id })
	if i < 0 {
		return Merge{}, &moothall.Error{
			Code: moothall.CodeNotFound, Op: opUnmerge, Message: "there is no such merge", Remedy: "list the merges that there are",
		}
	}
	return all[i], nil
}

func (s *Service) part(ctx context.Context, tx Tx, m Merge, keep Entity) error {
	keys := make([]string, len(m.Gone.Names))
	for i, name := range m.Gone.Names {
		keys[i] = Key(name)
	}
	keep.Names = slices.DeleteFunc(keep.Names, func(name string) bool { return slices.Contains(keys, Key(name)) })
	if err := tx.PutEntity(ctx, keep); err != nil {
		return err
	}
	if err := tx.PutEntity(ctx, m.Gone); err != nil {
		return err
	}
	said, err := tx.SaidOf(ctx, keep.ID)
	if err != nil {
		return err
	}
	if err := tx.MoveStatements(ctx, keep.ID, m.Gone.ID, keys); err != nil {
		return err
	}
	moved := rename(said, keep.ID, m.Gone.ID, keys)
	var was []Statement
	for i := range said {
		if said[i] != moved[i] {
			was = append(was, said[i])
		}
	}
	moved = slices.DeleteFunc(moved, func(st Statement) bool { return st.Subject != m.Gone.ID && st.Object != m.Gone.ID })
	if err := s.regroup(ctx, tx, s.groups(was), moved); err != nil {
		return err
	}
	return tx.DropMerge(ctx, m.ID)
}
