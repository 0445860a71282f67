package memory_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"moothall"
	"moothall/internal/memory"
	"moothall/internal/memory/sqlite"
	"moothall/internal/moottest"
)

// moveSource returns an engine that a service has written to.
func moveSource(t *testing.T) memory.Engine {
	t.Helper()
	db := openStore(t, filepath.Join(t.TempDir(), "hall.db"))
	t.Cleanup(func() { db.Close() })
	e := sqlite.New(db)
	m, err := memory.Open(t.Context(), memory.Options{Engine: e, Audit: moottest.NewAudit().For(moothall.MemoryKeeper), Graph: fakeGraph{moottest.NewMemory()}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 600 {
		w := moothall.WriteRequest{Entry: moothall.MemoryEntry{
			Corpus: fmt.Sprintf("Turn %d is about boat number %d.", i, i*i), Thread: fmt.Sprint("thread ", i%3), Place: int64(i),
			Created: time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC), Tags: []string{"x"},
		}, Propose: i%50 == 0}
		if _, err := m.For(moothall.Person).Write(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return e
}

func moveTarget(t *testing.T) memory.Engine {
	t.Helper()
	db := openStore(t, filepath.Join(t.TempDir(), "other.db"))
	t.Cleanup(func() { db.Close() })
	return sqlite.New(db)
}

func TestMove(t *testing.T) {
	t.Parallel()
	from, to := moveSource(t), moveTarget(t)
	var last moothall.Progress
	got, err := memory.Move(t.Context(), from, to, func(p moothall.Progress) { last = p })
	if err != nil {
		t.Fatal(err)
	}
	if got.Entries+got.Candidates != 600 || got.Candidates != 12 || got.Vectors != got.Entries || last.Total != 600 {
		t.Errorf("moved %+v, last progress %+v", got, last)
	}
	query := memory.TextQuery{Words: []string{"boat", "1600", "39"}, Limit: 700}
	for _, what := range []func(e memory.Engine) (any, error){
		func(e memory.Engine) (any, error) { return moveScores(e.Search(t.Context(), query)) },
		func(e memory.Engine) (any, error) { return e.State(t.Context(), "statistics") },
		func(e memory.Engine) (any, error) {
			var out []memory.Record
			for r, err := range e.Scan(t.Context(), 0) {
				if err != nil {
					return nil, err
				}
				r.N = 0
				out = append(out, r)
			}
			return out, nil
		},
	} {
		want, err := what(from)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := what(to); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%v\n%s", err, cmp.Diff(want, got))
		}
	}
	// Once more changes nothing: a move that was cut off can be repeated.
	if again, err := memory.Move(t.Context(), from, to, nil); err != nil || again != got {
		t.Errorf("again: %+v, %v", again, err)
	}
}

// moveScores leaves the places away, which differ between engines.
func moveScores(list []memory.Match, err error) (any, error) {
	var out []float64
	for _, m := range list {
		out = append(out, m.Score)
	}
	return out, err
}

func TestMoveRefuses(t *testing.T) {
	t.Parallel()
	from, to := moveSource(t), moveTarget(t)
	if _, err := to.Apply(t.Context(), &memory.Change{Put: []*memory.Record{{Entry: moothall.MemoryEntry{ID: "stranger"}}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := memory.Move(t.Context(), from, to, nil); moothall.ErrorCode(err) != moothall.CodeConflict || moothall.ErrorRemedy(err) == "" {
		t.Errorf("into a memory of others: %v", err)
	}
	changed := false
	_, err := memory.Move(t.Context(), from, moveTarget(t), func(moothall.Progress) {
		if changed {
			return
		}
		changed = true
		if _, err := from.Apply(t.Context(), &memory.Change{Put: []*memory.Record{{Entry: moothall.MemoryEntry{ID: "late"}}}}); err != nil {
			t.Error(err)
		}
	})
	if moothall.ErrorCode(err) != moothall.CodeConflict {
		t.Errorf("while it is written to: %v", err)
	}
}
