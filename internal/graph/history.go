package graph

import (
	"cmp"
	"context"
	"slices"

	"moothall"
)

// History returns everything about an entity, what WAS and what is still to
// come too, of every level of trust, in order of time. Of a very large hub it
// gives the 10,000 facts observed last. CodeNotFound when nobody has the name.
func (s *Service) History(ctx context.Context, name string) ([]moothall.GraphFact, error) {
	_, facts, err := s.about(ctx, "show history", name)
	return facts, err
}

// Contradiction is two facts that cannot both be so, and both stand since the
// newer one is less trusted.
type Contradiction struct {
	Trusted moothall.GraphFact // the more trusted
	Other   moothall.GraphFact
}

// Contradictions returns those among the facts about an entity.
func (s *Service) Contradictions(ctx context.Context, name string) ([]Contradiction, error) {
	e, facts, err := s.about(ctx, "show contradictions", name)
	if err != nil {
		return nil, err
	}
	byRelation := map[string][]moothall.GraphFact{}
	for _, f := range facts {
		if f.Subject == e.Name && s.rules.of(f.Relation).Functional {
			byRelation[f.Relation] = append(byRelation[f.Relation], f)
		}
	}
	var out []Contradiction
	for _, f := range facts {
		for _, other := range byRelation[f.Relation] {
			if f.Subject == e.Name && rank(f.Trust) > rank(other.Trust) && clash(f, other) {
				out = append(out, Contradiction{Trusted: f, Other: other})
			}
		}
	}
	return out, nil
}

func (s *Service) about(ctx context.Context, op, name string) (e Entity, out []moothall.GraphFact, err error) {
	err = s.engine.Read(ctx, func(v View) error {
		if e, err = find(ctx, v, op, name); err != nil {
			return err
		}
		facts, err := v.Touching(ctx, e.ID, Ever, 0, maxHistory)
		if err != nil {
			return err
		}
		slices.SortStableFunc(facts, func(a, b Fact) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End), cmp.Compare(a.ID, b.ID))
		})
		out, err = present(ctx, v, facts)
		return err
	})
	return e, out, err
}

// present gives facts their names.
func present(ctx context.Context, v View, facts []Fact) ([]moothall.GraphFact, error) {
	w := walk{view: v, facts: facts, who: map[EntityID]Entity{}}
	if err := w.learn(ctx); err != nil {
		return nil, err
	}
	out := make([]moothall.GraphFact, len(facts))
	for i, f := range facts {
		out[i] = render(f, w.who[f.Subject], w.who[f.Object])
	}
	return out, nil
}

// Describe says what an entity is and how else it is called. An entity that
// was not there is made. A name that belongs to another entity is
// CodeConflict: merging is a decision of its own.
func (s *Service) Describe(ctx context.Context, _ moothall.Scope, name string, kind Kind, aliases ...string) (Entity, error) {
	const op = "describe entity"
	if !slices.Contains([]Kind{Person, Place, Organisation, Thing, Value, ""}, kind) {
		return Entity{}, &moothall.Error{
			Code: moothall.CodeInvalid, Op: op, Message: "there is no such kind", Remedy: "use person, place, organisation, thing or value",
		}
	}
	for _, n := range append([]string{name}, aliases...) {
		if _, err := checkName(op, "name", n); err != nil {
			return Entity{}, err
		}
	}
	var out Entity
	err := s.engine.Write(ctx, func(tx Tx) error {
		e, err := s.meet(ctx, tx, Clean(name), "")
		if err != nil {
			return err
		}
		out, err = describe(ctx, tx, e, kind, aliases)
		return err
	})
	return out, err
}

func describe(ctx context.Context, tx Tx, e Entity, kind Kind, aliases []string) (Entity, error) {
	for _, a := range aliases {
		e.Names = append(e.Names, Clean(a))
	}
	e.Names, e.Stated = names(e.Names), true
	if kind != "" {
		e.Kind = kind
	}
	err := tx.PutEntity(ctx, e)
	if moothall.ErrorCode(err) == moothall.CodeConflict {
		err = &moothall.Error{
			Code: moothall.CodeConflict, Op: "describe entity", Message: "one of the names belongs to something else",
			Remedy: "merge the two if they are one", Err: err,
		}
	}
	return e, err
}

// Entity returns what is known of a name itself.
func (s *Service) Entity(ctx context.Context, name string) (e Entity, err error) {
	err = s.engine.Read(ctx, func(v View) error {
		e, err = find(ctx, v, "show entity", name)
		return err
	})
	return e, err
}
