package graph_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"moothall"
	"moothall/internal/graph"
	"moothall/internal/graph/sqlite"
	"moothall/internal/store"
)

func openEngine(t testing.TB, path string) *sqlite.Engine {
	t.Helper()
	db, err := store.Open(context.Background(), path, &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return sqlite.New(db)
}

func at(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }

// newGraph is an empty graph in the year 2030.
func newGraph(t testing.TB, opts *graph.Options) *graph.Service {
	t.Helper()
	if opts == nil {
		opts = &graph.Options{}
	}
	if opts.Now == nil {
		opts.Now = func() time.Time { return at(2030) }
	}
	return graph.New(openEngine(t, filepath.Join(t.TempDir(), "hall.db")), opts)
}

func assert(t testing.TB, g *graph.Service, f moothall.GraphFact) moothall.GraphFact {
	t.Helper()
	out, err := g.Assert(context.Background(), moothall.Scope{}, f)
	if err != nil {
		t.Fatalf("%+v: %v", f, err)
	}
	return out
}

// said is a fact that the person told in a year.
func said(subject, relation, object string, year int) moothall.GraphFact {
	return moothall.GraphFact{Subject: subject, Relation: relation, Object: object, Observed: at(year), Source: "m-1", Confidence: 0.9, Trust: moothall.TrustPerson}
}

func search(t testing.TB, g *graph.Service, q moothall.GraphQuery) graph.Answer {
	t.Helper()
	a, err := g.Search(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func wantCode(t testing.TB, err error, want moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != want {
		t.Fatalf("code %q, want %q; error: %v", got, want, err)
	}
}
