package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"moothall/internal/graph"
	"moothall/internal/graph/graphtest"
	"moothall/internal/graph/sqlite"
	"moothall/internal/store"
)

func open(t testing.TB, path string) *sqlite.Engine {
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

func fresh(t testing.TB) *sqlite.Engine {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "hall.db"))
}

func TestContract(t *testing.T) {
	t.Parallel()
	graphtest.Test(t, func(t *testing.T) graph.Engine { return fresh(t) })
}
