package daemon_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"moothall"
	"moothall/internal/daemon"
	"moothall/internal/moottest"
	"moothall/internal/store"
)

// swollen makes the database so large that its copy takes a while.
func swollen(t *testing.T, hall *daemon.Hall) {
	t.Helper()
	megabytes := 96
	if moottest.Race { // which makes the copy slow enough
		megabytes = 16
	}
	err := hall.DB().Write(t.Context(), func(tx *store.Tx) error {
		_, err := tx.Exec(t.Context(), `CREATE TABLE ballast (b BLOB);
			WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < ?) INSERT INTO ballast SELECT zeroblob(1000000) FROM n`, megabytes)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// copying waits until the database is being copied.
func copying(t *testing.T, h daemon.Home, over <-chan struct{}) {
	t.Helper()
	for {
		found, err := filepath.Glob(filepath.Join(h.State, ".backup-*", "moothall.db.partial"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			if info, err := os.Stat(name); err == nil && info.Size() > 0 {
				return
			}
		}
		select {
		case <-over:
			t.Fatal("the copy was over before anything could be asked")
		case <-time.After(time.Millisecond):
		}
	}
}

// TestBackupBesideObservers: what an observer does while the database is copied
// is not in the copy, so that the copied bus must still have it to do.
func TestBackupBesideObservers(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, config())
	client := join(t, h)
	swollen(t, hall)
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	over := make(chan struct{})
	go func() {
		defer close(over)
		if _, err := daemon.BackupTo(t.Context(), client, file, nil); err != nil {
			t.Error(err)
		}
	}()
	copying(t, h, over)
	publishes(t, hall, moothall.Person, moothall.SubjectQueryReceived, map[string]string{"query": "What is the capital of France?"}, func(e *moothall.Event) {
		e.Session, e.Query = "mine", "my-question"
	})
	told(t, client, moothall.SubjectResponseGeneration, "my-question", "A")
	<-over
	if t.Failed() {
		return
	}

	again := home(t.TempDir())
	if _, err := daemon.Restore(t.Context(), again, file, false); err != nil {
		t.Fatal(err)
	}
	serve(t, again, config())
	restored := join(t, again)
	becomes(t, "the question of meanwhile", func() bool { // in the copied database, or heard from the copied bus
		_, err := restored.Session(t.Context(), "mine")
		return err == nil
	})
}
