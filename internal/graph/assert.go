package graph

import (
	"context"
	"math"
	"time"

	"moothall"
)

const opAssert = "assert fact"

// Assert adds what a fact says and returns the fact that now carries it, with
// the names that the graph shows. The package comment says what becomes of
// other facts. The id of the request is not looked at. Saying exactly the same
// twice (also Observed and Source) changes nothing, so a repeated delivery is
// harmless.
//
// Defaults: Observed now, and never later than now; Trust external; a
// Confidence of 0 counts as not told and becomes 1 from the person and 0.5
// from others. Errors: CodeInvalid, CodeTooLarge, and those of the engine.
func (s *Service) Assert(ctx context.Context, _ moothall.Scope, f moothall.GraphFact) (moothall.GraphFact, error) {
	if now := s.opt.Now(); f.Observed.After(now) {
		f.Observed = now
	}
	st, err := s.statement(f)
	if err != nil {
		return moothall.GraphFact{}, err
	}
	var out moothall.GraphFact
	err = s.engine.Write(ctx, func(tx Tx) error {
		rule := s.rules.of(st.Relation)
		said := st
		subject, err := s.meet(ctx, tx, st.SubjectName, rule.Subject)
		if err != nil {
			return err
		}
		object, err := s.meet(ctx, tx, st.ObjectName, rule.Object)
		if err != nil {
			return err
		}
		said.Subject, said.Object = subject.ID, object.ID
		fact, err := s.record(ctx, tx, said)
		out = render(fact, subject, object)
		return err
	})
	if err != nil {
		return moothall.GraphFact{}, err
	}
	return out, nil
}

// statement checks a request and fills in what was left out.
func (s *Service) statement(f moothall.GraphFact) (Statement, error) {
	rule, err := s.checkText(f)
	if err != nil {
		return Statement{}, err
	}
	if f.Observed.IsZero() {
		f.Observed = s.opt.Now()
	}
	if f.Trust == "" {
		f.Trust = moothall.TrustExternal
	}
	if err := checkFigures(f); err != nil {
		return Statement{}, err
	}
	if f.Confidence == 0 {
		f.Confidence = 0.5
		if f.Trust == moothall.TrustPerson {
			f.Confidence = 1
		}
	}
	return Statement{
		ID: moothall.NewID(), SubjectName: Clean(f.Subject), ObjectName: Clean(f.Object), Relation: rule.Relation,
		From: instant(f.From, Unknown), To: instant(f.To, Forever), Observed: instant(f.Observed, 0),
		Source: f.Source, Confidence: f.Confidence, Trust: f.Trust,
	}, nil
}

func (s *Service) checkText(f moothall.GraphFact) (Rule, error) {
	for what, name := range map[string]string{"subject": f.Subject, "object": f.Object, "relation": f.Relation, "source": string(f.Source)} {
		if what == "source" && name == "" {
			continue
		}
		if _, err := checkName(opAssert, what, name); err != nil {
			return Rule{}, err
		}
	}
	rule := s.rules.of(f.Relation)
	if rule.Relation == "" {
		return rule, moothall.Fail(moothall.CodeInvalid, opAssert, "a fact needs a relation that can be read")
	}
	return rule, nil
}

func checkFigures(f moothall.GraphFact) error {
	for _, t := range []time.Time{f.From, f.To, f.Observed} {
		if y := t.UTC().Year(); y < 1 || y > 9999 {
			return moothall.Fail(moothall.CodeInvalid, opAssert, "a time of a fact lies outside the years 1 to 9999")
		}
	}
	switch {
	case !f.To.IsZero() && f.To.Before(f.From):
		return moothall.Fail(moothall.CodeInvalid, opAssert, "the fact ends before it begins")
	case math.IsNaN(f.Confidence) || f.Confidence < 0 || f.Confidence > 1:
		return moothall.Fail(moothall.CodeInvalid, opAssert, "a confidence lies between 0 and 1")
	case rank(f.Trust) == 0:
		return moothall.Fail(moothall.CodeInvalid, opAssert, "there is no such level of trust")
	}
	return nil
}

