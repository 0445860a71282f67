package graphtest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"moothall"
	"moothall/internal/graph"
)

func entities(t *testing.T, e graph.Engine) {
	ana := graph.Entity{ID: "a", Name: "Ana", Kind: graph.Place, Names: []string{"Ána Sousa", "Ana"}, Stated: true}
	write(t, e, func(ctx context.Context, tx graph.Tx) error { return tx.PutEntity(ctx, ana) })
	check := func(want graph.Entity, keys ...string) {
		t.Helper()
		read(t, e, func(ctx context.Context, v graph.View) error {
			who, err := v.Entities(ctx, []graph.EntityID{"a", "nobody"})
			if err != nil {
				return err
			}
			got := who["a"]
			if len(who) != 1 || got.Name != want.Name || got.Kind != want.Kind || got.Stated != want.Stated || !slices.Equal(got.Names, want.Names) {
				t.Errorf("got %+v, want %+v", who, want)
			}
			named, err := v.Named(ctx, []string{"ana", "ana sousa", "anita", "nobody"})
			if len(named) != len(keys) {
				t.Errorf("names %v, want %v", named, keys)
			}
			for _, key := range keys {
				if named[key] != "a" {
					t.Errorf("%q leads to %q", key, named[key])
				}
			}
			return err
		})
	}
	ana.Names = []string{"Ana", "Ána Sousa"} // by key
	check(ana, "ana", "ana sousa")
	ana = graph.Entity{ID: "a", Name: "Anita", Kind: graph.Person, Names: []string{"Ana", "Anita"}}
	write(t, e, func(ctx context.Context, tx graph.Tx) error { return tx.PutEntity(ctx, ana) })
	check(ana, "ana", "anita")
	write(t, e, func(ctx context.Context, tx graph.Tx) error { return tx.DropEntity(ctx, "a") })
	wantEmpty(t, e)
	write(t, e, func(ctx context.Context, tx graph.Tx) error { return tx.PutEntity(ctx, entity("b", "Ana")) })
}

func nameTaken(t *testing.T, e graph.Engine) {
	write(t, e, func(ctx context.Context, tx graph.Tx) error { return tx.PutEntity(ctx, entity("a", "Ana")) })
	err := e.Write(t.Context(), func(tx graph.Tx) error { return tx.PutEntity(t.Context(), entity("b", "Bo", "ANA")) })
	wantCode(t, err, moothall.CodeConflict)
	read(t, e, func(ctx context.Context, v graph.View) error {
		named, err := v.Named(ctx, []string{"ana", "bo"})
		if len(named) != 1 || named["ana"] != "a" {
			t.Errorf("names %v", named)
		}
		return err
	})
}

func words(t *testing.T, e graph.Engine) {
	write(t, e, func(ctx context.Context, tx graph.Tx) error {
		for i := range 5 {
			if err := tx.PutEntity(ctx, entity(fmt.Sprint("e", i), fmt.Sprintf("Ana ana Nº%d", i), fmt.Sprint("Bo", i))); err != nil {
				return err
			}
		}
		return nil
	})
	read(t, e, func(ctx context.Context, v graph.View) error {
		for word, want := range map[string]string{"ana": "[e0 e1 e2]", "bo3": "[e3]", "an": "[]"} {
			got, err := v.Worded(ctx, word, 3)
			if err != nil {
				return err
			}
			if fmt.Sprint(got) != want {
				t.Errorf("%s: %v, want %v", word, got, want)
			}
		}
		return nil
	})
}

