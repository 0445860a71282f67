package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/store"
)

var settings = []string{
	"journal_mode", "synchronous", "foreign_keys", "busy_timeout", "temp_store", "trusted_schema",
	"cell_size_check", "wal_autocheckpoint", "journal_size_limit", "application_id", "query_only",
}

// pragmas reads the settings in force on the connection of tx.
func pragmas(ctx context.Context, tx *store.Tx) (map[string]string, error) {
	got := map[string]string{}
	for _, name := range settings {
		var v string
		if err := tx.QueryRow(ctx, "PRAGMA "+name).Scan(&v); err != nil {
			return nil, err
		}
		got[name] = v
	}
	return got, nil
}

func wantPragmas(queryOnly string) map[string]string {
	return map[string]string{
		"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000", "temp_store": "2",
		"trusted_schema": "0", "cell_size_check": "1", "wal_autocheckpoint": "1000", "journal_size_limit": "16777216",
		"application_id": "1297043284", "query_only": queryOnly,
	}
}

func TestSettingsHoldOnEveryConnection(t *testing.T) {
	t.Parallel()
	const readers = 3
	db := open(t, filepath.Join(t.TempDir(), "hall.db"), &store.Options{Readers: readers})
	ctx := t.Context()
	err := db.Write(ctx, func(tx *store.Tx) error {
		got, err := pragmas(ctx, tx)
		if diff := cmp.Diff(wantPragmas("0"), got); diff != "" {
			t.Errorf("writer (-want +got):\n%s", diff)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// All readers hold their connection until each has one.
	var all, group sync.WaitGroup
	all.Add(readers)
	for range readers {
		group.Go(func() {
			err := db.Read(ctx, func(tx *store.Tx) error {
				all.Done()
				all.Wait()
				got, err := pragmas(ctx, tx)
				if diff := cmp.Diff(wantPragmas("1"), got); diff != "" {
					t.Errorf("reader (-want +got):\n%s", diff)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := db.Stats().Readers; got != readers {
		t.Errorf("%d read connections, want %d", got, readers)
	}
}

func TestReadersBesideOneWriter(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	db := open(t, filepath.Join(t.TempDir(), "hall.db"), &store.Options{Migrations: set("pair",
		"CREATE TABLE a (n INTEGER) STRICT; CREATE TABLE b (n INTEGER) STRICT;")})
	const writers, each = 4, 25
	stop := make(chan struct{})
	var reading, writing sync.WaitGroup
	for range 4 {
		reading.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := samePair(ctx, db); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range writers {
		writing.Go(func() {
			for range each {
				if err := addPair(ctx, db); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writing.Wait()
	close(stop)
	reading.Wait()
	if got := mustNumber(t, db, "SELECT count(*) FROM a"); got != writers*each {
		t.Errorf("%d rows, want %d", got, writers*each)
	}
	if s := db.Stats(); s.Writes != writers*each || s.Reads == 0 || s.WALSize == 0 || s.Size == 0 {
		t.Errorf("stats: %+v", s)
	}
}

// addPair adds the same number to two tables; the number is read first, so
// that two writers at once would collide.
func addPair(ctx context.Context, db *store.DB) error {
	return db.Write(ctx, func(tx *store.Tx) error {
		var n int64
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM a").Scan(&n); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "INSERT INTO a VALUES (?)", n); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "INSERT INTO b VALUES (?)", n)
		return err
	})
}

// samePair fails when the two tables differ within one read.
func samePair(ctx context.Context, db *store.DB) error {
	return db.Read(ctx, func(tx *store.Tx) error {
		var a, b, high int64
		if err := tx.QueryRow(ctx, "SELECT count(*) FROM a").Scan(&a); err != nil {
			return err
		}
		err := tx.QueryRow(ctx, "SELECT count(*), coalesce(max(n), -1) FROM b").Scan(&b, &high)
		if err == nil && (a != b || high != b-1) {
			err = fmt.Errorf("a has %d rows, b %d up to %d", a, b, high)
		}
		return err
	})
}

func TestForeignFileIsRefusedUnchanged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "theirs.db")
	makeForeign(t, path)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Open(t.Context(), path, nil)
	wantCode(t, err, moothall.CodeInvalid)
	if !strings.Contains(err.Error(), "another program") {
		t.Errorf("message: %v", err)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(before) != string(after) {
		t.Errorf("the file was changed (%v)", err)
	}
	wantCode(t, store.Check(t.Context(), path), moothall.CodeInvalid)
}

func TestNoDatabaseIsRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "letter.txt")
	text := strings.Repeat("Dear hall, ", 1000)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := store.Open(t.Context(), path, nil)
	wantCode(t, err, moothall.CodeCorrupt)
	if got, _ := os.ReadFile(path); string(got) != text {
		t.Error("the file was changed")
	}
}

func TestMissingFolder(t *testing.T) {
	t.Parallel()
	_, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "no", "hall.db"), nil)
	wantCode(t, err, moothall.CodeNotFound)
	if moothall.ErrorRemedy(err) == "" {
		t.Error("no remedy")
	}
}

func TestOddFileNamesAndMode(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "50% of ü?mode=memory#x & y.db")
	db := open(t, path, &store.Options{Migrations: set("notes", notesTable)})
	if err := add(t.Context(), db, "x"); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, path + "-wal"} {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", filepath.Base(p), info.Mode())
		}
	}
}

func TestClosedStoreRefuses(t *testing.T) {
	t.Parallel()
	db := notes(t)
	if err := errors.Join(db.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	wantCode(t, add(t.Context(), db, "late"), moothall.CodeUnavailable)
	_, err := number(t.Context(), db, "SELECT 1")
	wantCode(t, err, moothall.CodeUnavailable)
}

func TestCloseWaitsForARead(t *testing.T) {
	t.Parallel()
	db := notes(t)
	inside, goOn, closed := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	read := make(chan error, 1)
	go func() {
		read <- db.Read(context.Background(), func(tx *store.Tx) error {
			close(inside)
			<-goOn
			var n int
			return tx.QueryRow(context.Background(), "SELECT count(*) FROM note").Scan(&n)
		})
	}()
	<-inside
	go func() { closed <- db.Close() }()
	close(goOn)
	if err := errors.Join(<-read, <-closed); err != nil {
		t.Fatal(err)
	}
}
