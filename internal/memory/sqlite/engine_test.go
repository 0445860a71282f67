package sqlite_test

import (
	"path/filepath"
	"testing"

	"moothall/internal/memory"
	"moothall/internal/memory/enginetest"
	"moothall/internal/memory/sqlite"
	"moothall/internal/store"
)

func TestEngine(t *testing.T) {
	t.Parallel()
	enginetest.Test(t, func(t *testing.T) memory.Engine {
		db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "hall.db"), &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		return sqlite.New(db)
	})
}
