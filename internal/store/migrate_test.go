package store_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"moothall"
	"moothall/internal/store"
)

func TestMigrationsRunInOrderAndOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hall.db")
	var log bytes.Buffer
	opts := &store.Options{
		Migrations: []store.Set{
			{Name: "one", Files: files("CREATE TABLE t (n); INSERT INTO t VALUES (1);", "INSERT INTO t SELECT n+1 FROM t;")},
			{Name: "two", Files: files("INSERT INTO t SELECT max(n)*10 FROM t;")}, // needs what "one" made
		},
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
	}
	for range 2 {
		db, err := store.Open(t.Context(), path, opts)
		if err != nil {
			t.Fatal(err)
		}
		if got := mustNumber(t, db, "SELECT sum(n) FROM t"); got != 1+2+20 {
			t.Errorf("sum %d", got)
		}
		if got := mustNumber(t, db, "SELECT count(*) FROM store_migration WHERE program = 'moothall' AND length(sha256) = 64 AND applied_at > 0"); got != 4 {
			t.Errorf("%d records, want 4 with core's", got)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Count(log.String(), "apply migration"); got != 4 {
		t.Errorf("%d applications logged, want 4", got)
	}
}

func TestMigrationSetsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	file := &fstest.MapFile{Data: []byte("SELECT 1;")}
	cases := map[string][]store.Set{
		"gap":          {{Name: "x", Files: fstest.MapFS{"0001_a.sql": file, "0003_c.sql": file}}},
		"no first":     {{Name: "x", Files: fstest.MapFS{"0002_a.sql": file}}},
		"same number":  {{Name: "x", Files: fstest.MapFS{"0001_a.sql": file, "0001_b.sql": file}}},
		"bad name":     {{Name: "x", Files: fstest.MapFS{"1_a.sql": file}}},
		"other file":   {{Name: "x", Files: fstest.MapFS{"0001_a.sql": file, "README": file}}},
		"reserved":     {{Name: "core", Files: fstest.MapFS{"0001_a.sql": file}}},
		"odd set name": {{Name: "X y", Files: fstest.MapFS{"0001_a.sql": file}}},
		"twice":        {{Name: "x", Files: fstest.MapFS{"0001_a.sql": file}}, {Name: "x", Files: fstest.MapFS{"0001_a.sql": file}}},
		"no folder":    {{Name: "x"}},
		"commits":      set("x", "CREATE TABLE t (n);\n  commit;\n"),
	}
	for name, sets := range cases {
		path := filepath.Join(t.TempDir(), "hall.db")
		_, err := store.Open(t.Context(), path, &store.Options{Migrations: sets})
		if got := moothall.ErrorCode(err); got != moothall.CodeInvalid {
			t.Errorf("%s: code %q (%v)", name, got, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a file was made", name)
		}
	}
}

func TestNewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hall.db")
	newer := &store.Options{Migrations: set("notes", notesTable, "CREATE TABLE more (n);"), Program: "moothall 9.8"}
	if err := open(t, path, newer).Close(); err != nil {
		t.Fatal(err)
	}
	_, err := store.Open(t.Context(), path, &store.Options{Migrations: set("notes", notesTable), Program: "moothall 1.0"})
	wantCode(t, err, moothall.CodeUnsupported)
	for _, part := range []string{"notes 2", "moothall 9.8", "up to 1"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("message lacks %q: %v", part, err)
		}
	}
	if !strings.Contains(moothall.ErrorRemedy(err), "newer") {
		t.Errorf("remedy: %q", moothall.ErrorRemedy(err))
	}
}

func TestChangedMigrationIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hall.db")
	if err := open(t, path, &store.Options{Migrations: set("notes", "CREATE TABLE n (\n a);")}).Close(); err != nil {
		t.Fatal(err)
	}
	_, err := store.Open(t.Context(), path, &store.Options{Migrations: set("notes", "CREATE TABLE n (\n b);")})
	wantCode(t, err, moothall.CodeInvalid)
	// The same text with the line ends of another system is the same.
	open(t, path, &store.Options{Migrations: set("notes", "CREATE TABLE n (\r\n a);")})
}

func TestLostRecordIsDamage(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hall.db")
	opts := &store.Options{Migrations: set("notes", notesTable, "CREATE TABLE more (n);")}
	db := open(t, path, opts)
	err := db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), "DELETE FROM store_migration WHERE suite = 'notes' AND version = 1")
		return err
	})
	if err := cmpErr(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	_, err = store.Open(t.Context(), path, opts)
	wantCode(t, err, moothall.CodeCorrupt)
}

func cmpErr(errs ...error) error {
	if i := slices.IndexFunc(errs, func(e error) bool { return e != nil }); i >= 0 {
		return errs[i]
	}
	return nil
}

func TestFailedMigrationLeavesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hall.db")
	_, err := store.Open(t.Context(), path, &store.Options{Migrations: set("notes", notesTable, "CREATE TABLE more (n); INSERT INTO none VALUES (1);")})
	wantCode(t, err, moothall.CodeInternal)
	if !strings.Contains(err.Error(), "notes to 0002_step") {
		t.Errorf("message does not name the step: %v", err)
	}
	db := open(t, path, &store.Options{Migrations: set("notes", notesTable, "CREATE TABLE more (n);")})
	if got := mustNumber(t, db, "SELECT count(*) FROM more"); got != 0 {
		t.Errorf("%d rows", got)
	}
}

// slowSteps is a migration that takes as long as the table size says, so that
// the same file can be killed in its middle and finished later.
var slowSteps = []string{
	"CREATE TABLE size (n INTEGER) STRICT; INSERT INTO size VALUES (1000000000);",
	`CREATE TABLE big (x INTEGER, fill BLOB) STRICT;
	 INSERT INTO big WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < (SELECT n FROM size))
	 SELECT x, randomblob(500) FROM c;`,
}

// migrateSlowly is played by another process.
func migrateSlowly(args []string) error {
	_, err := store.Open(context.Background(), args[0], &store.Options{Migrations: set("slow", slowSteps...)})
	return fmt.Errorf("the migration ended: %w", err)
}

func TestKilledMigrationLeavesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hall.db")
	cmd := child(t, "migrate", path)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	// Once the log has grown by more than the cache holds, the migration is
	// in its middle.
	deadline := time.Now().Add(5 * time.Minute)
	for walSize(path) < 6<<20 {
		if time.Now().After(deadline) {
			t.Fatal("the migration does not write")
		}
		time.Sleep(time.Millisecond) // polling another process
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() == 1 {
		t.Fatalf("the child ended by itself: %v", err)
	}
	check(t, path)

	half := open(t, path, &store.Options{Migrations: set("slow", slowSteps[:1]...)})
	if n := mustNumber(t, half, "SELECT count(*) FROM sqlite_schema WHERE name = 'big'"); n != 0 {
		t.Error("half a migration is there")
	}
	err := half.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), "UPDATE size SET n = 10")
		return err
	})
	if err := cmpErr(err, half.Close()); err != nil {
		t.Fatal(err)
	}
	whole := open(t, path, &store.Options{Migrations: set("slow", slowSteps...)})
	if n := mustNumber(t, whole, "SELECT count(*) FROM big"); n != 10 {
		t.Errorf("%d rows, want 10", n)
	}
}

func walSize(path string) int64 {
	info, err := os.Stat(path + "-wal")
	if err != nil {
		return 0
	}
	return info.Size()
}
