package store_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"testing"

	"moothall/internal/store"
)

// commitForever writes numbered rows and prints each number once it is
// promised to be kept.
func commitForever(args []string) error {
	ctx := context.Background()
	db, err := store.Open(ctx, args[0], &store.Options{Migrations: set("notes", notesTable)})
	if err != nil {
		return err
	}
	n, err := number(ctx, db, "SELECT coalesce(max(id), 0) FROM note")
	if err != nil {
		return err
	}
	for {
		n++
		err := db.Write(ctx, func(tx *store.Tx) error {
			_, err := tx.Exec(ctx, "INSERT INTO note(id, body) VALUES (?, ?)", n, fmt.Sprintf("row %d", n))
			return err
		})
		if err != nil {
			return err
		}
		if _, err := fmt.Println(n); err != nil {
			return err
		}
	}
}

func TestKilledWriterLosesNothingPromised(t *testing.T) {
	t.Parallel()
	const kills = 25
	path := filepath.Join(t.TempDir(), "hall.db")
	promised := int64(0)
	for range kills {
		promised = killAfter(t, path, 1+rand.IntN(200), promised)
		check(t, path)
		db := open(t, path, &store.Options{Migrations: set("notes", notesTable)})
		if got := mustNumber(t, db, "SELECT count(*) FROM note WHERE id <= ? AND body = 'row ' || id", promised); got != promised {
			t.Fatalf("%d of %d promised rows are there", got, promised)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d kills, %d rows promised, none lost", kills, promised)
}

// killAfter kills a writer after it has promised n more rows, and returns the
// last number that it promised.
func killAfter(t *testing.T, path string, n int, promised int64) int64 {
	t.Helper()
	cmd := child(t, "commit", path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines, seen := bufio.NewScanner(out), 0
	for lines.Scan() {
		if promised, err = strconv.ParseInt(lines.Text(), 10, 64); err != nil {
			t.Fatal(err)
		}
		if seen++; seen == n {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait() // it says that it was killed
	if seen < n {
		t.Fatalf("the writer ended after %d of %d rows", seen, n)
	}
	return promised
}
