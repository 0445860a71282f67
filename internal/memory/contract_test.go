package memory_test

import (
	"context"
	"path/filepath"
	"testing"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/sqlite"
	"moothall/internal/moottest"
	"moothall/internal/store"
)

// fakeGraph is the fake memory's graph.
type fakeGraph struct{ *moottest.FakeMemory }

func (fakeGraph) Forget(context.Context, moothall.MemoryID) error { return nil }

func (fakeGraph) Since(context.Context, []moothall.MemoryID) (map[moothall.MemoryID][]moothall.GraphFact, error) {
	return nil, nil
}

// openStore opens a database for one test.
func openStore(t testing.TB, path string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), path, &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// openMemory opens a memory on a database of its own.
func openMemory(t testing.TB, change ...func(*memory.Options)) *memory.Service {
	t.Helper()
	db := openStore(t, filepath.Join(t.TempDir(), "hall.db"))
	t.Cleanup(func() { db.Close() })
	return openOver(t, sqlite.New(db), change...)
}

func openOver(t testing.TB, e memory.Engine, change ...func(*memory.Options)) *memory.Service {
	t.Helper()
	o := memory.Options{Engine: e, Audit: moottest.NewAudit().For(moothall.MemoryKeeper), Graph: fakeGraph{moottest.NewMemory()}}
	for _, c := range change {
		c(&o)
	}
	m, err := memory.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func TestContract(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{memory.ModeStaged, memory.ModeFused, memory.ModeAuto} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			moottest.TestMemory(t, func(t *testing.T) moothall.Memory {
				return openMemory(t, func(o *memory.Options) { o.Mode = mode }).For(moothall.Person)
			})
		})
	}
}
