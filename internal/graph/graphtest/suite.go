package graphtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/graph"
)

// Test checks an engine. Open returns an empty one.
func Test(t *testing.T, open func(t *testing.T) graph.Engine) {
	for name, test := range map[string]func(*testing.T, graph.Engine){
		"entities and names":        entities,
		"a name belongs to one":     nameTaken,
		"words":                     words,
		"groups":                    groups,
		"tenses and order":          tenses,
		"statements":                statements,
		"twins":                     twins,
		"moving statements":         moving,
		"merges":                    merges,
		"pages":                     pages,
		"counts":                    counts,
		"failed writes leave none":  rollback,
		"panics leave none":         panics,
		"canceled caller":           canceled,
		"writers one after another": writers,
		"hostile strings":           hostile,
		"service: time":             serviceTime,
		"service: merge and undo":   serviceMerge,
		"service: forget":           serviceForget,
		"since":                     serviceSince,
		"service: round trip":       serviceRoundTrip,
		"service: hub":              serviceHub,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

func write(t *testing.T, e graph.Engine, f func(ctx context.Context, tx graph.Tx) error) {
	t.Helper()
	if err := e.Write(t.Context(), func(tx graph.Tx) error { return f(t.Context(), tx) }); err != nil {
		t.Fatalf("write: %v", err)
	}
}

func read(t *testing.T, e graph.Engine, f func(ctx context.Context, v graph.View) error) {
	t.Helper()
	if err := e.Read(t.Context(), func(v graph.View) error { return f(t.Context(), v) }); err != nil {
		t.Fatalf("read: %v", err)
	}
}

func wantCode(t *testing.T, err error, want moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != want {
		t.Fatalf("code %q, want %q; error: %v", got, want, err)
	}
}

func entity(id, name string, more ...string) graph.Entity {
	return graph.Entity{ID: graph.EntityID(id), Name: name, Kind: graph.Person, Names: append([]string{name}, more...)}
}

func fact(id, subject, relation, object string, start, end, observed graph.Instant) graph.Fact {
	return graph.Fact{
		ID: id, Subject: graph.EntityID(subject), Relation: relation, Object: graph.EntityID(object), From: start, Start: start, End: end,
		Observed: observed, Source: "m-1", Confidence: 0.25, Trust: moothall.TrustModel,
	}
}

func statement(id, subject, object string, observed graph.Instant) graph.Statement {
	return graph.Statement{
		ID: id, Subject: graph.EntityID(subject), Object: graph.EntityID(object), SubjectName: subject, ObjectName: object, Relation: "knows",
		From: graph.Unknown, To: graph.Forever, Observed: observed, Source: "m-1", Confidence: 0.5, Trust: moothall.TrustPerson,
	}
}

func ids[T any](list []T, id func(T) string) string {
	var out []string
	for _, v := range list {
		out = append(out, id(v))
	}
	return fmt.Sprint(out)
}

func factIDs(list []graph.Fact) string { return ids(list, func(f graph.Fact) string { return f.ID }) }

func statementIDs(list []graph.Statement) string {
	return ids(list, func(s graph.Statement) string { return s.ID })
}

func rollback(t *testing.T, e graph.Engine) {
	fail := errors.New("no")
	err := e.Write(t.Context(), func(tx graph.Tx) error {
		if err := tx.PutEntity(t.Context(), entity("a", "Ana")); err != nil {
			return err
		}
		if got, err := tx.Named(t.Context(), []string{"ana"}); err != nil || got["ana"] != "a" {
			t.Errorf("a transaction does not see its own change: %v %v", got, err)
		}
		return fail
	})
	if !errors.Is(err, fail) {
		t.Fatalf("the error came back as %v", err)
	}
	wantEmpty(t, e)
}

func panics(t *testing.T, e graph.Engine) {
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic was swallowed")
			}
		}()
		_ = e.Write(t.Context(), func(tx graph.Tx) error {
			if err := tx.PutEntity(t.Context(), entity("a", "Ana")); err != nil {
				return err
			}
			panic("in the middle")
		})
	}()
	wantEmpty(t, e)
}

