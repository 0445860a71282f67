package store_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"moothall"
	"moothall/internal/store"

	_ "modernc.org/sqlite" // to make files that are not ours
)

// makeForeign writes a database of another program.
func makeForeign(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("CREATE TABLE bookmarks (url); INSERT INTO bookmarks VALUES ('x')"); err != nil {
		t.Fatal(err)
	}
}

func TestBackupDuringWrites(t *testing.T) {
	t.Parallel()
	dir, ctx := t.TempDir(), t.Context()
	pair := &store.Options{Migrations: set("pair", "CREATE TABLE a (n INTEGER) STRICT; CREATE TABLE b (n INTEGER) STRICT;")}
	db := open(t, filepath.Join(dir, "hall.db"), pair)
	stop := make(chan struct{})
	var writing sync.WaitGroup
	for range 2 {
		writing.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := addPair(ctx, db); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for mustNumber(t, db, "SELECT count(*) FROM a") == 0 && !t.Failed() { // they have begun
		time.Sleep(time.Millisecond)
	}
	var last int64
	for i := range 5 {
		before := mustNumber(t, db, "SELECT count(*) FROM a")
		path := filepath.Join(dir, string(rune('a'+i))+".db")
		if err := db.Backup(ctx, path); err != nil {
			t.Fatal(err)
		}
		check(t, path)
		copied := open(t, path, pair)
		if err := samePair(ctx, copied); err != nil {
			t.Error(err)
		}
		last = mustNumber(t, copied, "SELECT count(*) FROM a")
		if last < before {
			t.Errorf("the copy has %d rows, %d were there before it began", last, before)
		}
	}
	close(stop)
	writing.Wait()
	if last == 0 {
		t.Error("nothing was written meanwhile")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.partial*")); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestBackupNeverOverwrites(t *testing.T) {
	t.Parallel()
	db := notes(t)
	for _, text := range []string{"precious", ""} {
		path := filepath.Join(t.TempDir(), "there")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		wantCode(t, db.Backup(t.Context(), path), moothall.CodeConflict)
		if got, err := os.ReadFile(path); string(got) != text || err != nil {
			t.Errorf("%q became %q (%v)", text, got, err)
		}
	}
}

func TestBackupThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	db, dir := notes(t), t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantCode(t, db.Backup(ctx, filepath.Join(dir, "b.db")), moothall.CodeCanceled)
	wantCode(t, db.Backup(t.Context(), filepath.Join(dir, "no", "b.db")), moothall.CodeNotFound)
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestBackupIsForItsOwnerAlone(t *testing.T) {
	t.Parallel()
	db, path := notes(t), filepath.Join(t.TempDir(), "b.db")
	if err := db.Backup(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info, err)
	}
}

func TestCheckFindsMissingParents(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "hall.db")
	db := open(t, path, &store.Options{Migrations: set("family",
		"CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE child (parent REFERENCES parent);")})
	err := db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), "INSERT INTO child VALUES (7)")
		return err
	})
	wantCode(t, err, moothall.CodeInvalid) // foreign keys are enforced
	raw, err := sql.Open("sqlite", path)   // where they are not
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec("INSERT INTO child VALUES (7)"); err != nil {
		t.Fatal(err)
	}
	err = store.Check(t.Context(), path)
	wantCode(t, err, moothall.CodeCorrupt)
	if !strings.Contains(err.Error(), "missing row of parent") {
		t.Errorf("message: %v", err)
	}
}

func TestCheckOfNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "none.db")
	wantCode(t, store.Check(t.Context(), path), moothall.CodeNotFound)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wantCode(t, store.Check(t.Context(), path), moothall.CodeInvalid)
}

// damage overwrites the middle of every page from the n-th on.
func damage(t *testing.T, path string, n int64) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for at := n * 4096; at < info.Size(); at += 4096 {
		if _, err := f.WriteAt([]byte(strings.Repeat("\xff", 64)), at); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDamagedFile(t *testing.T) {
	t.Parallel()
	opts := &store.Options{Migrations: set("notes", notesTable)}
	for name, first := range map[string]int64{"header": 0, "pages": 1, "table": 6} {
		path := filepath.Join(t.TempDir(), "hall.db")
		db := open(t, path, opts)
		for range 50 {
			if err := add(t.Context(), db, strings.Repeat("x", 2000)); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		damage(t, path, first)
		err := store.Check(t.Context(), path)
		if got := moothall.ErrorCode(err); got != moothall.CodeCorrupt {
			t.Errorf("%s: check says %q (%v)", name, got, err)
		}
		if !strings.Contains(moothall.ErrorRemedy(err), "backup") {
			t.Errorf("%s: remedy %q", name, moothall.ErrorRemedy(err))
		}
		wantCode(t, readAll(t, path, opts), moothall.CodeCorrupt)
	}
}

// readAll opens and reads the notes, and returns the first error.
func readAll(t *testing.T, path string, opts *store.Options) error {
	db, err := store.Open(t.Context(), path, opts)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = number(t.Context(), db, "SELECT sum(length(body)) FROM note")
	return err
}
