package memory_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/sqlite"
	"moothall/internal/store"
)

const (
	killsAStore = 3
	stepsAKill  = 4
	laterSteps  = 16 // more than the kills of one store can pass
	migrated    = 400
)

// laterSchema is what a later program has: today's migrations, and steps that
// each change every entry, so that one that is done twice or in part shows.
func laterSchema() (store.Set, error) {
	now := sqlite.Migrations()
	files := fstest.MapFS{}
	names, err := fs.Glob(now.Files, "*.sql")
	if err != nil {
		return store.Set{}, err
	}
	for _, name := range names {
		text, err := fs.ReadFile(now.Files, name)
		if err != nil {
			return store.Set{}, err
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	add := func(i int, text string) {
		files[fmt.Sprintf("%04d_later.sql", len(names)+i)] = &fstest.MapFile{Data: []byte(text)}
	}
	add(1, `ALTER TABLE memory_entries ADD COLUMN steps INTEGER NOT NULL DEFAULT 0;`)
	for i := range laterSteps - 1 {
		add(i+2, `UPDATE memory_entries SET steps = steps + 1;
			CREATE TABLE memory_again AS SELECT k, v FROM memory_vectors;
			DELETE FROM memory_vectors;
			INSERT INTO memory_vectors (k, v) SELECT k, v FROM memory_again;
			DROP TABLE memory_again;`)
	}
	return store.Set{Name: now.Name, Files: files}, nil
}

// steps tells of each migration that is applied.
type steps struct {
	slog.Handler
	tell func()
}

func (steps) Enabled(context.Context, slog.Level) bool { return true }

func (s steps) Handle(_ context.Context, r slog.Record) error {
	if r.Message == "apply migration" {
		s.tell()
	}
	return nil
}

// openLater opens a store with the later schema.
func openLater(ctx context.Context, path string, tell func()) (*store.DB, error) {
	set, err := laterSchema()
	if err != nil {
		return nil, err
	}
	log := slog.New(steps{slog.DiscardHandler, tell})
	return store.Open(ctx, path, &store.Options{Migrations: []store.Set{set}, Logger: log})
}

// migrateSlowly is what the process does that is killed in mid-migration. It
// leaves the steps beyond its own to the next, however late the kill comes.
func migrateSlowly(ctx context.Context, dir string) error {
	begun := 0
	_, err := openLater(ctx, filepath.Join(dir, "hall.db"), func() {
		fmt.Println("step")
		for begun++; begun > stepsAKill; {
			fmt.Println("waits") // to end with who reads it
			time.Sleep(time.Second)
		}
	})
	return fmt.Errorf("the migration came to its end: %w", err)
}

// TestKillMigration kills a process again and again while it brings a store of
// an older schema up to its own. What is left opens complete: every entry, its
// words and its vectors, and every step done once.
func TestKillMigration(t *testing.T) {
	t.Parallel()
	old := t.TempDir()
	fillOld(t, filepath.Join(old, "hall.db"))
	left := 0
	_, migrationKills := killPoints()
	for n := 0; n < migrationKills; n += killsAStore {
		dir := t.TempDir()
		copyFile(t, filepath.Join(old, "hall.db"), filepath.Join(dir, "hall.db"))
		for range min(killsAStore, migrationKills-n) {
			workAndKill(t, dir, "migrate", 0, rand.IntN(stepsAKill))
		}
		left += checkMigrated(t, dir)
	}
	if left == 0 {
		t.Error("no kill came before the last step: nothing was shown")
	}
	t.Logf("%d kills, %d steps were left to do", migrationKills, left)
}

// fillOld makes a store with the first schema that there was.
func fillOld(t *testing.T, path string) {
	t.Helper()
	first, err := fs.ReadFile(sqlite.Migrations().Files, "0001_memory.sql")
	if err != nil {
		t.Fatal(err)
	}
	set := store.Set{Name: "memory", Files: fstest.MapFS{"0001_memory.sql": {Data: first}}}
	db, err := store.Open(t.Context(), path, &store.Options{Migrations: []store.Set{set}})
	if err != nil {
		t.Fatal(err)
	}
	m := openOver(t, sqlite.New(db))
	if _, err := m.Import(t.Context(), moothall.Person, lines(migrated), memory.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(m.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
}

// checkMigrated opens a store with the later schema and returns how many steps
// were still to be done.
func checkMigrated(t *testing.T, dir string) (left int) {
	t.Helper()
	path := filepath.Join(dir, "hall.db")
	if err := store.Check(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	db, err := openLater(t.Context(), path, func() { left++ })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	var entries, least, most int
	if err := db.Read(t.Context(), func(tx *store.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT count(*), min(steps), max(steps) FROM memory_entries`).Scan(&entries, &least, &most)
	}); err != nil {
		t.Fatal(err)
	}
	if entries != migrated || least != laterSteps-1 || most != laterSteps-1 {
		t.Errorf("%d entries with %d to %d steps; want %d with %d", entries, least, most, migrated, laterSteps-1)
	}
	m := openOver(t, sqlite.New(db))
	if s := stats(t, m); s.Entries != migrated || s.Embedders[0].Entries != migrated {
		t.Errorf("%+v", s)
	}
	for _, mode := range []string{memory.ModeStaged, memory.ModeFused} {
		got := recall(t, m.For(moothall.Person), moothall.MemoryQuery{Text: "topic123", Mode: mode, Results: 1})
		if len(got) != 1 || got[0].Entry.ID != "m-123" {
			t.Errorf("%s: recalled %v", mode, results(got))
		}
	}
	return left
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