func groups(t *testing.T, e graph.Engine) {
	write(t, e, func(ctx context.Context, tx graph.Tx) error {
		for _, f := range []graph.Fact{
			fact("1", "a", "r", "x", 10, 20, 1), fact("2", "a", "r", "y", 20, 30, 2), fact("3", "a", "r", "x", 30, graph.Forever, 3),
			fact("4", "a", "r", "z", 25, 25, 4), fact("5", "a", "other", "x", 10, graph.Forever, 5), fact("6", "b", "r", "x", 10, graph.Forever, 6),
		} {
			if err := tx.PutFact(ctx, f); err != nil {
				return err
			}
		}
		return nil
	})
	all := graph.Group{Subject: "a", Relation: "r"}
	one := graph.Group{Subject: "a", Relation: "r", Object: "x"}
	read(t, e, func(ctx context.Context, v graph.View) error {
		for _, c := range []struct {
			g             graph.Group
			after, before graph.Instant
			want          string
		}{
			{all, graph.Unknown, graph.Forever, "[1 2 3]"}, {all, 20, 30, "[2]"}, {all, 19, 31, "[1 2 3]"}, {all, 0, 10, "[]"},
			{one, graph.Unknown, graph.Forever, "[1 3]"}, {one, 20, 30, "[]"}, {all, 1000, graph.Forever, "[3]"},
		} {
			got, err := v.Group(ctx, c.g, c.after, c.before)
			if err != nil {
				return err
			}
			if factIDs(got) != c.want {
				t.Errorf("%+v from %d to %d: %s, want %s", c.g, c.after, c.before, factIDs(got), c.want)
			}
			for _, f := range got {
				if f.ID == "1" && f != fact("1", "a", "r", "x", 10, 20, 1) {
					t.Errorf("came back as %+v", f)
				}
			}
		}
		return nil
	})
	write(t, e, func(ctx context.Context, tx graph.Tx) error { return tx.DropFacts(ctx, one) })
	wantTouching(t, e, "a", graph.Ever, 0, 10, "[5 4 2]")
	write(t, e, func(ctx context.Context, tx graph.Tx) error { return tx.DropFacts(ctx, all) })
	wantTouching(t, e, "a", graph.Ever, 0, 10, "[5]")
}

func wantTouching(t *testing.T, e graph.Engine, id graph.EntityID, tense graph.Tense, at graph.Instant, limit int, want string) {
	t.Helper()
	read(t, e, func(ctx context.Context, v graph.View) error {
		got, err := v.Touching(ctx, id, tense, at, limit)
		if factIDs(got) != want {
			t.Errorf("%s in tense %d at %d: %s, want %s", id, tense, at, factIDs(got), want)
		}
		return err
	})
}

func tenses(t *testing.T, e graph.Engine) {
	write(t, e, func(ctx context.Context, tx graph.Tx) error {
		for _, f := range []graph.Fact{
			fact("d", "a", "r", "x", 10, 20, 5), fact("c", "b", "r", "a", 10, graph.Forever, 5), fact("b", "a", "r", "a", 15, graph.Forever, 9),
			fact("a", "a", "r", "y", 50, graph.Forever, 7), fact("e", "b", "r", "c", 10, graph.Forever, 1),
		} {
			if err := tx.PutFact(ctx, f); err != nil {
				return err
			}
		}
		return nil
	})
	wantTouching(t, e, "a", graph.Ever, 0, 9, "[b a c d]")
	wantTouching(t, e, "a", graph.Ever, 0, 2, "[b a]")
	wantTouching(t, e, "a", graph.Is, 19, 9, "[b c d]")
	wantTouching(t, e, "a", graph.Is, 20, 9, "[b c]")
	wantTouching(t, e, "a", graph.Was, 20, 9, "[d]")
	wantTouching(t, e, "a", graph.Was, 19, 9, "[]")
	wantTouching(t, e, "a", graph.Is, 9, 9, "[]")
	wantTouching(t, e, "", graph.Ever, 0, 9, "[b a c d e]")
	wantTouching(t, e, "", graph.Is, 60, 2, "[b a]")
	wantTouching(t, e, "nobody", graph.Ever, 0, 9, "[]")
}

func putStatements(t *testing.T, e graph.Engine, list ...graph.Statement) {
	t.Helper()
	write(t, e, func(ctx context.Context, tx graph.Tx) error {
		for _, s := range list {
			if err := tx.PutStatement(ctx, s); err != nil {
				return err
			}
		}
		return nil
	})
}

