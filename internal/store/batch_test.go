package store_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/store"
)

// Writes that share a transaction keep their own fate: what failed, gave up
// or panicked is gone, all else is there, and what was acknowledged is in the
// file when it is opened again.
func TestSharedWritesKeepTheirOwnFate(t *testing.T) {
	t.Parallel()
	db, path := openTable(t)
	const writers, rounds = 24, 40
	broken := errors.New("broken")
	var mu sync.Mutex
	acknowledged, refused := map[string]bool{}, map[string]bool{}
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(w)))
			for i := range rounds {
				name := fmt.Sprintf("%d-%d", w, i)
				err := odd(t.Context(), db, name, rng.IntN(6), broken)
				mu.Lock()
				if err == nil {
					acknowledged[name] = true
				} else {
					refused[name] = true
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if len(refused) == 0 || len(acknowledged) == 0 {
		t.Fatalf("%d acknowledged, %d refused", len(acknowledged), len(refused))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := store.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	there := namesIn(t, again)
	for name := range acknowledged {
		if !there[name] {
			t.Errorf("%s was acknowledged and is not there", name)
		}
	}
	for name := range refused {
		if there[name] {
			t.Errorf("%s failed and is there", name)
		}
	}
}

// odd writes a row in one of several ways; most of them fail.
func odd(ctx context.Context, db *store.DB, name string, way int, broken error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer func() {
		if r := recover(); r != nil {
			err = broken
		}
	}()
	return db.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, `INSERT INTO names (name) VALUES (?)`, name); err != nil {
			return err
		}
		switch way {
		case 0:
			return broken
		case 1:
			cancel()
			_, err := tx.Exec(ctx, `UPDATE names SET name = name WHERE name = ?`, name)
			return err
		case 2:
			panic("a writer that panics")
		case 3:
			_, err := tx.Exec(ctx, `INSERT INTO names (name) VALUES (?)`, name) // there already
			return err
		}
		return nil
	})
}

func openTable(t *testing.T) (*store.DB, string) {
	t.Helper()
	path := t.TempDir() + "/hall.db"
	db, err := store.Open(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := db.Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), `CREATE TABLE names (name TEXT PRIMARY KEY)`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return db, path
}

func namesIn(t *testing.T, db *store.DB) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	if err := db.Read(t.Context(), func(tx *store.Tx) error {
		rows, err := tx.Query(t.Context(), `SELECT name FROM names`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var s string
			if err := rows.Scan(&s); err != nil {
				return err
			}
			out[s] = true
		}
		return rows.Err()
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// A write whose flush was left to one that gave up waiting is flushed all the
// same.
func TestNobodyWaitsForWhoGaveUp(t *testing.T) {
	t.Parallel()
	db, _ := openTable(t)
	inside, leave := make(chan struct{}), make(chan struct{})
	first := make(chan error, 1)
	go func() {
		first <- db.Write(t.Context(), func(tx *store.Tx) error {
			close(inside)
			<-leave
			_, err := tx.Exec(t.Context(), `INSERT INTO names (name) VALUES ('first')`)
			return err
		})
	}()
	<-inside
	ctx, cancel := context.WithCancel(t.Context())
	second := make(chan error, 1)
	go func() { second <- db.Write(ctx, func(*store.Tx) error { return nil }) }()
	cancel()
	close(leave)
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	if err := <-second; err != nil && moothall.ErrorCode(err) != moothall.CodeCanceled {
		t.Fatal(err)
	}
	if !namesIn(t, db)["first"] {
		t.Error("it is not there")
	}
}
