package graph_test

import (
	"context"
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
	"moothall/internal/graph"
	"moothall/internal/graph/sqlite"
	"moothall/internal/moottest"
	"moothall/internal/store"
)

const (
	laterSteps = 12
	townsTold  = 200
)

// laterSchema is what a later program has: today's migrations, and steps that
// each write all statements and facts again.
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
	add(1, `ALTER TABLE graph_statements ADD COLUMN steps INTEGER NOT NULL DEFAULT 0;`)
	for i := range laterSteps - 1 {
		add(i+2, `UPDATE graph_statements SET steps = steps + 1;
			CREATE TABLE graph_again AS SELECT * FROM graph_facts;
			DELETE FROM graph_facts;
			INSERT INTO graph_facts SELECT * FROM graph_again;
			DROP TABLE graph_again;`)
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

// childMigrate is what the process does that is killed in mid-migration. It
// does no more steps than leave some to two lives, however late the kill comes.
func childMigrate(path string) {
	told := 0
	_, err := openLater(context.Background(), path, func() {
		if told++; told > (laterSteps-1)/2 {
			time.Sleep(time.Hour) // the kill is on its way
		}
		fmt.Println("kept", "step")
	})
	die(fmt.Errorf("the migration came to its end: %w", err))
}

// TestKillMigration kills a process while it brings a store of an older schema
// up to its own. What is left opens complete: the graph says what it said, and
// every step was done once.
func TestKillMigration(t *testing.T) {
	t.Parallel()
	old := filepath.Join(t.TempDir(), "hall.db")
	said := tell(t, old)
	rounds, left := 4, 0
	if testing.Short() || moottest.Race {
		rounds = 2
	}
	for range rounds {
		path := filepath.Join(t.TempDir(), "hall.db")
		data, err := os.ReadFile(old)
		if err == nil {
			err = os.WriteFile(path, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			killRound(t, path, "migrate", 1+rand.IntN(3))
		}
		left += checkMigrated(t, path, said)
	}
	if left == 0 {
		t.Error("no kill came before the last step: nothing was shown")
	}
	t.Logf("%d kills, %d steps were left to do", 2*rounds, left)
}

// tell fills a store of today's schema and returns what its graph says.
func tell(t *testing.T, path string) string {
	t.Helper()
	db, err := store.Open(t.Context(), path, &store.Options{Migrations: []store.Set{sqlite.Migrations()}})
	if err != nil {
		t.Fatal(err)
	}
	g := graph.New(sqlite.New(db), nil)
	for i := range townsTold {
		f := moothall.GraphFact{
			Subject: fmt.Sprintf("person%d", i%20), Relation: "lives in", Object: fmt.Sprintf("town%d", i),
			Source: moothall.MemoryID(fmt.Sprint(i)), Trust: moothall.TrustPerson,
		}
		if _, err := g.Assert(t.Context(), moothall.Scope{}, f); err != nil {
			t.Fatal(err)
		}
	}
	text, _ := exported(t, g)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return text
}

// checkMigrated returns how many steps were still to be done.
func checkMigrated(t *testing.T, path, said string) (left int) {
	t.Helper()
	if err := store.Check(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	db, err := openLater(t.Context(), path, func() { left++ })
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var n, least, most int
	if err := db.Read(t.Context(), func(tx *store.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT count(*), min(steps), max(steps) FROM graph_statements`).Scan(&n, &least, &most)
	}); err != nil {
		t.Fatal(err)
	}
	if n != townsTold || least != laterSteps-1 || most != laterSteps-1 {
		t.Errorf("%d statements with %d to %d steps; want %d with %d", n, least, most, townsTold, laterSteps-1)
	}
	if got, _ := exported(t, graph.New(sqlite.New(db), nil)); got != said {
		t.Errorf("the graph says\n%s\nwant\n%s", got, said)
	}
	return left
}
