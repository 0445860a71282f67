package graph_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"moothall"
	"moothall/internal/graph"
	"moothall/internal/graph/sqlite"
	"moothall/internal/store"
)

// large is a graph of n facts written straight into the engine: people know
// people, and one hub is known by every tenth.
func large(b testing.TB, n int) *graph.Service {
	b.Helper()
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(b.TempDir(), "hall.db"), &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	e := sqlite.New(db)
	people := n / 5
	id := func(i int) graph.EntityID { return graph.EntityID(fmt.Sprintf("e%07d", i%people)) }
	err = e.Write(ctx, func(tx graph.Tx) error {
		for i := range people {
			name := fmt.Sprintf("Person %d", i)
			if err := tx.PutEntity(ctx, graph.Entity{ID: id(i), Name: name, Kind: graph.Person, Names: []string{name}}); err != nil {
				return err
			}
		}
		for i := range n {
			f := graph.Fact{
				ID: fmt.Sprintf("f%07d", i), Subject: id(i), Object: id(i*7919 + 13), Relation: "knows", From: graph.Instant(i), Start: graph.Instant(i),
				End: graph.Forever, Observed: graph.Instant(i), Source: "m-1", Confidence: 1, Trust: moothall.TrustPerson,
			}
			if i%10 == 0 {
				f.Object = id(0)
			}
			if err := tx.PutFact(ctx, f); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return graph.New(e, nil)
}

func BenchmarkAssert(b *testing.B) {
	for name, relation := range map[string]string{"functional": "lives in", "plain": "knows"} {
		b.Run(name, func(b *testing.B) {
			g := large(b, 100_000)
			i := 0
			for b.Loop() {
				f := moothall.GraphFact{Subject: "Person 5", Relation: relation, Object: fmt.Sprint("Person ", i%20_000), Trust: moothall.TrustPerson}
				if _, err := g.Assert(b.Context(), moothall.Scope{}, f); err != nil {
					b.Fatal(err)
				}
				i++
			}
		})
	}
}

func BenchmarkGraph(b *testing.B) {
	g := large(b, 100_000)
	for name, q := range map[string]moothall.GraphQuery{
		"depth0":        {People: []string{"Person 77"}},
		"depth2":        {People: []string{"Person 77"}, Depth: 2},
		"depth2history": {People: []string{"Person 77"}, Depth: 2, History: true},
		"hub2":          {People: []string{"Person 0"}, Depth: 2},
		"text":          {Text: "what does person 77 have to do with Person 4242?", Depth: 1},
		"latest":        {},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				n := 0
				for _, err := range g.Graph(b.Context(), q) {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n == 0 {
					b.Fatal("nothing found")
				}
			}
		})
	}
}

func BenchmarkKey(b *testing.B) {
	for b.Loop() {
		graph.Key("Ána Łukasiewicz-Sørensen")
	}
}

// BenchmarkMerge joins somebody with 10,000 statements to another and parts
// them again.
func BenchmarkMerge(b *testing.B) {
	g := newGraph(b, nil)
	for i := range 10_000 {
		assert(b, g, said("Ana", "knows", fmt.Sprint("Person ", i), 2020))
	}
	assert(b, g, said("Bo", "knows", "Person 1", 2020))
	for b.Loop() {
		if err := g.Merge(b.Context(), moothall.GraphMerge{Keep: "Bo", Merge: "Ana"}); err != nil {
			b.Fatal(err)
		}
		if err := unmergeAll(b.Context(), g); err != nil {
			b.Fatal(err)
		}
	}
}
