//go:build integration

package neo4j_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"moothall"
	"moothall/internal/graph"
	"moothall/internal/graph/graphtest"
	"moothall/internal/graph/neo4j"
	"moothall/internal/graph/sqlite"
	"moothall/internal/store"
)

// server returns where the server is that `make integration` started.
func server(t *testing.T) neo4j.Options {
	t.Helper()
	o := neo4j.Options{URL: os.Getenv("MOOTHALL_TEST_NEO4J"), User: "neo4j", Password: os.Getenv("MOOTHALL_TEST_NEO4J_PASSWORD"), Hall: "test " + rand.Text()}
	if o.URL == "" {
		t.Fatal("MOOTHALL_TEST_NEO4J does not say where the Neo4j server is: run make integration")
	}
	return o
}

func fresh(t *testing.T) *neo4j.Engine {
	t.Helper()
	o := server(t)
	e, err := neo4j.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
		wipe(t, o)
	})
	return e
}

// wipe removes a test's hall.
func wipe(t *testing.T, o neo4j.Options) {
	t.Helper()
	ctx := context.Background()
	d, err := driver.NewDriverWithContext(o.URL, driver.BasicAuth(o.User, o.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(ctx)
	if _, err := driver.ExecuteQuery(ctx, d, `MATCH (n {hall: $hall}) DETACH DELETE n`, map[string]any{"hall": o.Hall}, driver.EagerResultTransformer); err != nil {
		t.Error(err)
	}
}

func TestContract(t *testing.T) {
	t.Parallel()
	graphtest.Test(t, func(t *testing.T) graph.Engine { return fresh(t) })
}

// Forgetting everything leaves nothing behind, also no words and things that
// the counts do not show.
func TestLeavesNothing(t *testing.T) {
	t.Parallel()
	o := server(t)
	e, err := neo4j.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer wipe(t, o)
	defer e.Close()
	g := graph.New(e, nil)
	for _, city := range []string{"Porto", "Lisbon"} {
		if _, err := g.Assert(t.Context(), moothall.Scope{}, moothall.GraphFact{Subject: "Ana", Relation: "lives in", Object: city, Source: "m-1", Confidence: 1, Trust: moothall.TrustPerson}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := g.Forget(t.Context(), moothall.Scope{}, "m-1"); err != nil {
		t.Fatal(err)
	}
	d, err := driver.NewDriverWithContext(o.URL, driver.BasicAuth(o.User, o.Password, ""))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close(t.Context())
	left, err := driver.ExecuteQuery(t.Context(), d, `MATCH (n {hall: $hall}) WHERE NOT n:MootHall RETURN labels(n)`, map[string]any{"hall": o.Hall}, driver.EagerResultTransformer)
	if err != nil || len(left.Records) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// A graph moves to the server and back without a change.
func TestMove(t *testing.T) {
	t.Parallel()
	local := func() graph.Engine {
		db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "hall.db"), &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return sqlite.New(db)
	}
	first, server, last := local(), fresh(t), local()
	g := graph.New(first, nil)
	for i, name := range graphtest.HostileNames() {
		f := moothall.GraphFact{Subject: "Ana", Relation: "lives in", Object: name, Observed: time.Unix(int64(1e9+i), 0), Source: "m-1", Confidence: 0.5, Trust: moothall.TrustModel}
		if _, err := g.Assert(t.Context(), moothall.Scope{}, f); err != nil {
			t.Fatal(err)
		}
	}
	for _, way := range [][2]graph.Engine{{first, server}, {server, last}} {
		if _, err := graph.Move(t.Context(), way[0], way[1], nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	var files [2]bytes.Buffer
	for i, e := range []graph.Engine{first, last} {
		if err := graph.New(e, nil).Export(t.Context(), &files[i], graph.JSON); err != nil {
			t.Fatal(err)
		}
	}
	if files[0].String() != files[1].String() {
		t.Error("the graph that came back is another one")
	}
}

func TestWrongPassword(t *testing.T) {
	t.Parallel()
	o := server(t)
	o.Password = "wrong"
	_, err := neo4j.Open(t.Context(), o)
	if moothall.ErrorCode(err) != moothall.CodeDenied || moothall.ErrorRemedy(err) == "" {
		t.Errorf("%v", err)
	}
}
