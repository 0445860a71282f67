package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"

	"moothall"
	"moothall/internal/store"
)

var errOwn = errors.New("own")

func TestWriteTakesBackOnError(t *testing.T) {
	t.Parallel()
	db, ctx := notes(t), t.Context()
	err := db.Write(ctx, func(tx *store.Tx) error {
		if _, err := tx.Exec(ctx, "INSERT INTO note(body) VALUES ('x')"); err != nil {
			return err
		}
		return errOwn
	})
	if !errors.Is(err, errOwn) {
		t.Fatalf("error %v, want the function's own", err)
	}
	if n := mustNumber(t, db, "SELECT count(*) FROM note"); n != 0 {
		t.Errorf("%d rows left", n)
	}
}

func TestPanicTakesBackAndReleases(t *testing.T) {
	t.Parallel()
	db, ctx := notes(t), t.Context()
	func() {
		defer func() {
			if r := recover(); r != "boom" {
				t.Errorf("recovered %v", r)
			}
		}()
		_ = db.Write(ctx, func(tx *store.Tx) error {
			if _, err := tx.Exec(ctx, "INSERT INTO note(body) VALUES ('x')"); err != nil {
				return err
			}
			panic("boom")
		})
	}()
	if err := add(ctx, db, "after"); err != nil {
		t.Fatal(err)
	}
	if n := mustNumber(t, db, "SELECT count(*) FROM note"); n != 1 {
		t.Errorf("%d rows, want the one after the panic", n)
	}
}

func TestCancelTakesBack(t *testing.T) {
	t.Parallel()
	db := notes(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Write(ctx, func(tx *store.Tx) error {
		_, err := tx.Exec(ctx, "INSERT INTO note(body) VALUES ('x')")
		cancel()
		return err
	})
	wantCode(t, err, moothall.CodeCanceled)
	if n := mustNumber(t, db, "SELECT count(*) FROM note"); n != 0 {
		t.Errorf("%d rows left", n)
	}
}

// The query would count for hours; only an interrupt ends it.
func TestCancelInterruptsAQuery(t *testing.T) {
	t.Parallel()
	db := notes(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Read(ctx, func(tx *store.Tx) error {
		go cancel()
		var n int64
		return tx.QueryRow(ctx, `WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x < 1e12)
			SELECT count(*) FROM c`).Scan(&n)
	})
	wantCode(t, err, moothall.CodeCanceled)
	if _, err := number(t.Context(), db, "SELECT 1"); err != nil {
		t.Errorf("the next read: %v", err)
	}
}

func TestWaitingWriterCanGiveUp(t *testing.T) {
	t.Parallel()
	db := notes(t)
	err := db.Write(t.Context(), func(*store.Tx) error {
		ctx, cancel := context.WithCancel(t.Context())
		go cancel()
		wantCode(t, add(ctx, db, "second"), moothall.CodeCanceled)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestReadCannotWrite(t *testing.T) {
	t.Parallel()
	db, ctx := notes(t), t.Context()
	for _, text := range []string{
		"INSERT INTO note(body) VALUES ('x')",
		"CREATE TABLE other (n)",
		"PRAGMA query_only = OFF; INSERT INTO note(body) VALUES ('x')",
	} {
		err := db.Read(ctx, func(tx *store.Tx) error {
			_, err := tx.Exec(ctx, text)
			return err
		})
		wantCode(t, err, moothall.CodeInvalid)
	}
	if n := mustNumber(t, db, "SELECT count(*) FROM note"); n != 0 {
		t.Errorf("%d rows written by a read", n)
	}
}

func TestTxIsOverAfterItsFunction(t *testing.T) {
	t.Parallel()
	db, ctx := notes(t), t.Context()
	var kept *store.Tx
	if err := db.Write(ctx, func(tx *store.Tx) error { kept = tx; return nil }); err != nil {
		t.Fatal(err)
	}
	_, err := kept.Exec(ctx, "INSERT INTO note(body) VALUES ('x')")
	wantCode(t, err, moothall.CodeInvalid)
	wantCode(t, kept.QueryRow(ctx, "SELECT 1").Scan(new(int)), moothall.CodeInvalid)
}

// The same text is used while its rows are being read: both must be right.
func TestSameTextWithinItsOwnRows(t *testing.T) {
	t.Parallel()
	db, ctx := notes(t), t.Context()
	for i := range 5 {
		if err := add(ctx, db, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	const text = "SELECT id FROM note WHERE id >= ? ORDER BY id"
	pairs := 0
	err := db.Read(ctx, func(tx *store.Tx) error {
		return each(ctx, tx, text, 1, func(id int64) error {
			return each(ctx, tx, text, id, func(int64) error { pairs++; return nil })
		})
	})
	if err != nil || pairs != 5+4+3+2+1 {
		t.Errorf("%d pairs, error %v", pairs, err)
	}
}

func each(ctx context.Context, tx *store.Tx, text string, arg int64, f func(int64) error) error {
	rows, err := tx.Query(ctx, text, arg)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return err
		}
		if err := f(id); err != nil {
			return err
		}
	}
	return rows.Err()
}

func TestRowsLeftOpenDoNotHoldTheStore(t *testing.T) {
	t.Parallel()
	db, ctx := notes(t), t.Context()
	for range 3 {
		if err := add(ctx, db, "x"); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		err := db.Write(ctx, func(tx *store.Tx) error {
			rows, err := tx.Query(ctx, "SELECT id FROM note")
			if err != nil {
				return err
			}
			rows.Next()
			tx.QueryRow(ctx, "SELECT id FROM note") // never scanned
			_, err = tx.Exec(ctx, "INSERT INTO note(body) VALUES ('y')")
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := mustNumber(t, db, "SELECT count(*) FROM note"); n != 6 {
		t.Errorf("%d rows, want 6", n)
	}
}

func TestManyTexts(t *testing.T) {
	t.Parallel()
	db, ctx := notes(t), t.Context()
	err := db.Read(ctx, func(tx *store.Tx) error {
		for i := range 1000 {
			var n int
			if err := tx.QueryRow(ctx, fmt.Sprintf("SELECT %d", i)).Scan(&n); err != nil || n != i {
				return fmt.Errorf("got %d, want %d: %w", n, i, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestErrorCodesOfStatements(t *testing.T) {
	t.Parallel()
	db, ctx := notes(t), t.Context()
	if err := add(ctx, db, "x"); err != nil {
		t.Fatal(err)
	}
	for text, code := range map[string]moothall.Code{
		"INSERT INTO note(id, body) VALUES (1, 'again')": moothall.CodeConflict,
		"INSERT INTO note(body) VALUES (NULL)":           moothall.CodeInvalid,
		"INSERT INTO note(body) VALUES (zeroblob(2e9))":  moothall.CodeTooLarge,
		"SELECT nonsense":                          moothall.CodeInternal,
		`INSERT INTO note(body) VALUES ("quoted")`: moothall.CodeInternal,
	} {
		err := db.Write(ctx, func(tx *store.Tx) error {
			_, err := tx.Exec(ctx, text)
			return err
		})
		if got := moothall.ErrorCode(err); got != code {
			t.Errorf("%s: code %q, want %q (%v)", text, got, code, err)
		}
	}
	_, err := number(ctx, db, "SELECT id FROM note WHERE id = 99")
	wantCode(t, err, moothall.CodeNotFound)
	if !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("%v does not wrap sql.ErrNoRows", err)
	}
}
