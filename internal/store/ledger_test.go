package store_test

import (
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"moothall"
	"moothall/internal/store"
)

func TestOnceUnderConcurrency(t *testing.T) {
	t.Parallel()
	db, ctx := notes(t), t.Context()
	const ids, tries = 10, 8
	var first atomic.Int64
	var group sync.WaitGroup
	for range tries {
		group.Go(func() {
			for i := range ids {
				err := db.Write(ctx, func(tx *store.Tx) error {
					ok, err := tx.Once(ctx, "reward", string(rune('a'+i)))
					if err != nil || !ok {
						return err
					}
					first.Add(1)
					_, err = tx.Exec(ctx, "INSERT INTO note(body) VALUES ('effect')")
					return err
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if n := mustNumber(t, db, "SELECT count(*) FROM note"); n != ids || first.Load() != ids {
		t.Errorf("%d effects, %d firsts; want %d of each", n, first.Load(), ids)
	}
}

func TestOnceIsTakenBackWithItsEffect(t *testing.T) {
	t.Parallel()
	db, ctx := notes(t), t.Context()
	for _, end := range []error{errOwn, nil} {
		err := db.Write(ctx, func(tx *store.Tx) error {
			if ok, err := tx.Once(ctx, "critic", "e1"); err != nil || !ok {
				t.Errorf("first %v, error %v", ok, err)
			}
			return end
		})
		if err != end {
			t.Fatalf("error %v, want %v", err, end)
		}
	}
}

func TestLedger(t *testing.T) {
	t.Parallel()
	now := time.UnixMilli(1_000_000)
	db := open(t, filepath.Join(t.TempDir(), "hall.db"), &store.Options{Now: func() time.Time { return now }})
	ctx, l := t.Context(), db.Ledger()
	id := moothall.EventID(moothall.NewID())
	done := func(observer string) bool {
		t.Helper()
		ok, err := l.Done(ctx, observer, id)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if done("critic") {
		t.Error("done before it was marked")
	}
	for range 2 {
		if err := l.Mark(ctx, "critic", id); err != nil {
			t.Fatal(err)
		}
	}
	if !done("critic") || done("reward") {
		t.Error("the mark is not the observer's own")
	}
	if n, err := db.Prune(ctx, now); n != 0 || err != nil {
		t.Errorf("pruned %d, %v; want none of that very moment", n, err)
	}
	if n, err := db.Prune(ctx, now.Add(time.Millisecond)); n != 1 || err != nil {
		t.Errorf("pruned %d, %v; want 1", n, err)
	}
	if done("critic") {
		t.Error("done after pruning")
	}
	wantCode(t, l.Mark(ctx, "", id), moothall.CodeInvalid)
	wantCode(t, l.Mark(ctx, "critic", ""), moothall.CodeInvalid)
}

func TestPruneInBatches(t *testing.T) {
	t.Parallel()
	db, ctx := notes(t), t.Context()
	const old = 5000 // more than two batches
	err := db.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO store_done WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < ?)
			SELECT 'o', x, 1 FROM c`, old)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Ledger().Mark(ctx, "o", "new"); err != nil {
		t.Fatal(err)
	}
	if n, err := db.Prune(ctx, time.UnixMilli(2)); n != old || err != nil {
		t.Errorf("pruned %d, %v", n, err)
	}
	if n := mustNumber(t, db, "SELECT count(*) FROM store_done"); n != 1 {
		t.Errorf("%d left, want the new one", n)
	}
}
