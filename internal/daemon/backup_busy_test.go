package daemon_test

import (
	"path/filepath"
	"sync"
	"testing"

	"moothall"
	"moothall/internal/daemon"
)

// TestBackupBesideObservers: what an observer does when the database has been copied
// is not in the copy, so that the copied bus must still have it to do.
func TestBackupBesideObservers(t *testing.T) {
	t.Parallel()
	h := home(t.TempDir())
	hall := serve(t, h, config())
	client := join(t, h)
	copied, goOn := make(chan struct{}), make(chan struct{})
	release := sync.OnceFunc(func() { close(goOn) })
	defer release()
	hall.Copied(func() { close(copied); <-goOn })
	file := filepath.Join(t.TempDir(), "b.tar.gz")
	over := make(chan struct{})
	go func() {
		defer close(over)
		if _, err := daemon.BackupTo(t.Context(), client, file, nil); err != nil {
			t.Error(err)
		}
	}()
	select {
	case <-copied:
	case <-over:
		t.Fatal("the backup was over before anything could be asked")
	}
	publishes(t, hall, moothall.Person, moothall.SubjectQueryReceived, map[string]string{"query": "What is the capital of France?"}, func(e *moothall.Event) {
		e.Session, e.Query = "mine", "my-question"
	})
	told(t, client, moothall.SubjectResponseGeneration, "my-question", "A")
	// A whole turn later the bus would long know that the question is answered, if it were told.
	asks(t, client, moothall.QueryRequest{Session: "other", Query: "What is the capital of Spain?"})
	release()
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