func wantEmpty(t *testing.T, e graph.Engine) {
	t.Helper()
	read(t, e, func(ctx context.Context, v graph.View) error {
		c, err := v.Counts(ctx)
		if c != (graph.Counts{}) {
			t.Errorf("something is left: %+v", c)
		}
		return err
	})
}

func canceled(t *testing.T, e graph.Engine) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantCode(t, e.Write(ctx, func(tx graph.Tx) error { return tx.PutEntity(ctx, entity("a", "Ana")) }), moothall.CodeCanceled)
	wantCode(t, e.Read(ctx, func(v graph.View) error { _, err := v.Counts(ctx); return err }), moothall.CodeCanceled)
	wantEmpty(t, e)
}

// writers count in the graph: a read and a write of one transaction must not
// be parted by another.
func writers(t *testing.T, e graph.Engine) {
	const workers, each = 4, 10
	write(t, e, func(ctx context.Context, tx graph.Tx) error {
		return tx.PutFact(ctx, fact("n", "a", "r", "b", 0, graph.Forever, 0))
	})
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range each {
				err := e.Write(t.Context(), func(tx graph.Tx) error {
					got, err := tx.Touching(t.Context(), "a", graph.Ever, 0, 1)
					if err != nil {
						return err
					}
					got[0].Observed++
					return tx.PutFact(t.Context(), got[0])
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	read(t, e, func(ctx context.Context, v graph.View) error {
		got, err := v.Touching(ctx, "a", graph.Ever, 0, 1)
		if len(got) != 1 || got[0].Observed != workers*each {
			t.Errorf("got %+v, want a count of %d", got, workers*each)
		}
		return err
	})
}

// HostileNames are names that have broken programs.
func HostileNames() []string {
	return []string{
		`Robert'); DROP TABLE graph_facts;--`, `"; MATCH (n) DETACH DELETE n //`, "</data><node id=\"x\"/>", "<![CDATA[x]]>", "a & b < c > d",
		"100%_x", "C++", "C#", "Ångström", "李小龍", "أحمد", "שָׁלוֹם", "Ελένη", "Дмитрий", "กรุงเทพ", "한국어", "ᚠᚢᚦ", "👩‍👩‍👧", "𝔘𝔫𝔦𝔠𝔬𝔡𝔢", "ǅ", "İstanbul",
		"null", "true", "0", "{}", "[]", `\u0000`, "$id", "%s%d", "../../x",
	}
}

func hostile(t *testing.T, e graph.Engine) {
	all := HostileNames()
	write(t, e, func(ctx context.Context, tx graph.Tx) error {
		for i, name := range all {
			id := fmt.Sprintf("e%02d", i)
			if err := tx.PutEntity(ctx, entity(id, name)); err != nil {
				return fmt.Errorf("%q: %w", name, err)
			}
			s := statement("s"+id, id, id, 1)
			s.SubjectName, s.ObjectName, s.Relation, s.Source = name, name, name, moothall.MemoryID(name)
			if err := tx.PutStatement(ctx, s); err != nil {
				return fmt.Errorf("%q: %w", name, err)
			}
		}
		return nil
	})
	read(t, e, func(ctx context.Context, v graph.View) error {
		for i, name := range all {
			id := graph.EntityID(fmt.Sprintf("e%02d", i))
			who, err := v.Entities(ctx, []graph.EntityID{id})
			if err != nil {
				return err
			}
			if who[id].Name != name || !slices.Equal(who[id].Names, []string{name}) {
				t.Errorf("%q came back as %+v", name, who[id])
			}
			said, err := v.SaidBy(ctx, moothall.MemoryID(name))
			if err != nil {
				return err
			}
			if len(said) != 1 || said[0].SubjectName != name || said[0].Relation != name {
				t.Errorf("%q: said %+v", name, said)
			}
		}
		return nil
	})
}