func statements(t *testing.T, e graph.Engine) {
	other := statement("0", "b", "a", 7)
	other.Source = "m-2"
	putStatements(t, e, statement("2", "a", "b", 5), statement("1", "a", "c", 6), other)
	wantCode(t, e.Write(t.Context(), func(tx graph.Tx) error { return tx.PutStatement(t.Context(), statement("1", "x", "y", 1)) }), moothall.CodeConflict)
	read(t, e, func(ctx context.Context, v graph.View) error {
		for want, get := range map[string]func() ([]graph.Statement, error){
			"[2 1]": func() ([]graph.Statement, error) { return v.Said(ctx, graph.Group{Subject: "a", Relation: "knows"}) },
			"[2]": func() ([]graph.Statement, error) {
				return v.Said(ctx, graph.Group{Subject: "a", Relation: "knows", Object: "b"})
			},
			"[2 1 0]": func() ([]graph.Statement, error) { return v.SaidOf(ctx, "a") },
			"[0]":     func() ([]graph.Statement, error) { return v.SaidBy(ctx, "m-2") },
		} {
			got, err := get()
			if err != nil {
				return err
			}
			if statementIDs(got) != want {
				t.Errorf("got %s, want %s", statementIDs(got), want)
			}
		}
		for id, want := range map[graph.EntityID]bool{"a": true, "c": true, "d": false} {
			if got, err := v.Used(ctx, id); err != nil || got != want {
				t.Errorf("%s used: %v, %v", id, got, err)
			}
		}
		return nil
	})
	write(t, e, func(ctx context.Context, tx graph.Tx) error { return tx.DropStatements(ctx, "m-1") })
	read(t, e, func(ctx context.Context, v graph.View) error {
		got, err := v.SaidOf(ctx, "a")
		if len(got) == 1 {
			got[0].Seq = 0
		}
		if len(got) != 1 || got[0] != other {
			t.Errorf("left: %+v", got)
		}
		return err
	})
}

func twins(t *testing.T, e graph.Engine) {
	s := statement("1", "a", "b", 5)
	putStatements(t, e, s)
	changes := map[string]func(*graph.Statement){
		"the same":   func(s *graph.Statement) {},
		"subject":    func(s *graph.Statement) { s.Subject = "c" },
		"object":     func(s *graph.Statement) { s.Object = "c" },
		"name":       func(s *graph.Statement) { s.ObjectName = "bo" },
		"spelling":   func(s *graph.Statement) { s.ObjectName = "B" },
		"relation":   func(s *graph.Statement) { s.Relation = "likes" },
		"from":       func(s *graph.Statement) { s.From = 1 },
		"to":         func(s *graph.Statement) { s.To = 9 },
		"observed":   func(s *graph.Statement) { s.Observed = 6 },
		"source":     func(s *graph.Statement) { s.Source = "" },
		"trust":      func(s *graph.Statement) { s.Trust = moothall.TrustExternal },
		"confidence": func(s *graph.Statement) { s.Confidence = 1 },
	}
	read(t, e, func(ctx context.Context, v graph.View) error {
		for name, change := range changes {
			other, want := s, ""
			other.ID = "new"
			change(&other)
			if name == "the same" || name == "confidence" || name == "spelling" {
				want = "1"
			}
			if got, err := v.Twin(ctx, other); err != nil || got != want {
				t.Errorf("%s: %q, %v; want %q", name, got, err, want)
			}
		}
		return nil
	})
}

func moving(t *testing.T, e graph.Engine) {
	as := func(s graph.Statement, subject, object string) graph.Statement {
		s.SubjectName, s.ObjectName = subject, object
		return s
	}
	putStatements(t, e, as(statement("1", "a", "b", 1), "Ana", "Bo"), as(statement("2", "a", "a", 2), "Anita", "Ana"), as(statement("3", "b", "a", 3), "Bo", "ANITA"))
	check := func(want string) {
		t.Helper()
		read(t, e, func(ctx context.Context, v graph.View) error {
			all, err := v.PageStatements(ctx, 0, 10)
			got := ids(all, func(s graph.Statement) string { return string(s.Subject + s.Object) })
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			return err
		})
	}
	check("[ab aa ba]")
	write(t, e, func(ctx context.Context, tx graph.Tx) error {
		return tx.MoveStatements(ctx, "a", "c", []string{"anita"})
	})
	check("[ab ca bc]")
	write(t, e, func(ctx context.Context, tx graph.Tx) error { return tx.MoveStatements(ctx, "a", "d", nil) })
	check("[db cd bc]")
}

