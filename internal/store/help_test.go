package store_test

import (
	"context"
	"path/filepath"
	"testing"
	"testing/fstest"

	"moothall"
	"moothall/internal/store"
)

// files makes a folder of migrations; the n-th text gets number n+1.
func files(texts ...string) fstest.MapFS {
	m := fstest.MapFS{}
	for i, text := range texts {
		m[string([]byte{'0', '0', '0', byte('1' + i)})+"_step.sql"] = &fstest.MapFile{Data: []byte(text)}
	}
	return m
}

func set(name string, texts ...string) []store.Set {
	return []store.Set{{Name: name, Files: files(texts...)}}
}

const notesTable = `CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL) STRICT;`

// notes opens a store with a table of notes, closed with the test.
func notes(t testing.TB) *store.DB {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "hall.db"), &store.Options{Migrations: set("notes", notesTable)})
}

func open(t testing.TB, path string, opts *store.Options) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), path, opts)
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return db
}

// add writes one note.
func add(ctx context.Context, db *store.DB, body string) error {
	return db.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO note(body) VALUES (?)", body)
		return err
	})
}

// number reads one number.
func number(ctx context.Context, db *store.DB, query string, args ...any) (n int64, err error) {
	err = db.Read(ctx, func(tx *store.Tx) error {
		return tx.QueryRow(ctx, query, args...).Scan(&n)
	})
	return n, err
}

func mustNumber(t testing.TB, db *store.DB, query string, args ...any) int64 {
	t.Helper()
	n, err := number(context.Background(), db, query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return n
}

func wantCode(t testing.TB, err error, code moothall.Code) {
	t.Helper()
	if got := moothall.ErrorCode(err); got != code {
		t.Fatalf("code %q, want %q; error: %v", got, code, err)
	}
}

func check(t testing.TB, path string) {
	t.Helper()
	if err := store.Check(context.Background(), path); err != nil {
		t.Fatalf("check: %v", err)
	}
}
