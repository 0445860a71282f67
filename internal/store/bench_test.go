package store_test

import (
	"path/filepath"
	"testing"

	"moothall/internal/store"
)

// BenchmarkWriteCommit is one row, flushed to the disk.
func BenchmarkWriteCommit(b *testing.B) {
	db, ctx := notes(b), b.Context()
	for b.Loop() {
		if err := add(ctx, db, "a row of ordinary length, durable when the call returns"); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRead is one point query in a transaction of its own.
func BenchmarkRead(b *testing.B) {
	db, ctx := notes(b), b.Context()
	err := db.Write(ctx, func(tx *store.Tx) error {
		for range 1000 {
			if _, err := tx.Exec(ctx, "INSERT INTO note(body) VALUES ('a row of ordinary length')"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	i := 0
	for b.Loop() {
		i++
		err := db.Read(ctx, func(tx *store.Tx) error {
			var body string
			return tx.QueryRow(ctx, "SELECT body FROM note WHERE id = ?", i%1000+1).Scan(&body)
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkWriteRow is one row of a large transaction.
func BenchmarkWriteRow(b *testing.B) {
	db, ctx := notes(b), b.Context()
	err := db.Write(ctx, func(tx *store.Tx) error {
		for b.Loop() {
			if _, err := tx.Exec(ctx, "INSERT INTO note(body) VALUES ('a row of ordinary length')"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkOpen makes a new store in an empty folder, and opens one again.
func BenchmarkOpen(b *testing.B) {
	ctx, opts := b.Context(), &store.Options{Migrations: set("notes", notesTable)}
	again := func(b *testing.B, path string) {
		db, err := store.Open(ctx, path, opts)
		if err == nil {
			err = db.Close()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			path := filepath.Join(b.TempDir(), "hall.db")
			b.StartTimer()
			again(b, path)
		}
	})
	b.Run("again", func(b *testing.B) {
		path := filepath.Join(b.TempDir(), "hall.db")
		again(b, path)
		for b.Loop() {
			again(b, path)
		}
	})
}