func merges(t *testing.T, e graph.Engine) {
	first := graph.Merge{ID: "z", At: 5, Keep: "a", Gone: entity("b", "Bo", "Bó")}
	second := graph.Merge{ID: "y", At: 4, Keep: "c", Gone: entity("a", "Ana")}
	write(t, e, func(ctx context.Context, tx graph.Tx) error {
		if err := tx.PutMerge(ctx, first); err != nil {
			return err
		}
		return tx.PutMerge(ctx, second)
	})
	read(t, e, func(ctx context.Context, v graph.View) error {
		got, err := v.Merges(ctx)
		if len(got) != 2 || got[0].ID != "y" || got[1].ID != "z" || got[1].At != 5 || got[1].Keep != "a" ||
			got[1].Gone.ID != "b" || got[1].Gone.Kind != graph.Person || !slices.Equal(got[1].Gone.Names, first.Gone.Names) {
			t.Errorf("got %+v", got)
		}
		return err
	})
	write(t, e, func(ctx context.Context, tx graph.Tx) error { return tx.DropMerge(ctx, "y") })
	read(t, e, func(ctx context.Context, v graph.View) error {
		got, err := v.Merges(ctx)
		if len(got) != 1 || got[0].ID != "z" {
			t.Errorf("left: %+v", got)
		}
		return err
	})
}

func pages(t *testing.T, e graph.Engine) {
	write(t, e, func(ctx context.Context, tx graph.Tx) error {
		for i := range 7 {
			id := fmt.Sprint("e", 6-i)
			if err := tx.PutEntity(ctx, entity(id, "Name "+id, "Other "+id)); err != nil {
				return err
			}
			if err := tx.PutStatement(ctx, statement(id, id, id, 1)); err != nil {
				return err
			}
			if err := tx.PutFact(ctx, fact(id, id, "r", id, 1, 2, 3)); err != nil {
				return err
			}
		}
		return nil
	})
	read(t, e, func(ctx context.Context, v graph.View) error {
		var who, said, facts []string
		for after := graph.EntityID(""); ; {
			page, err := v.PageEntities(ctx, after, 3)
			if err != nil || len(page) == 0 {
				break
			}
			for _, one := range page {
				if len(one.Names) != 2 {
					t.Errorf("names %v", one.Names)
				}
				after, who = one.ID, append(who, string(one.ID))
			}
		}
		for after := int64(0); ; {
			page, err := v.PageStatements(ctx, after, 3)
			if err != nil || len(page) == 0 {
				break
			}
			for _, one := range page {
				after, said = one.Seq, append(said, one.ID)
			}
		}
		for after := ""; ; {
			page, err := v.PageFacts(ctx, after, 3)
			if err != nil || len(page) == 0 {
				break
			}
			for _, one := range page {
				after, facts = one.ID, append(facts, one.ID)
			}
		}
		up, down := "[e0 e1 e2 e3 e4 e5 e6]", "[e6 e5 e4 e3 e2 e1 e0]"
		if fmt.Sprint(who) != up || fmt.Sprint(said) != down || fmt.Sprint(facts) != up {
			t.Errorf("pages give %v, %v, %v", who, said, facts)
		}
		return nil
	})
}

func counts(t *testing.T, e graph.Engine) {
	direct := statement("2", "a", "b", 6)
	direct.Source = ""
	putStatements(t, e, statement("1", "a", "b", 5), direct)
	write(t, e, func(ctx context.Context, tx graph.Tx) error {
		if err := tx.PutEntity(ctx, entity("a", "Ana", "Anita")); err != nil {
			return err
		}
		if err := tx.PutMerge(ctx, graph.Merge{ID: "m", Keep: "a", Gone: entity("b", "Bo")}); err != nil {
			return err
		}
		if err := tx.PutFact(ctx, fact("1", "a", "r", "b", 1, 2, 3)); err != nil {
			return err
		}
		return tx.PutFact(ctx, fact("2", "a", "r", "b", 2, graph.Forever, 3))
	})
	read(t, e, func(ctx context.Context, v graph.View) error {
		got, err := v.Counts(ctx)
		if want := (graph.Counts{Entities: 1, Statements: 2, Facts: 2, Open: 1, Merges: 1, Sources: 1}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		return err
	})
}