// meet returns the entity of a name, new if need be, and learns its kind.
func (s *Service) meet(ctx context.Context, tx Tx, name string, kind Kind) (Entity, error) {
	key := Key(name)
	ids, err := tx.Named(ctx, []string{key})
	if err != nil {
		return Entity{}, err
	}
	id, known := ids[key]
	if !known {
		e := Entity{ID: EntityID(moothall.NewID()), Name: name, Kind: kind, Names: []string{name}}
		if kind == "" {
			e.Kind = Thing
		}
		return e, tx.PutEntity(ctx, e)
	}
	e, err := byID(ctx, tx, opAssert, id)
	if err != nil || !learns(e, kind) {
		return e, err
	}
	e.Kind = kind
	return e, tx.PutEntity(ctx, e)
}

// learns reports whether a kind says more than what is known. Nothing that is
// known becomes a value: a value ends every walk through the graph, and one
// statement must not be able to cut a place off.
func learns(e Entity, kind Kind) bool {
	vague := e.Kind == Thing || e.Kind == Value
	return vague && !e.Stated && kind != "" && kind != Value && kind != e.Kind
}

// record keeps a statement and its consequences.
func (s *Service) record(ctx context.Context, tx Tx, st Statement) (Fact, error) {
	twin, err := tx.Twin(ctx, st)
	if err != nil {
		return Fact{}, err
	}
	if twin != "" {
		st.ID = twin
		return s.carrier(ctx, tx, st)
	}
	if err := tx.PutStatement(ctx, st); err != nil {
		return Fact{}, err
	}
	return s.apply(ctx, tx, st)
}

// carrier finds the fact that an earlier statement went into.
func (s *Service) carrier(ctx context.Context, v View, st Statement) (Fact, error) {
	facts, err := v.Group(ctx, Group{st.Subject, st.Relation, st.Object}, Unknown, Forever)
	if err != nil {
		return Fact{}, err
	}
	best := newFact(st)
	best.End = best.Start // it was superseded altogether
	for _, f := range facts {
		if f.Trust == st.Trust && (f.ID == st.ID || best.ID != st.ID || best.Start == best.End) {
			best = f
		}
	}
	return best, nil
}

// apply folds a statement into the facts that are there.
func (s *Service) apply(ctx context.Context, tx Tx, st Statement) (Fact, error) {
	g := s.rules.of(st.Relation).group(st.Subject, st.Object)
	reach := st.reach()
	near, err := tx.Group(ctx, g, reach.start, reach.end)
	if err != nil {
		return Fact{}, err
	}
	fact, changed := fold(near, st)
	for _, f := range changed {
		if err := tx.PutFact(ctx, f); err != nil {
			return Fact{}, err
		}
	}
	for _, f := range near {
		if f.Object != fact.Object && f.Trust != fact.Trust && f.End == Forever && fact.End == Forever && rank(f.Trust) > rank(fact.Trust) {
			s.opt.Logger.Info("a less trusted source contradicts a fact, both stand", "fact", f.ID, "against", fact.ID)
		}
	}
	return fact, nil
}

// refold derives a group's facts anew from its statements.
func (s *Service) refold(ctx context.Context, tx Tx, g Group) error {
	if err := tx.DropFacts(ctx, g); err != nil {
		return err
	}
	said, err := tx.Said(ctx, g)
	if err != nil {
		return err
	}
	for _, st := range said {
		if _, err := s.apply(ctx, tx, st); err != nil {
			return err
		}
	}
	return nil
}

// groups are those that statements belong to, each once, in order.
func (s *Service) groups(said []Statement) []Group {
	var out []Group
	seen := map[Group]bool{}
	for _, st := range said {
		g := s.rules.of(st.Relation).group(st.Subject, st.Object)
		if !seen[g] {
			seen[g] = true
			out = append(out, g)
		}
	}
	return out
}

// render is a fact as others see it.
func render(f Fact, subject, object Entity) moothall.GraphFact {
	return moothall.GraphFact{
		ID: f.ID, Subject: subject.Name, Relation: f.Relation, Object: object.Name, From: f.From.Time(), To: f.End.Time(),
		Observed: f.Observed.Time(), Source: f.Source, Confidence: f.Confidence, Trust: f.Trust,
	}
}
